"""Scenarios in blocks: computed here, or by any executor, with the same results in the same order."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from closure.compiled import Facility

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
class Workers:
    """An executor, and how its tasks come by the facility.

    `facility` travels with every task: the facility itself, or, so that it is shared once, a function that
    returns it where the task runs. At most `in_flight` blocks are under way, which bounds what is in memory.
    `on_lost` is called with the error that a lost worker left behind.
    """

    executor: Executor
    facility: Facility | Callable[[], Facility]
    in_flight: int = 8
    on_lost: Callable[[BaseException], None] | None = None


def in_blocks(
    work: Callable[[Facility, Sequence[Item]], Result],
    facility: Facility,
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
            yield work(facility, block)
        return
    waiting: deque[tuple[Sequence[Item], Pending | None]] = deque()
    waiting.extend((block, _submitted(workers, work, block)) for block in islice(blocks, workers.in_flight))
    while waiting:
        block, pending = waiting.popleft()
        result = _delivered(workers, pending) if pending is not None else _NOTHING
        waiting.extend((more, _submitted(workers, work, more)) for more in islice(blocks, 1))
        yield work(facility, block) if result is _NOTHING else result


_NOTHING: Final[Any] = object()


def _submitted(workers: Workers, work: Callable[..., Any], block: Sequence[Any]) -> Pending | None:
    try:
        return workers.executor.submit(_task, work, workers.facility, block)
    except LOST as error:
        _tell(workers, error)
        return None


def _delivered(workers: Workers, pending: Pending) -> Any:
    try:
        return pending.result()
    except LOST as error:
        _tell(workers, error)
        return _NOTHING


def _tell(workers: Workers, error: BaseException) -> None:
    if workers.on_lost is not None:
        workers.on_lost(error)


def _task(work: Callable[..., Any], shared: Facility | Callable[[], Facility], block: Sequence[Any]) -> Any:
    """Run one block, wherever that is."""
    return work(shared if isinstance(shared, Facility) else shared(), block)
