"""What every single-domain failure loses, for all domains in one pass (spec 4 rules 1 to 5).

Every domain is given its losers: the failures that lose it, alone. Those of its parent are its own; those
of its feeds pass a gate, which asks of each how many feeds it leaves and whether they carry the load.
Loads are static and domains are numbered parents first, so one pass is exact. Equal sets are shared: domains
behind the same feeds differ only where their loads do.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from closure.cascade import settle
from closure.compiled import Facility
from closure.effects import is_lost
from closure.single_labels import Labels
from closure.tolerance import highest_kept
from topology.pause import collector_paused

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


class _Judged(NamedTuple):
    """What a gate comes to for one draw: who loses the domain, who leaves it degraded, who unverified."""

    losers: Losers
    held: Losers
    unverified: Losers


@collector_paused()
def single_losses(facility: Facility) -> SingleLosses:
    """Return what each domain's failure alone loses, exactly as the closure of that failure has it."""
    solver = _Solver(facility)
    solver.add_domains()
    solver.add_groups()
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
            if is_lost(facility.groups[g], baseline.lost)
        }
        self.domains: list[list[int]] = [[] for _ in range(count)]
        self.groups: list[list[int]] = [[] for _ in range(count)]
        self.labels = Labels(count)
        self._others: list[Losers] = [_NOBODY] * count
        self._all: list[Losers | None] = [None] * count
        self._gates: dict[tuple[tuple[int, ...], int], _Gate] = {}

    def losers(self, d: int) -> Losers:
        """Who loses a domain that stands in the baseline, itself included."""
        known = self._all[d]
        if known is None:
            known = self._all[d] = self._others[d] | {d}
        return known

    def add_domains(self) -> None:
        """Settle the domains, parents first."""
        facility, domains, gone, all_others = self.facility, self.domains, self.gone, self._others
        said = zip(facility.parent, facility.feeds, facility.needed, facility.draws_kw, strict=True)
        for d, (parent, feeds, needed, draw_kw) in enumerate(said):
            if d in gone:
                continue
            if feeds:
                gate = self._gates.get((feeds, needed))
                if gate is None:
                    gate = self._gates[feeds, needed] = _Gate(self, feeds, needed)
                others = self._behind_feeds(d, parent, gate.judge(draw_kw))
            elif parent >= 0:
                others = self.losers(parent)
            else:
                continue
            all_others[d] = others
            for failed in others:
                domains[failed].append(d)

    def _behind_feeds(self, d: int, parent: int, judged: _Judged) -> Losers:
        others, held, unverified = judged
        if parent < 0:
            self.labels.degraded(held)
            self.labels.left_unverified(unverified)
        else:
            others = others | self.losers(parent)
            self.labels.degraded(held - others)
            self.labels.left_unverified(unverified - others)
        if d in self.baseline.held:
            self._label_throughout(d, others.union({d}, held))
        return others

    def _label_throughout(self, d: int, touching: Losers) -> None:
        self.labels.degraded_throughout(touching)
        unrated = self.baseline.held[d].surviving_rated_kw is None
        if (unrated or self.facility.draws_kw[d] is None) and self.facility.feeds_commodity[d] is not None:
            self.labels.unverified_throughout(touching)

    def add_groups(self) -> None:
        """Settle the groups of nodes when all domains are settled."""
        others, groups = self._others, self.groups
        for g, group in enumerate(self.facility.groups):
            if g in self.gone_groups:
                continue
            needed: list[int] = []
            choices = []
            for _, mode, members in group.places:
                if mode == "any" and len(members) > 1:
                    choices.append(members)
                else:
                    needed += members
            losers = set(needed).union(*[others[d] for d in needed])
            if choices:
                self._add_choices(losers, choices)
            for failed in losers:
                groups[failed].append(g)

    def _add_choices(self, losers: set[int], choices: Iterable[Sequence[int]]) -> None:
        """Extend the losers by who loses all of one choice; label those who lose a part of any."""
        partly: list[Losers] = []
        steady = False
        for members in choices:
            live = [self.losers(d) for d in members if d not in self.gone]
            losers |= live[0].intersection(*live[1:])
            partly += live
            steady = steady or len(live) < len(members)
        self.labels.degraded(_NOBODY.union(*partly) - losers)
        if steady:
            self.labels.degraded_throughout(losers.union(*partly))


class _Gate:
    """One list of feeds: the failures that lose any of them, sorted into cases by what they leave alive.

    A draw is judged by counting the cases whose rating it exceeds; equal counts mean equal judgements.
    """

    def __init__(self, solver: _Solver, feeds: tuple[int, ...], needed: int) -> None:
        facility, gone = solver.facility, solver.gone
        dead: list[Losers] = []
        unrated: list[Losers] = []
        rated: list[tuple[float, Losers]] = []
        for alive, failures in _by_what_they_leave(solver, [feed for feed in feeds if feed not in gone]):
            if len(alive) < needed:
                dead.append(failures)
                continue
            rated_kw = facility.rated_kw[alive[0]] if len(alive) == 1 else facility.combined_rating(alive)
            if rated_kw is None:
                unrated.append(failures)
            else:
                rated.append((rated_kw, failures))
        rated.sort(key=itemgetter(0))
        self._dead = _NOBODY.union(*dead) if dead else _NOBODY
        self._unrated = _NOBODY.union(*unrated) if unrated else _NOBODY
        self._rated = [failures for _, failures in rated]
        self._limits_kw = [highest_kept(rated_kw) for rated_kw, _ in rated]
        self._verifiable = facility.commodity[feeds[0]] is not None
        self._judged: dict[int | None, _Judged] = {}

    def judge(self, draw_kw: float | None) -> _Judged:
        """Return what every failure does to a domain behind this gate that draws `draw_kw` [kW]."""
        # A draw equal to the limit is kept: only smaller limits are exceeded.
        exceeded = None if draw_kw is None else bisect_left(self._limits_kw, draw_kw)
        judged = self._judged.get(exceeded)
        if judged is None:
            held = self._unrated.union(*self._rated[exceeded:])
            judged = self._judged[exceeded] = _Judged(
                losers=self._dead.union(*self._rated[:exceeded]) if exceeded else self._dead,
                held=held,
                unverified=_NOBODY if not self._verifiable else held if draw_kw is None else self._unrated,
            )
        return judged


def _by_what_they_leave(solver: _Solver, feeds: list[int]) -> list[tuple[Sequence[int], Losers]]:
    """Return what the failures that lose any of these feeds leave of them, with those that do so."""
    if len(feeds) == 2:
        first, second = solver.losers(feeds[0]), solver.losers(feeds[1])
        if first.isdisjoint(second):
            return [(feeds[1:], first), (feeds[:1], second)]
        return [(feeds[1:], first - second), (feeds[:1], second - first), ((), first & second)]
    leaves: dict[int, list[int]] = {}
    for feed in feeds:
        for failed in solver.losers(feed):
            leaves.setdefault(failed, []).append(feed)
    by_lost: dict[tuple[int, ...], list[int]] = {}
    for failed, lost in leaves.items():
        by_lost.setdefault(tuple(lost), []).append(failed)
    return [
        ([feed for feed in feeds if feed not in gone], frozenset(failures))
        for gone, failures in by_lost.items()
    ]


def _worst_credible(solver: _Solver) -> Losers:
    """The failures in whose closure some domain is lost because its parent is."""
    facility, out = solver.facility, solver.facility.out
    parents = {parent for d, parent in enumerate(facility.parent) if parent >= 0 and d not in out}
    found = _NOBODY.union(*[solver.losers(parent) for parent in parents if parent not in solver.gone])
    throughout = {d for d, loss in solver.baseline.lost.items() if loss.cause == "parent-lost"}
    # A failed domain's own cause is its failure: with a single such loss, that one is gone.
    return found | {d for d in range(len(facility.domain_ids)) if throughout - {d}} if throughout else found
