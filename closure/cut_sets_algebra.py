"""Sets of domain failures, put together: any of some things lost, or all of them, and no more than that."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from closure.losing_sets import FailureSet, minimal_sets

CutSet = FailureSet
"""Domains, by index, ascending; the empty one says that nothing has to fail."""

MAX_SETS: Final = 1_000_000
"""How many sets (or candidates) are looked at before the search is refused [sets]."""


class TooManyCutSets(Exception):
    """More than `limit` sets, or candidates for one, of up to `order` failures: nothing is reported."""

    def __init__(self, order: int, limit: int) -> None:
        super().__init__(order, limit)
        self.order = order
        self.limit = limit

    def __str__(self) -> str:
        return f"there are more than {self.limit:,} candidates for cut sets of order {self.order}"


def any_of(families: Iterable[Sequence[CutSet]], order: int) -> tuple[CutSet, ...]:
    """Return the minimal sets that lose at least one of the things whose losing sets are given."""
    return minimal(set[CutSet]().union(*families), order)


def all_of(families: Iterable[Sequence[CutSet]], order: int) -> tuple[CutSet, ...]:
    """Return the minimal sets of up to `order` domains that lose all of the things."""
    # Equal families are shared; the smallest first keeps the products small.
    distinct = sorted({tuple(sets) for sets in families}, key=lambda sets: (len(sets), sets))
    found: tuple[CutSet, ...] = ((),)
    for sets in distinct:
        grown: set[CutSet] = set()
        for cut in found:
            grown.update(_losing_too(cut, sets, order))
            if len(grown) > MAX_SETS:
                raise TooManyCutSets(order, MAX_SETS)
        found = minimal(grown, order)
    return found


def _losing_too(cut: CutSet, sets: Sequence[CutSet], order: int) -> Iterator[CutSet]:
    """Yield what a set becomes when it has to lose one more thing: itself where it does so already."""
    having = set(cut)
    extended = []
    for more in sets:
        joined = having.union(more)
        if len(joined) == len(having):
            yield cut
            return
        if len(joined) <= order:
            extended.append(tuple(sorted(joined)))
    yield from extended


def minimal(sets: Collection[CutSet], order: int) -> tuple[CutSet, ...]:
    """Return the sets of up to `order` domains that contain no other, by size, then by index.

    Raises:
        TooManyCutSets: there are more than MAX_SETS.
    """
    if () in sets:
        return ((),)
    if len(sets) > MAX_SETS:
        raise TooManyCutSets(order, MAX_SETS)
    if max(map(len, sets), default=0) > order:
        sets = [cut for cut in sets if len(cut) <= order]
    # They come ascending, and sorting keeps that among sets of one size.
    return tuple(sorted(minimal_sets(sets), key=len))
