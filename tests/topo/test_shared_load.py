"""A hall whose idle standby is demoted on a load that its twin shares: what every page says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.topo.command import topo

DOMAINS: dict[str, dict[str, Any]] = {
    "util": {"kind": "utility"},
    "gen": {"kind": "generator", "ratedKw": 150},
    "xf-a": {"kind": "transformer", "parent": "util", "ratedKw": 100},
    "xf-b": {"kind": "transformer", "parent": "util", "ratedKw": 100},
    "ats-a": {"kind": "ats", "feeds": ["xf-a", "gen"], "transfer": "preferred", "ratedKw": 100},
    "ats-b": {"kind": "ats", "feeds": ["xf-b", "gen"], "transfer": "preferred", "ratedKw": 100},
    "extra": {"kind": "power", "parent": "ats-a", "loadKw": 80},
    "rack": {"kind": "rack", "feeds": ["ats-a", "ats-b"], "ratedKw": 60},
    "lone": {"kind": "rack", "parent": "ats-a", "ratedKw": 60},
}
JOBS: list[dict[str, Any]] = [
    {"id": "big", "critical": True, "checkpointMinutes": 30, "placements": {"n1": 20}},
    {"id": "slow", "critical": False, "checkpointMinutes": 30, "placements": {"n1": 4}},
    {"id": "quick", "critical": True, "checkpointMinutes": 1, "placements": {"n2": 4}},
]


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    nodes = [
        {"id": name, "allocated": units, "installed": units, "domains": {"rack": rack}}
        for name, units, rack in (("n1", 24, "rack"), ("n2", 4, "lone"))
    ]
    estate = {
        "schemaVersion": 1,
        "cluster": "hall",
        "unit": "gpu",
        "wattsPerUnitKw": 1,
        "idleKwPerUnit": 0,
        "snapshotAt": "2026-12-01T12:00:00Z",
        "nodes": nodes,
        "domains": DOMAINS,
        "workloads": [{"kind": "training", **job} for job in JOBS],
    }
    path = tmp_path / "estate.json"
    path.write_text(json.dumps(estate), encoding="utf-8")
    return path


def page(*words: str | Path, code: int = 0) -> str:
    done = topo(*words, "--now", "2026-12-01T12:30:00Z")
    assert (done.code, done.err) == (code, "")
    assert "\n\n\n" not in done.out
    assert "READ WITH CARE\n\n" not in done.out
    assert not done.out.endswith("READ WITH CARE\n")
    return " ".join(done.out.split())


def test_a_demotion_on_a_shared_load_says_that_it_is_the_worst_case(hall: Path) -> None:
    """ats-a: 80 + 4 + 24 = 108 kW of 100 if it alone carried everything, 96 shared with ats-b."""
    said = page("whatif", "--fail", "gen", hall)
    assert "by the closure's worst case" in said
    assert "It has ats-a carrying 96 kW." in said
    assert "if it alone carried everything" in said


def test_what_fills_it_is_what_carries_something_now(hall: Path) -> None:
    found = json.loads(topo("headroom", hall, "--format", "json").out)
    room = next(each for each in found["domains"] if each["id"] == "ats-a")
    assert (room["headroomKw"], room["limitedBy"]["failed"]) == (0, "ats-b")


def test_headroom_says_where_most_is_and_what_to_rate(hall: Path) -> None:
    said = page("headroom", hall)
    assert "Every rated rack is full. Most room elsewhere: gen, 42 kW" in said
    assert "give util a ratedKw" in said


def test_the_second_failure_that_the_work_makes_worse_leads(hall: Path) -> None:
    said = page("ok-to-take-out", "xf-b", hall, code=0)
    found = json.loads(topo("ok-to-take-out", "xf-b", hall, "--format", "json").out)["secondFailure"]
    most = found["mostAdded"]
    assert most["nodesAdded"] == max(each["nodesAdded"] for each in found["failures"]) > 0
    assert f"The work adds most to {most['id']}: " in said


def test_a_rescue_is_proposed_only_where_something_overloads(hall: Path) -> None:
    assert "topo rescue" not in page("ok-to-take-out", "lone", hall, code=3)
    assert "topo rescue" in page("ok-to-take-out", "ats-b", hall, code=3)


def test_what_is_lifted_together_is_said_and_proposed(hall: Path) -> None:
    """quick (4 kW) is protected, slow (4) late, big (20) both: 20 kW need both lifted."""
    words = ("curtail", hall, "--shed-kw", "20", "--within", "10", "--protect-critical")
    said = page(*words, code=3)
    assert "without --within" in said
    assert "28 kW may then be paused" in said
    assert "topo curtail --shed-kw 20 --now" in said
    assert "too slow, critical" in said
    found = json.loads(topo(*words, "--format", "json").out)
    assert found["smallestLift"] == {"constraints": ["within", "protect-critical"], "kw": 28}


def test_more_than_all_of_it_is_never_enough(hall: Path) -> None:
    words = ("curtail", hall, "--shed-kw", "50", "--within", "10", "--protect-critical")
    assert "Lifting all of them together is not enough either." in page(*words, code=3)
    assert json.loads(topo(*words, "--format", "json").out)["smallestLift"] is None
