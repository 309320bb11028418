"""Whole documents of the row of three racks (docs/authoring.md), every key and word, as they were reviewed.

With TOPO_REGENERATE=1 in the environment this test writes them anew. Read the difference before you keep it.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from closure.compiled import Facility, compile_facility
from findings.difference.compare import compare
from findings.difference.document import difference_to_json
from findings.document import findings_document
from findings.maintenance.document import maintenance_to_json
from findings.maintenance.plan import plan_maintenance
from findings.rescue.document import rescue_to_json
from findings.rescue.plan import plan_rescue
from findings.scenario import whatif, whatif_to_json
from topology.apply import apply_topology
from topology.load import load_text
from topology.model import Estate

ROOT = Path(__file__).resolve().parents[2]
ROW = ROOT / "examples" / "authoring"
GOLDEN = Path(__file__).parent / "golden"
NOW = "2026-12-01T12:00:00Z"


def estate(map_name: str) -> Estate:
    found = load_text((ROW / "estate.json").read_bytes(), "estate.json").estate
    facility_map = load_text((ROW / map_name).read_bytes(), map_name).topology
    assert found is not None
    assert facility_map is not None
    nodes = tuple(
        replace(node, ecc_errors_90d=50) if node.id == "gpu-01" else replace(node, utilization=0.05)
        if node.id == "gpu-02" else node
        for node in found.nodes
    )  # fmt: skip
    return apply_topology(replace(found, nodes=nodes), facility_map)


def row() -> Facility:
    return compile_facility(estate("topology.yaml"))


DOCUMENTS: dict[str, Callable[[], dict[str, Any]]] = {
    "findings": lambda: findings_document(estate("topology.yaml"), now=NOW),
    "findings-walked": lambda: findings_document(estate("drafts/3-walked.yaml"), now=NOW, load="installed"),
    "whatif": lambda: whatif_to_json(whatif(row(), ["ups-a"])),
    "whatif-two": lambda: whatif_to_json(whatif(row(), ["rack-1", "cdu-1"])),
    "rescue": lambda: rescue_to_json(plan_rescue(row(), ["ups-a"], now=NOW)),
    "maintenance": lambda: maintenance_to_json(plan_maintenance(row(), ["pdu-a"], now=NOW)),
    "difference": lambda: difference_to_json(
        compare(compile_facility(estate("drafts/3-walked.yaml")), row())
    ),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_is_as_it_was_reviewed(name: str) -> None:
    path = GOLDEN / f"{name}.json"
    made = json.dumps(DOCUMENTS[name](), indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("TOPO_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(made, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == made
