"""What every pair of domain failures loses, out of the minimal losing sets of order 2 (spec 4).

A pair loses what either loses alone, and what has both of them as a losing set: a facility's pairs are known
without closing any of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from closure.compiled import Facility
from closure.losing_sets import Sets, losing_sets
from topology.pause import collector_paused

Pair = tuple[int, int]
"""Two domains that fail together, by index, ascending."""


def ordered(first: int, second: int) -> Pair:
    """Return two domains as a pair."""
    return (first, second) if first < second else (second, first)


@dataclass(frozen=True, slots=True)
class Lost:
    """What each failure loses alone, and what pairs lose that neither does: indices, ascending.

    Nothing of it is lost in the baseline.
    """

    baseline: frozenset[int]
    alone: Sequence[Sequence[int]]
    together: Mapping[Pair, Sequence[int]]

    def by(self, pair: Pair) -> set[int]:
        """Return everything that is lost when both fail, the baseline included."""
        first, second = pair
        return {*self.baseline, *self.alone[first], *self.alone[second], *self.together.get(pair, ())}

    def by_one(self, failed: int) -> set[int]:
        """Return everything that is lost when one fails, the baseline included."""
        return {*self.baseline, *self.alone[failed]}


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs of a facility: the domains that are lost, and the groups of nodes.

    `losers` are, per node group, the failures that lose it alone; None where it is lost in the baseline.
    """

    facility: Facility
    domains: Lost
    groups: Lost
    losers: tuple[tuple[int, ...] | None, ...]

    @property
    def count(self) -> int:
        """How many pairs there are."""
        domains = len(self.facility.domain_ids)
        return domains * (domains - 1) // 2

    @property
    def coupled(self) -> set[Pair]:
        """The pairs that lose a domain or a node that neither loses alone."""
        return self.domains.together.keys() | self.groups.together.keys()


@collector_paused()
def every_pair(facility: Facility) -> Pairs:
    """Return what every pair of domains loses, exactly as its closure has it.

    Raises TooManyLosingSets where the map is too large for it.
    """
    sets = losing_sets(facility, 2)
    count = len(facility.domain_ids)
    return Pairs(
        facility,
        _inverted(sets.domains, count),
        _inverted(sets.groups, count),
        tuple([None if found == ((),) else tuple(_alone(found)) for found in sets.groups.values()]),
    )


def _inverted(families: Mapping[int, Sets], count: int) -> Lost:
    """Turn "what loses each thing" into "what each failure loses"."""
    baseline: list[int] = []
    alone: list[list[int]] = [[] for _ in range(count)]
    together: dict[Pair, list[int]] = {}
    for thing, sets in families.items():
        for failures in sets:
            if len(failures) == 1:
                alone[failures[0]].append(thing)
            elif failures:
                first, second = failures
                together.setdefault((first, second), []).append(thing)
            else:
                baseline.append(thing)
    return Lost(frozenset(baseline), alone, together)


def _alone(sets: Sets) -> Iterator[int]:
    return (failures[0] for failures in sets if len(failures) == 1)
