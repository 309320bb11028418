"""Proofs: the chain of causes from what failed to one thing, or what keeps that thing alive (spec 4)."""

from collections.abc import Callable, Collection
from dataclasses import replace

from closure.cascade import id_tuple, split_ids
from closure.compiled import Facility, Place
from closure.proof import Hold, Hop, Proof
from closure.results import Closure, Strict
from closure.strict_proof import StrictProof, in_order


def why(facility: Facility, closure: Closure, thing: str, strict: Strict | None = None) -> Proof:
    """Explain one domain or node of a scenario. Raises UnknownId for an id that is neither."""
    domains, _ = split_ids(facility, [thing])
    lost = any(loss.id == thing for loss in (closure.domains if domains else closure.nodes))
    proof = Proof(
        id=thing,
        type="domain" if domains else "node",
        lost=lost,
        hops=_hops(thing, _closure_hop(facility, closure), _upstream_first(facility)) if lost else (),
        holds=()
        if lost
        else _holds(facility, thing, {facility.domain_index[loss.id] for loss in closure.domains}),
        strict_lost=None,
        strict_hops=(),
    )
    return proof if strict is None else _with_strict(facility, closure, proof, strict)


def _with_strict(facility: Facility, closure: Closure, proof: Proof, strict: Strict) -> Proof:
    """Add what the strict check says: the loss, or what carries how much."""
    thing, rounds = proof.id, StrictProof(facility, closure, strict)
    lost = thing in (strict.nodes if proof.type == "node" else strict.domains)
    return replace(
        proof,
        strict_lost=lost,
        strict_hops=_hops(thing, rounds.hop, in_order(facility, rounds)) if lost else (),
        holds=tuple(_carried(hold, rounds) for hold in proof.holds),
        carried=rounds.carried(thing) if proof.type == "domain" else None,
    )


def _carried(hold: Hold, rounds: StrictProof) -> Hold:
    found = (rounds.carried(name) for name in hold.alive)
    return replace(hold, carried=tuple(each for each in found if each is not None))


def _hops(
    thing: str, hop_of: Callable[[str], Hop], order: Callable[[Hop], tuple[int, int]]
) -> tuple[Hop, ...]:
    """Follow the causes up from a thing; return every hop, what explains others first."""
    hops: dict[str, Hop] = {}
    todo = [thing]
    while todo:
        name = todo.pop()
        if name not in hops:
            hops[name] = hop_of(name)
            todo += hops[name].by
    return tuple(sorted(hops.values(), key=order))


def _upstream_first(facility: Facility) -> Callable[[Hop], tuple[int, int]]:
    after_all = len(facility.domain_ids)
    return lambda hop: (0, facility.domain_index.get(hop.id, after_all))


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


def _feeds(facility: Facility, name: str) -> tuple[int, int]:
    d = facility.domain_index[name]
    return len(facility.feeds[d]), facility.needed[d]


def _holds(facility: Facility, thing: str, lost: Collection[int]) -> tuple[Hold, ...]:
    """Return what holds a survivor, upstream first: of what is above it, only what has lost something."""
    d = facility.domain_index.get(thing)
    if d is not None:
        above, own = {d}, _domain_holds(facility, d, lost)
    else:
        places = facility.groups[facility.node_group[facility.node_index[thing]]].places
        above = {member for place in places for member in place.domains}
        own = [_place_hold(facility, thing, place, lost) for place in places]
    upstream = (_domain_holds(facility, u, lost) for u in _alive_upstream(facility, above, lost) if u != d)
    touched = [hold for holds in upstream if any(hold.lost for hold in holds) for hold in holds]
    return (*touched, *own)


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
