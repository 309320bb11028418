"""Outputs pasted into the documentation: found, run again, compared, or written anew.

A fenced block of language `console` holds commands (`$ topo ...`), each followed by what it prints on stdout.
`python -m tests.docs.console` writes every block, docs/cli.md and the pictures anew; the tests compare.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a block and the output that the page shows for it."""

    line: str
    shown: str


def pages() -> list[Path]:
    """Return every page that may hold console blocks."""
    return [
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "examples").glob("*/README.md")),
    ]


def commands(block: str) -> list[Command]:
    """Split a block into its commands."""
    found: list[Command] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], ""))
        elif found:
            found[-1] = Command(found[-1].line, found[-1].shown + line + "\n")
    return found


def run(line: str) -> str:
    """Return what a command prints on stdout, from the repository's root."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
    }
    shell = f'topo() {{ "{sys.executable}" -m topo "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", shell],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.stdout


def blocks(page: Path) -> list[str]:
    """Return the console blocks of a page."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def rewritten(page: Path) -> str:
    """Return the page with every block's output as it is now."""

    def anew(match: re.Match[str]) -> str:
        parts = [f"$ {command.line}\n{run(command.line)}" for command in commands(match.group(1))]
        return "```console\n" + "".join(parts) + "```"

    return _BLOCK.sub(anew, page.read_text(encoding="utf-8"))


def main() -> None:
    """Write everything that is generated."""
    from tests.docs import cli, pictures

    cli.PAGE.write_text(cli.page(), encoding="utf-8")
    for name in pictures.PICTURES:
        (pictures.FOLDER / name).write_text(pictures.draw(name), encoding="utf-8")
    for path in pages():
        if path.exists():
            path.write_text(rewritten(path), encoding="utf-8")


if __name__ == "__main__":
    main()
