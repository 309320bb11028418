"""The price of a unit as a term, with where it came from."""

from findings.assumptions import price_per_unit_hour
from findings.index import EstateIndex
from findings.term import Basis, Term, term
from topology.model import Node


def price_basis(index: EstateIndex) -> Basis:
    """Return where the estate's price came from; declared where only nodes name one."""
    basis = price_per_unit_hour(index.estate).basis
    return "declared" if basis == "unknown" else basis


def price_term(index: EstateIndex, node: Node) -> Term:
    """Return the price of one unit on a node for an hour [USD/h]: its own, else the estate's."""
    return term("price", index.price(node), "USD/h", node_price_basis(index, node))


def node_price_basis(index: EstateIndex, node: Node) -> Basis:
    """Return where a node's price comes from: its own is declared, and wins over the estate's."""
    return "declared" if node.price_per_unit_hour is not None else price_basis(index)
