"""Nodes that the loss of any one feed takes down: ask before a maintenance (beyond the methodology)."""

from collections.abc import Collection
from dataclasses import dataclass

from closure.cascade import close
from closure.compiled import Facility, Group
from closure.effects import is_dark
from topology.kinds import POWER, POWER_ENTRY_AXES


@dataclass(frozen=True, slots=True)
class Cords:
    """A node's live power sources (PDUs, UPSs; what feeds its rack), and how many of them it needs.

    A node without power has none. None where the map does not say where its power comes from.
    """

    node: str
    sources: tuple[str, ...] | None
    needed: int

    @property
    def single_fed(self) -> bool | None:
        """Whether it is alive and can lose none of them."""
        return None if self.sources is None else 0 < len(self.sources) <= self.needed


def cords(facility: Facility) -> tuple[Cords, ...]:
    """Return every node's cords, by node id."""
    gone = {facility.domain_index[lost.id] for lost in close(facility, ()).domains}
    found = []
    for group in facility.groups:
        sources, needed = _sources(facility, group, gone)
        found += [Cords(facility.node_ids[node], sources, needed) for node in group.nodes]
    return tuple(sorted(found, key=lambda each: each.node))


def _sources(facility: Facility, group: Group, gone: Collection[int]) -> tuple[tuple[str, ...] | None, int]:
    place = next((p for axis in POWER_ENTRY_AXES for p in group.places if p.axis == axis), None)
    if place is None:
        return None, 1
    needed = len(place.domains) if place.mode == "all" else 1
    if is_dark(group, gone):
        return (), needed
    live = [d for d in place.domains if d not in gone]
    if place.axis == "rack" and live:
        live, needed = _behind(facility, live[0], gone)
    return tuple(sorted(facility.domain_ids[d] for d in live)), needed


def _behind(facility: Facility, rack: int, gone: Collection[int]) -> tuple[list[int], int]:
    """What powers a rack: its one parent, else all of its feeds, or the rack itself with neither.

    A row or a room that it stands in brings no power.
    """
    parent = facility.parent[rack]
    if parent >= 0 and facility.commodity[parent] == POWER:
        return [parent], 1
    if facility.feeds_commodity[rack] == POWER:
        return [feed for feed in facility.feeds[rack] if feed not in gone], facility.needed[rack]
    return [rack], 1
