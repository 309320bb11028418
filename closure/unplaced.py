"""Nodes of which the map does not say where their power, or their cooling, comes from (beyond).

By the map no failure of that commodity reaches them. Whoever loses some of it therefore cannot promise that
they stand, as long as other nodes show that the map does know such sources.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from closure.cascade import close
from closure.compiled import Facility, Group
from closure.effects import is_dark
from topology.kinds import POWER, Commodity
from topology.supply import SUPPLY_AXES, Supplies, Supply


class UnplacedGroup(NamedTuple):
    """A group of nodes, some with units, whose source of a commodity is not known, and why not."""

    group: int
    commodity: Commodity
    supply: Supply


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A node with units of which a failure may take the power, or the cooling: the map does not say."""

    id: str
    commodity: Commodity
    why: Supply


@dataclass(frozen=True, slots=True)
class Reach:
    """The groups of unknown supply, and for every domain whose loss may take some of them, which ones."""

    groups: tuple[UnplacedGroup, ...]
    behind: Mapping[int, tuple[UnplacedGroup, ...]]


def reach_of(facility: Facility) -> Reach:
    """Return what may hang from what.

    Who names nothing may hang from any domain of that commodity; who names something undeclared, from what
    other domains hang from, or what is of another kind, but not from another rack; undeclared cooling from
    such power domains, too. What is lost with nothing failed takes nothing any more.
    """
    groups = _unplaced_groups(facility)
    if not groups:
        return Reach((), {})
    lost = {facility.domain_index[each.id] for each in close(facility, ()).domains}
    shared: dict[tuple[Commodity, str, bool], tuple[UnplacedGroup, ...]] = {}
    behind: dict[int, tuple[UnplacedGroup, ...]] = {}
    for d, (name, commodity) in enumerate(zip(facility.domain_ids, facility.commodity, strict=True)):
        if commodity is None or d in lost:
            continue
        key = (commodity, facility.estate.domains[name].kind, bool(facility.dependents[d]))
        if key not in shared:
            shared[key] = tuple([each for each in groups if _may_hang(facility, each, *key)])
        if shared[key]:
            behind[d] = shared[key]
    return Reach(groups, behind)


def reaches_unplaced(facility: Facility, lost: Collection[int], groups: Collection[int]) -> bool:
    """Return whether losing the domains `lost` may take more than `groups`, or shift load of those."""
    behind = facility.unplaced.behind
    reached = {each.group for d in lost for each in behind.get(d, ())} if behind else set()
    if not reached.issubset(groups):
        return True
    dead = set(lost) if reached else ()
    return not all(is_dark(facility.groups[g], dead) for g in reached)


def unplaced_left(facility: Facility, lost: Collection[int], groups: Collection[int]) -> tuple[int, ...]:
    """Return the groups that losing the domains `lost` may take beside the `groups` that it does."""
    behind = facility.unplaced.behind
    if not behind:
        return ()
    return tuple(sorted({each.group for d in lost for each in behind.get(d, ())}.difference(groups)))


def unplaced_survivors(
    facility: Facility, lost: Collection[int], nodes: Collection[int]
) -> Iterator[Unplaced]:
    """Yield those that losing the domains `lost` may take beside the `nodes` that it does, by index."""
    yield from _those(facility, lost, lambda _, node: node not in nodes)


def unplaced_drawing(
    facility: Facility, taken: Collection[int], lost: Collection[int], failed_nodes: Collection[int]
) -> Iterator[Unplaced]:
    """Yield those that losing the domains `taken` may take, or of which it may shift load, by index.

    What is lost and has power goes on drawing (spec 4); what failed by name does not, nor what all that is
    `lost` leaves without power.
    """
    yield from _those(
        facility, taken, lambda group, node: node not in failed_nodes and not is_dark(group, lost)
    )


def _those(
    facility: Facility, lost: Collection[int], wanted: Callable[[Group, int], bool]
) -> Iterator[Unplaced]:
    reach = facility.unplaced
    hit = {each for d in lost for each in reach.behind.get(d, ())}
    for each in reach.groups if hit else ():
        group = facility.groups[each.group]
        for node in group.nodes if each in hit else ():
            if has_units(facility, node) and wanted(group, node):
                yield Unplaced(facility.node_ids[node], each.commodity, each.supply)


def has_units(facility: Facility, node: int) -> bool:
    """Return whether a node has units of the facility's load, or may have: nobody says that it has none."""
    said = facility.estate.nodes[node]
    return (said.allocated if facility.load == "allocated" else said.installed) != 0


def _unplaced_groups(facility: Facility) -> tuple[UnplacedGroup, ...]:
    """Return the groups with units of unknown supply, of each commodity that some of them name."""
    nodes = facility.estate.nodes
    shapes = [nodes[group.nodes[0]].standings for group in facility.groups]
    supplies = Supplies(facility.estate.domains, shapes)
    laden = [g for g, group in enumerate(facility.groups) if any(has_units(facility, n) for n in group.nodes)]
    found: list[UnplacedGroup] = []
    for commodity in SUPPLY_AXES:
        said = [UnplacedGroup(g, commodity, supplies.of(shapes[g], commodity)) for g in laden]
        unknown = [each for each in said if each.supply != "known"]
        if any(each.supply != "unnamed" for each in said):
            found += unknown
    return tuple(found)


def _may_hang(facility: Facility, each: UnplacedGroup, commodity: Commodity, kind: str, feeds: bool) -> bool:
    """Return whether a group may hang from such a domain; `feeds`: other domains do."""
    if each.commodity != commodity:
        return each.supply == "undeclared" and commodity == POWER and (feeds or kind != "rack")
    if each.supply == "unnamed":
        return True
    domains, axes = facility.estate.domains, SUPPLY_AXES[commodity]
    places = (place for place in facility.groups[each.group].places if place.axis in axes)
    named = {domains[facility.domain_ids[d]].kind for place in places for d in place.domains}
    return feeds or (kind != "rack" and kind not in named)
