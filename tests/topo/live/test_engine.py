"""What the page makes of files: what the command makes of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.topo.command import LAB, ROOT, TWO_HALLS, topo
from tests.topo.live.browser import NOW
from topo.live import bridge
from topo.live.engine import File, Session, named, read_files
from topo.output import to_json

CLUSTERS = ROOT / "examples" / "two-clusters"
INVALID = ROOT / "tests" / "fixtures" / "invalid"


def files(*paths: Path) -> list[File]:
    return [File(path.name, path.read_bytes()) for path in paths]


class TestNames:
    def test_equal_names_are_told_apart_and_keep_their_ending(self) -> None:
        assert named(["a.json", "b.yaml", "a.json", "a.json", "x"]) == [
            "a.json", "b.yaml", "a (2).json", "a (3).json", "x",
        ]  # fmt: skip

    def test_refusals_name_the_right_file(self) -> None:
        broken = File("estate.json", b"{")
        outcome = read_files([*files(TWO_HALLS / "estate.json"), broken])
        assert outcome.estate is None
        assert [each.file for each in outcome.diagnostics if each.severity == "error"] == ["estate (2).json"]


class TestTogether:
    def test_one_facility_has_one_map(self) -> None:
        outcome = read_files(files(LAB / "topology.yaml", CLUSTERS / "topology.yaml"))
        assert outcome.estate is None
        assert [rule for rule, _, _ in outcome.refusals] == ["two-maps"]

    def test_a_merge_that_is_refused_says_why(self) -> None:
        outcome = read_files(files(CLUSTERS / "train.json", CLUSTERS / "train.json"))
        assert outcome.estate is None
        assert "cluster-twice" in {rule for rule, _, _ in outcome.refusals}

    def test_a_map_that_contradicts_the_snapshot_is_told_once_and_at_its_place(self) -> None:
        contrary = File("map.yaml", b"version: 2\nnodes: {}\ndomains:\n  lab-rack: {kind: cooling}\n")
        outcome = read_files([*files(LAB / "estate.json"), contrary])
        assert outcome.estate is None
        errors = [each for each in outcome.diagnostics if each.severity == "error"]
        assert [(each.rule, each.file, each.line) for each in errors] == [("axis-kind", "estate.json", 11)]

    def test_no_file_is_no_estate(self) -> None:
        session = Session()
        assert not session.take([], NOW, "allocated")["readable"]

    @pytest.mark.parametrize("now", ["", "yesterday", "2026-12-01", "2026-12-01T00:00:00"])
    def test_a_time_that_is_none_is_refused(self, now: str) -> None:
        taken = Session().take([("e.json", (TWO_HALLS / "estate.json").read_bytes(), 0)], now, "allocated")
        assert not taken["readable"]
        assert taken["refusals"][0][0] == "time"

    def test_a_map_carries_when_it_was_modified(self) -> None:
        (estate,) = files(CLUSTERS / "train.json")
        facility_map = File(
            "topology.yaml", (CLUSTERS / "topology.yaml").read_bytes(), "2026-01-02T03:04:05Z"
        )
        outcome = read_files([estate, facility_map])
        assert outcome.estate is not None
        assert outcome.estate.provenance.topology_file_modified_at == "2026-01-02T03:04:05Z"


class TestValidation:
    @pytest.mark.parametrize("name", ["cycle.yaml", "hostile-ids.yaml", "duplicate-key.json"])
    def test_a_faulty_file_is_told_as_the_command_tells_it(self, name: str) -> None:
        session = Session()
        taken = session.take([(name, (INVALID / name).read_bytes(), 0)], NOW, "allocated")
        said = json.loads(topo("validate", INVALID / name, "--format", "json").out)
        for each in said["diagnostics"]:
            each["file"] = name
        assert json.loads(to_json(session.document("validate"))) == said
        places = [f"{name}:{each['line']}:{each['column']}" for each in said["diagnostics"]]
        assert [each["where"] for each in taken["diagnostics"]] == places

    def test_an_estate_under_a_map_is_told_as_the_command_tells_it(self) -> None:
        session = Session()
        paths = (CLUSTERS / "train.json", CLUSTERS / "topology.yaml")
        session.take([(path.name, path.read_bytes(), 0) for path in paths], NOW, "allocated")
        done = topo("validate", paths[0], "--topology", paths[1], "--format", "json")
        text = done.out.replace(f"{CLUSTERS}/", "")
        assert to_json(session.document("validate")) == text


class Bytes:
    """A typed array of the page."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def to_bytes(self) -> bytes:
        return self.data


class TestBridge:
    def test_it_speaks_json_and_bytes(self) -> None:
        asked = {"files": [["estate.json", 0]], "now": NOW, "load": "allocated"}
        taken = json.loads(bridge.take(json.dumps(asked), [Bytes((LAB / "estate.json").read_bytes())]))
        assert taken["readable"]
        assert bridge.report().startswith(b"<!doctype html>")
        assert json.loads(bridge.document('{"kind": "estate", "fail": []}'))["text"].startswith("{")

    def test_an_unknown_id_is_a_problem_not_a_traceback(self) -> None:
        asked = {"files": [["estate.json", 0]], "now": NOW, "load": "allocated"}
        bridge.take(json.dumps(asked), [Bytes((LAB / "estate.json").read_bytes())])
        answer = json.loads(bridge.document('{"kind": "whatif", "fail": ["no\\u001bsuch"]}'))
        assert "no\\x1bsuch" in answer["problem"]
