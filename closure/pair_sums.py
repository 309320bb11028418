"""The loss of every pair as one number, without ever listing the pairs.

Most pairs lose the sum of what both lose alone. The others are few and kept: those that lose something in
common, and those that lose something only together. The largest of all pairs, and how many reach a threshold,
follow from the sorted sums and a look at the exceptions. Weights are whole numbers, so every sum is exact.
"""

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Final

from closure.pairs import Pair, Pairs, ordered

MAX_EXCEPTIONS: Final = 4_000_000
"""How many pairs may lose something other than the sum: bounds time and memory."""


class TooManyExceptions(Exception):
    """A map in which most pairs lose something in common, as data.

    `failures` are the domains (by index) of the longest list whose every member loses the same things alone.
    """

    def __init__(self, limit: int, failures: Sequence[int]) -> None:
        super().__init__(limit, failures)
        self.limit = limit
        self.failures = failures

    def __str__(self) -> str:
        return f"more than {self.limit:,} pairs of domains lose something in common in this map"


@dataclass(frozen=True, slots=True)
class PairSums:
    """What pairs of failures lose: `base` and both `alone`, unless `exact` knows the pair (base included)."""

    base: int
    alone: Sequence[int]
    exact: Mapping[Pair, int]

    def loss(self, pair: Pair) -> int:
        """Return what a pair loses."""
        known = self.exact.get(pair)
        return self.base + self.alone[pair[0]] + self.alone[pair[1]] if known is None else known

    def top(self, number: int, ranks: Sequence[int]) -> list[Pair]:
        """Return the pairs that lose most, largest first; equal ones by the smaller rank, then the larger."""
        keys = ((-loss, *_ranked(pair, ranks), pair) for pair, loss in self.exact.items())
        best = heapq.nsmallest(number, keys)
        least = -best[-1][0] if len(best) == number else None
        plain: list[tuple[int, int, int, Pair]] = []
        for loss, pairs in self._plain_levels(ranks):
            if len(plain) >= number or (least is not None and loss < least):
                break
            plain += [(-loss, *_ranked(pair, ranks), pair) for pair in islice(pairs, number - len(plain))]
        return [pair for *_, pair in heapq.nsmallest(number, [*best, *plain])]

    def at_least(self, threshold: int) -> int:
        """Return how many pairs lose at least so much."""
        ordered = sorted(self.alone)
        count = sum(
            len(ordered) - max(i + 1, bisect_left(ordered, threshold - self.base - loss))
            for i, loss in enumerate(ordered)
        )
        for pair, loss in self.exact.items():
            plain = self.base + self.alone[pair[0]] + self.alone[pair[1]]
            count += (loss >= threshold) - (plain >= threshold)
        return count

    def _plain_levels(self, ranks: Sequence[int]) -> Iterator[tuple[int, Iterator[Pair]]]:
        """Yield each sum of two alone, descending, with the pairs that have it and are no exception, by rank.

        Failures that lose equally much form a class; sums of classes come off a heap.
        """
        classes: dict[int, list[int]] = {}
        by_rank = sorted(range(len(ranks)), key=ranks.__getitem__)
        for rank, x in enumerate(by_rank):
            classes.setdefault(self.alone[x], []).append(rank)
        losses = sorted(classes, reverse=True)
        waiting = [(-2 * losses[0], 0, 0)] if losses else []
        while waiting:
            level = waiting[0][0]
            members = []
            while waiting and waiting[0][0] == level:
                _, i, j = heapq.heappop(waiting)
                members.append(_by_rank(classes[losses[i]], classes[losses[j]]))
                if j + 1 < len(losses):
                    heapq.heappush(waiting, (-losses[i] - losses[j + 1], i, j + 1))
                    if i == j:
                        heapq.heappush(waiting, (-2 * losses[i + 1], i + 1, i + 1))
            pairs = (ordered(by_rank[low], by_rank[high]) for low, high in heapq.merge(*members))
            yield self.base - level, (pair for pair in pairs if pair not in self.exact)


def _ranked(pair: Pair, ranks: Sequence[int]) -> Pair:
    return ordered(ranks[pair[0]], ranks[pair[1]])


def _by_rank(first: list[int], second: list[int]) -> Iterator[Pair]:
    """Yield the pairs of two ascending lists (or of one with itself), smaller rank first, ascending."""
    if first is second:
        yield from combinations(first, 2)
        return
    for low, partners in heapq.merge(((x, second) for x in first), ((x, first) for x in second), key=_rank):
        for high in partners[bisect_right(partners, low) :]:
            yield low, high


def _rank(entry: tuple[int, list[int]]) -> int:
    return entry[0]


def closure_sums(pairs: Pairs, weights: Sequence[int]) -> PairSums:
    """Return what pairs lose by the closure, in the weights of the node groups.

    Raises TooManyExceptions.
    """
    lost = pairs.groups
    alone = [sum([weights[g] for g in groups]) for groups in lost.alone]
    apart = overlaps(zip(pairs.losers, weights, strict=True))
    for pair, groups in lost.together.items():
        apart[pair] = apart.get(pair, 0) + sum([weights[g] for g in groups])
    return pair_sums(sum(weights[g] for g in lost.baseline), alone, apart)


def pair_sums(base: int, alone: Sequence[int], apart: Mapping[Pair, int]) -> PairSums:
    """Return the sums, given by how much some pairs lose more (or less) than both alone."""
    exact = {pair: base + alone[pair[0]] + alone[pair[1]] + more for pair, more in apart.items()}
    return PairSums(base, alone, exact)


def overlaps(things: Iterable[tuple[Sequence[int] | None, int]]) -> dict[Pair, int]:
    """Return by how much the sum of two failures counts twice (negative), where both lose the same things.

    A thing is given by the failures that lose it alone, ascending, and its weight. Raises TooManyExceptions.
    """
    weight_of: dict[tuple[int, ...], int] = {}
    for losers, weight in things:
        if losers:
            key = tuple(losers)
            weight_of[key] = weight_of.get(key, 0) + weight
    found: dict[Pair, int] = {}
    for losers, weight in weight_of.items():
        if max(len(found), comb(len(losers), 2)) > MAX_EXCEPTIONS:
            raise TooManyExceptions(MAX_EXCEPTIONS, max(weight_of, key=len))
        for pair in combinations(losers, 2):
            found[pair] = found.get(pair, 0) - weight
    return found
