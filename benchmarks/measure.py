"""CPU seconds, peak memory and plain tables, for the benchmarks alone."""

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

STATUS = Path("/proc/self/status")


def cpu_seconds(work: Callable[[], T], repeat: int = 1) -> tuple[float, T]:
    """Return the best CPU time of `repeat` runs [s] and the last result."""
    gc.collect()
    start = time.process_time()
    result = work()
    spent = time.process_time() - start
    if repeat > 1:
        del result
        best, result = cpu_seconds(work, repeat - 1)
        spent = min(spent, best)
    return spent, result


def peak_mb(work: Callable[[], object]) -> float | None:
    """Return how far a run of `work` raises the memory of a fork of this process [MB]; None off Linux."""
    if not STATUS.exists():
        return None
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        before = _status_kb("VmRSS")
        try:
            work()
        finally:
            os.write(writer, str(_status_kb("VmHWM") - before).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        grown_kb = int(pipe.read())
    os.waitpid(child, 0)
    return grown_kb / 1024


def _status_kb(key: str) -> int:
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


def seconds(value: float | None) -> str:
    """Return seconds to three figures, or a dash."""
    return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def whole(value: float | None) -> str:
    """Return a whole number, or a dash."""
    return "-" if value is None else f"{value:,.0f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)


def progress(text: str) -> None:
    """Say on stderr what is being measured."""
    if sys.stderr.isatty():
        print(f"... {text}", file=sys.stderr)
