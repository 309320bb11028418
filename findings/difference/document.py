"""What changed between two estates as a document: complete, null where unknown."""

from typing import Any, Final

from findings.difference.compare import Change, Difference, Membership
from findings.difference.figures import Loss
from findings.difference.wiring import Rewiring, Value
from topology.model import Standing

SCHEMA_VERSION: Final = 1


def difference_to_json(result: Difference) -> dict[str, Any]:
    """Return the document of `topo diff --format json`."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "load": result.load,
        "verdict": result.verdict,
        "worse": result.worse,
        "counts": {
            "worse": result.count("worse"),
            "unknown": result.count("unknown"),
            "better": result.count("better"),
            "fewer": result.count("fewer"),
            "changed": result.count("changed"),
        },
        "worstLoss": {"old": _loss(result.worst_old), "new": _loss(result.worst_new)},
        "added": _membership(result.added),
        "removed": _membership(result.removed),
        "forgottenStandings": [{"node": each.node, "axis": each.axis} for each in result.standings],
        "changes": [_change(change) for change in result.changes],
        "wiring": [_rewiring(each) for each in result.wiring],
        "caveats": list(result.caveats),
    }


def _loss(loss: Loss | None) -> dict[str, Any] | None:
    if loss is None:
        return None
    return {
        "id": loss.id,
        "nodes": loss.nodes,
        "units": loss.units,
        "criticalUnits": loss.critical_units,
    }


def _membership(each: Membership) -> dict[str, Any]:
    return {"domains": list(each.domains), "nodes": list(each.nodes)}


def _change(change: Change) -> dict[str, Any]:
    key = change.key
    return {
        "topic": key.topic,
        "type": key.type,
        "id": key.id or None,
        "workload": key.about,
        "field": key.field,
        "old": change.old,
        "new": change.new,
        "direction": change.direction,
        "wasBound": change.was_bound,
    }


def _rewiring(each: Rewiring) -> dict[str, Any]:
    return {
        "type": each.type,
        "ids": list(each.ids),
        "field": each.field,
        "axis": each.axis,
        "old": _value(each.old),
        "new": _value(each.new),
    }


def _value(value: Value) -> Any:
    if isinstance(value, Standing):
        return {"mode": value.mode, "ids": list(value.ids)}
    return list(value) if isinstance(value, tuple) else value
