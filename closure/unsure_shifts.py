"""Whether load of unknown size moves onto something that may not carry it (spec 4, strict check).

Where the kW of some nodes is unknown, strict flows are lower bounds: a domain may trip that the check keeps.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from closure.compiled import Facility, Group
from closure.loads import upstream_of
from topology.kinds import HEAT, POWER


def shifts_unsurely(facility: Facility, lost: Collection[int], groups: Collection[int]) -> bool:
    """Return whether a domain may carry more than the check says: it takes over load of unknown kW.

    `lost` domains and node `groups`, by index, are lost in either engine. Errs on the side of doubt: a domain
    above both the lost and the surviving way counts, though little may change for it.
    """
    if facility.kw_known:
        return False
    touched = {number for d in lost for number in facility.unsure_behind.get(d, ())}
    alive = [n for n in touched if facility.node_group[facility.unsure_groups[n].nodes[0]] not in groups]
    if not alive:
        return False
    taking_over = facility.with_upstream(_survivors(facility, lost, groups)).difference(lost)
    return any(not taking_over.isdisjoint(facility.unsure_ways[number]) for number in alive)


def ways_of(facility: Facility, group: Group) -> frozenset[int]:
    """Return the domains that a group's power, or its heat, may pass."""
    found: set[int] = set()
    for entry, commodity in ((group.power_entry, POWER), (group.heat_entry, HEAT)):
        way = set() if entry is None else set(entry.domains)
        queue = list(way)
        for d in queue:
            further = set(upstream_of(facility, d, commodity)) - way
            way |= further
            queue += further
        found |= way
    return frozenset(found)


def numbered(ways: Iterable[Iterable[int]]) -> Mapping[int, Sequence[int]]:
    """Return, for every domain on some of the ways, which ones, by their place."""
    found: dict[int, list[int]] = {}
    for number, way in enumerate(ways):
        for d in way:
            found.setdefault(d, []).append(number)
    return found


def _survivors(facility: Facility, lost: Collection[int], groups: Collection[int]) -> Iterator[int]:
    """Yield the ways of power or heat that are left to whatever lost another."""
    for gone in lost:
        if facility.commodity[gone] is None:
            continue
        for below in facility.dependents[gone]:
            if below not in lost:
                yield from (feed for feed in facility.feeds[below] if feed not in lost)
        for group in facility.groups_on[gone]:
            if group not in groups:
                for place in facility.groups[group].places:
                    if gone in place.domains:
                        yield from (d for d in place.domains if d not in lost)
