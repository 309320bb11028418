"""Cut sets of an amount: the smallest sets of domain failures that lose enough, of anything that counts.

What a set loses is everything that one of its subsets is a minimal losing set of. Domains are *coupled* where
they lose something only together. What the uncoupled parts of a set lose adds up at most (they may lose the
same things), so sums bound what a candidate can lose; every candidate that passes is then counted exactly.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

from closure.blocks import Workers, in_blocks
from closure.cut_sets_algebra import MAX_SETS, CutSet, TooManyCutSets
from topology.model import Number

Weighted = tuple[Number, Sequence[CutSet]]
"""The weight of one thing, and its minimal losing sets."""

_NO_ONE: frozenset[int] = frozenset()

_BLOCK: Final = 20_000
"""Candidates that are counted in one go, where workers share them."""


def amount_of(
    weighted: Iterable[Weighted], need: Number, order: int, *, workers: Workers | None = None
) -> tuple[CutSet, ...]:
    """Return the minimal sets of up to `order` domains that lose things that weigh `need` together.

    Raises:
        TooManyCutSets: more candidates than MAX_SETS pass the bound.
    """
    search = _Search(weighted, need, order, workers)
    if search.need <= 0:
        return ((),)
    singles = search.singles()
    pairs = search.pairs() if order > 1 else []
    triples = search.triples() if order > 2 else []
    return (*sorted(singles), *sorted(pairs), *sorted(triples))


@dataclass(frozen=True, slots=True)
class _Losses:
    """What sets of domains lose, and what that weighs; all that counting a candidate needs."""

    loses: dict[CutSet, frozenset[int]]
    weights: list[Number]

    def amount(self, cut: CutSet) -> Number:
        """Return the weight of everything that a set loses."""
        parts = [part for size in range(1, len(cut) + 1) for part in combinations(cut, size)]
        loses = self.loses
        return self.weigh(_NO_ONE.union(*[loses[part] for part in parts if part in loses]))

    def weigh(self, things: Iterable[int]) -> Number:
        """Return the weight of some things."""
        weights = self.weights
        return sum([weights[thing] for thing in sorted(things)])


def _amounts(losses: _Losses, cuts: Sequence[CutSet]) -> list[Number]:
    return [losses.amount(cut) for cut in cuts]


class _Search:
    """The search for one amount; `need` is what has to be lost beyond the baseline."""

    def __init__(
        self, weighted: Iterable[Weighted], need: Number, order: int, workers: Workers | None
    ) -> None:
        # Things that share their losing sets are one thing.
        shared: dict[tuple[CutSet, ...], Number] = {}
        for weight, sets in weighted:
            key = tuple(sets)
            shared[key] = shared.get(key, 0) + weight
        self.need = need - shared.pop(((),), 0)
        self._order = order
        self._workers = workers
        loses: defaultdict[CutSet, set[int]] = defaultdict(set)
        for thing, sets in enumerate(shared):
            for cut in sets:
                if len(cut) <= order:
                    loses[cut].add(thing)
        self._losses = _Losses(
            {cut: frozenset(things) for cut, things in loses.items()}, list(shared.values())
        )
        self._alone: dict[int, Number] = {}
        self._found: set[CutSet] = set()
        self._coupled: dict[CutSet, Number] = {}
        self._additive: dict[CutSet, Number] = {}
        self._candidates = 0

    def singles(self) -> list[CutSet]:
        """Find the domains that are enough alone; the others, the heaviest first, are what may be added."""
        loses, weights = self._losses.loses, self._losses.weights
        amounts = {cut[0]: self._losses.weigh(things) for cut, things in loses.items() if len(cut) == 1}
        enough = {d for d, amount in amounts.items() if amount >= self.need}
        light = ((d, amount) for d, amount in amounts.items() if d not in enough)
        self._alone = dict(sorted(light, key=lambda item: (-item[1], item[0])))
        self._losses = _Losses({c: things for c, things in loses.items() if enough.isdisjoint(c)}, weights)
        return [(d,) for d in enough]

    def pairs(self) -> list[CutSet]:
        """Find the pairs that are enough; what every other pair loses is kept as far as it may matter."""
        self._judge((cut for cut in self._losses.loses if len(cut) == 2), self._coupled)
        heavy = self._heavy_pairs(self.need if self._order == 2 else self._least_of_two())
        judged = self._found | self._coupled.keys()
        self._judge((cut for cut in heavy if cut not in judged), self._additive)
        return list(self._found)

    def triples(self) -> list[CutSet]:
        """Find the triples that are enough and contain no pair that is."""
        below = set(self._found)
        candidates = self._candidate_triples()
        self._judge((c for c in candidates if below.isdisjoint(combinations(c, 2))), {})
        return [cut for cut in self._found if len(cut) == 3]

    def _least_of_two(self) -> Number:
        """What two domains must lose so that a third may make it enough."""
        return self.need - max(self._alone.values(), default=0)

    def _heavy_pairs(self, least: Number) -> Iterator[CutSet]:
        """Yield the pairs whose members lose at least so much, added up."""
        heaviest = list(self._alone.items())
        for i, (x, of_x) in enumerate(heaviest):
            for y, of_y in heaviest[i + 1 :]:
                if of_x + of_y < least:
                    break
                yield (x, y) if x < y else (y, x)

    def _candidate_triples(self) -> Iterator[CutSet]:
        """Yield every triple that may be enough: coupled, two pairs that meet, or a pair and one more."""
        yield from (cut for cut in self._losses.loses if len(cut) == 3)
        yield from self._meeting_pairs()
        for pairs in (self._coupled, self._additive):
            for cut, amount in pairs.items():
                yield from self._with_another(cut, amount)

    def _with_another(self, pair: CutSet, amount: Number) -> Iterator[CutSet]:
        x, y = pair
        for z, more in self._alone.items():
            if amount + more < self.need:
                return
            if z not in pair:
                yield _sorted_triple(x, y, z)

    def _meeting_pairs(self) -> Iterator[CutSet]:
        """Yield the triples of two coupled pairs; where the third pair is coupled too, it adds its own.

        Of three pairs the two heaviest hold two thirds of what all three lose: that bounds the search.
        """
        meeting: defaultdict[int, list[tuple[Number, int]]] = defaultdict(list)
        for (x, y), amount in self._coupled.items():
            meeting[x].append((amount, y))
            meeting[y].append((amount, x))
        for middle, pairs in meeting.items():
            pairs.sort(key=lambda item: (-item[0], item[1]))
            for i, (of_first, x) in enumerate(pairs):
                for of_second, y in pairs[i + 1 :]:
                    both = of_first + of_second
                    if 3 * both < 2 * self.need:
                        break
                    third = self._coupled.get((x, y) if x < y else (y, x), 0)
                    if both + third >= self.need:
                        yield _sorted_triple(middle, x, y)

    def _judge(self, candidates: Iterable[CutSet], kept: dict[CutSet, Number]) -> None:
        """Count what every candidate loses: found where that is enough, else kept."""
        distinct: dict[CutSet, None] = {}
        for cut in candidates:
            distinct[cut] = None
            if self._candidates + len(distinct) > MAX_SETS:
                raise TooManyCutSets(self._order, MAX_SETS)
        self._candidates += len(distinct)
        cuts = list(distinct)
        amounts = in_blocks(_amounts, self._losses, cuts, size=_BLOCK, workers=self._workers)
        for cut, amount in zip(cuts, chain.from_iterable(amounts), strict=True):
            if amount >= self.need:
                self._found.add(cut)
            else:
                kept[cut] = amount


def _sorted_triple(x: int, y: int, z: int) -> CutSet:
    low, middle, high = sorted((x, y, z))
    return (low, middle, high)
