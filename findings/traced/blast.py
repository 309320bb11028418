"""Findings about single-domain failures: exposure and progress at risk."""

from collections.abc import Iterable, Iterator

from findings import constants
from findings.assumptions import restart_basis
from findings.caveats import exposure_caveats, map_caveats, progress_caveats
from findings.confidence import badge, heuristic
from findings.context import Context
from findings.exposure import Hit, exposure, hits
from findings.finding import Finding
from findings.index import PricedUnits
from findings.prices import price_basis
from findings.progress import ProgressTerm, progress
from findings.survey import Single
from findings.term import SUM, Term, known, number, root, summed, term, times, weakest
from topology.model import Number

EXPOSURE = "critical-share"
PROGRESS = "progress-at-risk"


def exposure_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the exposure of the domain that leads the ranking."""
    yield from (_exposure(ctx, single) for single in ctx.survey().ranking[:1])


def exposure_of(ctx: Context, subject: str) -> Finding | None:
    """Return one domain's exposure."""
    single = ctx.survey().singles.get(subject)
    return _exposure(ctx, single) if single else None


def _exposure(ctx: Context, single: Single) -> Finding:
    survey, unit = ctx.survey(), ctx.estate.unit
    nodes = survey.node_ids(single.groups)
    hit = hits(ctx.index, nodes)
    blast = exposure(ctx.index, nodes, hit)
    everywhere = ctx.index.critical_total.value
    on, critical_on = survey.standing(single.domain)
    critical = [h for h in hit if h.workload.critical]
    parts = (
        summed("critical units in the blast", blast.critical_units, unit, lambda: map(_standing, critical)),
        summed("critical units everywhere", everywhere, unit, lambda: _critical_everywhere(ctx)),
        summed("units in the blast", blast.units, unit, lambda: _allocated(ctx, nodes)),
        term("units standing on it, redundancy ignored", on, unit),
        term("critical units standing on it, redundancy ignored", critical_on, unit),
    )
    how = f"{number(blast.critical_units)} ÷ max(1, {number(everywhere)})"
    return Finding(
        EXPOSURE,
        "The share of all critical units that one failure takes together",
        term("critical share", blast.critical_share, "share", "measured", how, *parts),
        badge(
            parts,
            unknown=blast.unknown_criticality,
            missing=None if ctx.index.mapped else "facility map",
            estimated=heuristic(h.workload for h in hit),
        ),
        subject=single.domain,
        unknown=blast.unknown_criticality,
        caveats=(*exposure_caveats(hit, blast), *map_caveats(ctx.index)),
    )


def _critical_everywhere(ctx: Context) -> Iterator[Term]:
    for workload, units in zip(ctx.estate.workloads, ctx.index.units_of, strict=True):
        if workload.critical and units:
            yield term(workload.id, units, ctx.estate.unit)


def _standing(hit: Hit) -> Term:
    placements = hit.workload.placements
    nodes = (term(node_id, placements[node_id], "units") for node_id in hit.nodes)
    return term(hit.workload.id, hit.units_standing, "units", "measured", SUM, *nodes)


def _allocated(ctx: Context, nodes: Iterable[str]) -> Iterator[Term]:
    return (term(node_id, ctx.index.nodes[node_id].allocated, ctx.estate.unit) for node_id in nodes)


def progress_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the progress at risk of the domain with most dollars."""
    singles = ctx.survey().singles.values()
    worst = min(singles, key=lambda one: (-(one.tally.usd or 0), one.domain), default=None)
    if worst is not None:
        yield _progress(ctx, worst)


def progress_of(ctx: Context, subject: str) -> Finding | None:
    """Return one domain's progress at risk."""
    single = ctx.survey().singles.get(subject)
    return _progress(ctx, single) if single else None


def _progress(ctx: Context, single: Single) -> Finding:
    result = progress(ctx.index, hits(ctx.index, ctx.survey().node_ids(single.groups)))
    losses = [_loss(ctx, each, gang=False) for each in result.terms]
    gangs = [_loss(ctx, each, gang=True) for each in result.terms]
    basis = weakest(loss.basis for loss in losses if loss.value is not None)
    parts = (
        summed("loss of what stands in the blast", result.usd, "USD", lambda: losses, basis),
        summed("loss of whole gangs", result.gang_usd, "USD", lambda: gangs, basis),
        term("restarts annotated", result.annotated, "workloads"),
        term("restarts by the estate's default", result.estate_default, "workloads"),
        term("restarts assumed", result.assumed, "workloads"),
        term("workloads without a checkpoint interval", result.unpriced_workloads, "workloads"),
    )
    return Finding(
        PROGRESS,
        "What a failure costs in lost training progress",
        root("progress at risk", *parts),
        badge(parts, unknown=result.unknown),
        subject=single.domain,
        unknown=result.unknown,
        caveats=(*progress_caveats(result), *map_caveats(ctx.index)),
    )


def _loss(ctx: Context, each: ProgressTerm, *, gang: bool) -> Term:
    priced = _by_price(each.stalled if gang else each.standing)
    how = " + ".join(f"{times(units, each.lost_minutes, price)} ÷ 60" for price, units in priced)
    minutes = _minutes(ctx, each)
    basis = weakest([minutes.basis, *(known(price, price_basis(ctx.index)) for price, _ in priced)])
    units_and_prices = (
        part
        for price, units in priced
        for part in (
            term("units", units, ctx.estate.unit),
            term("price", price, "USD/h", price_basis(ctx.index)),
        )
    )
    value = each.gang_usd if gang else each.usd
    return term(each.workload.id, value, "USD", basis, how, minutes, *units_and_prices)


def _minutes(ctx: Context, each: ProgressTerm) -> Term:
    checkpoint, restart = each.workload.checkpoint_minutes, each.restart
    basis = restart_basis(ctx.estate, restart)
    return term(
        "lost minutes",
        each.lost_minutes,
        "min",
        weakest([known(checkpoint, "annotated"), basis]),
        f"{number(checkpoint)} × {constants.CHECKPOINT_EXPECTED_SHARE} + {number(restart.minutes)}",
        term("checkpoint interval", checkpoint, "min", "annotated"),
        term("restart overhead", restart.minutes, "min", basis),
    )


def _by_price(units: PricedUnits) -> list[tuple[Number | None, Number]]:
    return sorted(units.items(), key=lambda pair: (pair[0] is None, pair[0] or 0))
