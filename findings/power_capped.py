"""Free units that the rack, or the PDUs, can no longer energize (spec 5: power-capped)."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial

from closure.compiled import Facility
from findings import constants
from findings.index import EstateIndex
from topology.model import Node, Number


@dataclass(frozen=True, slots=True)
class Headroom:
    """What a rated domain can still carry [kW]: rating − strict flow with nothing failed or out.

    Not `exact` where power of unknown kW passes it: then it is an upper bound.
    """

    domain: str
    rated_kw: Number
    flow_kw: float
    exact: bool

    @property
    def kw(self) -> float:
        """The headroom [kW]; negative where the domain is overcommitted."""
        return self.rated_kw - self.flow_kw


@dataclass(frozen=True, slots=True)
class Cap:
    """One node's free units: how many are power-capped, and by which domain.

    `unverified` says that nothing can vouch for the units that are not capped. `bypassed`: the node's own
    power does not pass through the rack that judged it.
    """

    node: str
    free: Number
    capped: Number
    unit_kw: Number | None
    by: Headroom | None
    room_kw: float | None
    unverified: bool
    bypassed: bool = False


_Judge = Callable[[str], Headroom | None]


def headroom(facility: Facility, domain_id: str) -> Headroom | None:
    """Return a domain's headroom; None where it has no rating."""
    rated_kw = facility.estate.domains[domain_id].rated_kw
    if rated_kw is None:
        return None
    exact = facility.domain_index[domain_id] not in facility.bounded_flows
    return Headroom(domain_id, rated_kw, facility.strict_flow_kw(domain_id), exact)


def caps(index: EstateIndex, facility: Facility, free: Iterable[tuple[Node, Number]]) -> Iterator[Cap]:
    """Yield one cap per (node, free units) in id order; `facility` is compiled at allocated load.

    A rated rack energizes the free units of its nodes, in id order, while each unit still fits into what
    is left. Elsewhere a node is capped wholly when its PDUs are all rated and none has room for one unit.
    What does not fit into a headroom that is only an upper bound is capped for certain; the rest is not sure.
    """
    judge = cache(partial(headroom, facility))
    left: dict[str, float] = {}
    for node, units in sorted(free, key=lambda pair: pair[0].id):
        unit_kw = index.kw_per_unit(node)
        rack = _rack(judge, node)
        if rack is None:
            yield _pdu_cap(judge, node, units, unit_kw)
        elif unit_kw is None:
            yield _unjudged(node, units, unit_kw)
        else:
            room = left.setdefault(rack.domain, rack.kw)
            fitting = units_that_fit(room, units, unit_kw, rack.rated_kw)
            left[rack.domain] = room - fitting * unit_kw
            unverified = fitting > 0 and not rack.exact
            yield Cap(
                node.id, units, units - fitting, unit_kw, rack, room, unverified, _enters_elsewhere(node)
            )


def _unjudged(node: Node, units: Number, unit_kw: Number | None) -> Cap:
    return Cap(node.id, units, 0, unit_kw, None, None, unverified=True)


def units_that_fit(room_kw: float, units: Number, unit_kw: Number, rated_kw: Number) -> Number:
    """Return how many of `units` fit one by one into `room_kw` of a domain rated `rated_kw` [kW].

    A last fraction of a unit counts as what it is. The tolerance is relative to the rating, as everywhere.
    """
    if unit_kw == 0:
        return units
    room = room_kw + rated_kw * constants.RELATIVE_TOLERANCE
    if units * unit_kw <= room:
        return units
    return min(math.floor(units), math.floor(room / unit_kw)) if room > 0 else 0


def _enters_elsewhere(node: Node) -> bool:
    return any(standing.axis in {"pdu", "ups"} for standing in node.standings)


def _rack(judge: _Judge, node: Node) -> Headroom | None:
    for standing in node.standings:
        if standing.axis == "rack":
            return judge(standing.ids[0])
    return None


def _pdu_cap(judge: _Judge, node: Node, units: Number, unit_kw: Number | None) -> Cap:
    pdus = [d for standing in node.standings if standing.axis == "pdu" for d in standing.ids]
    rooms = [judge(pdu) for pdu in pdus]
    judged = [room for room in rooms if room is not None]
    if unit_kw is None or not judged or len(judged) < len(rooms):
        return _unjudged(node, units, unit_kw)
    best = max(judged, key=lambda room: room.kw)
    fitting = [room for room in judged if _has_room(room, unit_kw)]
    # The best of them decides: where one of known flow has room, what the others carry is of no matter.
    if sure := [room for room in fitting if room.exact]:
        best = max(sure, key=lambda room: room.kw)
    capped = 0 if fitting else units
    return Cap(node.id, units, capped, unit_kw, best, best.kw, unverified=bool(fitting) and not sure)


def _has_room(room: Headroom, unit_kw: Number) -> bool:
    """Return whether one unit fits; a headroom that is an upper bound only says what surely does not."""
    return units_that_fit(room.kw, 1, unit_kw, room.rated_kw) >= 1
