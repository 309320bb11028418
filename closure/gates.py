"""The gate of a list of feeds: which failures leave too few of them, or too little (spec 4 rules 3 and 4).

Failures that lose the same feeds are alike, so the gate is asked once per combination of likes, however many
failures there are of each. Failures that lose a feed only together count as one more failure.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product
from operator import or_
from typing import Final, NamedTuple

from closure.compiled import Facility
from closure.families import NOTHING, FailureSet, Family, minimal_family
from closure.tolerance import highest_kept

_UNKNOWN_DRAW_KW: Final = -1.0
"""Below every rating: a draw that nobody knows demotes nothing."""

_SETS_PER_CASE: Final = 20
"""How many losing sets a combination to ask for counts as: it takes about as much memory."""


class TooManyLosingSets(Exception):
    """A map too large for this order, as data: `id` is the domain or node at which the limit was passed."""

    def __init__(self, domain_id: str, order: int, limit: int) -> None:
        super().__init__(domain_id, order, limit)
        self.id = domain_id
        self.order = order
        self.limit = limit

    def __str__(self) -> str:
        return (
            f"more than {self.limit:,} sets of up to {self.order} failures lose something in this map; "
            f"the limit was passed at {self.id!r}"
        )


class SetBudget:
    """How many losing sets may still be made."""

    def __init__(self, limit: int, order: int) -> None:
        self.limit = limit
        self.order = order
        self._left = limit

    def spend(self, sets: int, name: str) -> None:
        """Count sets that are about to be made for a domain or node. Raises TooManyLosingSets."""
        self._left -= sets
        if self._left < 0:
            raise TooManyLosingSets(name, self.order, self.limit)


class _Likes(NamedTuple):
    """Sets of `size` failures each, of which every one loses the feeds in `mask`, and no part of it all."""

    mask: int
    size: int
    sets: list[FailureSet]


class _Case(NamedTuple):
    """One combination of likes; `limit_kw` is the largest draw that the gate then still carries."""

    limit_kw: float
    parts: tuple[_Likes, ...]


class Gate:
    """The feeds that stand in the baseline, with what loses each.

    Raises TooManyLosingSets where there are too many combinations to ask for.
    """

    def __init__(
        self,
        facility: Facility,
        feeds: Sequence[int],
        needed: int,
        families: Sequence[Family],
        budget: SetBudget,
        name: str,
    ) -> None:
        self._facility = facility
        self._feeds = feeds
        self._needed = needed
        self._budget = budget
        self._limits: dict[int, float] = {0: math.inf}
        self._likes = _likes(families, budget, name)
        self._left_kw = self._surely_left_kw()
        self._cases: list[_Case] | None = None
        self._steps: list[float] = []
        self._found: dict[int, Family] = {}

    def losing(self, draw_kw: float | None, name: str) -> Family:
        """Return what loses a domain that draws `draw_kw` [kW] from the feeds.

        Equal judgements give the same object.
        """
        draw_kw = _UNKNOWN_DRAW_KW if draw_kw is None else draw_kw
        if draw_kw <= self._left_kw:
            return NOTHING
        if self._cases is None:
            self._cases = list(self._combined(self._likes, name))
            self._steps = sorted({case.limit_kw for case in self._cases})
        # A draw equal to the limit is kept: only smaller limits are exceeded.
        exceeded = bisect_left(self._steps, draw_kw)
        found = self._found.get(exceeded)
        if found is None:
            found = self._found[exceeded] = self._judge(draw_kw, name)
        return found

    def _surely_left_kw(self) -> float:
        """Return a draw [kW] that the gate carries whichever failures within the order come together.

        Of many feeds a few failures lose few: there is nothing to ask for, and no combination to make.
        """
        counts = sorted((part.mask.bit_count() for part in self._likes), reverse=True)
        lost = sum(counts[: self._budget.order])
        if len(self._feeds) - lost < self._needed:
            return -math.inf
        ratings = (self._facility.rated_kw[feed] for feed in self._feeds)
        rated_kw = sorted((each for each in ratings if each is not None), reverse=True)
        # Where one without a rating always survives, nobody can say that the load is too much.
        if len(rated_kw) < len(self._feeds) - lost:
            return math.inf
        return highest_kept(math.fsum(rated_kw[lost:]))

    def _judge(self, draw_kw: float, name: str) -> Family:
        alone: set[int] = set()
        larger: list[FailureSet] = []
        for limit_kw, parts in self._cases or ():
            if limit_kw >= draw_kw or self._superfluous(parts, draw_kw):
                continue
            self._budget.spend(math.prod([len(part.sets) for part in parts]), name)
            if len(parts) == 1 and parts[0].size == 1:
                alone.update([x for (x,) in parts[0].sets])
            elif len(parts) == 1:
                larger += parts[0].sets
            elif len(parts) == 2 and parts[0].size == parts[1].size == 1:
                first, second = parts[0].sets, parts[1].sets
                larger += [(x, y) if x < y else (y, x) for (x,) in first for (y,) in second]
            else:
                choices = product(*[part.sets for part in parts])
                larger += [tuple(sorted({x for failures in chosen for x in failures})) for chosen in choices]
        return minimal_family(alone, larger)

    def _superfluous(self, parts: tuple[_Likes, ...], draw_kw: float) -> bool:
        """Whether a part of the combination is enough."""
        return len(parts) > 1 and any(
            self._limit_kw(reduce(or_, [part.mask for part in parts if part is not left_out])) < draw_kw
            for left_out in parts
        )

    def _combined(self, likes: Sequence[_Likes], name: str) -> Iterator[_Case]:
        """Yield every combination of likes within the order."""
        level: list[tuple[int, int, int, tuple[_Likes, ...]]] = [(-1, 0, 0, ())]
        while level:
            following = []
            for last, size, mask, parts in level:
                for i in range(last + 1, len(likes)):
                    part = likes[i]
                    # What loses no further feed is no part of a minimal set.
                    if size + part.size > self._budget.order or not part.mask & ~mask:
                        continue
                    self._budget.spend(_SETS_PER_CASE, name)
                    case = _Case(self._limit_kw(mask | part.mask), (*parts, part))
                    yield case
                    if case.limit_kw != -math.inf:
                        following.append((i, size + part.size, mask | part.mask, case.parts))
            level = following

    def _limit_kw(self, mask: int) -> float:
        """Return the largest draw [kW] carried when exactly the feeds in `mask` are lost."""
        limit_kw = self._limits.get(mask)
        if limit_kw is None:
            alive = [feed for bit, feed in enumerate(self._feeds) if not mask >> bit & 1]
            rated_kw = self._facility.combined_rating(alive)
            if len(alive) < self._needed:
                limit_kw = -math.inf
            else:
                limit_kw = math.inf if rated_kw is None else highest_kept(rated_kw)
            self._limits[mask] = limit_kw
        return limit_kw


def _likes(families: Sequence[Family], budget: SetBudget, name: str) -> list[_Likes]:
    """Sort what loses some feeds by which of the feeds it loses in all."""
    alone: dict[int, int] = {}
    larger: dict[FailureSet, int] = {}
    for bit, family in enumerate(families):
        for x in family.alone:
            alone[x] = alone.get(x, 0) | 1 << bit
        for failures in family.larger:
            larger[failures] = larger.get(failures, 0) | 1 << bit
    likes: dict[tuple[int, int], list[FailureSet]] = {}
    for x, mask in alone.items():
        likes.setdefault((mask, 1), []).append((x,))
    for failures in larger:
        likes.setdefault((_lost_by(failures, alone, larger), len(failures)), []).append(failures)
    if budget.order > 2 and len(set(larger.values())) > 1:
        for failures in _grown(alone, larger, budget, name):
            likes.setdefault((_lost_by(failures, alone, larger), len(failures)), []).append(failures)
    return [_Likes(mask, size, sets) for (mask, size), sets in likes.items()]


def _grown(
    alone: Mapping[int, int], larger: Mapping[FailureSet, int], budget: SetBudget, name: str
) -> list[FailureSet]:
    """Return the unions of overlapping losing sets, within the order, that lose more than their parts."""
    touching: dict[int, dict[int, list[FailureSet]]] = {}
    for failures, mask in larger.items():
        for x in failures:
            touching.setdefault(x, {}).setdefault(mask, []).append(failures)
    grown: dict[FailureSet, None] = {}
    queue = [failures for failures in larger if len(failures) < budget.order]
    for failures in queue:
        have = _lost_by(failures, alone, larger)
        more = [
            other
            for x in failures
            for mask, others in touching[x].items()
            # Feeds that are lost already are no reason to grow.
            if mask & ~have
            for other in others
        ]
        for other in more:
            union = tuple(sorted({*failures, *other}))
            if len(union) <= budget.order and union not in larger and union not in grown:
                budget.spend(1, name)
                grown[union] = None
                queue.append(union)
    return [failures for failures in grown if _lose_more_together(failures, alone, larger)]


def _lose_more_together(
    failures: FailureSet, alone: Mapping[int, int], larger: Mapping[FailureSet, int]
) -> bool:
    """Whether no failure adds to the others just what it loses alone: then those are a combination."""
    together = _lost_by(failures, alone, larger)
    return all(
        _lost_by(failures[:i] + failures[i + 1 :], alone, larger) | alone.get(x, 0) != together
        for i, x in enumerate(failures)
    )


def _lost_by(failures: FailureSet, alone: Mapping[int, int], larger: Mapping[FailureSet, int]) -> int:
    """Return the feeds that some failures lose together: whatever any part of them does."""
    mask = larger.get(failures, 0)
    if len(failures) == 2:
        return mask | alone.get(failures[0], 0) | alone.get(failures[1], 0)
    for x in failures:
        if x in alone:
            mask |= alone[x]
    for size in range(2, len(failures)):
        for part in combinations(failures, size):
            if part in larger:
                mask |= larger[part]
    return mask
