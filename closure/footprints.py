"""What the strict check of one failure looks at and changes: where two failures could meet."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from closure.strict_events import EventDriven
from closure.strict_scenario import Scenario


@dataclass(frozen=True, slots=True)
class StrictLoss:
    """What is lost, by index, and which domains of it tripped."""

    domains: frozenset[int]
    groups: frozenset[int]
    tripped: frozenset[int]

    def without(self, other: "StrictLoss") -> "StrictLoss":
        """Return what the other does not have."""
        return StrictLoss(
            self.domains - other.domains, self.groups - other.groups, self.tripped - other.tripped
        )

    def also(self, *others: "StrictLoss") -> "StrictLoss":
        """Return all of it and of the others."""
        return StrictLoss(
            self.domains.union(*[other.domains for other in others]),
            self.groups.union(*[other.groups for other in others]),
            self.tripped.union(*[other.tripped for other in others]),
        )


NO_LOSS: Final = StrictLoss(frozenset(), frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Footprint:
    """One failure by the strict check: what it loses beyond the baseline, and what of the baseline it spares.

    `sheds`: load is only taken away: nothing trips, nothing that survives lost a feed, and no flow rises.
    `read` are the domains whose state decides something here: the dead ones, and whatever hangs from them;
    `touched` are those and every domain whose flow changes; `stands` are the node groups on the dead ones.
    `rises_kw`: by how much the flow of every touched rated domain rises at most [kW], in any round;
    `excess_kw`: by how much whatever trips is over its limit then; `takes_kw` bounds what the dead take off
    any flow.
    `dark` are the domains that lose their power before anything trips.
    """

    sheds: bool
    loss: StrictLoss
    spared: StrictLoss
    read: frozenset[int]
    touched: frozenset[int]
    stands: frozenset[int]
    rises_kw: Mapping[int, float]
    excess_kw: Mapping[int, float]
    takes_kw: float
    dark: frozenset[int]


def strict_baseline(checks: EventDriven) -> StrictLoss:
    """Return the outcome of no failure: of what is out of service alone."""
    outcome = checks.run(())
    return StrictLoss(frozenset(outcome.domains), frozenset(outcome.groups), frozenset(outcome.tripped))


def footprints(checks: EventDriven, baseline: StrictLoss) -> Iterator[Footprint]:
    """Yield the footprint of every single failure, by domain index.

    Where something trips with nothing failed, that goes on beside every failure as one more would. A failure
    that stays clear of it is followed without it; to any other it belongs, and all those meet.
    """
    beside = _follow(checks, (), baseline, beside=True) if baseline.tripped else None
    for d in range(len(checks.facility.domain_ids)):
        found = _follow(checks, (d,), baseline, beside=False)
        if beside is not None and meet(checks, beside, found):
            found = _follow(checks, (d,), baseline, beside=True)
            found = replace(
                found,
                sheds=False,
                read=found.read | beside.read,
                touched=found.touched | beside.touched,
                stands=found.stands | beside.stands,
            )
        yield found


def meet(checks: EventDriven, tripping: Footprint, other: Footprint) -> bool:
    """Return whether a failure comes near what trips anyway: closer than any pair of failures may come.

    Several failures that stay clear of it this far stay clear of it together.
    """
    return (
        not tripping.read.isdisjoint(other.touched)
        or not tripping.touched.isdisjoint(other.read)
        or not tripping.stands.isdisjoint(other.stands)
        or (
            not other.sheds
            and any(checks.facility.rated_kw[d] is not None for d in tripping.touched & other.touched)
        )
    )


def _follow(checks: EventDriven, failed: tuple[int, ...], baseline: StrictLoss, *, beside: bool) -> Footprint:
    facility = checks.facility
    scenario = Scenario(checks)
    tripping = scenario.advance(list(failed))
    dark = frozenset(scenario.unpowered - checks.unpowered)
    if beside:
        tripping += [d for d in checks.overloaded if d not in scenario.flow_kw]
    excess_kw: dict[int, float] = {}
    rises_kw = _rises_kw(checks, scenario)
    while tripping:
        for d in tripping:
            excess_kw[d] = scenario.flow_kw.get(d, checks.flows_kw[d]) - checks.limit_kw[d]
        tripping = scenario.advance(tripping)
        for d, rise_kw in _rises_kw(checks, scenario).items():
            rises_kw[d] = max(rise_kw, rises_kw.get(d, rise_kw))
    dead = (scenario.unpowered - checks.unpowered) | (scenario.lost - checks.lost)
    all_of_it = StrictLoss(frozenset(scenario.lost), frozenset(scenario.lost_groups), frozenset(excess_kw))
    read = dead.union(*[facility.dependents[d] for d in dead])
    stands = frozenset([g for d in dead for g in facility.groups_on[d]])
    return Footprint(
        sheds=not excess_kw and not _shifts(checks, scenario, dead),
        loss=all_of_it.without(baseline),
        spared=baseline.without(all_of_it) if beside else NO_LOSS,
        read=frozenset(read),
        touched=frozenset(read.union(scenario.flow_kw)),
        stands=stands,
        rises_kw=rises_kw,
        excess_kw=excess_kw,
        takes_kw=math.fsum([facility.groups[g].kw for g in stands])
        + math.fsum([facility.own_load_kw[d] or 0.0 for d in dead]),
        dark=dark,
    )


def _rises_kw(checks: EventDriven, scenario: Scenario) -> dict[int, float]:
    rated_kw, before_kw = checks.facility.rated_kw, checks.flows_kw
    return {d: kw - before_kw[d] for d, kw in scenario.flow_kw.items() if rated_kw[d] is not None}


def _shifts(checks: EventDriven, scenario: Scenario, dead: set[int]) -> bool:
    """Whether anything that survives lost one of several, or carries more than before."""
    facility, unpowered, lost = checks.facility, scenario.unpowered, scenario.lost
    for d in dead:
        if checks.shared[d]:
            return True
        cuts_power = checks.carries_power[d] and d in unpowered
        for dependent in facility.dependents[d]:
            if (cuts_power and dependent not in unpowered) or (d in lost and dependent not in lost):
                return True
    return any(kw > checks.flows_kw[d] for d, kw in scenario.flow_kw.items())
