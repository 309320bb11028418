"""The minimal losing sets of every domain and node group, up to a given order (spec 4 rules 1 to 5).

A losing set is a set of failures that lose one thing together while no smaller part of it does. A domain's
are itself, those of its parent, and those that pass the gate of its feeds. Loads are static and domains are
numbered parents first, so one pass is exact. Equal families are shared: a domain adds only itself to what
those behind the same feeds have in common.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from closure.cascade import settle
from closure.compiled import Facility, Group
from closure.effects import is_lost
from closure.families import NOTHING, FailureSet, Family, Sets, listed, minimal_sets, united
from closure.gates import Gate, SetBudget, TooManyLosingSets
from topology.pause import collector_paused

__all__ = ["MAX_SETS", "FailureSet", "LosingSets", "Sets", "TooManyLosingSets", "losing_sets", "minimal_sets"]

MAX_SETS: Final = 20_000_000
"""How many losing sets an estate may have in all, counted where they are made: bounds time and memory."""

MAX_SETS_EACH: Final = 200
"""How many it may have for each domain and node group, where that is more: facilities that differ in nothing
but size are all answered, or none is."""

LOST_ALREADY: Final[Sets] = ((),)
"""The losing sets of what is lost in the baseline: nothing needs to fail."""


@dataclass(frozen=True, slots=True)
class LosingSets:
    """The minimal sets of at most `order` domain failures (indices, ascending) that lose each thing.

    A thing is lost by a set of at most `order` failures exactly when one of its losing sets is part of it.
    `domains` goes by domain index, `groups` by node group; `((),)` where the thing is lost in the baseline.
    Things that nobody asked about are missing.
    """

    order: int
    domains: Mapping[int, Sets]
    groups: Mapping[int, Sets]


@collector_paused()
def losing_sets(
    facility: Facility,
    order: int,
    *,
    domains: Collection[int] | None = None,
    groups: Collection[int] | None = None,
    max_sets: int | None = None,
) -> LosingSets:
    """Return the minimal losing sets of up to `order` failures: together they say what every closure says.

    `domains` and `groups` are the things that matter, None for all. What they hang from is answered too.

    Raises TooManyLosingSets, which names the domain or node, where there are more than `max_sets` in all.
    """
    if order < 1:
        raise ValueError(f"order must be at least 1, not {order}")
    if max_sets is None:
        max_sets = max(MAX_SETS, MAX_SETS_EACH * (len(facility.domain_ids) + len(facility.groups)))
    solver = _Solver(facility, SetBudget(max_sets, order))
    wanted = range(len(facility.groups)) if groups is None else sorted(groups)
    if domains is None:
        settled: Iterable[int] = range(len(facility.domain_ids))
    else:
        standing = {d for g in wanted for place in facility.groups[g].places for d in place.domains}
        settled = sorted(facility.with_upstream(standing.union(domains)))
    return LosingSets(
        order,
        {d: solver.domain(d) for d in settled},
        {g: solver.group(facility.groups[g]) for g in wanted},
    )


class _Solver:
    """The pass over the domains, and the families that many of them share."""

    def __init__(self, facility: Facility, budget: SetBudget) -> None:
        self.facility = facility
        self.budget = budget
        self.gone = frozenset(settle(facility, ()).lost)
        self._families: dict[int, Family] = {}
        self._gates: dict[tuple[tuple[int, ...], int], Gate] = {}
        # By identity; what an identity belongs to is kept beside it.
        self._unions: dict[tuple[int, int], tuple[Family, Family, Family]] = {}
        self._lists: dict[int, tuple[Family, Sets]] = {}

    def domain(self, d: int) -> Sets:
        """Return the losing sets of a domain whose upstream domains are settled."""
        if d in self.gone:
            self._families[d] = NOTHING
            return LOST_ALREADY
        facility, name = self.facility, self.facility.domain_ids[d]
        parent, feeds = facility.parent[d], facility.feeds[d]
        others = NOTHING if parent < 0 else self._families[parent]
        if feeds:
            passed = self._gate(feeds, facility.needed[d], name).losing(facility.draws_kw[d], name)
            others = self._union(others, passed, name)
        self.budget.spend(len(others.alone) + len(others.larger) + 1, name)
        family = Family(others.alone | {d}, others.larger)
        self._families[d] = family
        # Everything upstream has a lower index: the domain itself comes last.
        sets = (*self._listed(others), (d,))
        self._lists[id(family)] = (family, sets)
        return sets

    def group(self, group: Group) -> Sets:
        """Return the losing sets of nodes that stand in the same places, when all domains are settled."""
        if is_lost(group, self.gone):
            return LOST_ALREADY
        name = self.facility.node_ids[group.nodes[0]]
        found = NOTHING
        # The widest places come last, and many groups share them.
        for _, mode, members in reversed(group.places):
            if mode == "any" and len(members) > 1:
                found = self._union(found, self._gate(members, 1, name).losing(None, name), name)
            else:
                for d in members:
                    found = self._union(found, self._families[d], name)
        return self._listed(found)

    def _gate(self, feeds: tuple[int, ...], needed: int, name: str) -> Gate:
        gate = self._gates.get((feeds, needed))
        if gate is None:
            live = [feed for feed in feeds if feed not in self.gone]
            families = [self._families[feed] for feed in live]
            gate = self._gates[feeds, needed] = Gate(self.facility, live, needed, families, self.budget, name)
        return gate

    def _union(self, first: Family, second: Family, name: str) -> Family:
        if first is NOTHING or first is second:
            return second
        if second is NOTHING:
            return first
        known = self._unions.get((id(first), id(second)))
        if known is None:
            union = united(first, second)
            self.budget.spend(len(union.alone) + len(union.larger), name)
            known = self._unions[id(first), id(second)] = (first, second, union)
        return known[2]

    def _listed(self, family: Family) -> Sets:
        known = self._lists.get(id(family))
        if known is None:
            known = self._lists[id(family)] = (family, listed(family))
        return known[1]
