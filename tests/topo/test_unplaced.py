"""A node of which the map does not say where its power or cooling comes from: no page calls it safe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.topo.command import topo

MAP = """\
nodes:
  gpu-05: {rack: r3, cooling: loop-1}
  gpu-06: {rack: r3}
  gpu-07: {cooling: loop-1}
  gpu-08: {rack: r4, cooling: loop-1}
domains:
  ups-a: {kind: ups, ratedKw: 100}
  r3: {kind: rack, parent: ups-a, ratedKw: 100}
  r4: {kind: rack, ratedKw: 100}
  r5: {kind: rack, parent: ups-a, ratedKw: 100}
  loop-1: {kind: cooling, ratedKw: 100, rideThroughMinutes: 1}
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("unplaced")
    estate = {
        "schemaVersion": 1,
        "cluster": "hall7",
        "unit": "gpu",
        "snapshotAt": "2026-12-01T11:00:00Z",
        "wattsPerUnitKw": 1,
        "nodes": [{"id": f"gpu-0{n}", "installed": 8, "allocated": 8, "roles": []} for n in (5, 6, 7, 8)],
        "workloads": [],
    }
    (folder / "estate.json").write_text(json.dumps(estate), encoding="utf-8")
    (folder / "map.yaml").write_text(MAP, encoding="utf-8")
    return ("--topology", str(folder / "map.yaml"), str(folder / "estate.json"))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_whatif_does_not_know(files: tuple[str, ...]) -> None:
    done = topo("whatif", "--fail", "r5", *files)
    assert done.out.startswith("UNKNOWN  r5 fails: no node is lost.\n")
    assert "1 node may be lost too: where its power comes from is not in the map." in flat(done.out)
    assert "gpu-07 power name its rack, pdu or ups" in flat(done.out)
    assert "Nodes that name no power source (pdu, ups, rack), while others do: 1" in flat(done.out)


def test_maintenance_cannot_be_decided(files: tuple[str, ...]) -> None:
    done = topo("ok-to-take-out", "r5", *files)
    assert done.code == 3
    assert done.out.startswith("UNKNOWN   taking out r5: cannot be decided, 1 thing nobody knows.")
    assert "gpu-07 names no pdu, ups or rack: name it" in flat(done.out)


def test_nor_can_a_rescue(files: tuple[str, ...]) -> None:
    done = topo("rescue", "--fail", "r5", *files)
    assert done.code == 3
    assert done.out.startswith("UNKNOWN")


def test_why_says_that_a_survivor_is_not_proven(files: tuple[str, ...]) -> None:
    said = "Not proven: where its cooling comes from is not in the map"
    assert said in flat(topo("why", "gpu-06", "--fail", "loop-1", *files).out)
    assert said not in flat(topo("why", "gpu-06", "--fail", "r5", *files).out)
    document = json.loads(topo("why", "gpu-06", "--fail", "loop-1", "--format", "json", *files).out)
    assert document["unplaced"] == [{"id": "gpu-06", "commodity": "heat", "why": "unnamed"}]


def test_a_sweep_marks_it(files: tuple[str, ...]) -> None:
    assert "? not proven safe (survivors of unknown rating, kW or supply)" in flat(topo("sweep", *files).out)


@pytest.mark.parametrize("form", ["svg", "dot", "mmd", "html"])
def test_no_picture_calls_it_safe(form: str, files: tuple[str, ...], tmp_path: Path) -> None:
    target = tmp_path / f"x.{form}"
    assert topo("diagram", "--fail", "r5", "-o", target, *files).code == 0
    text = target.read_text(encoding="utf-8")
    assert "UNVERIFIED" in text
    assert "where its power comes from is not in the map" in text or form in ("dot", "mmd")


def test_validation_says_it_of_the_snapshot_and_not_twice(files: tuple[str, ...]) -> None:
    done = topo("validate", *files, "--format", "json")
    rules = [each for each in json.loads(done.out)["diagnostics"] if each["rule"] == "missing-supply"]
    assert [each["ids"] for each in rules] == [["gpu-06"], ["gpu-07"]]
    assert {Path(each["file"]).name for each in rules} == {"estate.json"}
    alone = json.loads(topo("validate", files[1], "--format", "json").out)["diagnostics"]
    assert sum(each["rule"] == "missing-supply" for each in alone) == 2
