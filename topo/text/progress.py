"""Progress on stderr: only on a terminal, only when the work takes more than a second."""

import sys
import time
from collections.abc import Callable
from typing import Final

_QUIET_SECONDS: Final = 1.0
_BAR_CELLS: Final = 30


def progress_bar(what: str) -> Callable[[int, int], None] | None:
    """Return a callback (done, total) that draws a bar; None where stderr is no terminal."""
    if not sys.stderr.isatty():
        return None
    started = time.monotonic()

    def draw(done: int, total: int) -> None:
        if time.monotonic() - started < _QUIET_SECONDS:
            return
        filled = _BAR_CELLS * done // max(1, total)
        bar = "#" * filled + "." * (_BAR_CELLS - filled)
        end = "\r\x1b[K" if done >= total else ""
        sys.stderr.write(f"\r{what} [{bar}] {done:,} of {total:,}{end}")
        sys.stderr.flush()

    return draw
