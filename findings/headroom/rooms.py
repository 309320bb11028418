"""What can still be added, and what is rated but cannot be used (beyond the methodology)."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from closure.bounded import known_part
from closure.cascade import id_tuple, settle
from closure.compiled import Facility, Load
from closure.results import LostDomain
from findings.assumptions import Assumption, assumptions
from findings.caveats import distinct, estate_caveats, lower_bound_caveats
from findings.headroom.cooling import Cooling, cooling_of
from findings.headroom.limits import Limit, Limits
from findings.headroom.scope import under as names_under
from findings.index import EstateIndex
from findings.power_capped import units_that_fit
from topology.limits import NUMBER_LIMIT
from topology.model import Estate, Number

NOT_ADDITIVE: Final = (
    "Headroom is that of one domain alone: domains that share a feed share its room, so the figures do not "
    "add up."
)


@dataclass(frozen=True, slots=True)
class Room:
    """A rated domain in service: what can be added there so that no single failure overloads a survivor.

    `free_kw` = ratedKw − flow [kW] is what the nameplate leaves, `headroom_kw` what of it can be used,
    `stranded_kw` what cannot. It is an upper bound unless `exact`, and unless all that it hangs from, now or
    after some failure, is rated (`unrated` lists what is not). `flow_kw` and `limit_load_kw` are None where
    nothing of them is known; the flow is a lower bound unless `flow_exact`. Machines in a rack use no more
    than their `cooling` takes. `units` and `usable_units` of the estate's kW per unit fit (None: unknown).
    """

    domain: str
    kind: str
    rated_kw: Number
    flow_kw: float | None
    flow_exact: bool
    headroom_kw: float
    units: Number | None
    usable_units: Number | None
    limit: Limit
    limit_load_kw: float | None
    limited_by: str
    limiting_failure: str | None
    exact: bool
    unrated: tuple[str, ...]
    cooling: Cooling | None = None

    @property
    def bound(self) -> "Room | Cooling":
        """What decides how much more machines there can draw: their cooling, if it takes less than this."""
        cooling_kw = None if self.cooling is None else self.cooling.headroom_kw
        return self if cooling_kw is None or cooling_kw >= self.headroom_kw else self.cooling or self

    @property
    def usable_kw(self) -> float:
        """What machines there can draw more [kW]: the headroom, or what their cooling takes, if less."""
        return self.bound.headroom_kw or 0.0

    @property
    def free_kw(self) -> float | None:
        """What the nameplate leaves [kW]; negative where the domain is overcommitted, None: unknown."""
        return None if self.flow_kw is None else self.rated_kw - self.flow_kw

    @property
    def stranded_kw(self) -> float | None:
        """What is rated, not carried, and cannot be used [kW]; None: unknown."""
        return None if self.free_kw is None else max(0.0, self.free_kw - self.headroom_kw)

    @property
    def full(self) -> bool | None:
        """Whether nothing more can be added; None: unknown, for the headroom is only an upper bound."""
        if not self.usable_kw:
            return True
        return None if self.bounded_above else False

    @property
    def bounded_above(self) -> bool:
        """Whether what is usable is an upper bound only: something that decides it is not known."""
        return any(not each.exact or bool(each.unrated) for each in (self, self.bound))

    @property
    def cooling_unrated(self) -> bool:
        """Whether the heat of its machines passes something without a rating, which might decide."""
        return self.cooling is not None and bool(self.cooling.unrated)


@dataclass(frozen=True, slots=True)
class Blind:
    """Something without a rating, and how many rated domains behind it are not known to be full or not."""

    id: str
    domains: int


@dataclass(frozen=True, slots=True)
class HeadroomReport:
    """Every rated domain in service, by id; `out_of_service` are those that are lost with what is.

    Of those alone that are under a domain and of some kinds, where that is asked (None, and no kinds: all).
    `unplaced`: of some nodes with units the map does not say where their power, or their cooling, comes from.
    """

    estate: Estate
    load: Load
    under: str | None
    kinds: tuple[str, ...]
    rooms: tuple[Room, ...]
    out_of_service: tuple[LostDomain, ...]
    blind: tuple[Blind, ...]
    unplaced: bool
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]


def headroom_report(
    facility: Facility,
    *,
    index: EstateIndex | None = None,
    under: str | None = None,
    kinds: Collection[str] = (),
) -> HeadroomReport:
    """Return the headroom and the stranded capacity of every rated domain, over every single failure.

    Raises UnknownId where `under` is no domain.
    """
    index = EstateIndex(facility.estate) if index is None else index
    asked = _asked(facility, index, under, kinds)
    limits = Limits(facility)
    rooms = sorted((_room(limits, d) for d in limits.live if d in asked), key=lambda room: room.domain)
    return HeadroomReport(
        estate=facility.estate,
        load=facility.load,
        under=under,
        kinds=tuple(sorted(kinds)),
        rooms=tuple(rooms),
        out_of_service=_out_of_service(limits, asked),
        blind=_blind(rooms),
        unplaced=bool(limits.blind),
        assumptions=assumptions(facility.estate),
        caveats=distinct(_caveats(index, facility, rooms)),
    )


def _asked(facility: Facility, index: EstateIndex, under: str | None, kinds: Collection[str]) -> set[int]:
    domains = facility.estate.domains
    names = domains if under is None else names_under(facility, index, under)
    return {facility.domain_index[name] for name in names if not kinds or domains[name].kind in kinds}


def _out_of_service(limits: Limits, asked: Collection[int]) -> tuple[LostDomain, ...]:
    facility = limits.facility
    lost = settle(facility, ()).lost
    gone = (lost[d] for d in limits.start.lost.intersection(asked) if facility.rated_kw[d] is not None)
    return tuple(sorted(gone, key=lambda loss: loss.id))


def _blind(rooms: Iterable[Room]) -> tuple[Blind, ...]:
    """Return what keeps answers unknown for want of a rating, that which keeps most first."""
    kept: Counter[str] = Counter()
    for room in rooms:
        if room.full is None:
            kept.update({*room.unrated, *room.bound.unrated})
    return tuple(Blind(*each) for each in sorted(kept.items(), key=lambda each: (-each[1], each[0])))


def _room(limits: Limits, d: int) -> Room:
    facility = limits.facility
    limit, rated_kw = limits.tightest[d], facility.rated_kw[d]
    assert rated_kw is not None
    name = facility.domain_ids[d]
    flow_exact = d not in limits.before.bounded and d not in limits.blind
    unit_kw = facility.estate.watts_per_unit_kw
    room = Room(
        domain=name,
        kind=facility.estate.domains[name].kind,
        rated_kw=rated_kw,
        flow_kw=known_part(limits.start.flows_kw[d], exact=flow_exact),
        flow_exact=flow_exact,
        headroom_kw=limit.room_kw,
        units=_units(limit.room_kw, unit_kw, rated_kw),
        usable_units=None,
        limit=limit,
        limit_load_kw=known_part(limit.load_kw, exact=limit.exact),
        limited_by=facility.domain_ids[limit.domain],
        limiting_failure=None if limit.failed is None else facility.domain_ids[limit.failed],
        exact=d not in limits.inexact,
        unrated=id_tuple(facility, limits.unrated[d]),
        cooling=cooling_of(limits, d) if facility.estate.domains[name].kind == "rack" else None,
    )
    return replace(room, usable_units=_units(room.usable_kw, unit_kw, rated_kw))


def _units(headroom_kw: float, unit_kw: Number | None, rated_kw: Number) -> Number | None:
    """Return the whole units that fit; None where a unit's kW is unknown, or too small for any count."""
    fitting = units_that_fit(headroom_kw, NUMBER_LIMIT, unit_kw, rated_kw) if unit_kw else NUMBER_LIMIT
    return fitting if fitting < NUMBER_LIMIT else None


def _caveats(index: EstateIndex, facility: Facility, rooms: list[Room]) -> Iterator[str]:
    yield from estate_caveats(index)
    yield from lower_bound_caveats(index.estate, lower_bound=not facility.kw_known)
    if rooms:
        yield NOT_ADDITIVE
    if blind := sum(bool(room.unrated) for room in rooms):
        yield (
            "Rated domains that hang from something without a rating, now or after some failure: "
            f"{blind:,}. Their headroom is an upper bound: nobody knows what the unrated feeds can take."
        )
    racks = [room for room in rooms if room.kind == "rack"]
    if uncooled := sum(room.cooling is None for room in racks):
        yield (
            f"Racks in which no machine names its cooling: {uncooled:,}. Their room is that of power alone."
        )
    if unrated := sum(room.cooling_unrated for room in racks):
        yield (
            f"Racks whose cooling, or what it hangs from, has no rating: {unrated:,}. Their room is that of "
            "power and of what is rated there: nobody knows how much heat the rest can take."
        )
