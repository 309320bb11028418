"""Where power and heat flow, given what is dead: the arithmetic of the strict check (spec 4)."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from topology.kinds import POWER

if TYPE_CHECKING:
    from closure.compiled import Facility, Place

_NOTHING: frozenset[int] = frozenset()


def all_in_flows(facility: "Facility") -> list[float]:
    """Return the flow through every domain [kW] with nothing failed or out."""
    return flows(facility, [group.kw for group in facility.groups], _NOTHING, _NOTHING)


def flows(
    facility: "Facility", group_kw: Sequence[float], unpowered: Collection[int], lost: Collection[int]
) -> list[float]:
    """Return the flow through every domain [kW]: power in the power kinds, heat in the cooling kinds, else 0.

    `group_kw` is what each node group draws now [kW]. Power routes through what is not `unpowered`, heat
    through what is not `lost`; a dead domain carries 0.
    """
    arriving: list[list[float]] = [[] for _ in facility.domain_ids]
    for group, kw in zip(facility.groups, group_kw, strict=True):
        if kw:
            _enter(arriving, group.power_entry, kw, unpowered)
            _enter(arriving, group.heat_entry, kw, lost)
    for d, own_load_kw in enumerate(facility.own_load_kw):
        if own_load_kw and d not in unpowered:
            targets = (d,) if facility.commodity[d] == POWER else power_targets(facility, d, unpowered)
            _spread(arriving, targets, own_load_kw)
    carried = [0.0] * len(arriving)
    for d in range(len(arriving) - 1, -1, -1):
        commodity = facility.commodity[d]
        dead = unpowered if commodity == POWER else lost
        if commodity is None or d in dead or not arriving[d]:
            continue
        carried[d] = math.fsum(arriving[d])
        _spread(arriving, onward(facility, d, dead), carried[d])
    return carried


def onward(facility: "Facility", d: int, dead: Collection[int]) -> tuple[int, ...]:
    """Return where a live domain passes its flow on to: its parent of its commodity, else live feeds of it.

    Equal shares go to each; with `transfer: preferred` the first live feed takes all.
    """
    return _upstream(facility, d, facility.commodity[d], dead)


def passed(
    facility: "Facility", entering: Mapping[int, float], dead: Collection[int]
) -> Iterator[tuple[int, float]]:
    """Yield what a flow of one commodity passes on its way up, dependents first, and how much of it does.

    `entering` says how much of it enters where.
    """
    amounts = dict(entering)
    waiting = [-d for d in amounts]
    heapify(waiting)
    while waiting:
        d = -heappop(waiting)
        yield d, amounts[d]
        targets = onward(facility, d, dead)
        for target in targets:
            if target not in amounts:
                heappush(waiting, -target)
            amounts[target] = amounts.get(target, 0.0) + amounts[d] / len(targets)


def behind(facility: "Facility", seeds: Iterable[int]) -> set[int]:
    """Return the domains whose flow can pass a seed: seeds, and what hangs from them."""
    found, waiting = set(seeds), list(seeds)
    while waiting:
        d = waiting.pop()
        for dependent in facility.dependents[d]:
            if dependent not in found and facility.commodity[dependent] == facility.commodity[d]:
                found.add(dependent)
                waiting.append(dependent)
    return found


def power_targets(facility: "Facility", d: int, unpowered: Collection[int]) -> tuple[int, ...]:
    """Return where the loadKw of other kinds enters: the power parent, else the live power feeds."""
    return _upstream(facility, d, POWER, unpowered)


def _upstream(facility: "Facility", d: int, commodity: str | None, dead: Collection[int]) -> tuple[int, ...]:
    parent = facility.parent[d]
    if parent >= 0 and facility.commodity[parent] == commodity:
        return (parent,)
    if facility.feeds_commodity[d] != commodity:
        return ()
    live = tuple([feed for feed in facility.feeds[d] if feed not in dead])
    return live[:1] if facility.preferred[d] else live


def _enter(arriving: list[list[float]], entry: "Place | None", kw: float, dead: Collection[int]) -> None:
    if entry is None:
        return
    live = [d for d in entry.domains if d not in dead]
    # On an `all` axis every member keeps its fixed share, and a dead member's share goes nowhere.
    shares = len(entry.domains) if entry.mode == "all" else len(live)
    for d in live:
        arriving[d].append(kw / shares)


def _spread(arriving: list[list[float]], targets: Sequence[int], kw: float) -> None:
    for d in targets:
        arriving[d].append(kw / len(targets))
