"""The command as a user runs it: its own process, its own exit code."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.topo.forks import server
from topo.text.table import display_width

ROOT = Path(__file__).resolve().parents[2]
TWO_HALLS = ROOT / "examples" / "two-halls"
LAB = ROOT / "examples" / "lab"

STARTED_ANEW = frozenset({"--workers", "--scheduler"})
"""Options of runs that start processes of their own, and so must be started as a user starts them."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a run left behind."""

    code: int
    out: str
    err: str


def topo(*arguments: str | Path, stdin: bytes | None = None, **environment: str) -> Done:
    """Run `topo` from the repository's root through its real entry point.

    A run that says nothing about its input and environment is forked from one that has imported the command.
    """
    words = tuple(map(str, arguments))
    if stdin is None and not environment and hasattr(os, "fork") and STARTED_ANEW.isdisjoint(words):
        code, out, err = server().run(words)
        return Done(code, out.decode(), err.decode())
    done = subprocess.run(
        [sys.executable, "-m", "topo", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1", **environment},
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        timeout=300,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def topo_twice(*arguments: str | Path) -> tuple[Done, Done]:
    """Run `topo` in two processes whose sets and dictionaries of strings are laid out differently."""
    first, second = (topo(*arguments, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    return first, second


def widest(page: str) -> int:
    """Return the width of the widest line; a command is one line however long, so that it can be pasted."""
    return max(display_width(line) for line in page.splitlines() if not line.startswith("  topo "))


def golden(path: Path, text: str) -> None:
    """Compare with a golden file; TOPO_REGENERATE=1 writes it anew."""
    if os.environ.get("TOPO_REGENERATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
