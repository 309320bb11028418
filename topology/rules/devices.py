"""Counts of devices that contradict each other without being impossible to read (rule implausible-count)."""

from typing import TYPE_CHECKING

from topology.diagnostics import Fault
from topology.limits import SUM_TOLERANCE
from topology.model import Estate
from topology.rules.common import fault

if TYPE_CHECKING:
    from topology.routes import Routes


def implausible_count(estate: Estate, routes: "Routes") -> list[Fault]:
    """More devices of a node are unhealthy than it has: one line for all such nodes, with a count."""
    odd = sorted(
        (node.id, node.unhealthy, node.installed)
        for node in estate.nodes
        if node.unhealthy is not None
        and node.installed is not None
        and node.unhealthy > node.installed * (1 + SUM_TOLERANCE)
    )
    if not odd:
        return []
    node_id, unhealthy, installed = odd[0]
    more = f" (and of {len(odd) - 1:,} more)" if len(odd) > 1 else ""
    of = f"of {installed:,.10g} installed"
    return [
        fault(
            "implausible-count",
            f"{unhealthy:,.10g} devices of node '{node_id}'{more} are unhealthy, {of}",
            (*routes.node(node_id), "unhealthy"),
            "unhealthy counts devices, of those that are installed; leave out what is unknown.",
            [each[0] for each in odd],
        )
    ]
