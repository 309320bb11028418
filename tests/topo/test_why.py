"""`topo why`: each hop at the line of the file that says it, the map winning over the snapshot."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from tests.topo.command import ROOT, TWO_HALLS, topo

NOW = ("--now", "2026-12-01T12:00:00Z")

MAP = """\
nodes:
  n1: {rack: r1}
domains:
  r1: {kind: rack, feeds: [a, b]}
  a: {kind: power, parent: u}
  b: {kind: power, parent: u}
  u: {kind: ups}
"""


def test_each_hop_is_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(MAP, encoding="utf-8")
    done = topo("why", "n1", "--fail", "u", "--format", "json", path)
    lines = MAP.splitlines()
    found = {
        hop["id"]: (hop["rule"], lines[hop["place"]["line"] - 1][hop["place"]["column"] - 1 :])
        for hop in json.loads(done.out)["hops"]
    }
    assert found == {
        "u": ("failed", "{kind: ups}"),
        "a": ("parent-lost", "u}"),
        "b": ("parent-lost", "u}"),
        "r1": ("feeds-lost", "[a, b]}"),
        "n1": ("standing-lost", "r1}"),
    }


def test_the_overlaid_map_is_where_a_domain_comes_from() -> None:
    done = topo(
        "why", "gpu-h1-130", "--fail", "h1-ups-a", "--format", "json", TWO_HALLS / "estate.json",
        "--topology", TWO_HALLS / "topology.yaml",
    )  # fmt: skip
    files = {Path(hop["place"]["file"]).name for hop in json.loads(done.out)["hops"]}
    assert files == {"topology.yaml"}


def test_an_unknown_thing_is_wrong_usage() -> None:
    done = topo("why", "gpu-h1-999", "--fail", "h1-ups-a", TWO_HALLS / "estate.json")
    assert (done.code, done.out) == (2, "")


def test_a_workload_is_sent_to_the_command_that_knows_workloads() -> None:
    done = topo("why", "train/pytorchjob/atlas-70b", TWO_HALLS / "estate.json")
    assert (done.code, done.out) == (2, "")
    assert "is a workload, neither domain nor node" in done.err
    assert "topo why is about domains and nodes" in done.err
    assert "`topo cutsets --target train/pytorchjob/atlas-70b FILE`" in done.err


def test_what_has_lost_a_feed_shows_its_parent_too(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text(
        "nodes:\n  n: {cooling: cdu}\ndomains:\n  cdu: {kind: cooling, parent: chw, feeds: [a, b]}\n"
        "  chw: {kind: cooling}\n  a: {kind: power}\n  b: {kind: power}\n",
        encoding="utf-8",
    )
    for thing in ("cdu", "n"):
        said = topo("why", thing, "--fail", "a", path).out
        assert "cdu: its parent chw is alive" in said
        assert "1 of 2 of its feeds alive (b), 1 needed; lost a" in said


class TestTheStrictCheck:
    """What trips is the feed, with everything that hangs from it: what shifted onto it, and what is left."""

    def test_a_trip_is_traced_to_what_failed(self) -> None:
        done = topo("why", "h1-pdu-4b", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", *NOW)
        said = " ".join(done.out.split())
        assert "1. h1-ups-a: failed, in this scenario" in said
        assert "2. h1-pdu-4a: lost with its parent h1-ups-a" in said
        assert "3. h1-pdu-4b: trips in round 1: 302.6 kW (151.3 kW before) on a rating of 240 kW" in said
        assert "lost h1-pdu-4a, which puts 151.3 kW more on it" in said

    def test_the_document_has_the_same_chain(self) -> None:
        done = topo("why", "h1-pdu-4b", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", "--format", "json")
        document = json.loads(done.out)
        schema = json.loads((ROOT / "schemas" / "why.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(document)
        trip = document["strictHops"][-1]
        assert (trip["id"], trip["rule"], trip["by"]) == (
            "h1-pdu-4b", "tripped", ["h1-pdu-4a"],
        )  # fmt: skip
        assert trip["loadKw"] == pytest.approx(trip["beforeKw"] + sum(
            shift["afterKw"] - shift["beforeKw"] for shift in trip["shifts"]
        ))  # fmt: skip

    def test_what_a_shared_feed_carries_is_what_counts(self) -> None:
        said = " ".join(
            topo("why", "h1-pdu-1a", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", *NOW).out.split()
        )
        assert "it draws 336.4 kW" in said
        assert "margin" not in said, "what is left is said once, of what all together draw"
        assert (
            "In the strict check ups-r carries 457.42 kW (0 kW before) of 1,200 kW: 742.58 kW left." in said
        )

    def test_what_hangs_from_a_parent_has_a_margin(self) -> None:
        said = " ".join(
            topo("why", "h1-ups-b", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", *NOW).out.split()
        )
        assert "its parent h1-ats-b is alive" in said
        assert "of 1,200 kW: 372.68 kW left" in said
        assert "of 2,250 kW: 1,202.68 kW left" in said

    def test_a_root_says_what_would_take_it(self) -> None:
        said = topo("why", "utility-b", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", *NOW).out
        assert "goes only when it fails itself" in said

    def test_of_unknown_power_it_is_a_lower_bound(self, tmp_path: Path) -> None:
        estate = {
            "schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",
            "nodes": [
                {"id": "n", "allocated": 4, "kwPerUnit": 1, "domains": {"pdu": "p"}},
                {"id": "m", "allocated": 4, "domains": {"pdu": "p"}},
            ],
            "domains": {"p": {"kind": "power", "ratedKw": 8}},
        }  # fmt: skip
        path = tmp_path / "estate.json"
        path.write_text(json.dumps(estate), encoding="utf-8")
        said = topo("why", "p", path).out
        assert "carries at least 4 kW of 8 kW: at most 4 kW left" in said


def test_a_draw_is_that_of_the_snapshot_and_a_flow_that_of_the_failure() -> None:
    said = " ".join(topo("why", "h1-loop-12", "--fail", "h1-cdu-1", TWO_HALLS / "estate.json").out.split())
    assert re.search(r"it draws [\d.]+ kW with nothing failed", said)
    alone = " ".join(topo("why", "h1-loop-12", TWO_HALLS / "estate.json").out.split())
    assert "with nothing failed" not in alone


def test_what_is_alive_in_a_failure_that_is_not_proven_safe(tmp_path: Path) -> None:
    """s1 above the survivor has no rating, and carries more."""
    domains = {
        "s1": {"kind": "ups"},
        "a": {"kind": "power", "ratedKw": 9, "parent": "s1"},
        "b": {"kind": "power", "ratedKw": 9},
        "k": {"kind": "rack", "feeds": ["a", "b"]},
    }
    nodes = [{"id": "n", "allocated": 6, "domains": {"rack": "k"}}]
    estate = {"schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z"}
    file = tmp_path / "estate.json"
    file.write_text(json.dumps({**estate, "wattsPerUnitKw": 1, "domains": domains, "nodes": nodes}))
    for failed, unproven in (("b", True), ("a", False)):
        said = topo("why", "n", "--fail", failed, file).out
        assert ("not proven safe" in said) == unproven
        document = topo("why", "n", "--fail", failed, "--format", "json", file).out
        assert json.loads(document)["unproven"] is unproven
