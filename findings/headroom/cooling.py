"""What the cooling of a rack's machines can still take: a kW of power is a kW of heat (beyond)."""

from dataclasses import dataclass
from math import inf

from closure.cascade import id_tuple
from closure.groups import Place
from findings.headroom.limits import Limits
from topology.model import Mode


@dataclass(frozen=True, slots=True)
class Cooling:
    """How much heat can be added where machines of a rack name their cooling, whatever fails alone.

    `domains` is what they name, and `mode` how. `headroom_kw` [kW] is None where nothing that the heat passes
    is rated, and 0 where that cooling is lost already; an upper bound unless `exact`, and unless nothing is
    `unrated`. `limited_by` reaches its rating first, when `limiting_failure` (None: nothing) fails.
    """

    domains: tuple[str, ...]
    mode: Mode
    headroom_kw: float | None
    limited_by: str | None = None
    limiting_failure: str | None = None
    exact: bool = True
    unrated: tuple[str, ...] = ()


def cooling_of(limits: Limits, rack: int) -> Cooling | None:
    """Return the cooling with most room of those that machines in a rack name; None where none names any."""
    groups = limits.facility.groups
    named = {groups[g].heat_entry for g in limits.facility.groups_on[rack]}
    return min((_cooling(limits, place) for place in named if place is not None), key=_roomiest, default=None)


def _cooling(limits: Limits, place: Place) -> Cooling:
    facility = limits.facility
    names = id_tuple(facility, place.domains)
    alive = limits.before.entering(place)
    if not alive or (place.mode == "all" and len(alive) < len(place.domains)):
        return Cooling(names, place.mode, 0.0)
    limit, unrated = limits.tightest.get(place), id_tuple(facility, limits.unrated[place])
    exact = place not in limits.inexact and limits.blind.isdisjoint(place.domains)
    if limit is None:
        return Cooling(names, place.mode, None, exact=exact, unrated=unrated)
    failed = None if limit.failed is None else facility.domain_ids[limit.failed]
    return Cooling(
        names, place.mode, limit.room_kw, facility.domain_ids[limit.domain], failed, exact, unrated
    )


def _roomiest(cooling: Cooling) -> tuple[float, tuple[str, ...], Mode]:
    return (-(inf if cooling.headroom_kw is None else cooling.headroom_kw), cooling.domains, cooling.mode)
