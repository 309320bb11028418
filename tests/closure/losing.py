"""Losing sets and cut sets by trying every set of domains: the oracle of the cut sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from closure.cut_sets import CutSet
from tests.naive_engine import NaiveClosure, close
from topology.model import Estate


def every_set(count: int, order: int) -> Iterator[CutSet]:
    """Every set of up to `order` of `count` things, the smaller first."""
    for size in range(order + 1):
        yield from combinations(range(count), size)


def minimal_sets(down: Callable[[CutSet], bool], count: int, order: int) -> list[CutSet]:
    """The sets for which `down` holds and for no smaller part of which it does."""
    found: list[CutSet] = []
    for cut in every_set(count, order):
        if not any(set(part) <= set(cut) for part in found) and down(cut):
            found.append(cut)
    return found


class Scenarios:
    """The naive closure of any set of an estate's domains, by index into `ids`."""

    def __init__(self, estate: Estate, ids: tuple[str, ...]) -> None:
        self.estate = estate
        self.ids = ids
        self._known: dict[CutSet, NaiveClosure] = {}

    def __call__(self, cut: CutSet) -> NaiveClosure:
        if cut not in self._known:
            self._known[cut] = close(self.estate, [self.ids[d] for d in cut])
        return self._known[cut]

    def minimal(self, down: Callable[[NaiveClosure], bool], order: int) -> list[CutSet]:
        """The minimal sets whose closure is `down`."""
        return minimal_sets(lambda cut: down(self(cut)), len(self.ids), order)
