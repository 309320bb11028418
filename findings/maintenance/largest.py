"""The largest set of candidates that is safe to take out together (beyond)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from findings.maintenance.safety import Scene, closure_blocks, judge

EXACT_CANDIDATES: Final = 20
"""[-] Up to so many candidates every set is considered; beyond, a greedy choice is made, and said."""


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest safe set of at most `limit` of the `candidates`; `exact` false: there may be a larger."""

    limit: int
    candidates: int
    exact: bool
    ids: tuple[str, ...]


def largest_safe(scene: Scene, ids: Iterable[str], limit: int) -> Largest:
    """Return the largest safe set; of equally large ones the first in the order of ids.

    Raises UnknownId for ids that are neither domain nor node.
    """
    candidates = sorted(set(ids))
    exact = len(candidates) <= EXACT_CANDIDATES
    chosen = _Search(scene, candidates, limit).best() if exact else _greedy(scene, candidates, limit)
    return Largest(limit, len(candidates), exact, tuple(chosen))


def _greedy(scene: Scene, candidates: Sequence[str], limit: int) -> list[str]:
    chosen: list[str] = []
    for candidate in candidates:
        if len(chosen) < limit and judge(scene, [*chosen, candidate]).safe:
            chosen.append(candidate)
    return chosen


class _Search:
    """Branch and bound, taking a candidate before leaving it.

    Only the closure prunes: it is monotone. The strict check is not: what trips under a load may be out
    itself in a larger set. So it is asked of every set that the closure allows and that would be larger.
    """

    def __init__(self, scene: Scene, candidates: Sequence[str], limit: int) -> None:
        self.scene = scene
        self.limit = limit
        self.open = [each for each in candidates if not closure_blocks(scene, [each])]
        self.conflicts = {pair for pair in combinations(self.open, 2) if closure_blocks(scene, pair)}
        self.found: list[str] = []

    def best(self) -> list[str]:
        """Return the largest safe set, possibly empty."""
        self._extend([], self.open)
        return self.found

    def _extend(self, chosen: list[str], left: Sequence[str]) -> None:
        if min(self.limit, len(chosen) + self._at_most(left)) <= len(self.found):
            return
        if not left or len(chosen) == self.limit:
            if judge(self.scene, chosen).safe:
                self.found = chosen
            return
        first, rest = left[0], left[1:]
        more = [*chosen, first]
        if len(more) <= 2 or not closure_blocks(self.scene, more):
            self._extend(more, [each for each in rest if (first, each) not in self.conflicts])
        self._extend(chosen, rest)

    def _at_most(self, left: Sequence[str]) -> int:
        """How many of `left` can go at most: of each pair that the closure forbids only one."""
        free = set(left)
        room = len(left)
        for one, other in combinations(left, 2):
            if one in free and other in free and (one, other) in self.conflicts:
                free -= {one, other}
                room -= 1
        return room
