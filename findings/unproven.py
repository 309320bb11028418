"""Whether what survives a failure is proven safe (spec 4: electrically unverified; lower bounds)."""

from collections.abc import Collection, Sequence

from closure.compiled import Facility
from closure.results import Basis, Closure, Strict
from closure.tolerance import exceeds
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
    more whose rating is unknown, or part of their flow (`loads_unsure`), and load of unknown kW that shifts.
    """
    return loads_unsure or "electrically-unverified" in basis or shifts_unsurely(facility, domains, groups)


def unproven_by_id(facility: Facility, closure: Closure, strict: Strict) -> bool:
    """Return the same of one scenario, whatever fails in it."""
    domains = {facility.domain_index[each.id] for each in closure.domains}
    domains.update(facility.domain_index[name] for name in strict.domains)
    lost = {facility.node_index[each.id] for each in closure.nodes}
    lost.update(facility.node_index[name] for name in strict.nodes)
    # A group of which a node fails by name has others that may stand.
    groups = {facility.node_group[node] for node in lost}
    whole = [g for g in groups if lost.issuperset(facility.groups[g].nodes)]
    start = facility.strict_start
    after_kw = {facility.domain_index[each.id]: each.after_kw for each in strict.survivors}
    loads_unsure = any(start.is_unsure(d) and exceeds(kw, start.flows_kw[d]) for d, kw in after_kw.items())
    return unproven(facility, closure.basis, domains, whole, loads_unsure=loads_unsure)
