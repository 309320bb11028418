"""Whether what survives a failure is proven safe (spec 4: electrically unverified; lower bounds)."""

from collections.abc import Collection, Sequence

from closure.cascade import split_ids
from closure.compiled import Facility
from closure.results import Basis, Closure
from closure.strict_events import EventDriven
from closure.unsure_shifts import shifts_unsurely


def unproven(
    facility: Facility,
    basis: Sequence[Basis],
    domains: Collection[int],
    groups: Collection[int],
    loads_unsure: bool | None = None,
) -> bool:
    """Return whether nobody can vouch for what survives.

    Survivors without a rating or of unknown draw, by the closure; by the strict check (`loads_unsure`)
    whatever carries more in some round, or may, and has no rating or an unknown load. Where that was not run,
    load of unknown kW that shifts while `domains` and node `groups` are lost by the closure.
    """
    if "electrically-unverified" in basis:
        return True
    return shifts_unsurely(facility, domains, domains, groups) if loads_unsure is None else loads_unsure


def unproven_by_id(facility: Facility, closure: Closure) -> bool:
    """Return the same of the scenario of a closure, whatever fails in it: a row says the same of its own."""
    if "electrically-unverified" in closure.basis:
        return True
    domains, nodes = split_ids(facility, closure.failed)
    checks = EventDriven(facility, nodes) if nodes else facility.strict_start
    return checks.run(domains, flows=False, doubts=True).unsure
