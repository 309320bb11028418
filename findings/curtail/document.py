"""A shed plan as the document of `topo curtail --format json`: complete, null where unknown."""

from typing import Any, Final

from findings.caveats import self_reported
from findings.curtail.curtailment import Curtailment
from findings.curtail.limits import Excluded
from findings.curtail.pauses import Pause
from findings.curtail.plan import Plan
from findings.scenario_json import assumption_to_json
from findings.staleness import Staleness

SCHEMA_VERSION: Final = 1


def curtailment_to_json(result: Curtailment) -> dict[str, Any]:
    """Return the document."""
    ask = result.ask
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": result.estate.cluster,
        "unit": result.estate.unit,
        "load": result.load,
        "ask": {
            "kind": ask.kind,
            "amount": ask.amount,
            "under": ask.under,
            "withinMinutes": ask.within_minutes,
            "protectCritical": ask.protect_critical,
            "allowUnknown": ask.allow_unknown,
            "allowEarly": ask.allow_early,
        },
        "drawKw": result.draw_kw,
        "drawExact": result.draw_exact,
        "targetKw": result.target_kw,
        "feasible": result.feasible,
        "mostKw": result.most_kw,
        "shortfallKw": result.shortfall_kw,
        "binding": [
            {"constraint": each.constraint, "kw": each.kw, "enough": each.enough} for each in result.binding
        ],
        "smallestLift": None
        if result.smallest_lift is None
        else {"constraints": list(result.smallest_lift.constraints), "kw": result.smallest_lift.kw},
        "lessCritical": None
        if result.gentler is None
        else {
            "constraints": list(result.gentler.constraints),
            "criticalUnits": result.gentler.critical_units,
        },
        "underLost": None
        if result.gone is None
        else {"cause": result.gone.cause, "by": list(result.gone.by), "sources": list(result.gone.sources)},
        **plan_to_json(result.plan),
        "excluded": [excluded_to_json(each) for each in result.excluded],
        **ages_to_json(result.staleness),
        "assumptions": [assumption_to_json(each) for each in result.assumptions],
        "caveats": list(result.caveats),
    }


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """Return a plan: the pauses in order, the clock, the staircase, the harm and the proof."""
    return {
        "pauses": [pause_to_json(each, place) for place, each in enumerate(plan.pauses, 1)],
        "shedKw": plan.kw,
        "upperBound": plan.upper_bound,
        "timeToTargetMinutes": plan.time.expected_minutes,
        "timeToTargetWorstMinutes": plan.time.worst_minutes,
        "promise": {"kw": plan.kw, "minutes": plan.time.worst_minutes} if plan.promised else None,
        "staircase": [
            {"minutes": step.minutes, "expectedKw": step.expected_kw, "worstKw": step.worst_kw}
            for step in plan.staircase
        ],
        "untimedKw": plan.untimed_kw,
        "harm": {
            "criticalUnits": plan.critical_units,
            "unknownCriticality": plan.unknown_criticality,
            "usd": plan.usd.value,
            "unknownCount": plan.usd.unknown,
            "workloads": len(plan.pauses),
        },
        "optimality": [
            {"objective": each.name, "value": each.value, "bound": each.bound, "gap": each.gap}
            for each in plan.proofs
        ],
    }


def pause_to_json(pause: Pause, order: int) -> dict[str, Any]:
    """Return one order."""
    workload, restart = pause.workload, pause.restart
    return {
        "order": order,
        "workload": workload.id,
        "kind": workload.kind,
        "critical": workload.critical,
        "units": pause.units,
        "kw": pause.kw,
        "upperBound": pause.upper_bound,
        "kwUnknown": pause.kw_unknown,
        "mode": pause.mode,
        "drainExpectedMinutes": pause.drain.expected_minutes,
        "drainWorstMinutes": pause.drain.worst_minutes,
        "selfReported": self_reported(workload),
        "restartMinutes": None if restart is None else restart.minutes,
        "restartBasis": None if restart is None else restart.basis,
        "usd": pause.usd,
        "owner": workload.owner,
        "contact": workload.contact,
    }


def excluded_to_json(each: Excluded) -> dict[str, Any]:
    """Return a workload that is left alone, and why."""
    pause = each.pause
    return {
        "workload": pause.workload.id,
        "kw": pause.kw if pause.kw or not pause.kw_unknown else None,
        "drainWorstMinutes": pause.drain.worst_minutes,
        "reasons": list(each.reasons),
    }


def ages_to_json(ages: Staleness) -> dict[str, Any]:
    """Return how old the snapshot and the map are [h], and at which time."""
    return {
        "now": ages.now,
        "snapshotAgeHours": ages.snapshot.hours,
        "stale": ages.stale,
        "topologyFileAgeHours": ages.topology_file.hours,
    }
