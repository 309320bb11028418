"""The minimal losing sets of every domain and node group, up to a given order (spec 4 rules 1 to 5).

A losing set is a set of failures that lose one thing together while no smaller part of it does. A domain's
are itself, those of its parent, and those that pass the gate of its feeds. Loads are static and domains are
numbered parents first, so one pass is exact. Equal sets are shared: a domain adds only itself to what those
behind the same feeds have in common.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from closure.cascade import lost_members, settle
from closure.compiled import Facility, Group
from closure.gates import FailureSet, Gate, SetBudget, TooManyLosingSets
from topology.pause import collector_paused

__all__ = ["MAX_SETS", "FailureSet", "LosingSets", "Sets", "TooManyLosingSets", "losing_sets", "minimal_sets"]

Sets = tuple[FailureSet, ...]
"""Minimal losing sets, ascending."""

MAX_SETS: Final = 20_000_000
"""How many losing sets an estate may have in all, counted where they are made: bounds time and memory."""

LOST_ALREADY: Final[Sets] = ((),)
"""The losing sets of what is lost in the baseline: nothing needs to fail."""


@dataclass(frozen=True, slots=True)
class LosingSets:
    """The minimal sets of at most `order` domain failures (indices, ascending) that lose each thing.

    A thing is lost by a set of at most `order` failures exactly when one of its losing sets is part of it.
    `domains` goes by domain index, `groups` by node group; `((),)` where the thing is lost in the baseline.
    """

    order: int
    domains: tuple[Sets, ...]
    groups: tuple[Sets, ...]


@collector_paused()
def losing_sets(facility: Facility, order: int, *, max_sets: int = MAX_SETS) -> LosingSets:
    """Return the minimal losing sets of up to `order` failures: together they say what every closure says.

    Raises TooManyLosingSets, which names the domain or node, where there are more than `max_sets` in all.
    """
    if order < 1:
        raise ValueError(f"order must be at least 1, not {order}")
    solver = _Solver(facility, order, SetBudget(max_sets, order))
    for d in range(len(facility.domain_ids)):
        solver.add_domain(d)
    groups = tuple([solver.group(group) for group in facility.groups])
    return LosingSets(order, tuple(solver.domains), groups)


def minimal_sets(candidates: Iterable[FailureSet]) -> Sets:
    """Return those that contain no other one, ascending.

    >>> minimal_sets([(1, 2), (3,), (1, 2, 4), (2, 3), (1, 4)])
    ((1, 2), (1, 4), (3,))
    """
    distinct = set(candidates)
    alone = {failures[0] for failures in distinct if len(failures) == 1}
    larger = [failures for failures in distinct if len(failures) > 1 and alone.isdisjoint(failures)]
    kept = {failures for failures in larger if len(failures) == 2}
    if len(kept) < len(larger):
        larger.sort(key=len)
        for failures in larger[len(kept) :]:
            parts = (combinations(failures, size) for size in range(2, len(failures)))
            if all(kept.isdisjoint(part) for part in parts):
                kept.add(failures)
    kept.update([(x,) for x in alone])
    return tuple(sorted(kept))


class _Solver:
    """The pass over the domains, and the sets that many of them share."""

    def __init__(self, facility: Facility, order: int, budget: SetBudget) -> None:
        self.facility = facility
        self.order = order
        self.budget = budget
        self.gone = frozenset(settle(facility, ()).lost)
        self.domains: list[Sets] = []
        self._gates: dict[tuple[tuple[int, ...], int], Gate] = {}
        self._passed: dict[tuple[int, int], tuple[Iterable[FailureSet], Sets]] = {}
        self._unions: dict[tuple[int, int], tuple[Sets, Sets, Sets]] = {}

    def add_domain(self, d: int) -> None:
        """Settle a domain whose upstream domains are settled."""
        if d in self.gone:
            self.domains.append(LOST_ALREADY)
            return
        parent, feeds = self.facility.parent[d], self.facility.feeds[d]
        others: Sets = () if parent < 0 else self.domains[parent]
        if feeds:
            draw_kw, name = self.facility.draws_kw[d], self.facility.domain_ids[d]
            passed = self._pass(feeds, self.facility.needed[d], draw_kw, name)
            others = self._union(others, passed, name)
        self.budget.spend(len(others) + 1, self.facility.domain_ids[d])
        # Whatever hangs from nothing below it contains no higher index: still ascending, still minimal.
        self.domains.append((*others, (d,)))

    def group(self, group: Group) -> Sets:
        """Return the losing sets of nodes that stand in the same places."""
        if any(lost_members(place, self.gone) for place in group.places):
            return LOST_ALREADY
        name = self.facility.node_ids[group.nodes[0]]
        found: Sets = ()
        # The widest places come last and are shared by most groups.
        for _, mode, members in reversed(group.places):
            if mode == "any" and len(members) > 1:
                found = self._union(found, self._pass(members, 1, None, name), name)
            else:
                for d in members:
                    found = self._union(found, self.domains[d], name)
        return found

    def _pass(self, feeds: tuple[int, ...], needed: int, draw_kw: float | None, name: str) -> Sets:
        """Return the sets that leave too few of the feeds, or too little for the draw."""
        gate = self._gates.get((feeds, needed))
        if gate is None:
            live = [feed for feed in feeds if feed not in self.gone]
            sets = [self.domains[feed] for feed in live]
            gate = self._gates[feeds, needed] = Gate(self.facility, live, needed, sets, self.budget, name)
        found = gate.losing(draw_kw, name)
        # By identity: a gate gives the same list for every draw that it judges alike.
        known = self._passed.get((id(gate), id(found)))
        if known is None:
            known = self._passed[id(gate), id(found)] = (found, minimal_sets(found))
        return known[1]

    def _union(self, first: Sets, second: Sets, name: str) -> Sets:
        if not first or not second or first is second:
            return first or second
        known = self._unions.get((id(first), id(second)))
        if known is None:
            union = minimal_sets({*first, *second})
            self.budget.spend(len(union), name)
            # The parts are kept beside the result, so that their identities stay theirs.
            known = self._unions[id(first), id(second)] = (first, second, union)
        return known[2]
