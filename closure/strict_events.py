"""The strict check of many scenarios over one facility: each follows only what its failures change.

The answer equals that of closure/strict.py, round by round. Every scenario starts from the same state, in
which only what is out of service is dead; it keeps what differs from there, and passes differences upwards.
"""

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from closure.cascade import lost_members
from closure.compiled import Facility, Group, Place
from closure.flow import onward, power_targets
from closure.strict import falls, overloaded, settled_round
from closure.tolerance import RELATIVE_TOLERANCE
from topology.kinds import POWER, POWER_ENTRY_AXES

_Outlet = tuple[tuple[int, ...], float]
"""Where a flow goes, and how much of it each target gets [kW]."""

_CLOSED: _Outlet = ((), 0.0)


@dataclass(frozen=True, slots=True)
class StrictOutcome:
    """What is lost in the end, by index, and what tripped, with its round (from 1).

    `flow_kw` holds the final flow [kW] of every domain whose flow was touched; the others keep the start's.
    """

    domains: Collection[int]
    groups: Collection[int]
    tripped: dict[int, int]
    flow_kw: Mapping[int, float]


class EventDriven:
    """The common start of all scenarios, prepared once."""

    def __init__(self, facility: Facility) -> None:
        start = settled_round(facility, facility.out, ())
        self.facility = facility
        self.unpowered = frozenset(start.unpowered)
        self.lost = frozenset(start.lost)
        self.flows_kw = start.flows_kw
        self.overloaded = overloaded(facility, start)
        self.lost_groups = frozenset(
            g
            for g in {g for d in start.lost for g in facility.groups_on[d]}
            if any(lost_members(place, start.lost) for place in facility.groups[g].places)
        )
        self.limit_kw = [
            math.inf if rated_kw is None else max(rated_kw, before_kw) * (1.0 + RELATIVE_TOLERANCE)
            for rated_kw, before_kw in zip(facility.rated_kw, facility.flows_kw, strict=True)
        ]
        self.outlets = [
            _spread(onward(facility, d, self.unpowered if commodity == POWER else self.lost), kw)
            for d, (kw, commodity) in enumerate(zip(start.flows_kw, facility.commodity, strict=True))
        ]
        self.own_outlets = {
            d: own_outlet(facility, d, self.unpowered)
            for d, kw in enumerate(facility.own_load_kw)
            if kw and facility.commodity[d] != POWER
        }
        drawn = list(zip(facility.groups, start.group_kw, strict=True))
        self.power_entries = [_entry(group.power_entry, kw, self.unpowered) for group, kw in drawn]
        self.heat_entries = [_entry(group.heat_entry, kw, self.lost) for group, kw in drawn]

    def run(self, failed: Iterable[int]) -> StrictOutcome:
        """Return the outcome of some domains failing together."""
        scenario = _Scenario(self)
        tripped: dict[int, int] = {}
        dying = list(failed)
        number = 0
        while dying or not number:
            number += 1
            touched = scenario.advance(dying)
            flow_kw, limit_kw = scenario.flow_kw, self.limit_kw
            dying = [d for d in touched if flow_kw[d] > limit_kw[d]]
            if number == 1 and self.overloaded:
                dying += [d for d in self.overloaded if d not in flow_kw]
            for d in dying:
                tripped[d] = number
        return StrictOutcome(scenario.lost, scenario.lost_groups, tripped, scenario.flow_kw)


class _Scenario:
    """One scenario: what is dead by now, and every flow and outlet that differs from the start."""

    __slots__ = (
        "_changed",
        "_entries",
        "_outlets",
        "_own",
        "_start",
        "flow_kw",
        "lost",
        "lost_groups",
        "unpowered",
    )

    def __init__(self, start: EventDriven) -> None:
        self._start = start
        self.unpowered = set(start.unpowered)
        self.lost = set(start.lost)
        self.lost_groups = set(start.lost_groups)
        self.flow_kw: dict[int, float] = {}
        self._outlets: dict[int, _Outlet] = {}
        self._own: dict[int, _Outlet] = {}
        self._entries: dict[int, tuple[_Outlet, _Outlet]] = {}

    def advance(self, dying: Collection[int]) -> list[int]:
        """Let some domains die; return the domains whose flow changed with it."""
        rerouted, groups = self._die(dying)
        arriving: dict[int, float] = {}
        for g in groups:
            self._redraw(g, arriving)
        own_outlets = self._start.own_outlets
        if own_outlets:
            for d in rerouted:
                if d in own_outlets:
                    new = own_outlet(self._start.facility, d, self.unpowered)
                    _shift(self._own.get(d, own_outlets[d]), new, arriving)
                    self._own[d] = new
        return self._flow_on(rerouted, arriving)

    def _die(self, dying: Collection[int]) -> tuple[set[int], set[int]]:
        """Spread death downwards; return the domains to reroute, and the groups that stand on the dead."""
        facility = self._start.facility
        unpowered, lost = self.unpowered, self.lost
        rerouted = set(dying)
        dark = [d for d in dying if d not in unpowered]
        unpowered.update(dark)
        for d in dark:
            if facility.commodity[d] == POWER:
                self._spread_death(d, unpowered, dark, rerouted)
        gone = [d for d in dark if d not in lost]
        lost.update(gone)
        for d in gone:
            self._spread_death(d, lost, gone, rerouted)
        return rerouted, {g for d in {*dark, *gone} for g in facility.groups_on[d]}

    def _spread_death(self, d: int, dead: set[int], queue: list[int], rerouted: set[int]) -> None:
        facility = self._start.facility
        for dependent in facility.dependents[d]:
            if dependent not in dead:
                rerouted.add(dependent)
                if falls(facility, dependent, d, dead):
                    dead.add(dependent)
                    queue.append(dependent)

    def _redraw(self, g: int, arriving: dict[int, float]) -> None:
        """Judge a group again, and move what it draws and heats."""
        start = self._start
        group = start.facility.groups[g]
        if any(lost_members(place, self.lost) for place in group.places):
            self.lost_groups.add(g)
        kw = 0.0 if is_dark(group, self.unpowered) else group.kw
        power = _entry(group.power_entry, kw, self.unpowered)
        heat = _entry(group.heat_entry, kw, self.lost)
        before = self._entries.get(g) or (start.power_entries[g], start.heat_entries[g])
        if (power, heat) != before:
            self._entries[g] = (power, heat)
            _shift(before[0], power, arriving)
            _shift(before[1], heat, arriving)

    def _flow_on(self, rerouted: set[int], arriving: dict[int, float]) -> list[int]:
        """Pass every difference upwards, dependents first; return the domains that it touched."""
        start = self._start
        commodity, flow_kw, outlets = start.facility.commodity, self.flow_kw, self._outlets
        waiting = [-d for d in {*rerouted, *arriving}]
        heapify(waiting)
        touched = []
        while waiting:
            d = -heappop(waiting)
            dead = self.unpowered if commodity[d] == POWER else self.lost
            targets, share_kw = outlets.get(d) or start.outlets[d]
            if d in dead:
                kw, new = 0.0, _CLOSED
            else:
                kw = flow_kw.get(d, start.flows_kw[d]) + arriving.get(d, 0.0)
                new = _spread(onward(start.facility, d, dead) if d in rerouted else targets, kw)
            flow_kw[d] = kw
            outlets[d] = new
            touched.append(d)
            if new != (targets, share_kw):
                for target in new[0] if new[0] == targets else {*targets, *new[0]}:
                    if target not in arriving and target not in rerouted:
                        heappush(waiting, -target)
                _shift((targets, share_kw), new, arriving)
        return touched


def own_outlet(facility: Facility, d: int, unpowered: Collection[int]) -> _Outlet:
    """Return where the loadKw of a domain that carries no power enters the power domains."""
    kw = facility.own_load_kw[d]
    return _CLOSED if d in unpowered or not kw else _spread(power_targets(facility, d, unpowered), kw)


def is_dark(group: Group, unpowered: Collection[int]) -> bool:
    """Return whether nodes have lost their power: on any axis that brings it (spec 4, who draws)."""
    return any(place.axis in POWER_ENTRY_AXES and lost_members(place, unpowered) for place in group.places)


def _entry(entry: Place | None, kw: float, dead: Collection[int]) -> _Outlet:
    """Return where nodes' flow enters a place: equal shares, fixed ones on an `all` axis."""
    if entry is None or not kw:
        return _CLOSED
    live = tuple([d for d in entry.domains if d not in dead])
    return (live, kw / (len(entry.domains) if entry.mode == "all" else len(live))) if live else _CLOSED


def _spread(targets: tuple[int, ...], kw: float) -> _Outlet:
    return (targets, kw / len(targets)) if targets else _CLOSED


def _shift(before: _Outlet, after: _Outlet, arriving: dict[int, float]) -> None:
    """Take a flow away from where it went and add it where it goes now."""
    for target in before[0]:
        arriving[target] = arriving.get(target, 0.0) - before[1]
    for target in after[0]:
        arriving[target] = arriving.get(target, 0.0) + after[1]
