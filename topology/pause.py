"""A rest for the garbage collector while many objects are made that all stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking a growing heap again and again; loading makes no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            # What was made meanwhile all counts as young: without this the first collection walks all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
