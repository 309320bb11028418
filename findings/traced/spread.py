"""Findings about the estate's shape: criticality, entropy, coverage, control loops."""

import math
from collections.abc import Iterator

from findings import constants
from findings.caveats import criticality_caveats, loop_caveats, map_caveats
from findings.collision import is_active, loops_by_cluster
from findings.confidence import badge, heuristic
from findings.context import Context
from findings.entropy import Entropy
from findings.finding import Finding
from findings.term import Each, Term, flag, number, root, summed, term
from topology.model import Loop, Node, Number, Workload

CRITICALITY = "criticality"
ENTROPY = "allocation-entropy"
COVERAGE = "facility-coverage"
COLLISION = "control-loop-collision"


def criticality_findings(ctx: Context) -> Iterator[Finding]:
    """Yield how many units count as critical, and why."""
    critical, unit = ctx.index.critical_total, ctx.estate.unit
    pairs = [(w, units) for w, units in zip(ctx.estate.workloads, ctx.index.units_of, strict=True) if units]

    def named(pair: tuple[Workload, Number]) -> Term:
        basis = pair[0].critical_basis or "no basis given"
        return term(f"{pair[0].id} ({basis})", pair[1], unit, "declared")

    def by_workload() -> Each[tuple[Workload, Number]]:
        return Each(named, [pair for pair in pairs if pair[0].critical])

    units = summed(
        "critical units by workload", critical.value, unit, by_workload, "declared", weakest_part="declared"
    )
    yield Finding(
        CRITICALITY,
        "Units of workloads that must not go down",
        root("critical units", units),
        badge([units], unknown=critical.unknown, estimated=heuristic(w for w, _ in pairs)),
        unknown=critical.unknown,
        caveats=tuple(criticality_caveats(ctx.index)),
    )


def entropy_findings(ctx: Context) -> Iterator[Finding]:
    """Yield one reading per kind of domain."""
    yield from (_entropy(ctx, each) for each in ctx.entropies)


def entropy_of(ctx: Context, subject: str) -> Finding | None:
    """Return one kind's reading."""
    return next((_entropy(ctx, each) for each in ctx.entropies if each.kind == subject), None)


def _entropy(ctx: Context, each: Entropy) -> Finding:
    count = len(each.units)
    parts = (
        summed("h", each.h, "nats", lambda: _shares(each), weakest_part="declared"),
        term("domain count", count, "domains", "declared"),
        term("effective domains", each.effective, "domains", "declared", f"exp({number(each.h)})"),
        term("share of the top domain", each.top_share, "share", "declared"),
        term("top domain", each.top_domain, "", "declared"),
    )
    how = f"min(1, {number(each.h)} ÷ ln(max(2, {count})))"
    empty = () if each.h is not None else ("No allocated unit stands on any domain of this kind.",)
    return Finding(
        ENTROPY,
        f"How evenly the allocation is spread over the {each.kind} domains",
        term("normalized entropy", each.h_norm, "share", "declared", how, *parts),
        badge(parts),
        subject=each.kind,
        unknown=int(each.h is None),
        caveats=(*empty, *map_caveats(ctx.index)),
    )


def _shares(each: Entropy) -> Each[tuple[str, Number]]:
    everywhere = sum(each.units.values())

    def made(pair: tuple[str, Number]) -> Term:
        domain_id, units = pair
        p = units / everywhere
        share = term("p", p, "share", "declared", f"{units} ÷ {everywhere}")
        return term(domain_id, 0.0 - p * math.log(p), "nats", "declared", f"0 − {p} × ln({p})", share)

    return Each(made, [] if each.h is None else [pair for pair in each.units.items() if pair[1]])


def coverage_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the share of nodes that facility findings can see."""
    seen, nodes = ctx.coverage, ctx.estate.nodes
    covered = seen.covered

    def by_node() -> Each[Node]:
        return Each(lambda node: term(node.id, flag(node.id in covered), "node", "declared"), nodes)

    parts = (
        summed("nodes on a facility domain", len(covered), "nodes", by_node, weakest_part="declared"),
        term("nodes", seen.nodes, "nodes"),
    )
    blind = seen.nodes - len(covered)
    unseen = (f"Nodes that no facility domain is known for: {blind:,}.",) if blind and covered else ()
    how = f"{len(covered)} ÷ {seen.nodes}" if nodes else "unknown"
    yield Finding(
        COVERAGE,
        "How much of the estate the facility findings can see",
        term("facility coverage", seen.share, "share", "declared", how, *parts),
        badge(parts, missing=None if nodes else "nodes"),
        unknown=int(seen.share is None),
        caveats=(*unseen, *map_caveats(ctx.index)),
    )


def collision_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the number of hours in which control loops collide, with the 24-hour histogram."""
    found, loops = ctx.collisions, ctx.estate.loops
    hours = [hour.value for hour in _hours(ctx)]
    unknown = hours.count(None)
    value = len(found.windows) if unknown < len(hours) else None
    windows = summed("collision windows", value, "hours", lambda: _hours(ctx))
    blind = term("hours in which some loop was not observed", found.unobserved_hours, "hours")
    yield Finding(
        COLLISION,
        "Hours in which control loops undo each other's work",
        root("collision windows", windows, blind),
        badge([windows], unknown=unknown, missing=None if loops else "control loops"),
        unknown=unknown,
        caveats=tuple(loop_caveats(loops, found)),
    )


def _hours(ctx: Context) -> Iterator[Term]:
    for hour in range(constants.HOURS_OBSERVED):
        for loops in loops_by_cluster(ctx.estate).values():
            yield _hour(hour, loops)


def _hour(hour: int, loops: list[Loop]) -> Term:
    active = sum(is_active(loop, hour) for loop in loops)
    unseen = sum(loop.hourly_actions[hour] is None for loop in loops)
    needed = constants.COLLISION_LOOPS
    # An unobserved loop that was active would have made a collision of an hour that misses it.
    unsure = active < needed <= active + unseen
    collides = None if unsure else flag(active >= needed)
    how = f"{active} + unknown ({unseen} unobserved) ≥ {needed}" if unsure else f"{active} ≥ {needed}"
    return term(f"hour {hour}", collides, "hours", "measured", how, *(_actions(loop, hour) for loop in loops))


def _actions(loop: Loop, hour: int) -> Term:
    actions = loop.hourly_actions[hour]
    active = None if actions is None else flag(is_active(loop, hour))
    return term(loop.id, active, "active", "measured", f"{number(actions)} ≥ {constants.COLLISION_ACTIONS}")
