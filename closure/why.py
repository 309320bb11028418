"""Proofs: the chain of causes from what failed to one thing, or what keeps that thing alive (spec 4)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from closure.cascade import id_tuple, lost_members, split_ids
from closure.compiled import Facility, Place
from closure.results import Closure, Strict, Trip
from topology.model import Mode

Rule = Literal["failed", "out", "tripped", "parent-lost", "feeds-lost", "demoted", "standing-lost"]


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a proof: `id` is lost by `rule`, because of what is in `by` (explained by earlier hops).

    `axis`: where a node stands on it. `feeds`, `needed`: how many feeds there are, and how many must survive.
    `load_kw`, `limit_kw` [kW]: what exceeded what (a demotion, a trip); `survivors`: whose rating that is.
    `round`: when it tripped, from 1.
    """

    id: str
    type: Literal["domain", "node"]
    rule: Rule
    by: tuple[str, ...] = ()
    axis: str | None = None
    feeds: int | None = None
    needed: int | None = None
    load_kw: float | None = None
    limit_kw: float | None = None
    survivors: tuple[str, ...] = ()
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """What keeps `id` alive: its parent, or enough of its feeds, or enough of what a node names on one axis.

    `needed` of `alive` and `lost` together must survive: every one in mode `one` and `all`.
    For feeds: `draw_kw` [kW] (None: unknown), `rated_kw` [kW] of those alive (None: some in `unrated`), and
    `margin_kw` between the two (None: one of them is unknown, or the feeds carry nothing).
    """

    id: str
    type: Literal["domain", "node"]
    through: Literal["parent", "feeds", "standing"]
    mode: Mode
    alive: tuple[str, ...]
    lost: tuple[str, ...]
    needed: int
    axis: str | None = None
    draw_kw: float | None = None
    rated_kw: float | None = None
    margin_kw: float | None = None
    unrated: tuple[str, ...] = ()

    @property
    def spare(self) -> int:
        """How many more of `alive` it can lose."""
        return len(self.alive) - self.needed


@dataclass(frozen=True, slots=True)
class Proof:
    """Why one thing is lost (`hops`, sources first, the thing last), or what holds it (`holds`, likewise).

    `holds` covers the thing itself and everything above it that survives with something lost.
    `strict_hops` say the same of the strict check, where it was given and loses the thing.
    """

    id: str
    type: Literal["domain", "node"]
    lost: bool
    hops: tuple[Hop, ...]
    holds: tuple[Hold, ...]
    strict_lost: bool | None
    strict_hops: tuple[Hop, ...]


def why(facility: Facility, closure: Closure, thing: str, strict: Strict | None = None) -> Proof:
    """Explain one domain or node of a scenario. Raises UnknownId for an id that is neither."""
    domains, _ = split_ids(facility, [thing])
    lost = any(loss.id == thing for loss in (closure.domains if domains else closure.nodes))
    strict_lost = None if strict is None else thing in (strict.domains if domains else strict.nodes)
    return Proof(
        id=thing,
        type="domain" if domains else "node",
        lost=lost,
        hops=_hops(facility, thing, _closure_hop(facility, closure)) if lost else (),
        holds=()
        if lost
        else _holds(facility, thing, {facility.domain_index[loss.id] for loss in closure.domains}),
        strict_lost=strict_lost,
        strict_hops=_hops(facility, thing, _strict_hop(facility, closure, strict))
        if strict and strict_lost
        else (),
    )


def _hops(facility: Facility, thing: str, hop_of: Callable[[str], Hop]) -> tuple[Hop, ...]:
    """Follow the causes up from a thing; return every hop, upstream first."""
    hops: dict[str, Hop] = {}
    todo = [thing]
    while todo:
        name = todo.pop()
        if name not in hops:
            hops[name] = hop_of(name)
            todo += hops[name].by
    after_all = len(facility.domain_ids)
    return tuple(sorted(hops.values(), key=lambda hop: facility.domain_index.get(hop.id, after_all)))


def _closure_hop(facility: Facility, closure: Closure) -> Callable[[str], Hop]:
    domains = {loss.id: loss for loss in closure.domains}
    nodes = {loss.id: loss for loss in closure.nodes}

    def hop(name: str) -> Hop:
        if name in nodes:
            return Hop(name, "node", nodes[name].cause, nodes[name].by, nodes[name].axis)
        loss = domains[name]
        feeds, needed = _feeds(facility, name) if loss.cause in ("feeds-lost", "demoted") else (None, None)
        return Hop(
            name,
            "domain",
            loss.cause,
            loss.by,
            feeds=feeds,
            needed=needed,
            load_kw=loss.load_kw,
            limit_kw=loss.surviving_rated_kw,
            survivors=loss.survivors,
        )

    return hop


def _strict_hop(facility: Facility, closure: Closure, strict: Strict) -> Callable[[str], Hop]:
    trips = {trip.id: trip for trip in strict.tripped}
    lost = {facility.domain_index[name] for name in strict.domains}

    def hop(name: str) -> Hop:
        if name in closure.failed:
            return Hop(name, "domain" if name in facility.domain_index else "node", "failed")
        if name in facility.node_index:
            return _standing_hop(facility, name, lost)
        return _strict_domain_hop(facility, name, lost, trips)

    return hop


def _standing_hop(facility: Facility, name: str, lost: Collection[int]) -> Hop:
    places = facility.groups[facility.node_group[facility.node_index[name]]].places
    axis, gone = next((place.axis, gone) for place in places if (gone := lost_members(place, lost)))
    return Hop(name, "node", "standing-lost", id_tuple(facility, gone), axis)


def _strict_domain_hop(
    facility: Facility, name: str, lost: Collection[int], trips: Mapping[str, Trip]
) -> Hop:
    d = facility.domain_index[name]
    if d in facility.out:
        return Hop(name, "domain", "out")
    if (trip := trips.get(name)) is not None:
        return Hop(name, "domain", "tripped", load_kw=trip.after_kw, limit_kw=trip.rated_kw, round=trip.round)
    if (parent := facility.parent[d]) in lost:
        return Hop(name, "domain", "parent-lost", (facility.domain_ids[parent],))
    feeds, needed = _feeds(facility, name)
    by = id_tuple(facility, (feed for feed in facility.feeds[d] if feed in lost))
    return Hop(name, "domain", "feeds-lost", by, feeds=feeds, needed=needed)


def _feeds(facility: Facility, name: str) -> tuple[int, int]:
    d = facility.domain_index[name]
    return len(facility.feeds[d]), facility.needed[d]


def _holds(facility: Facility, thing: str, lost: Collection[int]) -> tuple[Hold, ...]:
    """Return what holds a survivor, upstream first: of what is above it, only what something is lost of."""
    d = facility.domain_index.get(thing)
    if d is not None:
        above, own = {d}, _domain_holds(facility, d, lost)
    else:
        places = facility.groups[facility.node_group[facility.node_index[thing]]].places
        above = {member for place in places for member in place.domains}
        own = [_place_hold(facility, thing, place, lost) for place in places]
    touched = (
        hold
        for u in _alive_upstream(facility, above, lost)
        if u != d
        for hold in _domain_holds(facility, u, lost)
    )
    return (*(hold for hold in touched if hold.lost), *own)


def _alive_upstream(facility: Facility, start: Collection[int], lost: Collection[int]) -> list[int]:
    seen = {d for d in start if d not in lost}
    todo = list(seen)
    while todo:
        d = todo.pop()
        for u in {facility.parent[d], *facility.feeds[d]}:
            if u >= 0 and u not in lost and u not in seen:
                seen.add(u)
                todo.append(u)
    return sorted(seen)


def _domain_holds(facility: Facility, d: int, lost: Collection[int]) -> list[Hold]:
    name, parent = facility.domain_ids[d], facility.parent[d]
    holds = []
    if parent >= 0:
        holds.append(Hold(name, "domain", "parent", "one", (facility.domain_ids[parent],), (), 1))
    if facility.feeds[d]:
        holds.append(_feeds_hold(facility, d, lost))
    return holds


def _feeds_hold(facility: Facility, d: int, lost: Collection[int]) -> Hold:
    alive = [feed for feed in facility.feeds[d] if feed not in lost]
    carries = facility.feeds_commodity[d] is not None
    draw_kw, rated_kw = facility.draws_kw[d], facility.combined_rating(alive)
    return Hold(
        facility.domain_ids[d],
        "domain",
        "feeds",
        "any",
        id_tuple(facility, alive),
        id_tuple(facility, (feed for feed in facility.feeds[d] if feed in lost)),
        facility.needed[d],
        draw_kw=draw_kw,
        rated_kw=rated_kw,
        margin_kw=None if draw_kw is None or rated_kw is None else rated_kw - draw_kw,
        unrated=id_tuple(facility, (f for f in alive if carries and facility.rated_kw[f] is None)),
    )


def _place_hold(facility: Facility, node: str, place: Place, lost: Collection[int]) -> Hold:
    alive = id_tuple(facility, (d for d in place.domains if d not in lost))
    gone = id_tuple(facility, (d for d in place.domains if d in lost))
    needed = 1 if place.mode == "any" else len(place.domains)
    return Hold(node, "node", "standing", place.mode, alive, gone, needed, axis=place.axis)
