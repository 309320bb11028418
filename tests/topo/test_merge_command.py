"""`topo merge`: one estate out of several files, or every reason why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.topo.command import ROOT, topo, topo_twice

TWO = ROOT / "examples" / "two-clusters"
TRAIN, SERVE, MAP = TWO / "train.json", TWO / "serve.json", TWO / "topology.yaml"


def test_the_shared_transformer_takes_both_clusters(tmp_path: Path) -> None:
    """Each cluster's own report understates what its UPS can do: 60 and 42 GPUs alone, 102 together."""
    merged = tmp_path / "merged.json"
    done = topo("merge", TRAIN, SERVE, "-o", merged)
    assert (done.code, done.out) == (0, "")
    assert "pricePerUnitHour" in done.err
    for path, units in ((TRAIN, 60), (SERVE, 42), (merged, 102)):
        document = json.loads(topo("whatif", "--fail", "xfmr-t1", path, "--format", "json").out)
        assert document["exposure"]["units"] == units
    for path, units in ((TRAIN, 0), (SERVE, 0), (merged, 102)):
        document = json.loads(topo("whatif", "--fail", "ups-1", path, "--format", "json").out)
        assert document["exposure"]["units"] == units


def test_the_fleet_view_is_itemised_per_cluster() -> None:
    merged = topo("merge", TRAIN, SERVE).out
    document = json.loads(topo("findings", "-", "--format", "json", stdin=merged.encode()).out)
    reclaim = document["metrics"]["reclaim"]
    assert reclaim["realization"] == 0.55
    assert [each["cluster"] for each in reclaim["clusters"]] == ["serve", "train"]
    assert reclaim["usdPerMonth"] == pytest.approx(5 * 2.5 * 720 * 0.55)


def test_a_map_wins_with_a_note() -> None:
    done = topo("merge", TRAIN, SERVE, "--topology", MAP)
    assert done.code == 0
    assert any("laid over every file" in note for note in json.loads(done.out)["notes"])


def test_a_refusal_names_files_and_values_and_writes_nothing(tmp_path: Path) -> None:
    other = json.loads(SERVE.read_text("utf-8"))
    other["domains"]["ups-1"]["ratedKw"] = 99
    other["unit"] = "cpu"
    (tmp_path / "other.json").write_text(json.dumps(other), encoding="utf-8")
    target = tmp_path / "merged.json"
    done = topo("merge", TRAIN, tmp_path / "other.json", "-o", target)
    assert done.code == 1
    assert not target.exists()
    assert "error[rating-conflict]" in done.err
    assert "error[unit-mix]" in done.err
    assert all(word in done.err for word in ("train.json", "other.json", "120", "99"))


def test_what_is_no_estate_is_refused(tmp_path: Path) -> None:
    assert topo("merge", TRAIN, MAP).code == 1
    assert topo("merge", TRAIN, tmp_path / "missing.json").code == 2


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = topo_twice("merge", TRAIN, SERVE)
    assert first == second


def test_joined_ids_are_one_note_and_nodes_that_stand_nowhere_are_said(tmp_path: Path) -> None:
    train = json.loads(TRAIN.read_text("utf-8"))
    train["nodes"] += [{**train["nodes"][0], "id": f"afloat-{n}", "domains": {}} for n in range(6)]
    (tmp_path / "train.json").write_text(json.dumps(train), encoding="utf-8")
    done = topo("merge", tmp_path / "train.json", SERVE)
    said = " ".join(done.err.split())
    assert done.code == 0
    assert said.count("Joined by id") == 1
    assert (
        "Joined by id (5): power busway-1; ups ups-1, ups-2; transformer xfmr-t1; cooling cdu-loop-2." in said
    )
    assert "6 of 20 nodes stand on no domain, so no domain's failure is known to take them" in said
    assert "train/afloat-0, train/afloat-1, train/afloat-2, train/afloat-3 and 2 more." in said


def test_a_note_too_long_to_read_is_shortened_on_the_page_alone(tmp_path: Path) -> None:
    for path in (TRAIN, SERVE):
        estate = json.loads(path.read_text("utf-8"))
        estate["domains"].update({f"row-{n}": {"kind": "row"} for n in range(300)})
        (tmp_path / path.name).write_text(json.dumps(estate), encoding="utf-8")
    done = topo("merge", tmp_path / TRAIN.name, tmp_path / SERVE.name)
    assert "row-299" not in done.err
    assert "(the notes of the merged estate have the rest)" in " ".join(done.err.split())
    assert any("row-299" in note for note in json.loads(done.out)["notes"])
