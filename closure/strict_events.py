"""The strict check of many scenarios over one facility: each follows only what its failures change.

The answer equals that of closure/strict.py, round by round. Every scenario starts from the same state, in
which only what is out of service is dead; it keeps what differs from there, and passes differences upwards.
Death is final within a scenario, so the flow of what is dead is never brought up to date again.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from closure.compiled import Facility, Group
from closure.effects import groups_by_effect, is_dark, is_lost
from closure.flow import onward
from closure.outlets import Outlet, can_reroute, entry_outlet, own_outlet
from closure.strict import falls, overloaded, settled_round
from closure.tolerance import exceeds, highest_kept
from topology.kinds import POWER


@dataclass(frozen=True, slots=True)
class StrictOutcome:
    """What is lost in the end, by index, and what tripped, with its round (from 1).

    `flow_kw` holds the final flow [kW] of every domain whose flow was touched; the others keep the start's.
    Where flows were not asked for, those that can only have fallen may be missing.
    """

    domains: Collection[int]
    groups: Collection[int]
    tripped: dict[int, int]
    flow_kw: Mapping[int, float]


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

    def run(self, failed: Iterable[int], *, flows: bool = True) -> StrictOutcome:
        """Return the outcome of some domains failing together.

        Without `flows` nobody wants to know them: they are followed only where something may trip.
        """
        dying = list(failed)
        falling = flows or bool(self.overloaded)
        if not falling and not any(self.facility.dependents[d] or self.shared[d] for d in dying):
            # Nothing hangs from them and nobody has a choice: half of a facility is like that.
            return StrictOutcome(
                self.lost.union(dying), self.lost_groups.union(*map(self.fatal.__getitem__, dying)), {}, {}
            )
        scenario = Scenario(self)
        # Where nothing takes another way, flows only fall, and no limit is exceeded that was kept before.
        tripping = scenario.advance(dying, falling=falling)
        tripping += [d for d in self.overloaded if d not in scenario.flow_kw]
        tripped: dict[int, int] = {}
        number = 0
        while tripping:
            number += 1
            for d in tripping:
                tripped[d] = number
            tripping = scenario.advance(tripping)
        return StrictOutcome(scenario.lost, scenario.lost_groups, tripped, scenario.flow_kw)

    def unsure(self, outcome: StrictOutcome) -> tuple[int, ...]:
        """Return what carries more in the end whose rating is unknown, or part of its flow, ascending."""
        # What is dead carries nothing.
        flow_kw, start_kw = outcome.flow_kw, self.flows_kw
        return tuple(sorted(d for d, kw in flow_kw.items() if exceeds(kw, start_kw[d]) and self.is_unsure(d)))

    def is_unsure(self, d: int) -> bool:
        """Return whether nobody can say that a domain carries more: no rating, or a flow that is a bound."""
        return self.facility.rated_kw[d] is None or d in self.facility.bounded_flows


class Scenario:
    """One scenario: what is dead by now, and every flow and target that differs from the start."""

    __slots__ = (
        "_arriving",
        "_dark_groups",
        "_heat",
        "_own",
        "_power",
        "_start",
        "_targets",
        "flow_kw",
        "lost",
        "lost_groups",
        "unpowered",
    )

    def __init__(self, start: EventDriven) -> None:
        self._start = start
        self.unpowered, self.lost = set(start.unpowered), set(start.lost)
        self.lost_groups, self._dark_groups = set(start.lost_groups), set(start.dark_groups)
        self.flow_kw: dict[int, float] = {}
        self._targets: dict[int, tuple[int, ...]] = {}
        self._own: dict[int, Outlet] = {}
        self._power: dict[int, Outlet] = {}
        self._heat: dict[int, Outlet] = {}
        self._arriving: dict[int, float] = {}

    def advance(self, dying: Collection[int], *, falling: bool = True) -> list[int]:
        """Let some domains die; return those that are over their limit once flows have shifted.

        Without `falling`, nothing is followed where flows can only fall.
        """
        self._arriving = {}
        rerouted: set[int] = set()
        alike = len(self.lost) == len(self.unpowered)  # whatever is without power is lost
        dark = [d for d in dying if d not in self.unpowered]
        self.unpowered.update(dark)
        self._spread_death(dark, self.unpowered, rerouted, power_only=True)
        gone = [d for d in dark if d not in self.lost]
        self.lost.update(gone)
        # What hangs from dead power has been judged, by the same losses if the two sets were one.
        carries_power = self._start.carries_power
        queue = [d for d in gone if not carries_power[d]] if alike else gone.copy()
        known = len(queue)
        self._spread_death(queue, self.lost, rerouted, power_only=False)
        gone += queue[known:]
        darkened, shared = self._touched_groups(dark, gone)
        if not (falling or rerouted or shared or self.flow_kw):
            return []
        self._shut_domains(dark, gone)
        self._shut_groups(darkened, shared)
        self._reroute_own(rerouted)
        return self._flow_on(rerouted)

    def _spread_death(
        self, queue: list[int], dead: set[int], rerouted: set[int], *, power_only: bool
    ) -> None:
        """Extend the queue by everything that dies of it; note survivors whose flow takes another way."""
        start, facility = self._start, self._start.facility
        parent, dependents, reroutes = facility.parent, facility.dependents, start.reroutes
        for d in queue:
            if power_only and not start.carries_power[d]:
                continue
            for dependent in dependents[d]:
                if dependent in dead:
                    continue
                if parent[dependent] == d or falls(facility, dependent, d, dead):
                    dead.add(dependent)
                    queue.append(dependent)
                elif reroutes[dependent]:
                    rerouted.add(dependent)

    def _shut_domains(self, dark: Iterable[int], gone: Iterable[int]) -> None:
        """Take what the newly dead passed on, and their own loads, off whatever lives."""
        start, carries_power = self._start, self._start.carries_power
        for d in dark:
            if carries_power[d]:
                self._shut(d, self.unpowered)
            elif d in start.own_outlets:
                self._remove(self._own.get(d, start.own_outlets[d]), self.unpowered)
        for d in gone:
            if not carries_power[d]:
                self._shut(d, self.lost)

    def _shut(self, d: int, dead: Collection[int]) -> None:
        targets = self._targets.get(d, self._start.targets[d])
        kw = self.flow_kw.get(d, self._start.flows_kw[d])
        if targets and kw:
            self._remove((targets, kw / len(targets)), dead)
        self.flow_kw[d] = 0.0

    def _remove(self, outlet: Outlet, dead: Collection[int]) -> None:
        targets, share_kw = outlet
        arriving = self._arriving
        for target in targets:
            if target not in dead:
                arriving[target] = arriving.get(target, 0.0) - share_kw

    def _add(self, outlet: Outlet) -> None:
        targets, share_kw = outlet
        arriving = self._arriving
        for target in targets:
            arriving[target] = arriving.get(target, 0.0) + share_kw

    def _touched_groups(self, dark: Iterable[int], gone: Iterable[int]) -> tuple[set[int], set[int]]:
        """Lose the groups that stand on the newly dead; return those without power, those with a choice."""
        start = self._start
        darkened: set[int] = set()
        shared: set[int] = set()
        for d in dark:
            darkened.update(start.darkening[d])
            shared.update(start.shared[d])
        for d in gone:
            self.lost_groups.update(start.fatal[d])
            shared.update(start.shared[d])
        return darkened, shared

    def _shut_groups(self, darkened: set[int], shared: set[int]) -> None:
        """Take what groups without power drew and heated off the living; move what others still draw."""
        start = self._start
        for g in shared:
            group = start.facility.groups[g]
            if is_lost(group, self.lost):
                self.lost_groups.add(g)
            if g not in darkened and is_dark(group, self.unpowered):
                darkened.add(g)
        for g in darkened - self._dark_groups:
            self._remove(self._power.get(g, start.power_entries[g]), self.unpowered)
            self._remove(self._heat.get(g, start.heat_entries[g]), self.lost)
        self._dark_groups |= darkened
        for g in shared - self._dark_groups:
            self._reenter(g, start.facility.groups[g])

    def _reenter(self, g: int, group: Group) -> None:
        """Spread what a group still draws and heats over what is left of its places."""
        for place, entries, moved, dead in (
            (group.power_entry, self._start.power_entries, self._power, self.unpowered),
            (group.heat_entry, self._start.heat_entries, self._heat, self.lost),
        ):
            before, after = moved.get(g, entries[g]), entry_outlet(place, self._start.group_kw[g], dead)
            if before != after:
                self._remove(before, dead)
                self._add(after)
                moved[g] = after

    def _reroute_own(self, rerouted: Iterable[int]) -> None:
        start = self._start
        for d in rerouted if start.own_outlets else ():
            if d in start.own_outlets and d not in self.unpowered:
                self._remove(self._own.get(d, start.own_outlets[d]), self.unpowered)
                self._own[d] = own_outlet(start.facility, d, self.unpowered)
                self._add(self._own[d])

    def _flow_on(self, rerouted: set[int]) -> list[int]:
        """Pass every difference upwards, dependents first; return the domains that are over their limit."""
        start, arriving, flow_kw, moved = self._start, self._arriving, self.flow_kw, self._targets
        # The loop is most of a sweep: what it reads for every domain is looked up once.
        flows_kw, limit_kw, start_targets, power = (
            start.flows_kw,
            start.limit_kw,
            start.targets,
            start.carries_power,
        )
        waiting = [-d for d in rerouted.union(arriving)]
        heapify(waiting)
        over = []
        while waiting:
            d = -heappop(waiting)
            dead = self.unpowered if power[d] else self.lost
            if d in dead:
                continue
            before_kw = flow_kw[d] if d in flow_kw else flows_kw[d]
            flow_kw[d] = kw = before_kw + arriving[d] if d in arriving else before_kw
            if kw > limit_kw[d]:
                over.append(d)
            targets = moved[d] if d in moved else start_targets[d]
            if d in rerouted:
                moved[d] = onward(start.facility, d, dead)
                changes = [(targets, -before_kw), (moved[d], kw)]
            else:
                changes = [(targets, kw - before_kw)]
            for targets, change_kw in changes:
                share_kw = change_kw / len(targets) if targets else 0.0
                for target in targets:
                    if target in arriving:
                        arriving[target] += share_kw
                    elif share_kw:
                        arriving[target] = share_kw
                        if target not in rerouted:
                            heappush(waiting, -target)
        return over
