"""Which part of the estate headroom is asked about (beyond)."""

from closure.compiled import Facility
from findings.index import EstateIndex
from topology.unknown_id import unknown_id


def under(facility: Facility, index: EstateIndex, name: str) -> frozenset[str]:
    """Return a domain, what hangs from it by parents and feeds and, of a place, what stands there wholly.

    A place is of a kind that carries neither power nor heat; there stands all of whose nodes it is true.
    Raises UnknownId for what is no domain.
    """
    start = facility.domain_index.get(name)
    if start is None:
        raise unknown_id([name], facility.domain_ids)
    found, waiting = {start}, [start]
    for d in waiting:
        fresh = [below for below in facility.dependents[d] if below not in found]
        found.update(fresh)
        waiting += fresh
    hanging = frozenset(facility.domain_ids[d] for d in found)
    return hanging if facility.commodity[start] else hanging | _standing(index, name)


def _standing(index: EstateIndex, place: str) -> frozenset[str]:
    here: set[str] = set()
    elsewhere: set[str] = set()
    for group in index.groups:
        stands_on = index.stands_on(group[0])
        (here if place in stands_on else elsewhere).update(stands_on)
    return frozenset(here - elsewhere)
