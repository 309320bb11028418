"""`topo curtail` and `topo rescue`: what stands in the way, what is left alone, what is lost already."""

from __future__ import annotations

import json
from pathlib import Path

from tests.topo.command import topo

NOW = ("--now", "2026-12-01T12:00:00Z")


def hall(tmp_path: Path) -> Path:
    """Two pumps of 6 kW behind one loop of 8 kW; one job can be timed, one cannot, one is too slow."""
    jobs = [
        {"id": "a/chat", "kind": "inference", "critical": True, "placements": {"n1": 4}},
        {
            "id": "a/slow",
            "kind": "training",
            "critical": False,
            "checkpointMinutes": 60,
            "placements": {"n2": 2},
        },
        {"id": "a/silent", "kind": "training", "critical": False, "placements": {"n2": 2}},
    ]
    pump = {"kind": "cooling", "ratedKw": 6, "overload": [{"percent": 150, "seconds": 600}]}
    document = {
        "schemaVersion": 1,
        "cluster": "c",
        "unit": "gpu",
        "snapshotAt": "2026-12-01T11:00:00Z",
        "wattsPerUnitKw": 1,
        "idleKwPerUnit": 0,
        "nodes": [{"id": n, "allocated": 4, "domains": {"cooling": "loop"}} for n in ("n1", "n2")],
        "domains": {"p1": pump, "p2": pump, "loop": {"kind": "cooling", "feeds": ["p1", "p2"]}},
        "workloads": jobs,
    }
    path = tmp_path / "estate.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_under_a_lost_domain_nothing_can_be_shed_and_the_page_says_by_what_it_is_lost(tmp_path: Path) -> None:
    path = hall(tmp_path)
    done = topo("curtail", path, "--shed-kw", "2", "--under", "loop", "--out", "p1", *NOW)
    page = " ".join(done.out.split())
    assert done.code == 3
    assert "SHORT loop is lost already: demoted because p1 is out of service. Its load counts as gone" in page
    assert "too little" not in page
    rescue = f"topo rescue --fail p1 --now {NOW[1]} {path}"
    assert rescue in page
    assert topo(*rescue.split()[1:]).code == 0
    assert "nothing is to be done" in " ".join(
        topo("curtail", path, "--percent", "50", "--under", "loop", "--out", "p1", *NOW).out.split()
    )


def test_a_proof_says_among_which_workloads_and_the_page_lists_what_is_left_alone(tmp_path: Path) -> None:
    """docs/curtailment.md: "The plan is the least harmful of the workloads whose drain is known"."""
    done = topo("rescue", hall(tmp_path), "--fail", "p1", *NOW)
    page = " ".join(done.out.split())
    assert page.startswith("SHEDDABLE")
    assert "Proven: no other plan in time, of the workloads whose drain is known, does less harm" in page
    assert "a/silent 2 unknown cannot be timed" in page
    assert "a/slow 2 60 min too slow" in page
    found = json.loads(topo("rescue", hall(tmp_path), "--fail", "p1", "--format", "json", *NOW).out)
    assert [(each["workload"], each["kw"], each["reasons"]) for each in found["excluded"]] == [
        ("a/silent", 2, ["unknown-cadence"]),
        ("a/slow", 2, ["within"]),
    ]


def test_what_is_enough_to_lift_can_be_run(tmp_path: Path) -> None:
    path = hall(tmp_path)
    page = topo("curtail", path, "--shed-kw", "6", "--within", "10", *NOW).out
    early = f"topo curtail --shed-kw 6 --within 10 --allow-early --now {NOW[1]} {path}"
    assert early in page
    assert topo(*early.split()[1:]).code == 0
    page = topo("curtail", path, "--shed-kw", "4", *NOW).out
    spares = f"topo curtail --shed-kw 4 --allow-unknown --now {NOW[1]} {path}"
    assert spares in page
    assert "with 0 critical GPUs paused instead of 4" in " ".join(page.split())
    assert topo(*spares.split()[1:]).code == 0
