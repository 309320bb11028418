"""What must be said beside a shed plan."""

from collections.abc import Iterator

from closure.compiled import Facility
from findings.caveats import (
    LOWER_BOUND_CAVEAT,
    distinct,
    estate_caveats,
    self_reported,
    staleness_caveats,
)
from findings.curtail.plan import Plan
from findings.index import EstateIndex
from findings.staleness import Staleness
from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

UPPER_BOUND_CAVEAT = (
    "What a paused unit still draws is unknown (idleKwPerUnit): the shed is an upper bound, not a promise."
)
PRICE_CAVEAT = (
    "The price counts training alone: the restart of each paused job, and half a checkpoint interval where "
    "it is ordered off before its checkpoint. What a paused service or batch job costs is not priced."
)
YESTERDAY_CAVEAT = (
    "A shed plan computed from yesterday's estate is a plan for yesterday's estate: collect again first."
)


def age_caveats(ages: Staleness) -> Iterator[str]:
    """Yield the warning about an old snapshot: it leads, for a plan is acted upon."""
    yield from staleness_caveats(ages.snapshot, snapshot=True)
    if ages.stale:
        yield YESTERDAY_CAVEAT


def plan_caveats(index: EstateIndex, facility: Facility, plan: Plan) -> Iterator[str]:
    """Yield what the kW, the clock, the flags and the dollars of a plan rest on."""
    yield from estate_caveats(index)
    if not facility.kw_known:
        yield LOWER_BOUND_CAVEAT
    if plan.upper_bound:
        yield UPPER_BOUND_CAVEAT
    if any(self_reported(pause.workload) for pause in plan.pauses):
        yield SELF_REPORTED_NOTE
    if plan.untimed_kw:
        yield (
            "Workloads in the plan that cannot be timed: "
            f"{sum(pause.drain.worst_minutes is None for pause in plan.pauses):,}. "
            "A shed you cannot time is a shed you cannot promise."
        )
    if plan.pauses:
        yield CRITICALITY_CAVEAT
        yield PRICE_CAVEAT
    if plan.unknown_criticality:
        yield (
            "Paused workloads that do not say whether they are critical: "
            f"{plan.unknown_criticality:,}. They are missing from the critical units, not uncritical."
        )
    if plan.usd.unknown:
        yield (
            f"Paused workloads without a known price: {plan.usd.unknown:,}. Missing from the dollars; any "
            "known price was preferred to an unknown one."
        )


def curtailment_caveats(
    index: EstateIndex, facility: Facility, plan: Plan, ages: Staleness, *, draw_exact: bool
) -> tuple[str, ...]:
    """Return the caveats of a curtailment, the warning about old data first."""
    why = (
        "Nodes that do not say what they hang from may draw there"
        if facility.kw_known
        else "Nodes of unknown kW stand there"
    )
    blind = f"{why}: what is drawn is a lower bound, and a share or a level of it cannot be decided."
    said = () if draw_exact else (blind,)
    return distinct((*age_caveats(ages), *said, *plan_caveats(index, facility, plan)))
