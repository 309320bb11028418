"""From which flow on nobody can say that a domain carries it, whatever fails (spec 4: lower bounds)."""

import math
from collections.abc import Collection

from closure.bounded import unknown_failed
from closure.compiled import Facility
from closure.strict import Round, overloaded, simulate
from closure.tolerance import highest_kept


def unsure_limits(facility: Facility, start: Round, failed_nodes: Collection[int]) -> list[float]:
    """Return the flow [kW] beyond which each domain of no rating, or of unknown load, is in doubt; else inf.

    What it carries with nothing failed or out trips nothing, whatever its rating; what it carries anyway
    while what is out fails is no doubt of another failure. `failed_nodes` have failed in the `start`.
    """
    anyway = simulate(facility, ()) if failed_nodes or overloaded(facility, start) else [start]
    bounded = facility.bounded_flows
    return [
        highest_kept(min(all_in_kw, max(now.flows_kw[d] for now in anyway)))
        if rated_kw is None or d in bounded
        else math.inf
        for d, (rated_kw, all_in_kw) in enumerate(zip(facility.rated_kw, facility.flows_kw, strict=True))
    ]


def known_by_failure(facility: Facility, failed_nodes: Collection[int]) -> frozenset[int]:
    """Return the groups of unknown kW of which every node of unknown kW has failed."""
    groups = {facility.node_group[node] for node in failed_nodes}
    return frozenset(
        g
        for g in groups
        if not facility.groups[g].kw_known
        and unknown_failed(facility, facility.groups[g].nodes, failed_nodes)
    )
