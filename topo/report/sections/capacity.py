"""What can still be scheduled: the ledger, lemons, idle allocation and what can be reclaimed."""

from findings.context import Context
from findings.idle import Idle
from findings.reclaim import Reclaim
from findings.traced.capacity import ledger_findings
from findings.traced.nodes import idle_findings, lemon_findings, reclaim_findings
from topo.report.html import Element, Node, el
from topo.report.parts import (
    Column,
    amount,
    dollars,
    known_amount,
    linked,
    name,
    notes,
    section,
    table,
    words,
)
from topo.text.verdict import unit_title, unit_word
from topo.text.words import known, number, usd
from topology.model import Estate, Number

_FORMULA = "capacity-ledger"


def ledger(ctx: Context) -> Element:
    """Return the capacity ledger: every free unit in exactly one bucket."""
    book = ctx.ledger
    buckets = [
        ("Power-capped", book.power_capped, "capped"),
        ("On lemon nodes", book.on_lemon, "lemon"),
        ("Fragmented", book.fragmented, "fragmented"),
        ("Safe usable", book.safe_usable, "free"),
    ]
    rows = [
        ("Installed", book.installed, 0),
        ("Allocated", book.allocated, 0),
        ("Raw free = installed − allocated", book.raw_free, 0),
        *(
            (f"{number(position)}. {label}", value, 1)
            for position, (label, value, _) in enumerate(buckets, 1)
        ),
        ("of the safe: on unhealthy devices", book.unhealthy, 2),
        ("of the safe: on cordoned or unready nodes", book.not_schedulable, 2),
        ("of the safe: on nodes with an incomplete history", book.history_unverified, 2),
        ("Free, with nothing to judge their power by", book.power_unverified, 0),
        ("Nodes outside the ledger (installed unknown)", book.nodes_outside, 0),
    ]
    body = (
        el(
            "tr",
            {"class": f"level-{level}"},
            el("th", {"scope": "row"}, label),
            el("td", {"class": "right"}, linked(number(value), value, _FORMULA)),
        )
        for label, value, level in rows
    )
    (finding,) = ledger_findings(ctx)
    return section(
        "ledger",
        "Capacity ledger",
        _bar(book.allocated, book.installed, buckets),
        el(
            "table",
            {"class": "ledger"},
            el("caption", {}, unit_title(ctx.estate)),
            el("tbody", {}, *body),
        ),
        notes(finding.caveats),
        lead="Each free unit falls into the first bucket that takes it: raw free = power-capped + on lemon "
        "nodes + fragmented + safe usable.",
    )


def _bar(
    allocated: Number | None, installed: Number | None, buckets: list[tuple[str, Number | None, str]]
) -> Node:
    """Draw the ledger as one bar; nothing where a part is unknown."""
    if not installed or allocated is None or any(value is None for _, value, _ in buckets):
        return None
    parts = [("Allocated", allocated, "allocated"), *buckets]
    marks, x = [], 0.0
    for label, value, css in parts:
        width = 1000 * (value or 0) / installed
        marks.append(
            el(
                "rect",
                {"class": f"bar {css}", "x": f"{x:.1f}", "y": 0, "width": f"{width:.1f}", "height": 28},
                el("title", {}, f"{label}: {number(value)}"),
            )
        )
        x += width
    keys = (el("li", {"class": f"key {css}"}, f"{label} {number(value)}") for label, value, css in parts)
    return el(
        "figure",
        {"class": "ledger-bar"},
        el(
            "svg",
            {
                "viewBox": "0 0 1000 28",
                "role": "img",
                "preserveAspectRatio": "none",
                "aria-label": f"Of {number(installed)} installed; the table below has the figures.",
            },
            *marks,
        ),
        el("ul", {"class": "keys"}, *keys),
    )


def lemons(ctx: Context) -> Element:
    """Return the nodes whose history makes them lemons."""
    flagged = sorted(
        (each for each in ctx.lemons if each.lemon), key=lambda each: (-(each.score or 0), each.node)
    )
    rows = [
        [
            name(each.node),
            amount(each.score),
            *(amount(term.count) for term in each.terms),
            words(", ".join(each.unknown_terms) or "none"),
        ]
        for each in flagged
    ]
    columns = (
        Column("Node"),
        Column("Score", "lemon-score", right=True),
        Column("ECC errors", "lemon-score", right=True),
        Column("Job failures", "lemon-score", right=True),
        Column("XID events", "lemon-score", right=True),
        Column("Unknown terms"),
    )
    finding = next(lemon_findings(ctx))
    value = _numeric(finding.value)
    return section(
        "lemons",
        "Lemon nodes",
        el(
            "p",
            {"class": "headline small"},
            linked(number(value), value, "lemon-score"),
            f" of {number(len(ctx.lemons))} nodes are lemons, {number(finding.unknown)} are of unknown "
            "history. ",
            finding.advice or "",
        ),
        table("lemon-table", "Nodes at or over the threshold", columns, rows) if rows else None,
        notes(finding.caveats),
    )


def _numeric(value: object) -> Number | None:
    return value if isinstance(value, (int, float)) else None


def idle(ctx: Context) -> Element:
    """Return what is held and not used, and what can be reclaimed of it."""
    found, back = ctx.idle, ctx.reclaim
    spend, recoverable = next(idle_findings(ctx)), next(reclaim_findings(ctx))
    unit = unit_word(ctx.estate, None)
    held = f"{known(found.units, unsaid=found.unknown_nodes > 0)} {unit_word(ctx.estate, found.units)}"
    spent, claimed = (
        f"{known(value, unsaid=found.unknown > 0, write=usd)} per month"
        for value in (found.usd_per_month, back.usd_per_month)
    )
    return section(
        "idle",
        "Idle allocation and reclaim",
        el(
            "p",
            {"class": "headline small"},
            linked(held, found.units, "idle-allocation"),
            " are held and not used, at ",
            linked(spent, found.usd_per_month, "idle-allocation"),
            "; ",
            linked(claimed, back.usd_per_month, "fleet-reclaim"),
            f" of it is claimed as recoverable (basis: {recoverable.root.basis}). "
            f"{number(found.unknown_nodes)} nodes that hold {unit} have no usable utilization.",
        ),
        _idle_nodes(found, ctx.estate) if found.nodes else None,
        _clusters(back, unit),
        el("p", {"class": "badge-line"}, _confidence(spend.badge.level, spend.badge.signal)),
        notes(spend.caveats),
    )


def _idle_nodes(found: Idle, estate: Estate) -> Element:
    columns = (
        Column("Node"),
        Column(unit_title(estate), "idle-allocation", right=True),
        Column("Utilization", "idle-allocation", right=True),
        Column("Measured by"),
        Column(f"Price per {unit_word(estate, 1)}-hour", right=True),
        Column("Per month", "idle-allocation", right=True),
    )
    rows = [
        [
            name(each.node.id),
            amount(each.units),
            amount(each.node.utilization),
            words(each.node.utilization_basis or "no basis given"),
            dollars(each.price),
            dollars(each.usd_per_month),
        ]
        for each in sorted(found.nodes, key=lambda each: (-(each.usd_per_month or 0), each.node.id))
    ]
    return table("idle-table", "Idle nodes", columns, rows)


def _clusters(back: Reclaim, unit: str) -> Element:
    columns = (
        Column("Cluster"),
        Column(f"Idle {unit}", "idle-allocation", right=True),
        Column("Idle spend per month", "idle-allocation", right=True),
        Column("Recoverable per month", "fleet-reclaim", right=True),
    )
    rows = [
        [
            name(each.cluster),
            known_amount(each.idle_units, unsaid=each.idle.unknown_nodes > 0),
            dollars(each.idle.usd_per_month, unsaid=each.idle.unknown > 0),
            dollars(each.usd_per_month, unsaid=each.idle.unknown > 0),
        ]
        for each in back.clusters
    ]
    return table("reclaim-table", "Recoverable by cluster", columns, rows)


def _confidence(level: str, signal: str | None) -> str:
    return f"Confidence {level}" + (f", lowered by: {signal}" if signal else "") + ". A rank, not a rate."
