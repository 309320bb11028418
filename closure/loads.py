"""Static loads: what stands on each domain in its own commodity, each machine once (spec 3: load)."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from topology.kinds import POWER

if TYPE_CHECKING:
    from closure.compiled import Facility

_Frontier = frozenset[int]


def static_loads(facility: "Facility") -> tuple[float | None, ...]:
    """Return load_kw per domain [kW]: distinct nodes' draw, plus loadKw on power domains (spec 3).

    None where a node of unknown draw stands on it, and for kinds that carry nothing.

    Every load is a parcel with a frontier: the domains that it has still to be counted on. Working from the
    dependents upwards, a domain counts each parcel that has it on its frontier and replaces itself there
    by its own upstream domains. Parcels with equal frontiers merge, so reconvergent feeds cost little and
    nothing is counted twice.
    """
    upstream = _same_commodity_upstream(facility)
    parcels = _Parcels(len(upstream))
    for group in facility.groups:
        for carried in ("power", "heat"):
            stood_on = {
                d for place in group.places for d in place.domains if facility.commodity[d] == carried
            }
            parcels.add(frozenset(stood_on), group.kw, known=group.kw_known)
    for d, own_load in enumerate(facility.own_load_kw):
        if own_load:
            starts = (d,) if facility.commodity[d] == POWER else _power_upstream(facility, d)
            parcels.add(frozenset(starts), float(own_load), known=True)
    loads: list[float | None] = [None] * len(upstream)
    for d in range(len(upstream) - 1, -1, -1):
        counted, known = parcels.count(d, upstream[d])
        if known and facility.commodity[d] is not None:
            loads[d] = counted
    return tuple(loads)


class _Parcels:
    """Parcels by the last domain of their frontier: the first that is to count them."""

    def __init__(self, domains: int) -> None:
        self._at: list[dict[_Frontier, list[float]]] = [{} for _ in range(domains)]
        self._unknown: set[_Frontier] = set()

    def add(self, frontier: _Frontier, kw: float, *, known: bool) -> None:
        if frontier:
            self._at[max(frontier)].setdefault(frontier, []).append(kw)
            if not known:
                self._unknown.add(frontier)

    def count(self, domain: int, upstream: Iterable[int]) -> tuple[float, bool]:
        """Count the parcels that wait for `domain`, and send each on to its next domain."""
        total: list[float] = []
        all_known = True
        for frontier, terms in self._at[domain].items():
            kw, known = math.fsum(terms), frontier not in self._unknown
            total.append(kw)
            all_known = all_known and known
            self.add((frontier - {domain}).union(upstream), kw, known=known)
        self._at[domain] = {}
        return math.fsum(total), all_known


def _power_upstream(facility: "Facility", d: int) -> tuple[int, ...]:
    parent = facility.parent[d]
    above = facility.feeds[d] if parent < 0 else (parent, *facility.feeds[d])
    return tuple(u for u in above if facility.commodity[u] == POWER)


def _same_commodity_upstream(facility: "Facility") -> list[tuple[int, ...]]:
    commodity = facility.commodity
    upstream = []
    for d, (parent, feeds) in enumerate(zip(facility.parent, facility.feeds, strict=True)):
        above = feeds if parent < 0 else (parent, *feeds)
        upstream.append(tuple(u for u in above if commodity[u] == commodity[d]) if commodity[d] else ())
    return upstream
