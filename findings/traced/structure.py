"""Findings that the graph makes possible: single points, fake redundancy, single-fed nodes, casualties."""

from collections.abc import Iterator

from closure.compiled import Load
from findings.casualties import QuorumLosses, Shortfalls
from findings.caveats import (
    already_caveats,
    criticality_caveats,
    gang_caveats,
    replica_caveats,
    unlisted_caveats,
)
from findings.confidence import badge, heuristic
from findings.context import LOADS, Context
from findings.fake_redundancy import Meeting
from findings.finding import Finding
from findings.single_fed import Cords
from findings.survey import Single
from findings.term import MAX, Each, Term, flag, greatest, number, root, summed, term
from topology.model import Workload

SINGLE_POINT = "single-point"
FAKE = "fake-redundancy"
SINGLE_FED = "single-fed"
GANG = "gang-amplification"
SHORTFALL = "below-min-available"
QUORUM = "quorum-loss"


def structure_findings(ctx: Context) -> Iterator[Finding]:
    """Yield the findings about the graph, those that a load decides at both loads."""
    yield _fake(ctx)
    yield _single_fed(ctx)
    for load in LOADS:
        yield _single_points(ctx, load)
        yield _gangs(ctx, load)
        yield _shortfalls(ctx, load)
        yield _quorum(ctx, load)


def _fake(ctx: Context) -> Finding:
    found = ctx.meetings
    meeting = summed(
        "domains where feeds meet",
        len(found),
        "domains",
        lambda: Each(_meeting, found),
        weakest_part="declared",
    )
    return Finding(
        FAKE,
        "Upstream domains whose failure alone takes every feed of something redundant",
        root("meeting points", meeting),
        badge([meeting]),
    )


def _meeting(each: Meeting) -> Term:
    name = f"{each.domain} (last resort)" if each.last_resort else each.domain
    claimants = (term(claimant, 1, "", "declared") for claimant in (*each.domains, *each.nodes))
    return term(name, 1, "domain", "declared", MAX, *claimants)


def _single_fed(ctx: Context) -> Finding:
    found = ctx.cords
    unknown = sum(each.single_fed is None for each in found)
    value = None if unknown and unknown == len(found) else sum(each.single_fed is True for each in found)
    nodes = summed("single-fed nodes", value, "nodes", lambda: Each(_cord, found), weakest_part="declared")
    return Finding(
        SINGLE_FED,
        "Nodes that the loss of any one feed takes down",
        root("single-fed nodes", nodes),
        badge([nodes], unknown=unknown),
        unknown=unknown,
        caveats=(f"Nodes whose power source the map does not name: {unknown:,}.",) if unknown else (),
    )


def _cord(each: Cords) -> Term:
    sources = each.sources or ()
    how = f"0 < {len(sources)} ≤ {each.needed}"
    return term(
        each.node, flag(each.single_fed), "node", "declared", how, *(term(s, 1, "source") for s in sources)
    )


def _single_points(ctx: Context, load: Load) -> Finding:
    rows = ctx.beyond(load).single_points
    with_ratings = Each(lambda row: _stoppable(row.workload, row.honouring), rows)
    without = Each(lambda row: _stoppable(row.workload, row.ignoring), rows)
    unknown = ctx.index.critical_total.unknown
    # Critical work may be among what nobody speaks of: where nobody speaks at all there is no count.
    silent = ctx.index.critical_total.value is None
    stopped = None if silent else sum(bool(row.honouring) for row in rows)
    ignoring = None if silent else sum(bool(row.ignoring) for row in rows)
    parts = (
        summed(
            "critical workloads with a single point",
            stopped,
            "workloads",
            lambda: with_ratings,
            weakest_part="declared",
        ),
        summed("the same, ratings ignored", ignoring, "workloads", lambda: without, weakest_part="declared"),
        term("critical workloads", None if silent else len(rows), "workloads"),
    )
    return Finding(
        SINGLE_POINT,
        "Critical workloads that one domain's failure stops",
        root("workloads", *parts),
        badge(parts, unknown=unknown, estimated=heuristic(row.workload for row in rows)),
        load=load,
        unknown=unknown,
        caveats=(
            *criticality_caveats(ctx.index),
            *already_caveats("Critical workloads that are stopped", sum(row.stopped_before for row in rows)),
        ),
    )


def _stoppable(workload: Workload, domains: tuple[str, ...]) -> Term:
    stoppers = (term(domain_id, 1, "domain", "declared") for domain_id in domains)
    return term(workload.id, flag(bool(domains)), "workload", "declared", MAX if domains else "", *stoppers)


def _gangs(ctx: Context, load: Load) -> Finding:
    singles = [one for one in ctx.survey(load).singles.values() if one.tally.amplification is not None]
    factor = max((one.tally.amplification or 0 for one in singles), default=None)
    worst = greatest(
        "worst amplification",
        factor,
        "stalled per standing",
        lambda: Each(_gang, singles),
        weakest_part="measured",
    )
    return Finding(
        GANG,
        "How many units stall for each unit that a single failure takes",
        root("amplification", worst),
        badge([worst]),
        load=load,
        caveats=tuple(gang_caveats(ctx.estate.workloads)),
    )


def _gang(one: Single) -> Term:
    tally = one.tally
    how = f"{number(tally.units_stalled)} ÷ {number(tally.units_placed)}"
    return term(one.domain, tally.amplification, "stalled per standing", "measured", how)


def _shortfalls(ctx: Context, load: Load) -> Finding:
    rows = ctx.beyond(load).shortfalls
    silent = sum(w.min_available is not None and w.replicas is None for w in ctx.estate.workloads)
    silent += sum(not row.known for row in rows) + len(ctx.index.unlisted)
    known = [row for row in rows if row.known]
    value = None if silent and not known else sum(bool(row.failures) for row in known)
    services = summed("services", value, "services", lambda: Each(_shortfall, rows))
    return Finding(
        SHORTFALL,
        "Services that a single failure takes below minAvailable",
        root("services", services),
        badge([services], unknown=silent),
        load=load,
        unknown=silent,
        caveats=(
            *(unlisted_caveats(ctx.index) if ctx.index.unlisted else replica_caveats(silent)),
            *already_caveats("Services that are below", sum(row.service.below is True for row in rows)),
        ),
    )


def _shortfall(row: Shortfalls) -> Term:
    needed = number(row.service.min_available)
    failures = (
        term(domain_id, 1, "failure", "measured", f"{number(left.replicas_left)} < {needed}")
        for domain_id, left in row.failures
    )
    value = flag(bool(row.failures)) if row.known else None
    return term(row.service.workload.id, value, "service", "measured", MAX, *failures)


def _quorum(ctx: Context, load: Load) -> Finding:
    rows = ctx.beyond(load).quorum_losses
    # A cluster whose voters nobody reported has them all the same.
    value = sum(bool(row.failures) for row in rows) if rows else None
    roles = summed("roles", value, "roles", lambda: Each(_quorum_loss, rows))
    return Finding(
        QUORUM,
        "Voting roles whose quorum a single failure loses",
        root("roles", roles),
        badge([roles], missing=None if rows else "voting roles"),
        load=load,
        caveats=tuple(already_caveats("Roles whose quorum is lost", sum(row.lost_before for row in rows)))
        if rows
        else ("No node with a voting role was reported.",),
    )


def _quorum_loss(row: QuorumLosses) -> Term:
    failures = (
        term(domain_id, 1, "failure", "measured", f"({loss.total} − {loss.lost}) × 2 ≤ {loss.total}")
        for domain_id, loss in row.failures
    )
    name = f"{row.role} of {row.cluster}"
    return term(name, flag(bool(row.failures)), "role", "measured", MAX, *failures)
