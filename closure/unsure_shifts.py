"""Whether load of unknown size moves onto something that may not carry it (spec 4, strict check).

Where the kW of some nodes is unknown, strict flows are lower bounds: a domain may trip that the check keeps.
"""

from collections.abc import Collection, Iterator

from closure.compiled import Facility


def shifts_unsurely(facility: Facility, lost: Collection[int], groups: Collection[int]) -> bool:
    """Return whether a rated domain may carry more than the check says: it takes over, its flow a bound.

    `lost` domains and node `groups`, by index, are lost in either engine. Errs on the side of doubt: a domain
    above both the lost and the surviving way counts, though little may change for it.
    """
    if facility.kw_known:
        return False
    bounded, rated_kw = facility.bounded_flows, facility.rated_kw
    taking_over = facility.with_upstream(_survivors(facility, lost, groups))
    return any(d in bounded and rated_kw[d] is not None for d in taking_over.difference(lost))


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
