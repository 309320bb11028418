"""The first line of `topo findings`: the worst single failure, the idle spend, the lemons."""

from findings.context import Context
from topo.kind_words import kind_word
from topo.text.findings_ranking import leading, ranked
from topo.text.page import short
from topo.text.verdict import all_critical, unit_word
from topo.text.words import count, known, number, percent, usd


def findings_verdict(ctx: Context) -> str:
    """Return the verdict; what is not known is said to be unknown."""
    return f"{_worst(ctx)} {_idle(ctx)} {_lemons(ctx)}".replace("  ", " ")


def _worst(ctx: Context) -> str:
    one = next(iter(ranked(ctx)), None)
    if one is None:
        return "No domain is known: what fails together is unknown."
    tally = leading(ctx, one)
    if not tally.nodes:
        return "No single failure takes a node down, by either engine."
    engine = "by the closure and the strict check" if tally == one.tally else "by the strict check"
    if tally == one.tally != ctx.survey().checked(one.domain):
        engine = "by the closure, the worse of the two"
    units = f"{number(tally.units)} {unit_word(ctx.estate, tally.units)}"
    critical = known(tally.critical_units, unsaid=tally.criticality_unknown)
    share = (
        f" ({percent(tally.critical_share)} of {all_critical(ctx.index.critical_total)})"
        if tally.critical_share
        else ""
    )
    kind = kind_word(ctx.estate.domains[one.domain].kind)
    return (
        f"Worst single failure: {short(one.domain)} ({kind}) takes down {count(tally.nodes, 'node')}: "
        f"{units}, {critical} critical{share}, {engine}."
    )


def _idle(ctx: Context) -> str:
    return "" if ctx.estate.bare else f"Idle allocation: {_spend(ctx)} a month."


def _spend(ctx: Context) -> str:
    return known(ctx.idle.usd_per_month, unsaid=ctx.idle.unknown > 0, write=usd)


def _lemons(ctx: Context) -> str:
    flags = [each.lemon for each in ctx.lemons]
    if ctx.estate.bare or not flags:
        return ""
    unsaid = flags.count(None)
    if unsaid == len(flags):
        return "Lemon nodes: unknown."
    return f"Lemon nodes: {known(flags.count(True), unsaid=unsaid > 0)}."
