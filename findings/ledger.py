"""The capacity ledger: every free unit in exactly one bucket (methodology: Capacity ledger)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from closure.compiled import Facility
from findings import constants
from findings.amounts import partial_sum
from findings.index import EstateIndex
from findings.lemon import Lemon
from findings.power_capped import Cap, caps
from topology.model import Estate, Node, Number


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One node's free units by strict priority: power-capped, on a lemon, fragmented, safe."""

    node: Node
    cap: Cap
    lemon: Lemon
    free: Number
    power_capped: Number
    on_lemon: Number
    fragmented: Number
    safe: Number


@dataclass(frozen=True, slots=True)
class Ledger:
    """The estate's ledger, over the nodes whose installed units are known. Everything None without one.

    raw_free = power_capped + on_lemon + fragmented + safe_usable, by construction. `power_unverified`
    are free units whose power nothing can judge; the last three are among the safe ones, None where unknown.
    """

    rows: tuple[LedgerRow, ...]
    nodes_outside: int
    installed: Number | None
    allocated: Number | None
    raw_free: Number | None
    power_capped: Number | None
    on_lemon: Number | None
    fragmented: Number | None
    safe_usable: Number | None
    power_unverified: Number | None
    history_unverified: Number | None
    unhealthy: Number | None
    not_schedulable: Number | None
    not_now: Number | None
    """Safe units on unhealthy devices or on nodes that are cordoned or not ready, each once."""


def ledger(index: EstateIndex, facility: Facility) -> Ledger:
    """Return the ledger; `facility` is compiled at allocated load, from which every headroom is measured."""
    nodes = index.estate.nodes
    inside = [(node, free) for node in nodes if (free := free_units(node)) is not None]
    by_id = {cap.node: cap for cap in caps(index, facility, inside)}
    rows = [ledger_row(index, node, free, by_id[node.id]) for node, free in inside]
    rows.sort(key=lambda row: row.node.id)
    return _sum(tuple(rows), outside=len(nodes) - len(rows))


def free_units(node: Node) -> Number | None:
    """Return installed − allocated; None where either is unknown."""
    if node.installed is None or node.allocated is None:
        return None
    return node.installed - node.allocated


def ledger_row(index: EstateIndex, node: Node, free: Number, cap: Cap) -> LedgerRow:
    """Put each free unit of a node into the first bucket that takes it."""
    score = index.lemons[node.id]
    rest = free - cap.capped
    on_lemon = rest if score.lemon else 0
    rest -= on_lemon
    fragmented = rest if is_fragmented(index.estate, node, free) else 0
    return LedgerRow(node, cap, score, free, cap.capped, on_lemon, fragmented, rest - fragmented)


def is_fragmented(estate: Estate, node: Node, free: Number) -> bool:
    """Return whether a partially allocated node has too few free units for a full gang (spec 5).

    0 < allocated and free < min(8, installed); never with CPU units.
    """
    if estate.unit == "cpu" or not node.allocated or node.installed is None:
        return False
    return free < min(constants.GANG_SIZE, node.installed)


def unhealthy_safe(row: LedgerRow) -> Number | None:
    """Return how many of a node's safe units sit on unhealthy devices; None where nobody counted them."""
    return None if row.node.unhealthy is None else min(row.node.unhealthy, row.safe)


def unschedulable_safe(row: LedgerRow) -> Number | None:
    """Return a node's safe units where it is cordoned or not ready; None where it does not say."""
    ready, schedulable = row.node.ready, row.node.schedulable
    if ready is False or schedulable is False:
        return row.safe
    return None if ready is None or schedulable is None else 0


def not_now(row: LedgerRow) -> Number | None:
    """Return how many of a node's safe units cannot be scheduled now; None where nobody says."""
    terms = [known for known in (unschedulable_safe(row), unhealthy_safe(row)) if known is not None]
    return max(terms, default=None)


def _sum(rows: tuple[LedgerRow, ...], outside: int) -> Ledger:
    def over(
        amount: Callable[[LedgerRow], Number | None], among: Iterable[LedgerRow] = rows
    ) -> Number | None:
        return partial_sum(amount(row) for row in among).value if rows else None

    safe = [row for row in rows if row.safe]
    return Ledger(
        rows=rows,
        nodes_outside=outside,
        installed=over(lambda row: row.node.installed),
        allocated=over(lambda row: row.node.allocated),
        raw_free=over(lambda row: row.free),
        power_capped=over(lambda row: row.power_capped),
        on_lemon=over(lambda row: row.on_lemon),
        fragmented=over(lambda row: row.fragmented),
        safe_usable=over(lambda row: row.safe),
        power_unverified=over(lambda row: row.free - row.cap.capped if row.cap.unverified else 0),
        history_unverified=over(lambda row: row.safe if row.lemon.lemon is None else 0),
        unhealthy=over(unhealthy_safe, safe),
        not_schedulable=over(unschedulable_safe, safe),
        not_now=over(not_now, safe),
    )
