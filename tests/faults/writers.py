"""Commands that write a file, and what a run leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ESTATE = ROOT / "examples" / "lab" / "estate.json"
MAP = ROOT / "examples" / "methodology" / "topology.yaml"

WRITERS: dict[str, tuple[str, ...]] = {
    "report": ("report", str(ESTATE), "-o"),
    "diagram": ("diagram", str(ESTATE), "--format", "svg", "-o"),
    "merge": ("merge", str(ESTATE), "-o"),
    "curtail": ("curtail", str(ESTATE), "--shed-kw", "1", "--picture"),
    "rescue": ("rescue", str(ESTATE), "--fail", "feed-strong", "--picture"),
}
"""Every command that writes a file, up to the option that names it."""

READERS: dict[str, tuple[str, ...]] = {
    "validate": ("validate", str(ESTATE)),
    "whatif": ("whatif", "--fail", "feed-strong", str(ESTATE)),
    "why": ("why", "feed-strong", "--fail", "feed-strong", str(ESTATE)),
    "sweep": ("sweep", str(ESTATE)),
    "cutsets": ("cutsets", "--target", "critical:50%", str(ESTATE)),
    "findings": ("findings", str(ESTATE)),
    "explain": ("explain", "capacity-ledger", str(ESTATE)),
    "report": ("report", str(ESTATE)),
    "diagram": ("diagram", str(ESTATE)),
    "curtail": ("curtail", "--shed-kw", "1", str(ESTATE)),
    "rescue": ("rescue", "--fail", "feed-strong", str(ESTATE)),
    "headroom": ("headroom", str(ESTATE)),
    "ok-to-take-out": ("ok-to-take-out", "feed-strong", str(ESTATE)),
    "diff": ("diff", str(ESTATE), str(ESTATE)),
    "merge": ("merge", str(ESTATE)),
    "collect": ("collect", "--print-requests"),
    "explain-rule": ("explain-rule",),
}
"""Every command, printing to standard output."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended."""

    code: int
    out: str
    err: str


def topo(*words: str, before: Callable[[], None] | None = None, folder: Path | None = None) -> Ending:
    """Run a command in a process of its own; `before` runs in it first."""
    done = subprocess.run(
        command(*words),
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment(),
        preexec_fn=before,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    return Ending(done.returncode, done.stdout, done.stderr)


def command(*words: str) -> list[str]:
    """The command line."""
    return [sys.executable, "-m", "topo", *words]


def environment() -> dict[str, str]:
    """An environment in which the module is found from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "NO_COLOR": "1"}


def refused(ending: Ending, said: str) -> None:
    """Exit 2 with one message and its hint, and no result."""
    assert ending.code == 2, ending
    assert ending.err.startswith("topo: error: "), ending.err
    assert said in ending.err
    assert "Traceback" not in ending.err
    assert len(ending.err.splitlines()) <= 3
