"""Small files and short ways to load them, for the tests of loading."""

from __future__ import annotations

import copy
import json
from typing import Any

from topology.diagnostics import Diagnostic
from topology.load import load_estate_text, load_topology_text
from topology.model import Estate, Topology

ESTATE: dict[str, Any] = {
    "schemaVersion": 1,
    "cluster": "lab-1",
    "unit": "gpu",
    "snapshotAt": "2026-11-30T12:00:00Z",
    "nodes": [
        {"id": "n1", "installed": 8, "allocated": 6, "domains": {"rack": "r1", "pdu": ["p1", "p2"]}},
        {"id": "n2", "allocated": 2},
    ],
    "workloads": [{"id": "w1", "kind": "training", "placements": {"n1": 6}}],
}
"""A small estate that is valid."""


def estate_file(**changes: Any) -> dict[str, Any]:
    """Return a copy of `ESTATE` with other values at the top."""
    return {**copy.deepcopy(ESTATE), **changes}


def topology(text: str | bytes, path: str = "topology.yaml") -> Topology:
    """Load a topology that must be valid."""
    result = load_topology_text(text, path)
    assert result.value is not None, result.diagnostics
    return result.value


def estate(raw: dict[str, Any]) -> Estate:
    """Load an estate that must be valid."""
    result = load_estate_text(json.dumps(raw), "estate.json")
    assert result.value is not None, result.diagnostics
    return result.value


def faults(text: str | bytes, path: str = "topology.yaml") -> tuple[Diagnostic, ...]:
    """Return the errors of a topology file that must be invalid."""
    return _errors(load_topology_text(text, path))


def estate_faults(raw: dict[str, Any] | str | bytes) -> tuple[Diagnostic, ...]:
    """Return the errors of an estate file that must be invalid; a mapping is written with one key a line."""
    text = json.dumps(raw, indent=1) if isinstance(raw, dict) else raw
    return _errors(load_estate_text(text, "estate.json"))


def _errors(result: Any) -> tuple[Diagnostic, ...]:
    assert result.value is None
    found = tuple(each for each in result.diagnostics if each.severity == "error")
    assert found
    assert all(each.hint for each in found)
    return found


def only(found: tuple[Diagnostic, ...]) -> Diagnostic:
    """Return the one diagnostic."""
    (diagnostic,) = found
    return diagnostic
