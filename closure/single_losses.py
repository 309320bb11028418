"""What every single-domain failure loses, for all domains in one pass (spec 4 rules 1 to 5).

Every domain is given its losers: the failures that lose it, alone. Those of its parent are its own; those
of its feeds pass a gate, which asks of each how many feeds it leaves and whether they carry the load.
Loads are static and domains are numbered parents first, so one pass is exact. Equal sets are shared: domains
behind the same feeds differ only where their loads do.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from closure.cascade import lost_members, settle
from closure.compiled import Facility, Group
from closure.single_labels import Labels
from closure.tolerance import exceeds

Losers = frozenset[int]
"""Domains of which each, failing alone, loses one and the same thing."""

_NOBODY: Losers = frozenset()


@dataclass(frozen=True, slots=True)
class SingleLosses:
    """Per failed domain, what it loses beyond itself and the baseline, by index, ascending.

    `redundant`, `unverified` and `worst_credible` are the failures that carry those basis labels.
    """

    baseline_domains: frozenset[int]
    baseline_groups: frozenset[int]
    domains: Sequence[Sequence[int]]
    groups: Sequence[Sequence[int]]
    redundant: Losers
    unverified: Losers
    worst_credible: Losers


@dataclass(frozen=True, slots=True)
class _Case:
    """The failures that leave the same feeds alive; `rated_kw` is None where one of those has no rating."""

    failures: Losers
    alive: int
    rated_kw: float | None


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the cases of a gate come to: who loses the domain, who leaves it degraded, who unrated."""

    losers: Losers
    held: Losers
    held_unrated: Losers


def single_losses(facility: Facility) -> SingleLosses:
    """Return what each domain's failure alone loses, exactly as the closure of that failure has it."""
    solver = _Solver(facility)
    for d in range(len(facility.domain_ids)):
        if d not in solver.gone:
            solver.add_domain(d)
    for g, group in enumerate(facility.groups):
        if g not in solver.gone_groups:
            solver.add_group(g, group)
    return SingleLosses(
        baseline_domains=solver.gone,
        baseline_groups=frozenset(solver.gone_groups),
        domains=solver.domains,
        groups=solver.groups,
        redundant=solver.labels.redundant(),
        unverified=solver.labels.unverified(),
        worst_credible=_worst_credible(solver),
    )


class _Solver:
    """Losers per domain, leaving out the domain itself, so that those behind the same feeds share them."""

    def __init__(self, facility: Facility) -> None:
        count = len(facility.domain_ids)
        baseline = settle(facility, ())
        self.facility = facility
        self.baseline = baseline
        self.gone = frozenset(baseline.lost)
        self.gone_groups = {
            g
            for g in {g for d in baseline.lost for g in facility.groups_on[d]}
            if any(lost_members(place, baseline.lost) for place in facility.groups[g].places)
        }
        self.domains: list[list[int]] = [[] for _ in range(count)]
        self.groups: list[list[int]] = [[] for _ in range(count)]
        self.labels = Labels(count)
        self._others: list[Losers] = [_NOBODY] * count
        self._all: dict[int, Losers] = {}
        self._cases: dict[tuple[int, ...], list[_Case]] = {}
        self._judged: dict[tuple[object, ...], _Judged] = {}

    def losers(self, d: int) -> Losers:
        """Who loses a domain that stands in the baseline, itself included."""
        known = self._all.get(d)
        if known is None:
            known = self._all[d] = self._others[d] | {d}
        return known

    def add_domain(self, d: int) -> None:
        """Settle a domain whose upstream domains are settled."""
        parent, feeds = self.facility.parent[d], self.facility.feeds[d]
        others = _NOBODY if parent < 0 else self.losers(parent)
        if feeds:
            judged = self._judge(d, feeds)
            others = others | judged.losers if others else judged.losers
            self._label(d, judged, others)
        self._others[d] = others
        for failed in others:
            self.domains[failed].append(d)

    def add_group(self, g: int, group: Group) -> None:
        """Settle a group of nodes when all domains are settled."""
        losers: set[int] = set()
        partly: list[Losers] = []
        steady = False
        for _, mode, members in group.places:
            if mode == "any" and len(members) > 1:
                live = [self.losers(d) for d in members if d not in self.gone]
                losers |= live[0].intersection(*live[1:])
                partly += live
                steady = steady or len(live) < len(members)
            else:
                losers.update(*[self._others[d] for d in members], members)
        for failed in losers:
            self.groups[failed].append(g)
        if partly:
            self.labels.degraded(_NOBODY.union(*partly) - losers)
            if steady:
                self.labels.degraded_throughout(losers.union(*partly))

    def _judge(self, d: int, feeds: tuple[int, ...]) -> _Judged:
        """Decide every case of a gate for one domain, or reuse an equal decision."""
        cases = self._cases.get(feeds)
        if cases is None:
            cases = self._cases[feeds] = self._cases_of(feeds)
        needed, draw_kw = self.facility.needed[d], self.facility.draws_kw[d]
        lost = tuple(
            [
                case.alive < needed
                or (draw_kw is not None and case.rated_kw is not None and exceeds(draw_kw, case.rated_kw))
                for case in cases
            ]
        )
        judged = self._judged.get((feeds, lost))
        if judged is None:
            held = [case for case, is_lost in zip(cases, lost, strict=True) if not is_lost]
            judged = self._judged[feeds, lost] = _Judged(
                losers=_NOBODY.union(
                    *[case.failures for case, is_lost in zip(cases, lost, strict=True) if is_lost]
                ),
                held=_NOBODY.union(*[case.failures for case in held]),
                held_unrated=_NOBODY.union(*[case.failures for case in held if case.rated_kw is None]),
            )
        return judged

    def _cases_of(self, feeds: tuple[int, ...]) -> list[_Case]:
        """Sort the failures that lose any of the feeds by what they leave alive."""
        leaves: dict[int, list[int]] = {}
        for feed in feeds:
            if feed not in self.gone:
                for failed in self.losers(feed):
                    leaves.setdefault(failed, []).append(feed)
        by_lost: dict[tuple[int, ...], list[int]] = {}
        for failed, lost in leaves.items():
            by_lost.setdefault(tuple(lost), []).append(failed)
        return [self._case(feeds, lost, failures) for lost, failures in by_lost.items()]

    def _case(self, feeds: tuple[int, ...], lost: Collection[int], failures: Collection[int]) -> _Case:
        alive = [feed for feed in feeds if feed not in lost and feed not in self.gone]
        return _Case(frozenset(failures), len(alive), self.facility.combined_rating(alive))

    def _label(self, d: int, judged: _Judged, others: Losers) -> None:
        draw_unknown = self.facility.draws_kw[d] is None
        carries = self.facility.feeds_commodity[d] is not None
        unverified = _NOBODY if not carries else judged.held if draw_unknown else judged.held_unrated
        through_parent = others is not judged.losers
        self.labels.degraded(judged.held - others if through_parent else judged.held)
        self.labels.left_unverified(unverified - others if through_parent else unverified)
        if d in self.baseline.held:
            touching = others.union({d}, judged.held)
            self.labels.degraded_throughout(touching)
            if carries and (draw_unknown or self.baseline.held[d].surviving_rated_kw is None):
                self.labels.unverified_throughout(touching)


def _worst_credible(solver: _Solver) -> Losers:
    """The failures in whose closure some domain is lost because its parent is."""
    facility, out = solver.facility, solver.facility.out
    parents = {parent for d, parent in enumerate(facility.parent) if parent >= 0 and d not in out}
    found = _NOBODY.union(*[solver.losers(parent) for parent in parents if parent not in solver.gone])
    throughout = {d for d, loss in solver.baseline.lost.items() if loss.cause == "parent-lost"}
    # A failed domain's own cause is its failure: with a single such loss, that one is gone.
    return found | {d for d in range(len(facility.domain_ids)) if throughout - {d}} if throughout else found
