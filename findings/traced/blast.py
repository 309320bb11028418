"""Findings about single-domain failures: exposure and progress at risk."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from closure.cascade import close
from findings import constants
from findings.assumptions import restart_basis
from findings.bases import blast_basis, unverified_signal
from findings.caveats import exposure_caveats, map_caveats, progress_caveats
from findings.confidence import badge, heuristic, joined
from findings.context import Context
from findings.exposure import Exposure, Hit, exposure, hits
from findings.finding import Finding
from findings.index import PricedUnits, critical_units
from findings.prices import price_basis
from findings.progress import ProgressTerm, progress
from findings.survey import Single
from findings.term import SUM, Basis, Each, Term, known, number, root, summed, term, times, weakest
from topology.model import Number

EXPOSURE = "critical-share"
PROGRESS = "progress-at-risk"
EVERYWHERE = "critical units everywhere"

HOSTS_LISTED: Final = 3
"""How many hosts are listed where nothing but hosts is known."""


def exposure_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the exposure of the domain that leads the ranking; where only hosts are known, of the worst."""
    survey = ctx.survey()
    yield from (_exposure(ctx, one.domain, survey.standing(one.domain)) for one in survey.ranking[:1])
    if ctx.index.hosts_only:
        yield from (_exposure_of_host(ctx, node_id) for node_id in _worst_hosts(ctx)[:HOSTS_LISTED])


def exposure_of(ctx: Context, subject: str) -> Finding | None:
    """Return one domain's exposure, or one host's."""
    if subject in ctx.estate.domains:
        return _exposure(ctx, subject, ctx.survey().standing(subject))
    return _exposure_of_host(ctx, subject) if subject in ctx.index.nodes else None


def _worst_hosts(ctx: Context) -> list[str]:
    """The hosts that hold units, by critical units, then units, then id, as domains are ranked."""
    standing = {
        node.id: (-(_on_host(ctx, node.id)[1] or 0), -node.allocated, node.id)
        for node in ctx.estate.nodes
        if node.allocated
    }
    return sorted(standing, key=standing.__getitem__)


def _exposure_of_host(ctx: Context, node_id: str) -> Finding:
    return _exposure(ctx, node_id, _on_host(ctx, node_id))


def _on_host(ctx: Context, node_id: str) -> tuple[Number | None, Number | None]:
    on = exposure(ctx.index, [node_id], hits(ctx.index, [node_id]))
    return on.units, on.critical_units


def _exposure(ctx: Context, subject: str, standing: tuple[Number | None, Number | None]) -> Finding:
    closure = close(ctx.survey().facility, (subject,))
    nodes = [lost.id for lost in closure.nodes]
    hit = hits(ctx.index, nodes)
    blast = exposure(ctx.index, nodes, hit)
    basis = blast_basis(ctx, closure)
    parts = (
        *_exposure_terms(ctx, nodes, hit, blast, basis, standing),
        *_strict_terms(ctx, subject, blast, basis),
    )
    share = _share(ctx, "critical share", blast, *parts)
    # Nothing is 0 of whatever there is elsewhere, known or not.
    needed = [
        part
        for part in parts
        if part.name != EVERYWHERE or blast.critical_share is None or part.value is not None
    ]
    return Finding(
        EXPOSURE,
        "The share of all critical units that one failure takes together",
        share,
        badge(
            needed,
            unknown=blast.unknown_criticality,
            missing=None if ctx.index.mapped else "facility map",
            estimated=joined(heuristic(h.workload for h in hit), unverified_signal(closure)),
        ),
        subject=subject,
        unknown=blast.unknown_criticality,
        caveats=(*exposure_caveats(hit, blast), *map_caveats(ctx.index)),
    )


def _share(ctx: Context, name: str, blast: Exposure, *parts: Term) -> Term:
    share, everywhere = blast.critical_share, ctx.index.critical_total.value
    how = f"{number(blast.critical_units)} ÷ max(1, {number(everywhere)})"
    if share is not None and everywhere is None:
        how = number(share)
    return term(name, share, "share", "declared", how, *parts)


def _exposure_terms(
    ctx: Context,
    nodes: list[str],
    hit: tuple[Hit, ...],
    blast: Exposure,
    basis: Basis,
    standing: tuple[Number | None, Number | None],
) -> tuple[Term, ...]:
    unit = ctx.estate.unit
    everywhere = ctx.index.critical_total.value
    in_blast = blast.critical_units
    total = partial(summed, unit=unit, weakest_part="measured")
    return (
        total(
            "critical units in the blast",
            in_blast,
            parts=lambda: _critical_standing(ctx, hit, nodes),
            basis=basis,
        ),
        total(
            EVERYWHERE,
            everywhere,
            parts=lambda: _critical_everywhere(ctx),
            basis="declared",
        ),
        total("units in the blast", blast.units, parts=lambda: _allocated(ctx, nodes), basis=basis),
        term("units standing on it, redundancy ignored", standing[0], unit, "declared"),
        term("critical units standing on it, redundancy ignored", standing[1], unit, "declared"),
    )


def _strict_terms(ctx: Context, subject: str, closure: Exposure, basis: Basis) -> Iterator[Term]:
    """Yield the same figures by the strict check, where it loses other units than the closure."""
    if subject not in ctx.estate.domains:
        return
    facility = ctx.survey().facility
    lost = [facility.groups[g] for g in ctx.survey().strict_groups(subject)]
    nodes = sorted(facility.node_ids[node] for group in lost for node in group.nodes)
    hit = hits(ctx.index, nodes)
    strict = exposure(ctx.index, nodes, hit)
    if (strict.critical_units, strict.units) == (closure.critical_units, closure.units):
        return
    total = partial(summed, unit=ctx.estate.unit, weakest_part="measured", basis=basis)
    yield _share(ctx, "critical share, strict check", strict)
    yield total(
        "critical units in the blast, strict check",
        strict.critical_units,
        parts=lambda: _critical_standing(ctx, hit, nodes),
    )
    yield total("units in the blast, strict check", strict.units, parts=lambda: _allocated(ctx, nodes))


def _critical_everywhere(ctx: Context) -> list[Term]:
    pairs = zip(ctx.estate.workloads, ctx.index.units_of, strict=True)
    running = [(workload, units) for workload, units in pairs if workload.critical is not False and units]
    said = [term(w.id, critical_units(w, units), ctx.estate.unit) for w, units in running]
    return [*said, *map(_unclaimed, sorted(ctx.index.unclaimed))]


def _critical_standing(ctx: Context, hit: Iterable[Hit], nodes: Iterable[str]) -> list[Term]:
    said = [_standing(h) for h in hit if h.workload.critical is not False]
    return [*said, *(_unclaimed(node_id) for node_id in nodes if node_id in ctx.index.unclaimed)]


def _unclaimed(node_id: str) -> Term:
    return term(f"{node_id} (units that no workload claims)", None, "units", "unknown")


def _standing(hit: Hit) -> Term:
    if hit.workload.critical is None:
        return term(f"{hit.workload.id} (does not say)", None, "units", "unknown")
    placements = hit.workload.placements
    nodes = (term(node_id, placements[node_id], "units") for node_id in hit.nodes)
    return term(hit.workload.id, hit.units_standing, "units", "measured", SUM, *nodes)


def _allocated(ctx: Context, nodes: list[str]) -> Each[str]:
    return Each(lambda name: term(name, ctx.index.nodes[name].allocated, ctx.estate.unit), nodes)


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
    closure = close(ctx.survey().facility, (single.domain,))
    extent = blast_basis(ctx, closure)
    lost = [node.id for node in closure.nodes]
    hit = hits(ctx.index, lost)
    result = progress(ctx.index, hit, lost)
    kindless = [h.workload.id for h in hit if h.workload.kind == "unknown"]
    blind = [term(f"{name} (of unknown kind)", None, "USD", "unknown") for name in kindless]
    blind += [_unclaimed(node_id) for node_id in lost if node_id in ctx.index.unclaimed]
    losses = [*(_loss(ctx, each, gang=False) for each in result.terms), *blind]
    gangs = [*(_loss(ctx, each, gang=True) for each in result.terms), *blind]
    parts = (
        summed("loss of what stands in the blast", result.usd, "USD", lambda: losses, extent),
        summed("loss of whole gangs", result.gang_usd, "USD", lambda: gangs, extent),
        term("restarts annotated", result.annotated, "workloads", extent),
        term("restarts by the estate's default", result.estate_default, "workloads", extent),
        term("restarts assumed", result.assumed, "workloads", extent),
        term("workloads without a checkpoint interval", result.unpriced_workloads, "workloads", extent),
    )
    return Finding(
        PROGRESS,
        "What a failure costs in lost training progress",
        root("progress at risk", *parts),
        badge(parts, unknown=result.unknown, estimated=unverified_signal(closure)),
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
