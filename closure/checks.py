"""The two rules of validation that need flows: overcommitted and load-mismatch (spec 1)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from closure.compiled import Facility
from closure.tolerance import exceeds
from topology.diagnostics import Fault
from topology.registry import REGISTRY

if TYPE_CHECKING:
    from topology.routes import Routes

MISMATCH_SHARE: Final = 0.20
"""Share [-] of the model's flow by which a meter may differ before it is said (spec 1: load-mismatch)."""


def check_flows(facility: Facility, routes: "Routes") -> list[Fault]:
    """Return what the flows with nothing failed or out say against ratings and meters, by domain id.

    A flow that the power of a node of unknown draw passes is a lower bound: enough to be overcommitted, not
    enough to contradict a meter.
    """
    return [*overcommitted(facility, routes), *load_mismatch(facility, routes)]


def overcommitted(facility: Facility, routes: "Routes") -> Iterator[Fault]:
    """Yield the rated domains whose strict flow exceeds their rating with nothing failed."""
    for domain_id in sorted(facility.domain_ids):
        rated_kw = facility.estate.domains[domain_id].rated_kw
        flow_kw = facility.strict_flow_kw(domain_id)
        if rated_kw is None or not exceeds(flow_kw, rated_kw):
            continue
        least = "at least " if facility.domain_index[domain_id] in facility.bounded_flows else ""
        yield Fault(
            "overcommitted",
            REGISTRY["overcommitted"].severity,
            f"'{domain_id}' carries {least}{_kw(flow_kw)} with nothing failed, but is rated {_kw(rated_kw)}",
            routes.domain(domain_id, "ratedKw"),
            "Move load off it, or correct the rating or the kW per unit.",
            (domain_id,),
        )


def load_mismatch(facility: Facility, routes: "Routes") -> Iterator[Fault]:
    """Yield the metered domains whose reading is more than 20 % of the model's flow away from it."""
    for domain_id in sorted(facility.domain_ids):
        measured_kw = facility.estate.domains[domain_id].measured_kw
        if measured_kw is None or facility.domain_index[domain_id] in facility.bounded_flows:
            continue
        flow_kw = facility.strict_flow_kw(domain_id)
        if not exceeds(abs(measured_kw - flow_kw), MISMATCH_SHARE * flow_kw):
            continue
        yield Fault(
            "load-mismatch",
            REGISTRY["load-mismatch"].severity,
            f"'{domain_id}' is metered at {_kw(measured_kw)}, but the model puts {_kw(flow_kw)} through it",
            routes.domain(domain_id, "measuredKw"),
            "Look for what the map lacks (loadKw, nodes, a feed), or correct the kW per unit or the reading.",
            (domain_id,),
        )


def _kw(value: float) -> str:
    return f"{value:,.6g} kW"
