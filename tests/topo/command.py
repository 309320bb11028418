"""The command as a user runs it: its own process, its own exit code."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from topo.text.table import display_width

ROOT = Path(__file__).resolve().parents[2]
TWO_HALLS = ROOT / "examples" / "two-halls"
LAB = ROOT / "examples" / "lab"


@dataclass(frozen=True, slots=True)
class Done:
    """What a run left behind."""

    code: int
    out: str
    err: str


def topo(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> Done:
    """Run `topo` from the repository's root through its real entry point."""
    done = subprocess.run(
        [sys.executable, "-m", "topo", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1", **environment},
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        timeout=300,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def widest(page: str) -> int:
    """Return the width of the widest line; a command is one line however long, so that it can be pasted."""
    return max(display_width(line) for line in page.splitlines() if not line.startswith("  topo "))


def golden(path: Path, text: str) -> None:
    """Compare with a golden file; TOPO_REGENERATE=1 writes it anew."""
    if os.environ.get("TOPO_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
