"""Minimal cut sets of a target: the smallest sets of domain failures that take it down (exact up to an order).

A goal says how much has to be lost. The closure is monotone, so what takes a goal down is settled by its
minimal sets; they are put together here from the minimal losing sets of single domains and node groups.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Final, Protocol

from topology.model import Number

CutSet = tuple[int, ...]
"""Domains, by index, ascending; the empty one says that nothing has to fail."""

MAX_ORDER: Final = 3
"""The largest order that can be asked for [domains]."""

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


class Losing(Protocol):
    """Minimal losing sets by index: of every domain, and of every group of nodes; `((),)`: already lost."""

    @property
    def domains(self) -> Sequence[Sequence[CutSet]]:
        """Per domain."""

    @property
    def groups(self) -> Sequence[Sequence[CutSet]]:
        """Per node group."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to be lost: things that count, with their weights > 0, and the lost weight that is enough."""

    need: Number
    groups: Mapping[int, Number] = field(default_factory=lambda: MappingProxyType({}))
    domains: Mapping[int, Number] = field(default_factory=lambda: MappingProxyType({}))

    def reached(self, domains: Collection[int], groups: Collection[int]) -> bool:
        """Return whether losing these domains and groups is enough."""
        lost = [weight for d, weight in self.domains.items() if d in domains]
        lost += [weight for g, weight in self.groups.items() if g in groups]
        return sum(lost) >= self.need


def cut_sets(goal: Goal, losing: Losing, order: int) -> tuple[CutSet, ...]:
    """Return every minimal cut set of up to `order` domains, by size, then by index.

    `losing` must hold all losing sets of up to `order`. The empty set alone: the goal is reached already.

    Raises:
        TooManyCutSets: the search would not end in reasonable time and memory.
    """
    weighted = [(weight, losing.domains[d]) for d, weight in goal.domains.items()]
    weighted += [(weight, losing.groups[g]) for g, weight in goal.groups.items()]
    weights = [weight for weight, _ in weighted]
    spare = sum(weights) - goal.need
    if spare < 0:
        return ()
    smallest = min(weights, default=0)
    if goal.need <= smallest:
        return any_of((sets for _, sets in weighted), order)
    if spare < smallest:
        return all_of((sets for _, sets in weighted), order)
    from closure.cut_sets_amount import amount_of

    return amount_of(weighted, goal.need, order)


def cut_sets_of(goals: Iterable[Goal], losing: Losing, order: int) -> Iterator[tuple[CutSet, ...]]:
    """Yield the minimal cut sets of every goal of a block, in its order; blocks do not depend on each other.

    Raises:
        TooManyCutSets: as `cut_sets` does.
    """
    for goal in goals:
        yield cut_sets(goal, losing, order)


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
    by_size: list[list[CutSet]] = [[] for _ in range(order + 1)]
    for cut in sets:
        if len(cut) <= order:
            by_size[len(cut)].append(cut)
    alone = {cut[0] for cut in by_size[1]}
    kept: list[CutSet] = sorted(by_size[1])
    known = set(kept)
    for size in range(2, order + 1):
        fresh = [cut for cut in by_size[size] if alone.isdisjoint(cut)]
        if size > 2:
            smaller = range(2, size)
            fresh = [cut for cut in fresh if not _contains(cut, smaller, known)]
        kept += sorted(fresh)
        known.update(fresh)
    return tuple(kept)


def _contains(cut: CutSet, sizes: Iterable[int], known: Collection[CutSet]) -> bool:
    return any(part in known for size in sizes for part in combinations(cut, size))
