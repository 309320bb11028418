"""Static loads: what stands on each domain in its own commodity, each machine once (spec 3: load)."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from topology.kinds import POWER, Commodity

if TYPE_CHECKING:
    from closure.compiled import Facility

_UNKNOWN = math.nan
"""An unknown draw: a sum with it is unknown too."""


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
    for frontier, kw in _drawn(facility):
        parcels.add(frontier, kw)
    loads: list[float | None] = [None] * len(commodity)
    for d in range(len(loads) - 1, -1, -1):
        if commodity[d] is not None:
            kw = parcels.count(d, upstream_of(facility, d, commodity[d]))
            loads[d] = None if math.isnan(kw) else kw
    return tuple(loads)


def _drawn(facility: "Facility") -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield every draw [kW], and the domains where it enters: once into power, once into heat."""
    commodity = facility.commodity
    for places, _, known_kw, kw_known, _, heat_entry in facility.groups:
        kw = known_kw if kw_known else _UNKNOWN
        power = [d for _, _, members in places for d in members if commodity[d] == POWER]
        yield tuple(power if len(power) < 2 else set(power)), kw
        if heat_entry is not None:
            yield heat_entry.domains, kw
    for d, own_load in enumerate(facility.own_load_kw):
        if own_load:
            yield (d,) if commodity[d] == POWER else upstream_of(facility, d, POWER), float(own_load)


class _Parcels:
    """Parcels [kW] by the last domain of their frontier: the first that is to count them."""

    def __init__(self, domains: int) -> None:
        # A frontier of one domain is by far the commonest, and needs no set.
        self._alone: list[list[float]] = [[] for _ in range(domains)]
        self._shared: list[dict[frozenset[int], list[float]] | None] = [None] * domains
        # The same frontiers come again and again: each is made a set, and searched for its last, once.
        # Whatever is sent to a frontier is sent before its last domain counts, so the list stays the one.
        self._terms: dict[tuple[int, ...], list[float]] = {}

    def add(self, frontier: tuple[int, ...], kw: float) -> None:
        if len(frontier) == 1:
            self._alone[frontier[0]].append(kw)
        elif frontier:
            terms = self._terms.get(frontier)
            if terms is None:
                terms = self._terms[frontier] = self._waiting(frozenset(frontier))
            terms.append(kw)

    def _waiting(self, frontier: frozenset[int]) -> list[float]:
        last = max(frontier)
        waiting = self._shared[last]
        if waiting is None:
            waiting = self._shared[last] = {}
        return waiting.setdefault(frontier, [])

    def count(self, domain: int, upstream: tuple[int, ...]) -> float:
        """Return the sum of the parcels that wait for `domain`, and send each on."""
        alone, waiting = self._alone[domain], self._shared[domain]
        kw = math.fsum(alone)
        if alone:
            self.add(upstream, kw)
        if waiting is None:
            return kw
        counted = [kw]
        for frontier, terms in waiting.items():
            kw = math.fsum(terms)
            counted.append(kw)
            moved = (frontier - {domain}).union(upstream)
            if len(moved) == 1:
                self._alone[next(iter(moved))].append(kw)
            elif moved:
                self._waiting(moved).append(kw)
        self._shared[domain] = None
        return math.fsum(counted)


def upstream_of(facility: "Facility", d: int, commodity: Commodity | None) -> tuple[int, ...]:
    """Return the parent and feeds of a domain that carry `commodity`."""
    parent = facility.parent[d]
    hangs = parent >= 0 and facility.commodity[parent] == commodity
    if facility.feeds_commodity[d] != commodity:
        return (parent,) if hangs else ()
    return (parent, *facility.feeds[d]) if hangs else facility.feeds[d]
