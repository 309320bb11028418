"""Static loads: what stands on each domain in its own commodity, each machine once (spec 3: load)."""

import math
from collections.abc import Collection
from typing import TYPE_CHECKING

from topology.kinds import POWER, Commodity

if TYPE_CHECKING:
    from closure.compiled import Facility


def static_loads(facility: "Facility") -> tuple[float | None, ...]:
    """Return load_kw per domain [kW]: distinct nodes' draw, plus loadKw on power domains (spec 3).

    None where a node of unknown draw stands on it, and for kinds that carry nothing.

    Every load is a parcel with a frontier: the domains that it has still to be counted on. Working from the
    dependents upwards, a domain counts each parcel that has it on its frontier and replaces itself there
    by its own upstream domains. Parcels with equal frontiers merge, so reconvergent feeds cost little and
    nothing is counted twice.
    """
    commodity = facility.commodity
    parcels = _Parcels(len(commodity))
    for group in facility.groups:
        power = {d for place in group.places for d in place.domains if commodity[d] == POWER}
        heat = group.heat_entry.domains if group.heat_entry is not None else ()
        parcels.add(power, group.kw, known=group.kw_known)
        parcels.add(heat, group.kw, known=group.kw_known)
    for d, own_load in enumerate(facility.own_load_kw):
        if own_load:
            starts = (d,) if commodity[d] == POWER else _upstream_of(facility, d, POWER)
            parcels.add(starts, float(own_load), known=True)
    loads: list[float | None] = [None] * len(commodity)
    for d in range(len(commodity) - 1, -1, -1):
        if commodity[d] is not None:
            loads[d] = parcels.count(d, _upstream_of(facility, d, commodity[d]))
    return tuple(loads)


class _Parcels:
    """Parcels by the last domain of their frontier: the first that is to count them."""

    def __init__(self, domains: int) -> None:
        # A frontier of one domain is by far the commonest, and needs no set.
        self._alone: list[list[float]] = [[] for _ in range(domains)]
        self._alone_unknown: set[int] = set()
        self._shared: dict[int, dict[frozenset[int], list[float]]] = {}
        self._shared_unknown: set[frozenset[int]] = set()

    def add(self, frontier: Collection[int], kw: float, *, known: bool) -> None:
        if len(frontier) == 1:
            (only,) = frontier
            self._alone[only].append(kw)
            if not known:
                self._alone_unknown.add(only)
        elif frontier:
            shared = frozenset(frontier)
            self._shared.setdefault(max(shared), {}).setdefault(shared, []).append(kw)
            if not known:
                self._shared_unknown.add(shared)

    def count(self, domain: int, upstream: Collection[int]) -> float | None:
        """Count the parcels that wait for `domain`, and send each on; None when one of them is unknown."""
        alone = self._alone[domain]
        kw, known = math.fsum(alone), domain not in self._alone_unknown
        if alone:
            self.add(upstream, kw, known=known)
        if domain not in self._shared:
            return kw if known else None
        counted = [kw]
        for frontier, terms in self._shared.pop(domain).items():
            kw, frontier_known = math.fsum(terms), frontier not in self._shared_unknown
            counted.append(kw)
            known = known and frontier_known
            self.add((frontier - {domain}).union(upstream), kw, known=frontier_known)
        return math.fsum(counted) if known else None


def _upstream_of(facility: "Facility", d: int, commodity: Commodity | None) -> tuple[int, ...]:
    """The parent and feeds of a domain that carry `commodity`."""
    parent = facility.parent[d]
    if facility.feeds_commodity[d] != commodity:
        return (parent,) if parent >= 0 and facility.commodity[parent] == commodity else ()
    if parent >= 0 and facility.commodity[parent] == commodity:
        return (parent, *facility.feeds[d])
    return facility.feeds[d]
