"""Headroom as the document of `topo headroom --format json`: complete, null where unknown."""

from typing import Any

from findings.curtail.document import SCHEMA_VERSION
from findings.headroom.cooling import Cooling
from findings.headroom.rooms import HeadroomReport, Room
from findings.scenario_json import assumption_to_json


def headroom_to_json(report: HeadroomReport) -> dict[str, Any]:
    """Return the document."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": report.estate.cluster,
        "unit": report.estate.unit,
        "load": report.load,
        "under": report.under,
        "kinds": list(report.kinds),
        "domains": [_room(room) for room in report.rooms],
        "outOfService": [
            {"id": loss.id, "cause": loss.cause, "by": list(loss.by)} for loss in report.out_of_service
        ],
        "blind": [{"id": each.id, "domains": each.domains} for each in report.blind],
        "assumptions": [assumption_to_json(each) for each in report.assumptions],
        "caveats": list(report.caveats),
    }


def _room(room: Room) -> dict[str, Any]:
    limit = room.limit
    return {
        "id": room.domain,
        "kind": room.kind,
        "ratedKw": room.rated_kw,
        "flowKw": room.flow_kw,
        "freeKw": room.free_kw,
        "headroomKw": room.headroom_kw,
        "headroomUnits": room.units,
        "strandedKw": room.stranded_kw,
        "limitedBy": {
            "failed": room.limiting_failure,
            "domain": room.limited_by,
            "loadKw": room.limit_load_kw,
            "ratedKw": limit.rated_kw,
            "share": limit.share,
            "demoted": limit.demoted,
        },
        "exact": room.exact,
        "unrated": list(room.unrated),
        "usableKw": room.usable_kw,
        "usableUnits": room.usable_units,
        "cooling": None if room.cooling is None else _cooling(room.cooling),
    }


def _cooling(cooling: Cooling) -> dict[str, Any]:
    return {
        "domains": list(cooling.domains),
        "mode": cooling.mode,
        "headroomKw": cooling.headroom_kw,
        "limitedBy": cooling.limited_by,
        "failed": cooling.limiting_failure,
        "exact": cooling.exact,
        "unrated": list(cooling.unrated),
    }
