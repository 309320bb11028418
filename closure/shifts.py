"""Which losses put more onto a survivor, and what passes it on (spec 4, strict check).

A flow rises for one reason: something below has lost one of its ways up, and what went there goes elsewhere.
From the domain whose flow rose, the rise is followed down to where that happened.
"""

import math
from collections.abc import Collection, Iterator

from closure.cascade import id_tuple
from closure.compiled import Facility, Place
from closure.flow import onward, power_targets
from closure.proof import Shift
from closure.strict import Round
from closure.tolerance import exceeds
from topology.kinds import POWER

_NOTHING: frozenset[int] = frozenset()


def shifts(facility: Facility, d: int, now: Round, gone: Collection[str] = ()) -> tuple[Shift, ...]:
    """Return what shifts onto a domain in a round, by the losses that did it; `gone`: nodes that failed."""
    found: dict[tuple[str, tuple[str, ...], str], list[tuple[tuple[str, ...], float, float]]] = {}
    todo, seen = [d], {d}
    while todo:
        onto = todo.pop()
        name = facility.domain_ids[onto]
        for below, lost, before_kw, after_kw in _rises(facility, onto, now):
            if isinstance(below, int) and below not in seen and _rose(facility, below, now):
                seen.add(below)
                todo.append(below)
            if lost:
                kind, things = _named(facility, below, gone)
                found.setdefault((kind, lost, name), []).append((things, before_kw, after_kw))
    return tuple(
        Shift(
            "node" if kind == "node" else "domain",
            tuple(sorted(thing for things, _, _ in parts for thing in things)),
            lost,
            onto_name,
            math.fsum(before_kw for _, before_kw, _ in parts),
            math.fsum(after_kw for _, _, after_kw in parts),
        )
        for (kind, lost, onto_name), parts in sorted(found.items())
    )


_Rise = tuple["int | tuple[int, ...]", tuple[str, ...], float, float]
"""A domain, or the nodes of a group; the ways up that it lost; what it passes on, before and after [kW]."""


def _rises(facility: Facility, onto: int, now: Round) -> Iterator[_Rise]:
    """Yield what passes more on to a domain than with nothing failed or out."""
    carries_power = facility.commodity[onto] == POWER
    dead = now.unpowered if carries_power else now.lost
    for g in facility.groups_on[onto]:
        group = facility.groups[g]
        entry = group.power_entry if carries_power else group.heat_entry
        if entry is not None and onto in entry.domains:
            before_kw, after_kw = group.kw / len(entry.domains), _share_kw(entry, now.group_kw[g], dead)
            if exceeds(after_kw, before_kw):
                yield (
                    group.nodes,
                    id_tuple(facility, (d for d in entry.domains if d in dead)),
                    before_kw,
                    after_kw,
                )
    for below in facility.dependents[onto]:
        before_kw, after_kw = _passed_kw(facility, below, onto, now, dead)
        if exceeds(after_kw, before_kw):
            yield below, _lost_ways(facility, below, dead), before_kw, after_kw


def _share_kw(entry: Place, kw: float, dead: Collection[int]) -> float:
    """Return what each live domain of an entry, of which there are some, gets [kW]."""
    return kw / sum(entry.mode == "all" or d not in dead for d in entry.domains)


def _passed_kw(
    facility: Facility, below: int, onto: int, now: Round, dead: Collection[int]
) -> tuple[float, float]:
    """Return what one domain passes on to another with nothing failed or out, and in a round [kW]."""
    before_kw = after_kw = 0.0
    if facility.commodity[below] == facility.commodity[onto]:
        before_kw = _part(facility.flows_kw[below], onward(facility, below, _NOTHING), onto)
        after_kw = _part(now.flows_kw[below], onward(facility, below, dead), onto)
    elif facility.commodity[onto] == POWER and (own_kw := facility.own_load_kw[below]):
        before_kw = _part(own_kw, power_targets(facility, below, _NOTHING), onto)
        if below not in now.unpowered:
            after_kw = _part(own_kw, power_targets(facility, below, dead), onto)
    return before_kw, after_kw


def _part(kw: float, targets: tuple[int, ...], onto: int) -> float:
    return kw / len(targets) if onto in targets else 0.0


def _lost_ways(facility: Facility, below: int, dead: Collection[int]) -> tuple[str, ...]:
    return id_tuple(facility, (feed for feed in facility.feeds[below] if feed in dead))


def _rose(facility: Facility, d: int, now: Round) -> bool:
    return exceeds(now.flows_kw[d], facility.flows_kw[d])


def _named(
    facility: Facility, below: "int | tuple[int, ...]", gone: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    if isinstance(below, int):
        return "domain", (facility.domain_ids[below],)
    return "node", tuple(name for node in below if (name := facility.node_ids[node]) not in gone)
