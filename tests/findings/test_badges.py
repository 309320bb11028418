"""What lowers a badge is counted as `unknownCount` counts it, by one rule (methodology: Confidence)."""

from typing import Any

import pytest

from findings.confidence import badge
from findings.context import Context
from findings.finding import Finding
from findings.registry import find
from findings.term import Basis, term
from tests.findings.small import NOW, estate_of_json, node
from topology.model import Estate


def finding(estate: Estate, name: str) -> Finding:
    found = find(Context(estate, NOW), name)
    assert found is not None
    return found


def test_a_workload_without_units_drains_nothing() -> None:
    jobs: list[dict[str, Any]] = [
        {"id": "gone", "kind": "training", "placements": {}},
        {"id": "runs", "kind": "batch", "placements": {"a": 4}},
    ]
    found = finding(estate_of_json([node("a", allocated=8)], workloads=jobs), "drain-latency")
    assert (found.value, found.unknown) == (1, 0)
    assert found.root.parts()[0].count() == 1


@pytest.mark.parametrize(("busy", "unknown", "level"), [(9, 1, "Med"), (0, 0, "High")])
def test_only_an_hour_that_could_collide_is_an_unknown_term(busy: int, unknown: int, level: str) -> None:
    loops = [{"id": "x", "hourlyActions": [busy] * 24}, {"id": "y", "hourlyActions": [None, *[0] * 23]}]
    found = finding(estate_of_json([node("a")], loops=loops), "control-loop-collision")
    assert (found.value, found.unknown, found.badge.level) == (0, unknown, level)


def test_the_idle_badge_counts_every_unknown_term() -> None:
    measured = {"utilizationBasis": "dcgm", "utilizationWindowHours": 48}
    nodes = [
        node("a", allocated=8, utilization=0.05, pricePerUnitHour=2, **measured),
        node("b", allocated=8, utilization=0.05, **measured),
        node("c", allocated=8),
    ]
    found = finding(estate_of_json(nodes), "idle-allocation")
    assert (found.unknown, found.badge.signal) == (2, "unknown terms (2)")


def test_a_missing_count_is_med_for_one_lemon_and_for_all() -> None:
    estate = estate_of_json([node("a", eccErrors90d=50, xidEvents90d=None), node("b", xidEvents90d=None)])
    for name in ("lemon-score", "lemon-score/a"):
        assert finding(estate, name).badge.level == "Med"


def test_a_race_that_nothing_races_rests_on_no_annotation() -> None:
    nodes = [node("a", allocated=8, domains={"cooling": "cdu", "pdu": "p"})]
    domains = {
        "p": {"kind": "power"},
        "cdu": {"kind": "cooling", "parent": "p", "rideThroughMinutes": 5, "status": "out"},
    }
    jobs = [{"id": "t", "kind": "training", "checkpointMinutes": 10, "placements": {"a": 8}}]
    estate = estate_of_json(nodes, {**domains, "p": {"kind": "power", "status": "out"}}, workloads=jobs)
    found = finding(estate, "thermal-race/cdu")
    assert (found.value, found.root.basis, found.badge.level) == ("already-lost", "declared", "High")


@pytest.mark.parametrize("basis", ["annotated", "command line", "estimated", "assumed"])
def test_an_input_that_is_no_record_is_med_and_named(basis: Basis) -> None:
    """Spec 5, confidence: lowered by the signal that is not the cluster's or the operator's own record."""
    found = badge([term("a", 1, ""), term("b", 2, "", basis)])
    assert (found.level, found.signal) == ("Med", f"b ({basis})")
