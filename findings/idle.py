"""Idle allocation: units held but not used, and what they cost (methodology: Idle allocation)."""

from collections.abc import Iterable
from dataclasses import dataclass

from findings import constants
from findings.amounts import partial_sum
from findings.index import EstateIndex
from topology.model import Node, Number


@dataclass(frozen=True, slots=True)
class IdleNode:
    """A node that holds units and measures under the threshold. Dollars are None without a price."""

    node: Node
    units: Number
    price: Number | None
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Idle:
    """Idle units and spend [USD/month]. None when no node that holds units has a usable utilization.

    `unpriced` counts idle nodes without a price, `unknown_nodes` those without a usable utilization.
    """

    units: Number | None
    usd_per_month: float | None
    nodes: tuple[IdleNode, ...]
    unknown_nodes: int
    unpriced: int

    @property
    def unknown(self) -> int:
        """How many terms the spend leaves out."""
        return self.unknown_nodes + self.unpriced


def is_idle(node: Node) -> bool | None:
    """Return whether a node's allocation is idle; None where nothing usable was measured.

    Methodology: gpus_allocated > 0 and utilization < 0.15. An estimate from requests never feeds it (spec 5).
    """
    if not node.allocated:
        return None if node.allocated is None else False
    if node.utilization is None or node.utilization_basis == "requests":
        return None
    return node.utilization < constants.IDLE_UTILIZATION


def idle(index: EstateIndex) -> Idle:
    """Return the estate's idle allocation."""
    held = [node for node in index.estate.nodes if node.allocated != 0]
    return idle_of(index, held)


def idle_of(index: EstateIndex, held: Iterable[Node]) -> Idle:
    """Return the idle allocation of nodes that hold units."""
    flags = [(node, is_idle(node)) for node in held]
    nodes = sorted((idle_node(index, node) for node, flag in flags if flag), key=lambda each: each.node.id)
    units = partial_sum(None if flag is None else node.allocated if flag else 0 for node, flag in flags)
    spend = partial_sum(each.usd_per_month for each in nodes)
    usd = None if units.value is None else spend.value
    return Idle(units.value, usd, tuple(nodes), units.unknown, spend.unknown)


def idle_node(index: EstateIndex, node: Node) -> IdleNode:
    """Return a node's idle spend: idle_allocated_gpus × $/GPU-hour × 720 h/month."""
    price, units = index.price(node), node.allocated or 0
    usd = None if price is None else float(units * price * constants.HOURS_PER_MONTH)
    return IdleNode(node, units, price, usd)
