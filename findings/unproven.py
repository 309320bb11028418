"""Whether what survives a failure is proven safe (spec 4: electrically unverified; lower bounds)."""

from collections.abc import Collection, Iterator, Sequence

from closure.compiled import Facility
from closure.results import Basis, Closure, Strict
from closure.tolerance import exceeds
from closure.unplaced import Unplaced, has_units, reaches_unplaced, unplaced_survivors
from closure.unsure_shifts import shifts_unsurely


def unproven(
    facility: Facility,
    basis: Sequence[Basis],
    domains: Collection[int],
    groups: Collection[int],
    *,
    loads_unsure: bool = False,
) -> bool:
    """Return whether nobody can vouch for what survives, `domains` and node `groups` lost in either engine.

    Survivors without a rating or of unknown draw, by the closure; in the strict check survivors that carry
    more whose rating is unknown, or part of their flow (`loads_unsure`), and load of unknown kW that shifts;
    nodes with units of which the map does not say where the commodity comes from that is lost.
    """
    return reaches_unplaced(facility, domains, groups) or _overloadable(
        facility, basis, domains, groups, loads_unsure=loads_unsure
    )


def _overloadable(
    facility: Facility,
    basis: Sequence[Basis],
    domains: Collection[int],
    groups: Collection[int],
    *,
    loads_unsure: bool,
) -> bool:
    return loads_unsure or "electrically-unverified" in basis or shifts_unsurely(facility, domains, groups)


def overloadable_by_id(facility: Facility, closure: Closure, strict: Strict) -> bool:
    """Return the same of one scenario, whatever fails in it, nodes of unknown supply left aside."""
    domains, lost = _lost(facility, closure, strict)
    # A group of which a node fails by name has others that may stand.
    groups = {facility.node_group[node] for node in lost}
    whole = [g for g in groups if not any(_stand(facility, g, lost))]
    loads_unsure = bool(unsure_survivors(facility, strict))
    return _overloadable(facility, closure.basis, domains, whole, loads_unsure=loads_unsure)


def unsure_survivors(facility: Facility, strict: Strict) -> tuple[str, ...]:
    """Return the survivors that carry more of which the rating is unknown, or part of the flow, by id."""
    start, index = facility.strict_start, facility.domain_index
    return tuple(
        each.id
        for each in strict.survivors
        if start.is_unsure(index[each.id]) and exceeds(each.after_kw, start.flows_kw[index[each.id]])
    )


def unplaced_by_id(facility: Facility, closure: Closure, strict: Strict) -> tuple[Unplaced, ...]:
    """Return the nodes that may be lost beside those that either engine loses, by id: the map is silent."""
    return tuple(sorted(unplaced_survivors(facility, *_lost(facility, closure, strict)), key=_by_id))


def _lost(facility: Facility, closure: Closure, strict: Strict) -> tuple[set[int], set[int]]:
    """Return the domains and the nodes that either engine loses."""
    domains = {facility.domain_index[each.id] for each in closure.domains}
    domains.update(facility.domain_index[name] for name in strict.domains)
    nodes = {facility.node_index[each.id] for each in closure.nodes}
    nodes.update(facility.node_index[name] for name in strict.nodes)
    return domains, nodes


def _stand(facility: Facility, group: int, lost: Collection[int]) -> Iterator[bool]:
    """Yield, for every node of a group that is not lost, whether it has units."""
    return (has_units(facility, node) for node in facility.groups[group].nodes if node not in lost)


def _by_id(each: Unplaced) -> tuple[str, str]:
    return (each.id, each.commodity)
