"""What a paused unit draws beside what a working one draws (rule implausible-rating)."""

from typing import TYPE_CHECKING

from topology.diagnostics import Fault, Route
from topology.model import Estate, Node, Number
from topology.rules.common import fault
from topology.rules.plausible import LARGEST_UNIT_DRAW_KW

if TYPE_CHECKING:
    from topology.routes import Routes

_HINT = "A pause would save nothing: what a paused unit still draws is a part of what a working one draws."


def idle_above_draw(estate: Estate, routes: "Routes", top: Route = ()) -> list[Fault]:
    """`idleKwPerUnit` above the kW per unit, of the estate or of nodes; `top` is the route of the estate.

    What is doubted for its size alone is left to that.
    """
    faults = []
    if _above(estate.idle_kw_per_unit, estate.watts_per_unit_kw):
        faults.append(
            _fault(estate.idle_kw_per_unit, estate.watts_per_unit_kw, (*top, "idleKwPerUnit"), "the estate")
        )
    odd = [(node, *_figures(node, estate)) for node in estate.nodes if _has_own(node)]
    odd = [each for each in odd if _above(each[1], each[2])]
    if odd:
        node, idle_kw, kw = min(odd, key=lambda each: each[0].id)
        more = f" (and {len(odd) - 1:,} more)" if len(odd) > 1 else ""
        key = "kwPerUnit" if node.idle_kw_per_unit is None else "idleKwPerUnit"
        faults.append(_fault(idle_kw, kw, (*routes.node(node.id), key), f"node '{node.id}'{more}"))
    return faults


def _has_own(node: Node) -> bool:
    return node.idle_kw_per_unit is not None or node.kw_per_unit is not None


def _figures(node: Node, estate: Estate) -> tuple[Number | None, Number | None]:
    idle_kw = estate.idle_kw_per_unit if node.idle_kw_per_unit is None else node.idle_kw_per_unit
    return idle_kw, estate.watts_per_unit_kw if node.kw_per_unit is None else node.kw_per_unit


def _above(idle_kw: Number | None, kw: Number | None) -> bool:
    return idle_kw is not None and kw is not None and kw < idle_kw <= LARGEST_UNIT_DRAW_KW


def _fault(idle_kw: Number | None, kw: Number | None, route: Route, whose: str) -> Fault:
    message = f"a paused unit of {whose} draws {idle_kw:,.10g} kW, and a working one {kw:,.10g} kW"
    return fault("implausible-rating", message, route, _HINT, [])
