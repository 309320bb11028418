"""Blocks of scenarios: whoever computes them, the results and their order are the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

from closure.blocks import Lent, in_blocks
from closure.compiled import Facility, compile_facility
from tests.estates import estate_of, on

FACILITY = compile_facility(estate_of({"pdu-a": {"kind": "power"}}, {"n1": on("pdu-a")}))


def doubled(facility: Facility, block: Sequence[int]) -> list[str]:
    return [f"{facility.domain_ids[0]}:{2 * item}" for item in block]


def failing(_: Facility, __: Sequence[int]) -> list[str]:
    raise ValueError("a mistake of the task's own")


class Scripted(Executor):
    """Runs every task at once, but loses those of which `loses` says so, and counts what is under way."""

    def __init__(self, loses: Callable[[int], BaseException | None]) -> None:
        self.loses = loses
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        number = self.submitted
        self.submitted += 1
        future: Future[Any] = Future()
        lost = self.loses(number)
        if lost is not None:
            future.set_exception(lost)
        else:
            future.set_result(fn(*args))
        return future


class Closed(Executor):
    """Takes no task any more."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise BrokenExecutor("closed")


class Lending:
    """Workers that lend an executor, and remember what they lost."""

    def __init__(self, executor: Executor, shared: object = FACILITY, in_flight: int = 8) -> None:
        self.lent = Lent(executor, shared, in_flight)
        self.told: list[BaseException] = []

    def lend(self, shared: object) -> AbstractContextManager[Lent]:
        assert shared is FACILITY
        return nullcontext(self.lent)

    def lost(self, error: BaseException) -> None:
        self.told.append(error)


HERE = list(in_blocks(doubled, FACILITY, range(10), size=3))


class TestInBlocks:
    def test_covers_every_item_once_in_order(self) -> None:
        assert [text for block in HERE for text in block] == [f"pdu-a:{2 * item}" for item in range(10)]
        assert [len(block) for block in HERE] == [3, 3, 3, 1]

    def test_nothing_to_do(self) -> None:
        assert list(in_blocks(doubled, FACILITY, range(0), size=3)) == []

    def test_an_executor_gives_the_same(self) -> None:
        with ThreadPoolExecutor(2) as executor:
            workers = Lending(executor, FACILITY)
            assert list(in_blocks(doubled, FACILITY, range(10), size=3, workers=workers)) == HERE

    def test_the_facility_may_come_from_where_the_task_runs(self) -> None:
        with ThreadPoolExecutor(2) as executor:
            workers = Lending(executor, lambda: FACILITY)
            assert list(in_blocks(doubled, FACILITY, range(10), size=3, workers=workers)) == HERE

    @pytest.mark.parametrize("error", [BrokenExecutor("killed"), CancelledError(), OSError("unreachable")])
    def test_what_a_lost_worker_was_to_deliver_is_computed_here(self, error: BaseException) -> None:
        executor = Scripted(lambda number: error if number % 2 else None)
        workers = Lending(executor, FACILITY)
        assert list(in_blocks(doubled, FACILITY, range(10), size=3, workers=workers)) == HERE
        assert workers.told == [error, error]

    def test_an_executor_that_takes_nothing_any_more(self) -> None:
        assert (
            list(in_blocks(doubled, FACILITY, range(10), size=3, workers=Lending(Closed(), FACILITY))) == HERE
        )

    def test_no_more_blocks_are_under_way_than_allowed(self) -> None:
        executor = Scripted(lambda _: None)
        results = in_blocks(
            doubled, FACILITY, range(100), size=1, workers=Lending(executor, FACILITY, in_flight=4)
        )
        for taken, _ in enumerate(results, 1):
            assert executor.submitted <= taken + 4

    def test_what_is_not_under_way_at_first_follows(self) -> None:
        workers = Lending(Scripted(lambda _: None), in_flight=2)
        assert list(in_blocks(doubled, FACILITY, range(10), size=3, workers=workers)) == HERE

    def test_an_error_of_the_task_is_raised(self) -> None:
        with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="own"):
            list(in_blocks(failing, FACILITY, range(3), size=1, workers=Lending(executor, FACILITY)))
