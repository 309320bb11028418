"""One failure whose overloads are relieved: what each pause takes off, in time and at all (beyond)."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from closure.cascade import close, split_ids
from closure.compiled import Facility
from closure.strict import Round, settled_round, strict_check
from findings.amounts import total
from findings.curtail.pauses import Pause, Savings, pauses, savings
from findings.curtail.plan import Plan, harm_levels, plan_of
from findings.curtail.reduced import reduced
from findings.curtail.shares import everywhere
from findings.curtail.solver import Choice, Need, choose
from findings.index import EstateIndex, critical_units
from findings.rescue.overloads import Overloaded, shares_behind, strict_overload
from topology.model import Estate, Number

Verdict = Literal["nothing-overloads", "sheddable", "too-slow", "not-sheddable", "unknown"]

GOOD: Final[frozenset[Verdict]] = frozenset({"nothing-overloads", "sheddable"})
"""The verdicts under which nothing gives way."""

SECONDS_PER_MINUTE: Final = 60


@dataclass(frozen=True, slots=True)
class Relief:
    """An overloaded survivor, and what pauses can take off it in the time that it carries, and at all [kW].

    `cap_before_kw` has to be capped or shed before any failure: what no pause takes off in time. None where
    nobody says how long the survivor carries.
    """

    over: Overloaded
    in_time_kw: float | None
    at_all_kw: float

    @property
    def cap_before_kw(self) -> float | None:
        """What no pause takes off in time [kW]."""
        return None if self.in_time_kw is None else max(0.0, self.over.excess_kw - self.in_time_kw)


@dataclass(frozen=True, slots=True)
class Solution:
    """The verdict over some overloads, what can be taken off each, and the plan.

    `in_time`: the plan is the least harmful of those that drain in time; else of all, for none does or
    nobody knows.
    """

    verdict: Verdict
    reliefs: tuple[Relief, ...]
    plan: Plan
    in_time: bool = False


@dataclass(frozen=True, slots=True)
class Rerun:
    """Both engines on a load: what trips, at all and at first, what is demoted, what the worse one loses.

    `units` are the allocated units on lost nodes, by the engine that loses the most of them; `critical_units`
    likewise those of workloads that are known to be critical. `lost`: the domains that either engine loses.
    """

    tripped: tuple[str, ...]
    tripped_first: tuple[str, ...]
    demoted: tuple[str, ...]
    nodes: int
    units: Number
    critical_units: Number
    lost: frozenset[str]

    @property
    def loss(self) -> tuple[Number, ...]:
        """Nodes, units and critical units, each by the engine that loses the most of them."""
        return (self.nodes, self.units, self.critical_units)

    @property
    def holds(self) -> bool:
        """Whether no cascade happens."""
        return not self.tripped and not self.demoted


def rerun(facility: Facility, failed: Sequence[str]) -> Rerun:
    """Run both engines on a load."""
    closure = close(facility, failed)
    strict = strict_check(facility, failed, closure)
    allocated = {node.id: node.allocated or 0 for node in facility.estate.nodes}
    critical = _critical_units(facility.estate)
    nodes = [node.id for node in closure.nodes]
    return Rerun(
        tripped=tuple(trip.id for trip in strict.tripped),
        tripped_first=tuple(trip.id for trip in strict.tripped if trip.round == 1),
        demoted=tuple(lost.id for lost in closure.domains if lost.cause == "demoted"),
        nodes=max(len(nodes), len(strict.nodes)),
        units=max(total(allocated[node] for node in each) for each in (nodes, strict.nodes)),
        critical_units=max(total(critical[node] for node in each) for each in (nodes, strict.nodes)),
        lost=frozenset((*(lost.id for lost in closure.domains), *strict.domains)),
    )


def _critical_units(estate: Estate) -> dict[str, Number]:
    """Return, per node, the units on it of workloads that are known to be critical."""
    found: dict[str, Number] = {node.id: 0 for node in estate.nodes}
    for workload in estate.workloads:
        for node, units in workload.placements.items():
            found[node] += critical_units(workload, units) or 0
    return found


class Case:
    """One failure with everything that stays the same while overloads are found and relieved."""

    def __init__(self, facility: Facility, index: EstateIndex, failed: Sequence[str]) -> None:
        self.failed = tuple(failed)
        domains, self.failed_nodes = split_ids(facility, failed)
        self.facility = facility
        self.index = index
        self.gone = frozenset(facility.node_ids[node] for node in self.failed_nodes)
        self.down = frozenset({*domains, *facility.out})
        self.first = self.round()
        self.saved = _flowing(facility, savings(index))
        paused = pauses(index, facility, self.saved, everywhere(facility, self.first), self.gone)
        self.timed = [place for place, pause in enumerate(paused) if pause.drain.worst_minutes is not None]
        self.candidates = [paused[place] for place in self.timed]

    def round(self, tripped: Collection[int] = ()) -> Round:
        """Return the round of the strict check in which these domains have tripped as well."""
        return settled_round(self.facility, {*self.down, *tripped}, self.failed_nodes)

    def rerun(self, plan: Plan) -> Rerun:
        """Return what both engines say of the load that a plan leaves."""
        return rerun(reduced(self.facility, plan.pauses, self.saved), self.failed)

    def taken(self, over: Overloaded, first: Round | None = None) -> list[float]:
        """Return what pausing each candidate takes off an overloaded survivor [kW], in the round `first`."""
        paused = self.behind(over, first)
        return [paused[place].kw for place in self.timed]

    def behind(self, over: Overloaded, first: Round | None = None) -> list[Pause]:
        """Return every workload with what pausing it takes off an overloaded survivor, timed or not."""
        # A demotion is judged by static loads, of which a failed node stays a part.
        gone = self.gone if over.by == "strict" else frozenset()
        shares = shares_behind(self.facility, over, self.first if first is None else first)
        return pauses(self.index, self.facility, self.saved, shares, gone)

    def in_time(self, over: Overloaded, taken: Sequence[float]) -> list[float] | None:
        """Return the same, of those candidates that drain while the survivor carries; None: nobody knows."""
        if over.carry_seconds is None:
            return None
        return [
            kw if _worst_seconds(pause) <= over.carry_seconds else 0.0
            for pause, kw in zip(self.candidates, taken, strict=True)
        ]

    def solved(self, overs: Sequence[Overloaded]) -> Solution:
        """Return the plan that is in time where there is one, else the one that would do if it were."""
        taken = [self.taken(over) for over in overs]
        quick = [self.in_time(over, kw) for over, kw in zip(overs, taken, strict=True)]
        reliefs = tuple(
            Relief(over, None if fast is None else math.fsum(fast), math.fsum(kw))
            for over, kw, fast in zip(overs, taken, quick, strict=True)
        )
        if not overs:
            return Solution("nothing-overloads", (), plan_of(()))
        sure = all(over.exact for over in overs)
        timed = [fast for fast in quick if fast is not None]
        if len(timed) == len(quick) and (choice := self.choose(overs, timed)) is not None:
            return Solution("sheddable" if sure else "unknown", reliefs, self.plan(choice), in_time=True)
        choice = self.choose(overs, taken)
        if choice is None:
            return Solution("not-sheddable", reliefs, plan_of(()))
        too_slow = sure and len(timed) == len(quick)
        return Solution("too-slow" if too_slow else "unknown", reliefs, self.plan(choice))

    def choose(self, overs: Sequence[Overloaded], gives: Sequence[Sequence[float]]) -> Choice | None:
        """Return the least harmful pauses that take enough off every overload; None: not even all do."""
        needs = [Need(kw, over.needed_kw) for over, kw in zip(overs, gives, strict=True)]
        return choose(len(self.candidates), needs, harm_levels(self.candidates, least_kw=True))

    def harms(self) -> list[tuple[Number | str, ...]]:
        """Return what pausing each candidate costs, by the objectives in their order; equals by id."""
        levels = harm_levels(self.candidates, least_kw=True)
        names = [pause.workload.id for pause in self.candidates]
        return list(zip(*(level.costs for level in levels), names, strict=True))

    def plan(self, choice: Choice) -> Plan:
        """Return the plan that a choice makes."""
        return plan_of((self.candidates[item] for item in choice.items), choice.levels)

    def revealed(self, overs: Sequence[Overloaded], after: Rerun) -> list[Overloaded]:
        """Return what trips on the lighter load alone: it was over its rating before the failure as well."""
        known = {over.id for over in overs if over.by == "strict"}
        return [
            strict_overload(self.facility, self.first, self.facility.domain_index[name])
            for name in after.tripped_first
            if name not in known
        ]


def _flowing(facility: Facility, saved: Savings) -> Savings:
    """Return what is saved on the nodes whose power is part of the flows: nothing else comes off them."""
    kw = {
        node: kw for node, kw in saved.kw.items() if facility.node_kw[facility.node_index[node]] is not None
    }
    return Savings(kw, saved.unsure)


def _worst_seconds(pause: Pause) -> float:
    worst = pause.drain.worst_minutes
    return math.inf if worst is None else worst * SECONDS_PER_MINUTE
