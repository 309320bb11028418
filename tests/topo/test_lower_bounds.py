"""A figure of which some terms are unknown never reads as the whole: `at least`, and `>=` in tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.findings.small import NOW, node
from tests.topo.command import topo
from topo.text.words import known, known_cell, narrow_usd_cell, usd

JOBS: list[dict[str, Any]] = [
    {"id": "priced", "kind": "training", "critical": True, "checkpointMinutes": 10, "placements": {"a": 2}},
    {"id": "unpriced", "kind": "training", "placements": {"a": 4}},
]


@pytest.fixture
def estate(tmp_path: Path) -> str:
    """Rack r: a job that is priced and says it is critical, one that is neither; an idle lemon elsewhere."""
    nodes = [
        node("a", allocated=8, domains={"rack": "r"}),
        node("b", allocated=8, utilization=0.05, utilizationBasis="dcgm", eccErrors90d=50, xidEvents90d=None),
        node("c", jobFailures90d=None, domains={"rack": "r"}),
        node("d", ready=False),
    ]
    document = {
        "schemaVersion": 1,
        "cluster": "c",
        "unit": "gpu",
        "snapshotAt": NOW,
        "pricePerUnitHour": 2,
        "nodes": nodes,
        "domains": {"r": {"kind": "rack"}},
        "workloads": JOBS,
    }
    path = tmp_path / "estate.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def page(command: str, *arguments: str) -> str:
    return " ".join(topo(command, *arguments, "--now", NOW).out.split())


def test_one_way_to_mark_a_figure() -> None:
    assert known(5.5, unsaid=True, write=usd) == "at least $5.50"
    assert known_cell(5.5, unsaid=True, write=usd) == ">= $5.50"
    assert known_cell(5.5, unsaid=False, write=usd) == "$5.50"
    assert known_cell(None, unsaid=True, write=usd) == "unknown"
    assert narrow_usd_cell(5.5, unsaid=True) == ">= $5"
    assert narrow_usd_cell(5.5, unsaid=False) == "$5.50"


def test_whatif_prices_at_least(estate: str) -> None:
    assert "At least $6.33 for the GPUs standing in the blast; at least $6.33" in page(
        "whatif", "--fail", "r", estate
    )


def test_sweep_marks_the_dollars_of_gangs(estate: str) -> None:
    assert ">= 2 100 % >= $6 both" in page("sweep", estate)


def test_findings(estate: str) -> None:
    shown = page("findings", estate)
    assert "Idle allocation: at least $11,520.00 a month. Lemon nodes: at least 1." in shown
    assert "c >= 8 >= $6,336.00" in shown  # recoverable
    assert "r >= $6.33 >= $6.33 1 same" in shown  # progress at risk
    for row in ("lemon-score >= 1 nodes", "criticality >= 2 gpu", "idle-allocation >= 11,520 USD"):
        assert row in shown
    assert "of the safe 8 on nodes that cannot be scheduled now" in shown


def test_explain(estate: str) -> None:
    assert "lemon score = 50 × 1 + 0 × 8 = at least 50 points" in page("explain", "lemon-score/b", estate)
    shown = page("explain", "critical-share/r", estate)
    assert "critical units in the blast: at least 2 (sum of 3) GPUs" in shown
    assert "unpriced (does not say): unknown" in shown
    assert "a (units that no workload claims): unknown" in shown


def test_what_may_be_training_is_said_beside_the_dollars(tmp_path: Path) -> None:
    """docs/methodology.md: "What may be training and nobody knows"."""
    jobs = [
        {"id": "known", "kind": "training", "checkpointMinutes": 10, "placements": {"a": 2}},
        {"id": "kindless", "kind": "unknown", "placements": {"b": 2}},
    ]
    document = {
        "schemaVersion": 1,
        "cluster": "c",
        "unit": "gpu",
        "snapshotAt": NOW,
        "pricePerUnitHour": 2,
        "nodes": [node(name, allocated=2, domains={"rack": f"r{name}"}) for name in "abc"],
        "domains": {
            **{f"r{name}": {"kind": "rack", "parent": "p"} for name in "abc"},
            "p": {"kind": "power"},
        },
        "workloads": jobs,
    }
    path = tmp_path / "estate.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    said = page("whatif", "--fail", "p", str(path))
    assert "At least $6.33 for the GPUs standing in the blast" in said
    unknown = "1 workload of unknown kind and 1 node with GPUs that no workload claims"
    assert f"Nobody knows whether training runs there: {unknown}." in said
    assert "At least $0.00 for the GPUs standing in the blast" in page("whatif", "--fail", "rb", str(path))
    assert all(">= $0.00" in line for line in page("sweep", str(path)).split("\n") if "$0.00" in line)
