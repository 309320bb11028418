"""Minimal cut sets: the smallest sets of domain failures that take a target down, exact up to an order.

A goal says how much has to be lost. The closure is monotone, so what takes a goal down is settled by its
minimal sets; they are put together here from the minimal losing sets of single domains and node groups.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from closure.blocks import Workers
from closure.cut_sets_algebra import CutSet, TooManyCutSets, all_of, any_of
from closure.cut_sets_amount import amount_of
from closure.losing_sets import LosingSets
from topology.model import Number

__all__ = ["MAX_ORDER", "CutSet", "Goal", "TooManyCutSets", "cut_sets", "cut_sets_of"]

MAX_ORDER: Final = 3
"""The largest order that can be asked for [domains]."""


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


def cut_sets(
    goal: Goal, losing: LosingSets, order: int, *, workers: Workers | None = None
) -> tuple[CutSet, ...]:
    """Return every minimal cut set of up to `order` domains, by size, then by index.

    `losing` must hold all losing sets of up to `order`. The empty set alone: the goal is reached already.

    Raises:
        TooManyCutSets: the search would not end in reasonable time and memory.
    """
    if goal.need <= 0:
        return ((),)
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
    return amount_of(weighted, goal.need, order, workers=workers)


def cut_sets_of(goals: Iterable[Goal], losing: LosingSets, order: int) -> Iterator[tuple[CutSet, ...]]:
    """Yield the minimal cut sets of every goal of a block, in its order; blocks do not depend on each other.

    Raises:
        TooManyCutSets: as `cut_sets` does.
    """
    for goal in goals:
        yield cut_sets(goal, losing, order)
