"""Small estates, written as the collector writes them."""

import json
from typing import Any, Final

from topology.load import load_estate_text
from topology.model import Estate

NOW: Final = "2026-12-01T12:00:00Z"


def node(node_id: str, **fields: Any) -> dict[str, Any]:
    """A healthy node of eight units with a known history, none of them allocated unless `fields` say so."""
    history = {"eccErrors90d": 0, "jobFailures90d": 0, "xidEvents90d": 0}
    health = {"unhealthy": 0, "ready": True, "schedulable": True}
    return {"id": node_id, "allocated": 0, "installed": 8, **history, **health, **fields}


def estate_of_json(
    nodes: list[dict[str, Any]], domains: dict[str, Any] | None = None, **fields: Any
) -> Estate:
    """The estate of these nodes, loaded."""
    document = {
        "schemaVersion": 1,
        "cluster": "c",
        "unit": "gpu",
        "snapshotAt": "2026-12-01T00:00:00Z",
        "nodes": nodes,
        "domains": domains or {},
        **fields,
    }
    result = load_estate_text(json.dumps(document), "estate.json")
    assert result.estate is not None, [str(diagnostic) for diagnostic in result.diagnostics]
    return result.estate
