"""What runs against a clock: progress at risk, thermal races, drains of a curtailment."""

from collections.abc import Sequence

from findings.caveats import cadence_caveats, unlisted_caveats
from findings.context import Context
from findings.drain import Drain, drain, time_to_target
from findings.race import NOTHING_RACES, Race
from findings.traced.blast import progress_findings
from topo.report.failures import Failure
from topo.report.html import Element, el
from topo.report.parts import (
    Cell,
    Column,
    amount,
    clock,
    dollars,
    domain_name,
    linked,
    name,
    notes,
    section,
    table,
    words,
)
from topo.text.words import count, minutes, number, usd
from topology.model import Number, Workload
from topology.notes import SELF_REPORTED_NOTE

_PROGRESS = "progress-at-risk"


def progress(ctx: Context, ranked: Sequence[Failure]) -> Element:
    """Return the dollars at risk, by domain."""
    known = [one for one in ranked if one.closure.usd or one.strict.usd or one.closure.unknown]
    rows = [
        [
            domain_name(one.id, one.domain),
            dollars(one.closure.usd, unsaid=one.closure.unknown > 0),
            dollars(one.closure.gang_usd, unsaid=one.closure.gang_unknown > 0),
            dollars(one.strict.usd, unsaid=one.strict.unknown > 0),
            amount(one.closure.unpriced_workloads),
        ]
        for one in sorted(known, key=lambda one: (-(one.leading.usd or 0), one.id))
    ]
    columns = (
        Column("Domain"),
        Column("Standing in the blast", _PROGRESS, right=True),
        Column("Whole gangs", "gang-amplification", right=True),
        Column("Standing, strict check", _PROGRESS, right=True),
        Column("Workloads not priced", _PROGRESS, right=True),
    )
    worst = next(progress_findings(ctx), None)
    return section(
        "progress",
        "Progress at risk",
        None if worst is None else _restarts(ctx, worst.root.basis),
        table("progress-table", "If a domain alone fails", columns, rows),
        notes((SELF_REPORTED_NOTE,) if worst is None else worst.caveats),
        lead="Training that stands in a blast loses half a checkpoint interval on average, and its restart. "
        "Unknown is where a cadence or a price is missing and nothing else is known.",
    )


def _restarts(ctx: Context, basis: str) -> Element:
    price = ctx.estate.price_per_unit_hour
    return el(
        "p",
        {"class": "note"},
        f"Priced at {usd(price)} per unit-hour where a node has no price of its own. "
        f"The weakest input of the worst figure is {basis}.",
    )


def races(ctx: Context) -> Element:
    """Return one race per cooling domain, for its own failure."""
    index = ctx.survey().facility.domain_index
    order = ("not-checkpointable", "unknown", "tight", "checkpointable", "already-lost", "no-training")
    found = sorted(ctx.races, key=lambda race: (order.index(race.verdict), race.domain))
    rows = [
        [
            domain_name(race.domain, index[race.domain]),
            words(race.verdict),
            clock(race.ride_through_minutes),
            _drain(race, race.drain_expected_minutes),
            _drain(race, race.drain_worst_minutes),
            amount(len(race.racing)),
        ]
        for race in found
    ]
    columns = (
        Column("Cooling domain"),
        Column("Verdict", "thermal-race"),
        Column("Ride-through", "thermal-race", right=True),
        Column("Drain, expected", "drain-latency", right=True),
        Column("Drain, worst", "drain-latency", right=True),
        Column("Training racing", right=True),
    )
    said = ", ".join(
        f"{number(amount_)} {word}"
        for word in order
        if (amount_ := sum(race.verdict == word for race in found))
    )
    racing = {workload for race in found for workload in race.racing}
    caveats = cadence_caveats([ctx.index.workloads[each] for each in sorted(racing)], 0)
    return section(
        "races",
        "Thermal races",
        el("p", {"class": "headline small"}, f"{said}." if said else "No cooling domain."),
        table("race-table", "Each cooling domain, as if it alone failed", columns, rows) if rows else None,
        notes(caveats),
        lead="Can the training behind a dying loop write its checkpoint before the ride-through runs out?",
    )


def _drain(race: Race, value: Number | None) -> Cell:
    """Where nothing races there is nothing to drain: that is not unknown."""
    return Cell("–", None) if race.verdict in NOTHING_RACES else clock(value)


def curtailment(ctx: Context) -> Element:
    """Return how long each workload with units takes from the pause order to power shed."""
    pairs = [(workload, drain(workload)) for workload in ctx.index.running]
    # What runs on units of which nobody lists a workload cannot be timed.
    slowest = time_to_target([*(each for _, each in pairs), *(Drain(None, None) for _ in ctx.index.unlisted)])
    unknowable = sum(each.worst_minutes is None for _, each in pairs)
    pairs.sort(key=lambda pair: (_slowest_first(pair[1].worst_minutes), pair[0].id))
    rows = [_drain_row(workload, each) for workload, each in pairs]
    columns = (
        Column("Workload"),
        Column("Kind"),
        Column("Critical", "criticality"),
        Column("Expected", "drain-latency", right=True),
        Column("Worst", "drain-latency", right=True),
    )
    expected = linked(minutes(slowest.expected_minutes), slowest.expected_minutes, "drain-latency")
    worst = linked(minutes(slowest.worst_minutes), slowest.worst_minutes, "drain-latency")
    return section(
        "curtailment",
        "Curtailment: drain latency",
        el(
            "p",
            {"class": "headline small"},
            "Ordered in parallel, everything has drained after ",
            expected,
            " expected, ",
            worst,
            f" at worst; {count(unknowable, 'workload')} cannot be timed.",
        ),
        table("drain-table", "From the pause order to power shed", columns, rows) if rows else None,
        el(
            "p",
            {"class": "note"},
            "Which workloads to pause for a given shed, and in which order, is asked with ",
            el("code", {}, "topo curtail FILE --shed-kw KW"),
            ".",
        ),
        notes([*cadence_caveats(ctx.index.running, unknowable), *unlisted_caveats(ctx.index)]),
        lead="A pause is not a shed. Promise the worst case: a curtailment is a deadline.",
    )


def _drain_row(workload: Workload, latency: Drain) -> list[Cell]:
    return [
        name(workload.id),
        words(workload.kind),
        words(_critical(workload)),
        clock(latency.expected_minutes),
        clock(latency.worst_minutes),
    ]


def _slowest_first(worst: Number | None) -> tuple[bool, Number]:
    return (worst is not None, -(worst or 0))


def _critical(workload: Workload) -> str | None:
    flag = workload.critical
    return None if flag is None else ("critical" if flag else "no")
