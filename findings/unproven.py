"""Whether what survives a failure is proven safe (spec 4: electrically unverified; lower bounds)."""

from collections.abc import Collection, Sequence

from closure.cascade import split_ids
from closure.compiled import Facility
from closure.results import Basis, Closure, Strict
from closure.strict_events import EventDriven
from closure.tolerance import exceeds
from closure.unplaced import Unplaced, reaches_unplaced, unplaced_drawing, unplaced_survivors
from closure.unsure_shifts import shifts_unsurely

Lost = tuple[Collection[int], Collection[int]]
"""Domains and node groups that are lost together, by index."""


def unproven(
    facility: Facility, basis: Sequence[Basis], lost: Lost, in_either: Lost, loads_unsure: bool | None = None
) -> bool:
    """Return whether nobody can vouch for what survives what is `lost` by the closure, or `in_either` engine.

    Survivors without a rating or of unknown draw, by the closure; by the strict check (`loads_unsure`)
    whatever carries more in some round, or may, and has no rating or an unknown load. Where that was not run,
    load of unknown kW that shifts by the closure. Nodes with units of which the map does not say where the
    commodity comes from that is lost.
    """
    if loads_unsure is None:
        loads_unsure = shifts_unsurely(facility, lost[0], *lost)
    return loads_unsure or "electrically-unverified" in basis or reaches_unplaced(facility, *in_either)


def overloadable_by_id(facility: Facility, closure: Closure, strict: Strict) -> bool:
    """Return whether survivors of a scenario may carry too much, for what is unknown of ratings and loads."""
    return unsure_by_id(facility, closure) or _unplaced_draws(facility, closure, strict)


def unsure_by_id(facility: Facility, closure: Closure) -> bool:
    """Return the same of the scenario of a closure, nodes of unknown supply left aside."""
    if "electrically-unverified" in closure.basis:
        return True
    domains, nodes = split_ids(facility, closure.failed)
    checks = EventDriven(facility, nodes) if nodes else facility.strict_start
    return checks.run(domains, flows=False, doubts=True).unsure


def unsure_survivors(facility: Facility, strict: Strict) -> tuple[str, ...]:
    """Return the survivors that carry more of which the rating is unknown, or part of the flow, by id."""
    start, index = facility.strict_start, facility.domain_index
    return tuple(
        each.id
        for each in strict.survivors
        if start.is_unsure(index[each.id]) and exceeds(each.peak_kw, start.flows_kw[index[each.id]])
    )


def unplaced_by_id(facility: Facility, closure: Closure, strict: Strict) -> tuple[Unplaced, ...]:
    """Return the nodes that may be lost beside those that either engine loses, by id: the map is silent."""
    domains, nodes = _lost(facility, closure, strict)
    return tuple(sorted(unplaced_survivors(facility, domains, nodes), key=_by_id))


def _unplaced_draws(facility: Facility, closure: Closure, strict: Strict) -> bool:
    """Return whether load may shift that nobody can place: of nodes that are lost, and still have power."""
    domains, lost = _lost(facility, closure, strict)
    drawing = unplaced_drawing(facility, domains, domains, split_ids(facility, closure.failed)[1])
    return any(facility.node_index[each.id] in lost for each in drawing)


def _lost(facility: Facility, closure: Closure, strict: Strict) -> tuple[set[int], set[int]]:
    """Return the domains and the nodes that either engine loses."""
    domains = {facility.domain_index[each.id] for each in closure.domains}
    domains.update(facility.domain_index[name] for name in strict.domains)
    nodes = {facility.node_index[each.id] for each in closure.nodes}
    nodes.update(facility.node_index[name] for name in strict.nodes)
    return domains, nodes


def _by_id(each: Unplaced) -> tuple[str, str]:
    return (each.id, each.commodity)
