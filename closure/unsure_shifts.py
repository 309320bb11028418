"""Whether load of unknown size moves onto something that may not carry it (spec 4, strict check).

Where the kW of some nodes is unknown, strict flows are lower bounds: a domain may trip that the check keeps.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from closure.compiled import Facility, Group
from closure.loads import upstream_of
from topology.kinds import HEAT, POWER


def shifts_unsurely(
    facility: Facility, unpowered: Collection[int], lost: Collection[int], silent: Collection[int]
) -> bool:
    """Return whether a domain may carry more than the check says: it takes over load of unknown kW.

    `unpowered` and `lost` domains as in one round of the check; `silent` are the node groups that draw
    nothing unknown in it. Errs on the side of doubt: a domain above both the lost and the surviving way
    counts, though little may change for it.
    """
    if facility.kw_known:
        return False
    touched = {number for d in lost for number in facility.unsure_behind.get(d, ())}
    alive = [number for number in touched if unsure_group(facility, number) not in silent]
    if not alive:
        return False
    taking_over = _with_upstream(facility, _survivors(facility, unpowered, lost, silent))
    taking_over.difference_update(d for d in lost if d in unpowered or facility.commodity[d] != POWER)
    return any(not taking_over.isdisjoint(facility.unsure_ways[number]) for number in alive)


def unsure_group(facility: Facility, number: int) -> int:
    """Return the index of one of the groups of unknown kW, of all groups."""
    return facility.node_group[facility.unsure_groups[number].nodes[0]]


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


def _survivors(
    facility: Facility, unpowered: Collection[int], lost: Collection[int], silent: Collection[int]
) -> Iterator[int]:
    """Yield the ways of power or heat that are left to whatever lost another."""
    for gone in lost:
        commodity = facility.commodity[gone]
        dead = unpowered if commodity == POWER else lost
        if commodity is None or gone not in dead:
            continue
        for below in facility.dependents[gone]:
            if below not in dead and facility.commodity[below] == commodity:
                yield from (feed for feed in facility.feeds[below] if feed not in dead)
        for group in facility.groups_on[gone]:
            if group not in silent:
                for place in facility.groups[group].places:
                    if gone in place.domains:
                        yield from (d for d in place.domains if d not in dead)


def _with_upstream(facility: Facility, domains: Iterable[int]) -> set[int]:
    """Return some domains and everything that their flow may pass."""
    found = set(domains)
    queue = list(found)
    for d in queue:
        further = [above for above in upstream_of(facility, d, facility.commodity[d]) if above not in found]
        found.update(further)
        queue += further
    return found
