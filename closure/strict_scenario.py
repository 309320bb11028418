"""One scenario of the strict check, followed by what its failures change (closure/strict_events.py)."""

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from closure.compiled import Group
from closure.effects import is_dark, is_lost
from closure.flow import onward
from closure.outlets import Outlet, entry_outlet, own_outlet
from closure.strict import falls
from closure.unsure_shifts import shifts_unsurely, unsure_group

if TYPE_CHECKING:
    from closure.strict_events import EventDriven


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
        "unsure",
    )

    def __init__(self, start: "EventDriven") -> None:
        self._start = start
        self.unpowered, self.lost = set(start.unpowered), set(start.lost)
        self.lost_groups, self._dark_groups = set(start.lost_groups), set(start.dark_groups)
        self.flow_kw: dict[int, float] = {}
        self.unsure = False  # something in doubt has carried more
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
            self._dark_groups |= darkened
            return []
        self._shut_domains(dark, gone)
        self._shut_groups(darkened, shared)
        self._reroute_own(rerouted)
        return self._flow_on(rerouted)

    def is_unsure(self, d: int) -> bool:
        """Return whether nobody knows what a domain can carry, or how much it does now."""
        facility = self._start.facility
        if facility.rated_kw[d] is None:
            return True
        behind = (unsure_group(facility, number) for number in facility.unsure_behind.get(d, ()))
        return any(g not in self._dark_groups and g not in self._start.known_groups for g in behind)

    def shifts_unsurely(self) -> bool:
        """Return whether load of unknown kW has moved, now or before (closure/unsure_shifts.py)."""
        facility = self._start.facility
        if facility.kw_known:
            return False
        silent = self._dark_groups | self._start.known_groups
        return shifts_unsurely(facility, self.unpowered, self.lost, silent)

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
        flows_kw, watch_kw, start_targets = start.flows_kw, start.watch_kw, start.targets
        power = start.carries_power
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
            if kw > watch_kw[d]:
                if kw > start.limit_kw[d]:
                    over.append(d)
                elif kw > start.unsure_kw[d] and not self.unsure:
                    self.unsure = self.is_unsure(d)
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
