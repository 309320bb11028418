"""Proofs in the strict check: what failed, what shifted, what tripped under it, round by round (spec 4)."""

from collections.abc import Callable
from itertools import chain

from closure.cascade import id_tuple, lost_members, split_ids
from closure.compiled import Facility
from closure.proof import Carried, Hop
from closure.results import Closure, Strict
from closure.shifts import shifts
from closure.strict import Round, simulate


class StrictProof:
    """The rounds of one scenario, to ask about single things."""

    def __init__(self, facility: Facility, closure: Closure, strict: Strict) -> None:
        self._facility = facility
        self._failed = closure.failed
        self._trips = {trip.id: trip for trip in strict.tripped}
        self._rounds: list[Round] = simulate(facility, *split_ids(facility, closure.failed))

    def since(self, name: str) -> int:
        """Return after how many rounds of trips a domain is lost; for a node, after all of them."""
        d = self._facility.domain_index.get(name)
        if d is None:
            return len(self._rounds)
        return next(number for number, now in enumerate(self._rounds) if d in now.lost)

    def hop(self, name: str) -> Hop:
        """Return the step that loses a lost thing."""
        if name in self._failed:
            return Hop(name, "domain" if name in self._facility.domain_index else "node", "failed")
        return self._standing(name) if name in self._facility.node_index else self._domain(name)

    def carried(self, name: str) -> Carried | None:
        """Return what a domain carries; None: lost without a trip, or neither power nor heat passes it."""
        facility = self._facility
        d = facility.domain_index[name]
        trip = self._trips.get(name)
        if facility.commodity[d] is None or (trip is None and d in self._rounds[-1].lost):
            return None
        return Carried(
            name,
            facility.flows_kw[d],
            self._rounds[-1].flows_kw[d] if trip is None else trip.after_kw,
            max(now.flows_kw[d] for now in self._rounds),
            facility.rated_kw[d],
            exact=d not in facility.bounded_flows,
            tripped=None if trip is None else trip.round,
        )

    def _standing(self, name: str) -> Hop:
        facility = self._facility
        places = facility.groups[facility.node_group[facility.node_index[name]]].places
        axis, gone = next(
            (place.axis, gone)
            for now in self._rounds
            for place in places
            if (gone := lost_members(place, now.lost))
        )
        return Hop(name, "node", "standing-lost", id_tuple(facility, gone), axis)

    def _domain(self, name: str) -> Hop:
        facility = self._facility
        d = facility.domain_index[name]
        if d in facility.out:
            return Hop(name, "domain", "out")
        if name in self._trips:
            return self._trip(name)
        lost = self._rounds[self.since(name)].lost
        if (parent := facility.parent[d]) in lost:
            return Hop(name, "domain", "parent-lost", (facility.domain_ids[parent],))
        by = id_tuple(facility, (feed for feed in facility.feeds[d] if feed in lost))
        return Hop(name, "domain", "feeds-lost", by, feeds=len(facility.feeds[d]), needed=facility.needed[d])

    def _trip(self, name: str) -> Hop:
        trip = self._trips[name]
        now = self._rounds[trip.round - 1]
        shifted = shifts(self._facility, self._facility.domain_index[name], now, self._failed)
        by = tuple(sorted(set(chain.from_iterable(each.lost for each in shifted))))
        return Hop(
            name,
            "domain",
            "tripped",
            by,
            load_kw=trip.after_kw,
            limit_kw=trip.rated_kw,
            round=trip.round,
            before_kw=trip.before_kw,
            shifts=shifted,
        )


def in_order(facility: Facility, proof: StrictProof) -> Callable[[Hop], tuple[int, int]]:
    """Return the key that sorts the hops of a strict proof: round by round, upstream first."""
    after_all = len(facility.domain_ids)
    return lambda hop: (proof.since(hop.id), facility.domain_index.get(hop.id, after_all))
