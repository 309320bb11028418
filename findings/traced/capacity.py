"""The capacity ledger as a finding: each bucket down to the nodes."""

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Final

from findings.bases import flow_basis, node_kw_basis
from findings.caveats import ledger_caveats
from findings.confidence import badge
from findings.context import Context
from findings.finding import Finding
from findings.ledger import Ledger, LedgerRow
from findings.term import Basis, Each, Term, Value, number, summed, term
from findings.traced.nodes import lemon_term
from topology.model import Number

LEDGER = "capacity-ledger"

_FREE: Final = attrgetter("free")
_FRAGMENTED: Final = attrgetter("fragmented")
_ON_LEMON: Final = attrgetter("on_lemon")


def ledger_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the safe usable capacity with its four buckets."""
    book = ctx.ledger
    capped = _cap_basis(ctx)
    parts = (
        _bucket(ctx, "raw free", book.raw_free, _raw_free, _FREE),
        _bucket(ctx, "fragmented", book.fragmented, _fragmented, _FRAGMENTED, capped),
        _power_bucket(ctx, capped),
        _bucket(ctx, "on lemon nodes", book.on_lemon, _on_lemon, _ON_LEMON, capped),
    )
    how = " − ".join(number(part.value) for part in parts)
    yield Finding(
        LEDGER,
        "Free units that are left after power, lemons and fragments",
        term("safe usable", book.safe_usable, ctx.estate.unit, "measured", how, *parts),
        badge(parts, unknown=book.nodes_outside, estimated=_unverified(book)),
        unknown=book.nodes_outside,
        caveats=tuple(ledger_caveats(book)),
    )


def _unverified(book: Ledger) -> str | None:
    free = book.power_unverified
    return f"power (unverified for {free:,} free units)" if free else None


def _cap_basis(ctx: Context) -> Basis:
    """What the buckets below the first rest on: a rating that judged some free unit, and the kW it used."""
    judged = any(row.free and row.cap.by is not None for row in ctx.ledger.rows)
    return flow_basis(ctx) if judged else "measured"


def _bucket(
    ctx: Context,
    name: str,
    value: Value,
    shown: Callable[[LedgerRow], Term],
    held: Callable[[LedgerRow], Number],
    basis: Basis = "measured",
) -> Term:
    """Return a bucket; behind it, the nodes with anything in it, as measured figures."""
    return summed(
        name,
        value,
        ctx.estate.unit,
        lambda: Each(shown, [row for row in ctx.ledger.rows if held(row)]),
        basis,
        weakest_part="measured",
    )


def _power_bucket(ctx: Context, basis: Basis) -> Term:
    return summed(
        "power-capped",
        ctx.ledger.power_capped,
        ctx.estate.unit,
        lambda: Each(partial(_power_capped, ctx), [row for row in ctx.ledger.rows if row.power_capped]),
        basis,
    )


def _raw_free(row: LedgerRow) -> Term:
    return term(row.node.id, row.free, "units", "measured", f"{row.node.installed} − {row.node.allocated}")


def _power_capped(ctx: Context, row: LedgerRow) -> Term:
    cap = row.cap
    energized = cap.free - cap.capped
    judged_by = _judged_by(ctx, row)
    return term(row.node.id, cap.capped, "units", "declared", f"{cap.free} − {energized}", *judged_by)


def _judged_by(ctx: Context, row: LedgerRow) -> Iterator[Term]:
    cap = row.cap
    yield term("kW per unit", cap.unit_kw, "kW", node_kw_basis(ctx.estate, row.node))
    if cap.by is not None:
        basis = flow_basis(ctx)
        how = f"{cap.by.rated_kw} − {number(cap.by.flow_kw)}"
        yield term(f"headroom of {cap.by.domain}", cap.by.kw, "kW", basis, how)
        yield term("headroom left for this node", cap.room_kw, "kW", basis)


def _on_lemon(row: LedgerRow) -> Term:
    how = f"{row.free} − {row.power_capped}"
    return term(row.node.id, row.on_lemon, "units", "measured", how, lemon_term(row.lemon))


def _fragmented(row: LedgerRow) -> Term:
    node = row.node
    return term(
        node.id,
        row.fragmented,
        "units",
        "measured",
        f"{row.free} − {row.power_capped} − {row.on_lemon}",
        term("allocated", node.allocated, "units"),
        term("free", row.free, "units"),
        term("installed", node.installed, "units"),
    )
