"""A rescue as the document of `topo rescue --format json`: complete, null where unknown."""

from typing import Any

from findings.curtail.document import SCHEMA_VERSION, ages_to_json, excluded_to_json, plan_to_json
from findings.maintenance.document import doubt_to_json
from findings.rescue.case import Relief, Rerun
from findings.rescue.partial import Partial
from findings.rescue.plan import Rescue
from findings.scenario_json import assumption_to_json


def rescue_to_json(result: Rescue) -> dict[str, Any]:
    """Return the document."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": result.estate.cluster,
        "unit": result.estate.unit,
        "load": result.load,
        "failed": list(result.failed),
        "verdict": result.verdict,
        "unknown": [doubt_to_json(each) for each in result.doubts],
        "overloads": [_relief(each) for each in result.reliefs],
        **plan_to_json(result.plan),
        "excluded": [excluded_to_json(each) for each in result.excluded],
        **ages_to_json(result.staleness),
        "without": _rerun(result.before),
        "rerun": _rerun(result.after),
        "partial": None if result.partial is None else _partial(result.partial),
        "assumptions": [assumption_to_json(each) for each in result.assumptions],
        "caveats": list(result.caveats),
    }


def _relief(each: Relief) -> dict[str, Any]:
    over = each.over
    return {
        "id": over.id,
        "by": over.by,
        "loadKw": over.load_kw,
        "ratedKw": over.rated_kw,
        "percent": over.percent,
        "excessKw": over.excess_kw,
        "exact": over.exact,
        "survivors": list(over.survivors),
        "carrySeconds": over.carry_seconds,
        "sheddableInTimeKw": each.in_time_kw,
        "sheddableKw": each.at_all_kw,
        "capBeforeKw": each.cap_before_kw,
    }


def _partial(each: Partial) -> dict[str, Any]:
    return {
        **plan_to_json(each.plan),
        "relieved": list(each.relieved),
        "stuck": list(each.stuck),
        "inTime": each.in_time,
        "rerun": _rerun(each.after),
    }


def _rerun(each: Rerun) -> dict[str, Any]:
    return {
        "tripped": list(each.tripped),
        "demoted": list(each.demoted),
        "lostNodes": each.nodes,
        "lostUnits": each.units,
    }
