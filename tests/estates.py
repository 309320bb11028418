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


def figure_5() -> Estate:
    """White paper 75, figure 5: three UPS and switches; loads 1, 3, 5 single-corded, 2, 4, 6 dual-corded."""
    domains: dict[str, dict[str, Any]] = {f"u{i}": {"kind": "ups"} for i in (1, 2, 3)}
    for number, sources in (("1", ["u1", "u2"]), ("2", ["u3", "u1"]), ("3", ["u2", "u3"])):
        domains[f"sts{number}"] = {"kind": "ats", "feeds": sources, "transfer": "preferred"}
        domains[f"pdu{number}"] = {"kind": "power", "parent": f"sts{number}"}
    loads = {
        "load1": on("pdu1"),
        "load2": on(["pdu1", "pdu2"]),
        "load3": on("pdu2"),
        "load4": on(["pdu2", "pdu3"]),
        "load5": on("pdu3"),
        "load6": on(["pdu3", "pdu1"]),
    }
    return estate_of(domains, loads)
