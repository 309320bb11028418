"""Small estates written the way a file says them, for tests that quote an example."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from topology.load import load_estate_text
from topology.model import Estate


def estate_of(
    domains: Mapping[str, Any],
    nodes: Mapping[str, Any],
    *,
    workloads: Sequence[Mapping[str, Any]] = (),
    **estate: Any,
) -> Estate:
    """Load an estate of `domains` and `nodes` (id -> its keys), at 1 kW per unit unless said otherwise."""
    document = {
        "schemaVersion": 1,
        "cluster": "lab",
        "unit": "gpu",
        "snapshotAt": "2026-11-30T12:00:00Z",
        "wattsPerUnitKw": 1,
        "nodes": [{"id": name, **keys} for name, keys in nodes.items()],
        "domains": domains,
        "workloads": workloads,
        **estate,
    }
    result = load_estate_text(json.dumps(document), "estate.json")
    assert result.estate is not None, [str(diagnostic) for diagnostic in result.diagnostics]
    return result.estate


def on(pdu: str | Sequence[str], units: float = 1, **keys: Any) -> dict[str, Any]:
    """A node with `units` allocated that stands on a PDU, or on a list of them."""
    return {"allocated": units, "domains": {"pdu": pdu}, **keys}
