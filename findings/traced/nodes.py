"""Findings about single nodes: lemons, idle allocation, and the fleet's recoverable spend."""

from collections.abc import Iterator
from functools import partial

from findings import constants
from findings.caveats import history_caveats, price_caveats, utilization_caveats
from findings.confidence import badge, unreachable
from findings.context import Context
from findings.finding import Badge, Finding
from findings.idle import Idle, IdleNode, idle_node, is_idle
from findings.lemon import ADVICE, Lemon
from findings.prices import price_basis, price_term
from findings.reclaim import ClusterReclaim
from findings.term import Each, Term, flag, number, root, summed, term, times
from topology.model import Number

LEMON = "lemon-score"
IDLE = "idle-allocation"
RECLAIM = "fleet-reclaim"

_SIGNALS = ("dcgm", "metrics")


def lemon_findings(ctx: Context) -> Iterator[Finding]:
    """Yield how many nodes are lemons, then one finding per lemon."""
    flags = [each.lemon for each in ctx.lemons]
    unknown = flags.count(None)
    value = None if unknown and unknown == len(flags) else flags.count(True)
    flagged = summed(
        "nodes at or over the threshold",
        value,
        "nodes",
        lambda: Each(_flagged, ctx.lemons),
        weakest_part="measured",
    )
    yield Finding(
        LEMON,
        "Nodes whose 90-day history makes them lemons",
        root("lemon nodes", flagged),
        badge([flagged], unknown=unknown, missing=unreachable(ctx.estate, "history", "events")),
        unknown=unknown,
        caveats=tuple(history_caveats(unknown)),
        advice=ADVICE if value else None,
    )
    yield from (_lemon(each) for each in ctx.lemons if each.lemon)


def lemon_of(ctx: Context, subject: str) -> Finding | None:
    """Return one node's lemon score."""
    return next((_lemon(each) for each in ctx.lemons if each.node == subject), None)


def _lemon(each: Lemon) -> Finding:
    score = lemon_term(each)
    missing = ", ".join(each.unknown_terms)
    return Finding(
        LEMON,
        "A node's 90-day failure history",
        score,
        badge([score], unknown=len(each.unknown_terms)),
        subject=each.node,
        unknown=len(each.unknown_terms),
        caveats=(f"Unknown terms, left out of the score: {missing}.",) if missing else (),
        advice=ADVICE if each.lemon else None,
    )


def lemon_term(each: Lemon) -> Term:
    """Return a node's score as arithmetic over its known counts."""
    how = " + ".join(times(part.count, part.weight) for part in each.terms if part.count is not None)
    counts = (term(part.name, part.count, "events in 90 days") for part in each.terms)
    return term("lemon score", each.score, "points", "measured", how or "unknown", *counts)


def _flagged(each: Lemon) -> Term:
    how = f"{number(each.score)} ≥ {constants.LEMON_THRESHOLD}"
    return term(each.node, flag(each.lemon), "node", "measured", how, lemon_term(each))


def idle_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the estate's idle spend, then one finding per idle node."""
    idle = ctx.idle
    spend, units = _idle_terms(ctx, idle)
    yield Finding(
        IDLE,
        "Spend on units that are held and not used",
        root("idle spend", spend, units, _window_term(_shortest_window(idle))),
        _idle_badge(ctx, idle, spend),
        unknown=idle.unknown,
        caveats=(*utilization_caveats(ctx.estate, idle), *price_caveats(idle)),
    )
    yield from (_idle_finding(ctx, each) for each in idle.nodes)


def idle_of_node(ctx: Context, subject: str) -> Finding | None:
    """Return one idle node's spend."""
    node = ctx.index.nodes.get(subject)
    return _idle_finding(ctx, idle_node(ctx.index, node)) if node and is_idle(node) else None


def _idle_terms(ctx: Context, idle: Idle) -> tuple[Term, Term]:
    unit = ctx.estate.unit
    basis = price_basis(ctx.index) if idle.nodes else "measured"
    return (
        summed(
            "idle spend by node",
            idle.usd_per_month,
            "USD/month",
            lambda: Each(partial(_idle_term, ctx), idle.nodes),
            basis,
            # A node's own price is declared: no estate's is firmer.
            weakest_part=basis,
        ),
        summed(
            "idle units",
            idle.units,
            unit,
            lambda: Each(lambda each: term(each.node.id, each.units, unit), idle.nodes),
            weakest_part="measured",
        ),
    )


def _idle_term(ctx: Context, each: IdleNode) -> Term:
    node = each.node
    utilization = number(node.utilization)
    below = term("below the threshold", 1, "", "measured", f"{utilization} < {constants.IDLE_UTILIZATION}")
    price = price_term(ctx.index, node)
    return term(
        node.id,
        each.usd_per_month,
        "USD/month",
        price.basis,
        times(each.units, each.price, constants.HOURS_PER_MONTH),
        term("allocated", each.units, ctx.estate.unit),
        term("utilization", node.utilization, "share", "measured", "", below),
        price,
        _window_term(node.utilization_window_hours),
    )


def _window_term(hours: Number | None) -> Term:
    return term("utilizationWindowHours", hours, "h")


def _shortest_window(idle: Idle) -> Number | None:
    """The window that the estate's figure rests on [h]; None where some idle node does not tell its own."""
    known = [each.node.utilization_window_hours for each in idle.nodes]
    hours = [window for window in known if window is not None]
    return min(hours, default=None) if len(hours) == len(known) else None


def _idle_finding(ctx: Context, each: IdleNode) -> Finding:
    spend = _idle_term(ctx, each)
    unpriced = each.price is None
    return Finding(
        IDLE,
        "A node that holds units and does not use them",
        spend,
        badge(spend.parts()) if unpriced else _window(each),
        subject=each.node.id,
        unknown=int(unpriced),
        caveats=("No price per unit hour is known for this node.",) if unpriced else (),
    )


def _window(each: IdleNode) -> Badge:
    """One scrape is Low, a window of an hour Med, a measured history High (spec 5: idle)."""
    hours = each.node.utilization_window_hours
    if hours is None or hours < constants.IDLE_WINDOW_MED_HOURS:
        return Badge("Low", "utilization (one scrape)")
    if hours < constants.IDLE_WINDOW_HIGH_HOURS:
        return Badge("Med", f"utilization (window of {number(hours)} h)")
    return Badge("High")


def _idle_badge(ctx: Context, idle: Idle, spend: Term) -> Badge:
    """The shortest window decides, unless something is missing altogether."""
    own = badge([spend], unknown=idle.unknown, missing=unreachable(ctx.estate, *_SIGNALS))
    if own.level == "Low" or not idle.nodes:
        return own
    shortest = min(idle.nodes, key=lambda each: (each.node.utilization_window_hours or 0, each.node.id))
    window = _window(shortest)
    return own if window.level == "High" else window


def reclaim_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the fleet's recoverable spend."""
    idle, reclaim = ctx.idle, ctx.reclaim
    basis = price_basis(ctx.index) if idle.nodes else "measured"
    spend = summed(
        "recoverable spend by cluster",
        reclaim.usd_per_month,
        "USD/month",
        lambda: Each(partial(_cluster, ctx), reclaim.clusters),
        basis,
    )
    yield Finding(
        RECLAIM,
        "Spend that can realistically be recovered from idle allocation",
        root("recoverable spend", spend),
        _idle_badge(ctx, idle, spend),
        unknown=idle.unknown,
        caveats=(*utilization_caveats(ctx.estate, idle), *price_caveats(idle)),
    )


def _cluster(ctx: Context, each: ClusterReclaim) -> Term:
    spend, units = _idle_terms(ctx, each.idle)
    how = times(spend.value, constants.RECLAIM_REALIZATION)
    return term(each.cluster, each.usd_per_month, "USD/month", spend.basis, how, spend, units)
