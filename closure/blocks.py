"""Scenarios in blocks: computed here, or by any executor, with the same results in the same order."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")

BLOCK: Final = 1000
"""Scenarios in a block: enough work to outweigh its journey, little enough to show progress."""

LOST: Final = (BrokenExecutor, CancelledError, OSError)
"""What a task raises when its worker is gone. Everything else is the task's own error."""


class Pending(Protocol):
    """A result to come: a future."""

    def result(self) -> Any:
        """Wait for it."""


class Executor(Protocol):
    """Whatever runs tasks elsewhere: `concurrent.futures`, Dask, and what looks like them."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Pending:
        """Start a task."""


@dataclass(frozen=True, slots=True)
class Lent:
    """An executor, and what all its tasks share.

    `shared` travels with every task: the value itself, or, so that it is sent once, something that stands for
    it: a function that returns it where the task runs. At most `in_flight` blocks are under way, which bounds
    what is in memory.
    """

    executor: Executor
    shared: object
    in_flight: int = 8


class Workers(Protocol):
    """Where blocks are computed if not here."""

    def lend(self, shared: object) -> AbstractContextManager[Lent]:
        """Make a value known to the workers for as long as it is needed."""

    def lost(self, error: BaseException) -> None:
        """Hear of a worker that is gone, by the error that it left behind."""


def in_blocks(
    work: Callable[[Shared, Sequence[Item]], Result],
    shared: Shared,
    items: Sequence[Item],
    *,
    size: int = BLOCK,
    workers: Workers | None = None,
) -> Iterator[Result]:
    """Yield what `work` makes of every block of up to `size` items, in their order.

    Without workers each block is computed when it is asked for. With workers, whatever a lost one was to
    deliver is computed here, so that nothing is missing and nothing differs.
    """
    blocks = (items[start : start + size] for start in range(0, len(items), size))
    if workers is None:
        for block in blocks:
            yield work(shared, block)
        return
    with workers.lend(shared) as lent:
        waiting: deque[tuple[Sequence[Item], Pending | None]] = deque()
        for block in islice(blocks, lent.in_flight):
            waiting.append((block, _submitted(workers, lent, work, block)))
        while waiting:
            block, pending = waiting.popleft()
            result = _NOTHING if pending is None else _delivered(workers, pending)
            for more in islice(blocks, 1):
                waiting.append((more, _submitted(workers, lent, work, more)))
            yield work(shared, block) if result is _NOTHING else result


_NOTHING: Final[Any] = object()


def _submitted(
    workers: Workers, lent: Lent, work: Callable[..., Any], block: Sequence[Any]
) -> Pending | None:
    try:
        return lent.executor.submit(_task, work, lent.shared, block)
    except LOST as error:
        workers.lost(error)
        return None


def _delivered(workers: Workers, pending: Pending) -> Any:
    try:
        return pending.result()
    except LOST as error:
        workers.lost(error)
        return _NOTHING


def _task(work: Callable[..., Any], shared: Any, block: Sequence[Any]) -> Any:
    """Run one block, wherever that is."""
    return work(shared() if callable(shared) else shared, block)
