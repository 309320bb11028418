"""The strict check of many scenarios over one facility: each follows only what its failures change.

The answer equals that of closure/strict.py, round by round. Every scenario starts from the same state, in
which only what is out of service is dead; it keeps what differs from there, and passes differences upwards.
Death is final within a scenario, so the flow of what is dead is never brought up to date again.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from closure.compiled import Facility
from closure.effects import groups_by_effect, is_dark, is_lost
from closure.flow import onward
from closure.outlets import can_reroute, entry_outlet, own_outlet
from closure.strict import overloaded, settled_round
from closure.strict_scenario import Scenario
from closure.tolerance import exceeds, highest_kept
from closure.unsure_start import known_by_failure, unsure_limits
from topology.kinds import POWER


@dataclass(frozen=True, slots=True)
class StrictOutcome:
    """What is lost in the end, by index, and what tripped, with its round (from 1).

    `flow_kw` holds the final flow [kW] of every domain whose flow was touched; the others keep the start's.
    Where flows were not asked for, those that can only have fallen may be missing. `unsure`, where doubts
    were asked for: something carries more in some round, or may, that has no rating or a load of which only
    a lower bound is known.
    """

    domains: Collection[int]
    groups: Collection[int]
    tripped: dict[int, int]
    flow_kw: Mapping[int, float]
    unsure: bool = False


class EventDriven:
    """The common start of all scenarios, prepared once; nodes may have failed in it beside what is out."""

    def __init__(self, facility: Facility, failed_nodes: Collection[int] = ()) -> None:
        start = settled_round(facility, facility.out, failed_nodes)
        self.facility = facility
        self.unpowered, self.lost = frozenset(start.unpowered), frozenset(start.lost)
        self.flows_kw, self.group_kw = start.flows_kw, start.group_kw
        self.overloaded = overloaded(facility, start)
        self.limit_kw = [
            math.inf if rated_kw is None else highest_kept(max(rated_kw, before_kw))
            for rated_kw, before_kw in zip(facility.rated_kw, facility.flows_kw, strict=True)
        ]
        self.unsure_kw = unsure_limits(facility, start, failed_nodes)
        self.watch_kw = list(map(min, self.limit_kw, self.unsure_kw))
        self.known_groups = known_by_failure(facility, failed_nodes)
        # What is out already makes these carry more.
        self.unsure_anyway = [d for d, kw in enumerate(start.flows_kw) if kw > self.unsure_kw[d]]
        self.carries_power = [commodity == POWER for commodity in facility.commodity]
        self.targets = [
            onward(facility, d, self.unpowered if power else self.lost)
            for d, power in enumerate(self.carries_power)
        ]
        self.reroutes = [can_reroute(facility, d) for d in range(len(self.targets))]
        self.own_outlets = {
            d: own_outlet(facility, d, self.unpowered)
            for d, kw in enumerate(facility.own_load_kw)
            if kw and not self.carries_power[d]
        }
        drawn = list(zip(facility.groups, start.group_kw, strict=True))
        self.power_entries = [entry_outlet(group.power_entry, kw, self.unpowered) for group, kw in drawn]
        self.heat_entries = [entry_outlet(group.heat_entry, kw, self.lost) for group, kw in drawn]
        on_lost = {g for d in self.lost for g in facility.groups_on[d]}
        self.lost_groups = {g for g in on_lost if is_lost(facility.groups[g], self.lost)}
        self.dark_groups = {g for g in on_lost if is_dark(facility.groups[g], self.unpowered)}
        self.fatal, self.darkening, self.shared = groups_by_effect(facility)

    def run(self, failed: Iterable[int], *, flows: bool = True, doubts: bool = False) -> StrictOutcome:
        """Return the outcome of some domains failing together, and with `doubts` whether it is unsure.

        Without `flows` nobody wants to know them: they are followed only where something may trip, or may
        be in doubt.
        """
        dying = list(failed)
        falling = flows or bool(self.overloaded) or (doubts and self.doubtful)
        if not falling and not any(self.facility.dependents[d] or self.shared[d] for d in dying):
            # Nothing hangs from them and nobody has a choice: half of a facility is like that.
            return StrictOutcome(
                self.lost.union(dying), self.lost_groups.union(*map(self.fatal.__getitem__, dying)), {}, {}
            )
        scenario = Scenario(self)
        # Where nothing takes another way, flows only fall, and no limit is exceeded that was kept before.
        tripping = scenario.advance(dying, falling=falling)
        tripping += [d for d in self.overloaded if d not in scenario.flow_kw]
        unsure = doubts and self._unsure_at_first(scenario)
        tripped: dict[int, int] = {}
        number = 0
        while tripping:
            number += 1
            for d in tripping:
                tripped[d] = number
            tripping = scenario.advance(tripping)
            unsure = unsure or (doubts and scenario.shifts_unsurely())
        unsure = unsure or (doubts and scenario.unsure)
        return StrictOutcome(scenario.lost, scenario.lost_groups, tripped, scenario.flow_kw, unsure)

    def unsure(self, outcome: StrictOutcome) -> tuple[int, ...]:
        """Return what carries more in the end whose rating is unknown, or part of its flow, ascending."""
        # What is dead carries nothing.
        flow_kw, start_kw = outcome.flow_kw, self.flows_kw
        return tuple(sorted(d for d, kw in flow_kw.items() if exceeds(kw, start_kw[d]) and self.is_unsure(d)))

    def is_unsure(self, d: int) -> bool:
        """Return whether nobody can say that a domain carries more: no rating, or a flow that is a bound."""
        return self.facility.rated_kw[d] is None or d in self.facility.bounded_flows

    @cached_property
    def doubtful(self) -> bool:
        """Whether something is in doubt with nothing failed: what is out has made it carry more, or may."""
        return self._unsure_at_first(Scenario(self))

    def _unsure_at_first(self, scenario: Scenario) -> bool:
        if any(d not in scenario.flow_kw and scenario.is_unsure(d) for d in self.unsure_anyway):
            return True
        return scenario.shifts_unsurely()
