"""`topo ok-to-take-out`: the page, the document, the gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import pytest

from tests.topo.command import LAB, ROOT, golden, topo, topo_twice, widest

ESTATE = "examples/two-halls/estate.json"
NOW = ("--now", "2026-12-01T12:00:00Z")
GOLDEN = Path(__file__).parent / "golden"
COMMAND = "ok-to-take-out"
TONIGHT = ("--duration", "90", "--until", "2026-12-01T18:00:00Z")

BASE: dict[str, Any] = {
    "schemaVersion": 1,
    "cluster": "lab",
    "unit": "gpu",
    "snapshotAt": "2026-12-01T11:00:00Z",
}

CASES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "safe": (("h1-pdu-1a", *TONIGHT), 0, "safe"),
    "tight": (("h1-ups-b", *TONIGHT), 0, "safe"),
    "not-safe": (("h1-pdu-4a", *TONIGHT), 3, "not-safe"),
    "unknown": (("h2-pdu-1a",), 3, "unknown"),
    "too-late": (("h1-pdu-1a", "--duration", "400", "--until", "2026-12-01T18:00:00Z"), 3, "too-late"),
    "largest": (("h1-cdu-1", "h1-cdu-2", "h1-cdu-3", "h1-cdu-4", "--max", "4"), 3, "not-safe"),
    "already": (("h1-cdu-1", "--out", "h1-cdu-1"), 0, "safe"),
    "during": (("h1-cdu-3", "--out", "h1-cdu-1"), 0, "safe"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_page(name: str) -> None:
    words, code, _ = CASES[name]
    done = topo(COMMAND, *words, ESTATE, *NOW)
    assert (done.code, done.err) == (code, "")
    assert widest(done.out) <= 80
    golden(GOLDEN / f"ok-to-take-out-{name}.txt", done.out)


def document(*words: str | Path, code: int) -> dict[str, Any]:
    done = topo(COMMAND, *words, "--format", "json", *NOW)
    assert (done.code, done.err) == (code, "")
    loaded: dict[str, Any] = json.loads(done.out)
    return loaded


@pytest.mark.parametrize("name", CASES)
def test_the_document(name: str) -> None:
    words, code, verdict = CASES[name]
    found = document(*words, ESTATE, code=code)
    schema = json.loads((ROOT / "schemas" / "ok-to-take-out.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(found)
    assert (found["verdict"], found["now"]) == (verdict, "2026-12-01T12:00:00Z")


def test_what_holds_now_is_asked_of_a_full_estate_too() -> None:
    """The page's next command: as many as are installed would cost a quorum."""
    assert "--load installed" in (GOLDEN / "ok-to-take-out-tight.txt").read_text("utf-8")
    full = document("h1-ups-b", *TONIGHT, "--load", "installed", ESTATE, code=3)
    assert full["verdict"] == "not-safe"
    done = topo(COMMAND, "h1-ups-b", ESTATE, *NOW, "--load", "installed")
    assert COMMAND not in done.out


def test_options_may_stand_between_the_ids_and_the_file() -> None:
    found = document("h1-cdu-1", "h1-cdu-2", "--max", "1", ESTATE, code=3)
    assert found["takeOut"] == ["h1-cdu-1", "h1-cdu-2"]
    assert found["largest"] == {"max": 1, "candidates": 2, "exact": True, "ids": ["h1-cdu-1"]}


def test_a_job_that_cannot_be_timed_leaves_the_latest_safe_start_unknown() -> None:
    found = document("h1-pdu-4a", *TONIGHT, ESTATE, code=3)
    assert found["drainWorstMinutes"] is None
    assert found["window"]["latestStart"] == "2026-12-01T16:30:00Z"
    assert found["window"]["latestSafeStart"] is None


def test_a_checkpoint_of_ages_is_no_wrong_usage(tmp_path: Path) -> None:
    raw = json.loads((LAB / "estate.json").read_text("utf-8"))
    for workload in raw["workloads"]:
        if "checkpointMinutes" in workload:
            workload["checkpointMinutes"] = 9e14
    path = tmp_path / "ck.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    asked = ("feed-strong", "lab-loop", "--duration", "0", "--until", "9999-12-31T23:59:59Z")
    found = document(*asked, path, code=3)
    assert (found["verdict"], found["window"]["why"]) == ("not-safe", "before-calendar")
    assert "before the calendar begins" in " ".join(topo(COMMAND, *asked, path, *NOW).out.split())


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = topo_twice(COMMAND, "h2-pdu-1a", ESTATE, *NOW, "--format", "json")
    assert first == second


def test_the_lab_survives_without_its_weak_feed_but_not_without_its_strong_one() -> None:
    assert document("feed-weak", LAB / "estate.json", code=0)["verdict"] == "safe"
    assert document("feed-strong", LAB / "estate.json", code=3)["verdict"] == "not-safe"


def test_a_map_alone_is_answered_as_far_as_it_goes() -> None:
    found = document("feed-weak", LAB / "topology.yaml", code=3)
    assert (found["verdict"], found["cluster"], found["lost"]["units"]) == ("unknown", None, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((ESTATE,), "at least one ID"),
        (("h1-pdu-1", ESTATE), "h1-pdu-1a"),
        (("h1-pdu-1a", ESTATE, "--max", "0"), "whole number"),
        (("h1-pdu-1a", ESTATE, "--until", "tonight"), "RFC 3339"),
        (("h1-pdu-1a", ESTATE, "--until", "20261201T180000Z"), "RFC 3339"),
        (("h1-pdu-1a", ESTATE, "--duration", "-5"), "not a finite number"),
        (("h1-pdu-1a", ESTATE, "--duration", "1e15", "--until", "2026-12-01T18:00:00Z"), "calendar"),
        (("h1-pdu-1a", ESTATE, "--bogus"), "--bogus"),
    ],
)
def test_wrong_usage(words: tuple[str | Path, ...], said: str) -> None:
    done = topo(COMMAND, *words)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_hostile_ids_stay_text(tmp_path: Path) -> None:
    raw = json.loads((LAB / "estate.json").read_text("utf-8"))
    name = "<script>\u202e\x1b[31m" + "x" * 300
    raw["domains"][name] = {"kind": "power"}
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    done = topo(COMMAND, name, path, *NOW)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert widest(done.out) <= 80


def test_what_is_missing_is_asked_for(tmp_path: Path) -> None:
    estate = json.loads((ROOT / "examples" / "two-halls" / "estate.json").read_text(encoding="utf-8"))
    del estate["wattsPerUnitKw"]
    blind = tmp_path / "blind.json"
    blind.write_text(json.dumps(estate), encoding="utf-8")
    page = topo("ok-to-take-out", "h1-ups-a", blind, "--duration", "60").out
    assert "give --until to know when it must start" in " ".join(page.split())
    assert f"  topo ok-to-take-out h1-ups-a --kw-per-unit KW {blind}\n" in page
    assert f"  topo headroom --kw-per-unit KW {blind}\n" in topo("headroom", blind).out
    del estate["domains"]
    for node in estate["nodes"]:
        node.pop("domains")
    blind.write_text(json.dumps(estate), encoding="utf-8")
    said = topo("validate", blind, "--format", "text").out
    assert f"  next: topo validate --topology topology.yaml {blind}" in said
    assert "these domains" not in said


class TestWhatWouldDecide:
    """For each doubt the page says what would decide it, with what it has to carry."""

    ATS: ClassVar = {
        "grid": {"kind": "utility"},
        "gen": {"kind": "generator", "ratedKw": 9},
        "ats": {"kind": "ats", "feeds": ["grid", "gen"], "transfer": "preferred"},
        "pump": {"kind": "cooling", "feeds": ["grid", "gen"], "ratedKw": 9},
    }

    def page(self, folder: Path, *words: str, kw: float | None = 2, bare: bool = False) -> str:
        node = {"id": "n", "allocated": 2, "domains": {"pdu": "p", "cooling": "pump"}, "kwPerUnit": kw}
        domains = {**self.ATS, "p": {"kind": "power", "parent": "ats", "ratedKw": 9}}
        estate = {**BASE, "nodes": [node], "domains": domains}
        bare_map = {"nodes": {"n": node["domains"]}, "domains": domains}
        path = folder / "f.json"
        path.write_text(json.dumps(bare_map if bare else estate), encoding="utf-8")
        return " ".join(topo(COMMAND, "gen", *words, path).out.split())

    def test_a_rating(self, tmp_path: Path) -> None:
        said = self.page(tmp_path)
        assert "grid has no ratedKw; it carries 4 kW then (4 now)." in said
        assert "What is drawn by equipment itself is its loadKw: pump." in said

    def test_a_draw(self, tmp_path: Path) -> None:
        assert "Units without kW: give kwPerUnit of their nodes, or --kw-per-unit." in self.page(
            tmp_path, kw=None
        )

    def test_a_snapshot(self, tmp_path: Path) -> None:
        said = self.page(tmp_path, bare=True)
        assert "grid has no ratedKw; what it carries is unknown." in said
        assert "Give a snapshot (estate.json, this map with --topology)" in said

    def test_a_snapshot_where_a_node_would_be_lost(self, tmp_path: Path) -> None:
        path = tmp_path / "map.yaml"
        path.write_text("nodes: {n: {rack: r}}\n", encoding="utf-8")
        assert "Give a snapshot (estate.json" in " ".join(topo(COMMAND, "r", path).out.split())

    def test_the_document_has_the_figures(self, tmp_path: Path) -> None:
        self.page(tmp_path)
        (grid,) = json.loads(topo(COMMAND, "gen", "--format", "json", tmp_path / "f.json").out)[
            "ratingsNeeded"
        ]
        assert (grid["id"], grid["beforeKw"], grid["duringKw"], grid["ratedKw"]) == ("grid", 4, 4, None)


def test_what_stalls_stands_beside_what_stands(tmp_path: Path) -> None:
    nodes = [{"id": name, "allocated": 8, "domains": {"rack": f"r{name}"}} for name in "ab"]
    job = {"id": "ml/pytorchjob/llama", "kind": "training", "placements": {"a": 8, "b": 8}}
    path = tmp_path / "estate.json"
    path.write_text(json.dumps({**BASE, "nodes": nodes, "workloads": [job]}), encoding="utf-8")
    flat = " ".join(topo(COMMAND, "ra", path).out.split())
    assert "critical GPUs stalled do drain ml/pytorchjob/llama unknown 8 16 checkpoint unknown" in flat
    said = topo("whatif", "--fail", "ra", path).out
    assert f"  topo ok-to-take-out ra {path}\n" in said.partition("\nNEXT\n")[2]
    assert "topo ok-to-take-out" not in topo("whatif", "--fail", "ra", "--out", "ra", path).out
