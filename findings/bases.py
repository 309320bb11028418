"""What the figures about the facility rest on beside the map: whose kW per unit decides them."""

from closure.results import Closure
from findings.assumptions import COMMAND_LINE, kw_per_unit
from findings.confidence import joined
from findings.context import Context
from findings.term import Basis
from topology.model import Estate, Node


def node_kw_basis(estate: Estate, node: Node) -> Basis:
    """Return where a node's kW per unit comes from: its own is declared, and wins over the estate's."""
    return "declared" if node.kw_per_unit is not None else kw_per_unit(estate).basis


def flow_basis(ctx: Context) -> Basis:
    """Return what flows and loads rest on: the command line where it gives some node's kW per unit."""
    return COMMAND_LINE if ctx.kw_from_command_line else "declared"


def blast_basis(ctx: Context, closure: Closure) -> Basis:
    """Return what the extent of a blast rests on: the map, and the command line where a load decided it.

    A load decides where a domain lost a feed and kept enough of them: it was demoted, or it held.
    """
    judged = any(lost.cause == "demoted" for lost in closure.domains) or any(
        each.type == "domain" for each in closure.degraded
    )
    said = ctx.kw_from_command_line or ctx.load != "allocated"
    return COMMAND_LINE if judged and said else "declared"


def unverified_signal(closure: Closure) -> str | None:
    """Name what leaves the extent of a blast in doubt: survivors that nothing vouches for electrically."""
    survivors = closure.electrically_unverified
    blind = sum(not each.draw_known for each in survivors)
    unrated = sum(bool(each.unrated_feeds) for each in survivors)
    return joined(
        f"kW (unknown: demotions that cannot be judged: {blind:,})" if blind else None,
        f"ratings (electrically unverified survivors: {unrated:,})" if unrated else None,
    )
