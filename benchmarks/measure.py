"""CPU seconds, peak memory and plain tables, for the benchmarks alone."""

import gc
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

P = TypeVar("P")
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


def peak_mb(prepare: Callable[[], P], work: Callable[[P], object]) -> float | None:
    """Return how far `work` on what `prepare` made raises a new process's memory [MB]; None off Linux.

    Both must be picklable: the process starts afresh, so that memory freed before is not reused unseen.
    """
    if not STATUS.exists():
        return None
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_growth_mb, prepare, work).result()


def _growth_mb(prepare: Callable[[], P], work: Callable[[P], object]) -> float:
    prepared = prepare()
    gc.collect()
    before = _status_kb("VmRSS")
    # The peak of the preparation may be higher than what it left behind: start counting from here.
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    work(prepared)
    return (_status_kb("VmHWM") - before) / 1024


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
