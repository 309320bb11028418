"""What the graph shows beyond the methodology: the strict check, redundancy that is none, single points."""

from collections.abc import Iterator, Sequence
from typing import Final

from findings.caveats import distinct
from findings.context import Context
from findings.feeds import FeedLoss
from findings.finding import Finding
from findings.single_points import SinglePoints
from findings.traced import electrical, structure
from topo.report.failures import Failure, size
from topo.report.html import Element, el
from topo.report.parts import (
    Cell,
    Column,
    amount,
    beyond,
    domain_name,
    kind_name,
    known_amount,
    linked,
    name,
    notes,
    section,
    share,
    table,
    words,
)
from topo.text.verdict import unit_title
from topo.text.words import number, some


def strict(ctx: Context, ranked: Sequence[Failure]) -> Element:
    """Return where the strict electrical check differs, and who survives closest to a trip."""
    differ = [one for one in ranked if not one.agrees]
    worse = sum(size(one.strict) > size(one.closure) for one in differ)
    differ.sort(key=lambda one: (size(one.strict) <= size(one.closure), one.id))
    rows = [
        [
            domain_name(one.id, one.domain),
            words(kind_name(one.kind)),
            amount(one.closure.nodes),
            amount(one.strict.nodes),
            amount(one.closure.units),
            amount(one.strict.units),
            known_amount(one.strict.critical_units, unsaid=one.strict.criticality_unknown),
            words(one.worse),
        ]
        for one in differ
    ]
    unit = unit_title(ctx.estate)
    columns = (
        Column("If it fails"),
        Column("Kind"),
        Column("Nodes, closure", right=True),
        Column("Nodes, strict", right=True),
        Column(f"{unit}, closure", "critical-share", right=True),
        Column(f"{unit}, strict", "critical-share", right=True),
        Column("Critical, strict", "critical-share", right=True),
        Column("Worse"),
    )
    return section(
        "strict",
        "Strict electrical check",
        el("p", {}, beyond()),
        el(
            "p",
            {"class": "headline small"},
            f"Differs from the closure in {number(len(differ))} of {number(len(ranked))} single failures; "
            "worse in ",
            linked(number(worse), worse, "worst-survivor"),
            ".",
        ),
        table("strict-table", "Where the two engines differ", columns, rows) if rows else None,
        _survivors(ctx),
        lead="The closure tests one domain at a time. Here the load of what failed shifts onto the "
        "survivors, and what it overloads trips, round by round. The two are never mixed; where they differ "
        "the worse one leads.",
    )


def _survivors(ctx: Context) -> Element:
    index = ctx.survey().facility.domain_index
    fullest = sorted(
        ctx.beyond(ctx.load).worst_survivors, key=lambda row: (-row.share, row.failed, row.survivor)
    )
    rows = [
        [
            domain_name(row.survivor, index[row.survivor]),
            domain_name(row.failed, index[row.failed]),
            amount(row.after_kw),
            amount(row.rated_kw),
            share(row.share),
        ]
        for row in fullest
    ]
    columns = (
        Column("Survivor"),
        Column("After the failure of"),
        Column("Carries kW", "worst-survivor", right=True),
        Column("Rated kW", right=True),
        Column("Of its rating", "worst-survivor", right=True),
    )
    return table("survivor-table", "The fullest rated survivor of each single failure", columns, rows)


_FORMULAS: Final = frozenset(
    {
        structure.FAKE,
        structure.SINGLE_FED,
        structure.SINGLE_POINT,
        structure.GANG,
        structure.SHORTFALL,
        structure.QUORUM,
        electrical.DEMOTION,
        electrical.UNVERIFIED,
        electrical.OVERCOMMITTED,
        electrical.STRANDED,
        electrical.METER,
        electrical.SURVIVOR,
    }
)


def redundancy(ctx: Context, every: Sequence[Finding]) -> Element:
    """Return where redundancy is not what it looks like."""
    found = [finding for finding in every if finding.formula in _FORMULAS]
    rows = [
        [
            words(finding.title),
            words(finding.load or "any load"),
            _value(finding.value, finding.formula),
            words(finding.root.unit),
            amount(finding.unknown),
            words(finding.badge.level),
        ]
        for finding in found
    ]
    columns = (
        Column("Finding"),
        Column("Load"),
        Column("Value", right=True),
        Column("Unit"),
        Column("Unknown", right=True),
        Column("Confidence"),
    )
    return section(
        "redundancy",
        "Redundancy and single points",
        el("p", {}, beyond()),
        table("redundancy-table", "What the graph and the ratings show", columns, rows),
        *_lists(ctx),
        notes(distinct(caveat for finding in found for caveat in finding.caveats)),
        lead="Rated-feed demotion and electrically unverified are the methodology's; the rest is beyond it.",
    )


def _value(value: object, formula: str) -> Cell:
    known = value if isinstance(value, (int, float)) else None
    return Cell(linked(number(known, 3), known, formula), known)


def _lists(ctx: Context) -> Iterator[Element]:
    here = ctx.beyond(ctx.load)
    points = [row for row in here.single_points if row.honouring or row.ignoring]
    demoted = [loss for losses in here.feed_losses.values() for loss in losses if loss.demoted]
    if points:
        yield _points(points)
    if ctx.meetings:
        yield _meetings(ctx)
    if demoted:
        yield _demotions(ctx, demoted)


def _points(points: Sequence[SinglePoints]) -> Element:
    columns = (
        Column("Workload"),
        Column("Single points", "single-point", right=True),
        Column("Which"),
        Column("Ratings ignored", "single-point", right=True),
    )
    rows = [
        [
            name(row.workload.id),
            amount(len(row.honouring)),
            words(some(row.honouring, 8) or "none"),
            amount(len(row.ignoring)),
        ]
        for row in points
    ]
    return table("points-table", "Critical workloads that one domain's failure stops", columns, rows)


def _meetings(ctx: Context) -> Element:
    index = ctx.survey().facility.domain_index
    columns = (
        Column("Meeting point", "fake-redundancy"),
        Column("Kind"),
        Column("Domains", right=True),
        Column("Nodes", right=True),
        Column("Last resort"),
        Column("Which"),
    )
    rows = [
        [
            domain_name(each.domain, index[each.domain]),
            words(kind_name(each.kind)),
            amount(len(each.domains)),
            amount(len(each.nodes)),
            words("yes: a root" if each.last_resort else "no"),
            words(some((*each.domains, *each.nodes), 6)),
        ]
        for each in ctx.meetings
    ]
    return table("meeting-table", "Where feeds that look redundant meet", columns, rows)


def _demotions(ctx: Context, demoted: Sequence[FeedLoss]) -> Element:
    index = ctx.survey().facility.domain_index
    columns = (
        Column("Domain"),
        Column("Without"),
        Column("Load kW", "rated-feed-demotion", right=True),
        Column("Survivors rated kW", "rated-feed-demotion", right=True),
    )
    rows = [
        [
            domain_name(loss.domain, index[loss.domain]),
            domain_name(loss.lost_feed, index[loss.lost_feed]),
            amount(loss.draw_kw),
            amount(loss.rated_kw),
        ]
        for loss in demoted
    ]
    return table("demotion-table", "Domains that the loss of one feed demotes", columns, rows)
