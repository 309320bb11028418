"""Channels between rows: where lines leave and enter boxes, and which track each bus runs on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_NEAR: Final = 8.0
"""Lines closer than this look like one [px]."""

_CAREFUL: Final = 60
"""Buses in a channel beyond which their order is no longer optimised."""


@dataclass(slots=True)
class Pin:
    """Where a line meets an item: free to move between `low` and `high` (a line passing through is not)."""

    x: float
    low: float
    high: float
    net: int


@dataclass(slots=True)
class Bus:
    """One net in one channel: its pins above and below, and the track of its horizontal part (-1: none)."""

    net: int
    above: list[Pin] = field(default_factory=list)
    below: list[Pin] = field(default_factory=list)
    track: int = -1

    def span(self) -> tuple[float, float]:
        """Return the horizontal reach."""
        xs = [pin.x for pin in self.above + self.below]
        return min(xs), max(xs)


def spread_pins(pins: Sequence[Pin], aims: Sequence[float]) -> None:
    """Share an item's edge among its pins, in the order of where their lines go."""
    order = sorted(range(len(pins)), key=lambda i: (aims[i], pins[i].net))
    for position, i in enumerate(order):
        pin = pins[i]
        pin.x = round(pin.low + (pin.high - pin.low) * (position + 1) / (len(order) + 1), 1)
        step = (pin.high - pin.low) / (len(order) + 1)
        pin.low, pin.high = pin.x - step / 2 + 1, pin.x + step / 2 - 1


def straighten(bus: Bus) -> None:
    """Move single or almost aligned pins onto their hub's line, as far as their share of the edge allows."""
    hub, ends = (bus.above[0], bus.below) if len(bus.above) == 1 else (bus.below[0], bus.above)
    for end in ends:
        if end.low <= hub.x <= end.high and (len(ends) == 1 or abs(end.x - hub.x) <= 3 * _NEAR):
            end.x = hub.x
        elif len(ends) == 1 and hub.low <= end.x <= hub.high:
            hub.x = end.x


def part_pins(buses: Sequence[Bus]) -> None:
    """Nudge pins of different nets apart that would run on one vertical line."""
    placed: dict[int, list[tuple[float, int]]] = {}
    pins = [pin for bus in buses for pin in bus.above + bus.below]
    for pin in sorted(pins, key=lambda pin: (pin.high - pin.low, pin.x, pin.net)):
        if not _free(pin.x, pin.net, placed):
            steps = [sign * _NEAR * k for k in range(1, 8) for sign in (1, -1)]
            choices = (pin.x + step for step in steps if pin.low <= pin.x + step <= pin.high)
            pin.x = next((x for x in choices if _free(x, pin.net, placed)), pin.x)
        placed.setdefault(int(pin.x // _NEAR), []).append((pin.x, pin.net))


def _free(x: float, net: int, placed: dict[int, list[tuple[float, int]]]) -> bool:
    cell = int(x // _NEAR)
    near = (entry for c in (cell - 1, cell, cell + 1) for entry in placed.get(c, ()))
    return all(abs(x - other) >= _NEAR or net == owner for other, owner in near)


def assign_tracks(buses: Sequence[Bus]) -> int:
    """Give every bus with a horizontal part a track from the top (0); return how many tracks there are."""
    bent = [bus for bus in buses if bus.span()[0] != bus.span()[1]]
    bent.sort(key=lambda bus: (len(bus.above) != 1, *bus.span(), bus.net))
    if len(bent) > _CAREFUL:
        return _pack(bent)
    _reorder(bent)
    for i, bus in enumerate(bent):
        bus.track = max((other.track for other in bent[:i] if _meet(bus, other)), default=-1) + 1
    return max((bus.track for bus in bent), default=-1) + 1


def _meet(one: Bus, other: Bus) -> bool:
    (low, high), (left, right) = one.span(), other.span()
    return low <= right + 2 * _NEAR and left <= high + 2 * _NEAR


def _reorder(buses: list[Bus]) -> None:
    """Bubble buses past each other while that saves crossings (or lines on top of each other)."""
    for _ in range(len(buses)):
        moved = False
        for i in range(len(buses) - 1):
            upper, lower = buses[i], buses[i + 1]
            if _cost(lower, upper) < _cost(upper, lower):
                buses[i], buses[i + 1] = lower, upper
                moved = True
        if not moved:
            return


def _cost(upper: Bus, lower: Bus) -> int:
    (low, high), (left, right) = upper.span(), lower.span()
    crossings = sum(left <= pin.x <= right for pin in upper.below)
    crossings += sum(low <= pin.x <= high for pin in lower.above)
    hidden = sum(abs(a.x - b.x) < _NEAR for a in upper.below for b in lower.above)
    return crossings + 1000 * hidden


def _pack(buses: list[Bus]) -> int:
    """First fit from the left: for channels too crowded to look good anyway."""
    from heapq import heappop, heappush

    free: list[tuple[float, int]] = []
    count = 0
    for bus in sorted(buses, key=lambda bus: (*bus.span(), bus.net)):
        low, high = bus.span()
        if free and free[0][0] < low - 2 * _NEAR:
            bus.track = heappop(free)[1]
        else:
            bus.track = count
            count += 1
        heappush(free, (high, bus.track))
    return count
