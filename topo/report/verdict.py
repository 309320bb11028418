"""The verdict: the worst single failure by the worse of the two engines, and how many matter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from findings.context import Context
from findings.ledger import Ledger
from topo.report.failures import Failure, size
from topo.report.html import Element, Node, el
from topo.report.parts import domain_name, kind_name, linked, section
from topo.text.casualties import grave_summary
from topo.text.verdict import all_critical, unit_word
from topo.text.words import count, known, number, percent, usd
from topology.model import Number

UNPROVEN: Final = "Some survivors are not proven safe."


@dataclass(frozen=True, slots=True)
class Tile:
    """One leading figure: its value, the words beneath it, and its definition."""

    label: str
    value: Number | None
    text: str
    formula: str
    note: str


def verdict(ctx: Context, ranked: Sequence[Failure]) -> Element:
    """Return the verdict with its leading figures."""
    return section(
        "verdict",
        "Verdict",
        _sentence(ctx, ranked),
        el("div", {"class": "tiles"}, *map(_tile, _tiles(ctx, ranked))),
    )


def _sentence(ctx: Context, ranked: Sequence[Failure]) -> Element:
    if not ranked:
        return el("p", {"class": "headline"}, "No domains: nothing to fail. Supply a facility map.")
    worst = ranked[0]
    tally = worst.leading
    return el(
        "p",
        {"class": "headline"},
        "Worst single failure: ",
        domain_name(worst.id, worst.domain).content,
        f" ({kind_name(worst.kind)}) takes down {number(tally.nodes)} of ",
        count(len(ctx.estate.nodes), "node"),
        *_stakes(ctx, worst),
        ". ",
        " ".join(part for part in (_engines(worst), *_beside(ctx, worst)) if part),
    )


def _beside(ctx: Context, worst: Failure) -> tuple[str, str]:
    """Return what units do not say: quorums, services, survivors that nobody can vouch for."""
    grave = grave_summary(worst.grave, ctx.estate)
    return f"With it, {grave}" if grave else "", UNPROVEN if worst.unproven else ""


def _stakes(ctx: Context, worst: Failure) -> list[Node]:
    tally = worst.leading
    if tally.units is None:
        return [f"; how many {unit_word(ctx.estate, None)} that is, is unknown"]
    units = f"{number(tally.units)} {unit_word(ctx.estate, tally.units)}"
    if tally.critical_units is None:
        return [f": {units}; how many are critical is unknown"]
    critical = f"{known(tally.critical_units, unsaid=tally.criticality_unknown)} critical"
    if tally.critical_share is None:
        return [f": {units}, {critical}"]
    of = f"{percent(tally.critical_share)} of {all_critical(ctx.index.critical_total)}"
    share = linked(of, tally.critical_share, "critical-share")
    return [f": {units}, {critical} (", share, ")"]


def _engines(worst: Failure) -> str:
    if worst.agrees:
        return "Closure and strict check agree on it."
    other = worst.closure if worst.worse == "strict" else worst.strict
    leads = (
        "strict check, the worse of the two" if worst.worse == "strict" else "closure, the worse of the two"
    )
    rest = "closure alone" if worst.worse == "strict" else "strict check"
    return f"By the {leads}; the {rest} says {count(other.nodes, 'node')}."


def _tiles(ctx: Context, ranked: Sequence[Failure]) -> list[Tile]:
    points = ctx.beyond(ctx.load).single_points
    silent = ctx.index.critical_total
    stopped = None if ctx.estate.bare or silent.value is None else sum(bool(row.honouring) for row in points)
    differ = sum(not one.agrees for one in ranked)
    worse = sum(size(one.strict) > size(one.closure) for one in ranked)
    return [
        _critical_down(ctx, ranked),
        Tile(
            "Critical workloads with a single point",
            stopped,
            known(stopped, unsaid=silent.unknown > 0),
            "single-point",
            f"of {count(len(points), 'critical workload')}; ratings honoured",
        ),
        Tile(
            "Worse than the closure says",
            worse,
            number(worse),
            "worst-survivor",
            f"failures by the strict check; it differs in {number(differ)}",
        ),
        _overcommitted(ctx),
        _most_dollars(ranked),
        _safe_usable(ctx.ledger),
        Tile("Lemon nodes", *_lemons(ctx)),
        Tile(
            "Recoverable",
            ctx.reclaim.usd_per_month,
            known(ctx.reclaim.usd_per_month, unsaid=ctx.idle.unknown > 0, write=usd),
            "fleet-reclaim",
            "per month, discounted",
        ),
    ]


def _critical_down(ctx: Context, ranked: Sequence[Failure]) -> Tile:
    said = any(one.leading.critical_units is not None for one in ranked)
    down = sum(bool(one.leading.critical_units) for one in ranked) if said else None
    unsaid = any(one.leading.criticality_unknown and not one.leading.critical_units for one in ranked)
    label = f"Domains that take critical {unit_word(ctx.estate, None)} down"
    of = f"of {count(len(ranked), 'domain')}, each failing alone"
    return Tile(label, down, known(down, unsaid=unsaid), "critical-share", of)


def _overcommitted(ctx: Context) -> Tile:
    flags = [row.overcommitted for row in ctx.beyond(ctx.load).rated]
    over = None if flags and flags.count(None) == len(flags) else flags.count(True)
    label, shown = "Over their rating with nothing failed", known(over, unsaid=None in flags)
    return Tile(label, over, shown, "overcommitted", "rated domains")


def _most_dollars(ranked: Sequence[Failure]) -> Tile:
    worst = max(ranked, key=lambda one: one.leading.usd or 0, default=None)
    most = None if worst is None else worst.leading.usd
    return Tile(
        "Most progress at risk",
        most,
        known(most, unsaid=worst is not None and worst.leading.unknown > 0, write=usd),
        "progress-at-risk",
        f"if {worst.id} fails; training that stands in it" if worst and most else "one failure",
    )


def _safe_usable(book: Ledger) -> Tile:
    shown = known(book.safe_usable, unsaid=book.nodes_outside > 0)
    of = f"of {number(book.raw_free)} raw free{_not_now(book)}"
    return Tile("Safe usable", book.safe_usable, shown, "capacity-ledger", of)


def _not_now(book: Ledger) -> str:
    held = f"{number(book.not_now)} of them on nodes that cannot be scheduled now"
    return f"; {held} (cordoned, unready, unhealthy)" if book.not_now else ""


def _lemons(ctx: Context) -> tuple[Number | None, str, str, str]:
    flags = [each.lemon for each in ctx.lemons]
    unknown = flags.count(None)
    value = None if unknown and unknown == len(flags) else flags.count(True)
    return value, known(value, unsaid=unknown > 0), "lemon-score", f"{number(unknown)} of unknown history"


def _tile(tile: Tile) -> Element:
    return el(
        "div",
        {"class": "tile"},
        el("p", {"class": "label"}, tile.label),
        el("p", {"class": "value"}, linked(tile.text, tile.value, tile.formula)),
        el("p", {"class": "under"}, tile.note),
    )
