"""The document of `topo cutsets --format json`: complete, deterministic, null where unknown."""

from typing import Any, Final

from findings.assumptions import assumptions
from findings.cutsets.analysis import CutRow, CutSets
from findings.cutsets.figures import figure_to_json, figures, unavailability_how
from findings.cutsets.importance import Importance
from findings.cutsets.targets import Target
from findings.scenario_json import assumption_to_json

SCHEMA_VERSION: Final = 1


def cut_sets_to_json(result: CutSets, caveats: tuple[str, ...]) -> dict[str, Any]:
    """Return the document."""
    bare = result.estate.bare
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": None if bare else result.estate.cluster,
        "unit": None if bare else result.estate.unit,
        "load": result.load,
        "order": result.order,
        "target": _target(result.target),
        "alreadyDown": result.already_down,
        "baseline": {"domains": list(result.out)},
        "counts": list(result.counts),
        "cutSets": [_row(row) for row in result.rows],
        "strict": {"alreadyDown": result.strict_down, "singlesOnly": list(result.strict_only)},
        "method": result.top.method,
        "unknownSets": result.top.unknown,
        "unpricedSets": result.expected.unpriced,
        "figures": [figure_to_json(figure) for figure in figures(result)],
        "importance": [_importance(result, row) for row in result.top.importances],
        "assumptions": [assumption_to_json(each) for each in assumptions(result.estate)],
        "caveats": list(caveats),
    }


def _target(target: Target) -> dict[str, Any]:
    return {
        "name": target.name,
        "kind": target.kind,
        "id": target.id,
        "definition": target.definition,
        "threshold": target.threshold,
        "total": target.total,
        "of": target.things,
    }


def _row(row: CutRow) -> dict[str, Any]:
    blast, strict = row.blast, row.strict
    return {
        "domains": list(row.domains),
        "probability": row.probability,
        "frequencyPerYear": row.downs_per_year,
        "blast": blast
        and {
            "nodes": blast.nodes,
            "units": blast.units,
            "criticalUnits": blast.critical_units,
            "progressAtRiskUsd": blast.usd,
            "gangUsd": blast.gang_usd,
            "unpricedWorkloads": blast.unpriced_workloads,
            "progressUnknownCount": blast.unknown,
            "gangUnknownCount": blast.gang_unknown,
        },
        "strict": strict and {"down": strict.down, "fewer": [list(part) for part in strict.fewer]},
    }


def _importance(result: CutSets, row: Importance) -> dict[str, Any]:
    rate = result.rates[row.domain]
    known = row.birnbaum is not None and rate.downs_per_year is not None
    return {
        "domain": row.domain,
        "kind": result.estate.domains[row.domain].kind,
        "cutSets": list(row.orders) + [0] * (result.order - len(row.orders)),
        "failuresPerYear": rate.failures_per_year,
        "repairHours": rate.repair_hours,
        "unavailability": rate.unavailability,
        "how": unavailability_how(rate.failures_per_year, rate.repair_hours),
        "birnbaum": row.birnbaum,
        "criticality": row.criticality,
        "diagnosis": row.diagnosis,
        "fussellVesely": row.fussell_vesely,
        "riskAchievementWorth": row.achievement_worth,
        "riskReductionWorth": row.reduction_worth,
        "frequencyPerYear": (row.birnbaum or 0.0) * (rate.downs_per_year or 0.0) if known else None,
    }
