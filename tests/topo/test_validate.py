"""`topo validate FILE...`: exit codes, several files, text, json, hostile ids, an estate under a map."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import topo.validation
from tests.strategies import hostile_ids
from topo.cli import main
from topo.text.diagnostics import TEXT_LIMIT, render, render_refusal
from topo.text.style import Style
from topology.load import load_topology_text
from topology.registry import REGISTRY

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "validate.schema.json"
KEYS = ["file", "line", "column", "severity", "rule", "message", "ids", "hint"]
INVALID = "domains:\n  pdu-a: {kind: power, parent: ups-z}\n"
WARNED = "nodes:\n  n1: {rack: r, zone: z1}\n  n2: {rack: r, zone: z2}\n"
INFORMED = "domains:\n  cdu-1: {kind: cooling, rideThroughMinutes: 20}\n"
VALID = "nodes:\n  n1: {rack: rack-1}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in (("invalid", INVALID), ("warned", WARNED), ("informed", INFORMED), ("valid", VALID)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["validate", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


class TestExitCodes:
    """0 done; 1 the input is invalid; 2 unreadable. --strict turns warnings (not infos) into failures."""

    @pytest.mark.parametrize(
        ("file", "usual", "strict"),
        [("invalid", 1, 1), ("warned", 0, 1), ("informed", 0, 0), ("valid", 0, 0)],
    )
    def test_by_severity(
        self, file: str, usual: int, strict: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(capsys, f"{file}.yaml")[0] == usual
        assert run(capsys, "--strict", f"{file}.yaml")[0] == strict

    def test_valid_in_json_is_the_exit_code(self, capsys: pytest.CaptureFixture[str]) -> None:
        for arguments in (["warned.yaml"], ["--strict", "warned.yaml"], ["invalid.yaml"]):
            code, out, _ = run(capsys, "--format", "json", *arguments)
            assert json.loads(out)["valid"] == (code == 0)

    @pytest.mark.parametrize("path", ["missing.yaml", ".", "with\0nul"])
    def test_an_unreadable_file_is_said_and_the_others_are_checked(
        self, path: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = run(capsys, path, "invalid.yaml")
        assert code == 2
        assert "cannot read" in err
        assert "dangling-feed" in out

    def test_an_unreadable_map(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(capsys, "--topology", "missing.yaml", "valid.yaml")[0] == 2

    def test_a_size_limit_can_be_said(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "--max-size", "5", "valid.yaml")
        assert code == 1
        assert "--max-size" in out


class TestSeveralFiles:
    """All faults of all files in one run; `-` is standard input."""

    def test_in_the_order_of_the_command_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "--format", "json", "warned.yaml", "invalid.yaml", "informed.yaml")
        assert [each["file"] for each in json.loads(out)["diagnostics"]] == [
            "warned.yaml",
            "invalid.yaml",
            "informed.yaml",
        ]

    def test_standard_input(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(INVALID.encode())))
        code, out, _ = run(capsys, "--format", "json", "-")
        assert code == 1
        assert json.loads(out)["diagnostics"][0]["file"] == "<stdin>"


class TestText:
    """The sentence, the place, the line with a caret, what to do; 50 at most; errors first."""

    def test_a_valid_file_is_summed_up(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, str(FIXTURES / "valid" / "estate.json"))
        assert "1 node and 1 domain (1 PDU), all declared" in re.sub(r"\s+", " ", out)
        assert "next: topo sweep" in out

    def test_stops_at_50_and_says_how_many_more(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        domains = "".join(f"  p{i}: {{kind: power, parent: gone-{i}}}\n" for i in range(120))
        cooling = "  a: {kind: cooling, rideThroughMinutes: 9}\n"
        (folder / "many.yaml").write_text(f"domains:\n{cooling}{domains}", encoding="utf-8")
        _, out, _ = run(capsys, "many.yaml")
        assert out.count("error[dangling-feed]") == TEXT_LIMIT
        assert "... and 71 more (70 errors, 1 info)" in out
        _, out, _ = run(capsys, "--format", "json", "many.yaml")
        assert len(json.loads(out)["diagnostics"]) == 121

    def test_a_line_of_a_megabyte_is_shown_around_the_fault(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        nodes = ", ".join(f"n{i}: {{rack: r{i % 9}}}" for i in range(30_000))
        (folder / "long.yaml").write_text(f"{{nodes: {{{nodes}, bad: {{rack: [a, b]}}}}}}", encoding="utf-8")
        code, out, _ = run(capsys, "long.yaml")
        assert code == 1
        assert max(map(len, out.splitlines())) < 400
        assert "bad: {rack: [a, b]}" in out

    def test_colour_only_where_it_is_wanted(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "\x1b" not in run(capsys, "invalid.yaml")[1]
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[1;31merror[dangling-feed]\x1b[0m" in run(capsys, "invalid.yaml")[1]
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b" not in run(capsys, "invalid.yaml")[1]

    @given(hostile_ids().filter(bool), hostile_ids().filter(bool))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_hostile_ids_are_harmless_and_short(self, name: str, upstream: str) -> None:
        quoted = [json.dumps(text.encode("utf-8", "replace").decode()) for text in (name, upstream)]
        text = f"domains:\n  {quoted[0]}: {{kind: power, parent: {quoted[1]}}}\n"
        result = load_topology_text(text, f"{name}.yaml")
        shown = render(result.diagnostics, {result.source.path: result.source}, Style())
        assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\u2028]", shown) is None
        assert render_refusal(result.diagnostics).endswith("shows the lines.\n")


class TestJson:
    """The contract of spec 6, validated by schemas/validate.schema.json, deterministic."""

    def test_the_shape(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "--format", "json", "invalid.yaml")
        document = json.loads(out)
        assert document["schemaVersion"] == 1
        assert document["valid"] is False
        (diagnostic,) = document["diagnostics"]
        assert list(diagnostic) == KEYS
        assert (diagnostic["line"], diagnostic["column"]) == (2, 32)
        assert diagnostic["ids"] == ["pdu-a", "ups-z"]

    def test_matches_its_schema(self, capsys: pytest.CaptureFixture[str]) -> None:
        from jsonschema import Draft202012Validator

        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        files = [str(path) for path in sorted(FIXTURES.glob("*/*")) if path.name != "expected.json"]
        _, out, _ = run(capsys, "--format", "json", *files)
        document = json.loads(out)
        assert [error.message for error in Draft202012Validator(schema).iter_errors(document)] == []
        assert {each["rule"] for each in document["diagnostics"]} == {
            rule for rule, info in REGISTRY.items() if not info.estate
        }
        assert run(capsys, "--format", "json", *files)[1] == out


ESTATE = {
    "schemaVersion": 1,
    "cluster": "lab-1",
    "unit": "gpu",
    "snapshotAt": "2026-11-30T12:00:00Z",
    "wattsPerUnitKw": 5,
    "nodes": [{"id": "n1", "allocated": 8, "domains": {"rack": "rack-1"}}, {"id": "n2", "allocated": 0}],
    "workloads": [],
}


class TestEstateUnderAMap:
    """--topology: the rules look at both together, and each fault stands in the file that says it."""

    def check(
        self, capsys: pytest.CaptureFixture[str], folder: Path, topology: str
    ) -> tuple[int, list[tuple[str, str, int]]]:
        (folder / "estate.json").write_text(json.dumps(ESTATE, indent=1), encoding="utf-8")
        (folder / "map.yaml").write_text(topology, encoding="utf-8")
        code, out, _ = run(capsys, "--format", "json", "--topology", "map.yaml", "estate.json")
        return code, [(d["rule"], d["file"], d["line"]) for d in json.loads(out)["diagnostics"]]

    def test_a_rating_of_the_map_under_the_load_of_the_estate(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        topology = (
            "nodes:\n  n1: {pdu: pdu-a}\ndomains:\n  pdu-a: {kind: power, ratedKw: 30, measuredKw: 20}\n"
        )
        code, said = self.check(capsys, folder, topology)
        assert code == 0
        assert said == [
            ("unmapped-node", "estate.json", 15),
            ("overcommitted", "map.yaml", 4),
            ("load-mismatch", "map.yaml", 4),
        ]

    def test_a_label_that_only_the_map_shows_to_be_wrong(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        code, said = self.check(capsys, folder, "domains:\n  RACK_1: {kind: rack}\n")
        assert code == 0
        line = 1 + json.dumps(ESTATE, indent=1).splitlines().index('    "rack": "rack-1"')
        assert said == [("undeclared-domain", "estate.json", line), ("likely-typo", "estate.json", line)]

    def test_what_the_map_alone_says_is_said_once(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        assert self.check(capsys, folder, INFORMED)[1] == [("ride-through-optimistic", "map.yaml", 2)]

    def test_an_invalid_map(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        assert self.check(capsys, folder, INVALID) == (1, [("dangling-feed", "map.yaml", 2)])

    def test_two_that_contradict_each_other(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        code, said = self.check(capsys, folder, "domains:\n  rack-1: {kind: power}\n")
        line = 1 + json.dumps(ESTATE, indent=1).splitlines().index('    "rack": "rack-1"')
        assert code == 1
        assert said == [("axis-kind", "estate.json", line)]

    def test_a_command_that_refuses_both_names_the_place_too(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        self.check(capsys, folder, "domains:\n  rack-1: {kind: power}\n")
        (folder / "bare.yaml").write_text("nodes:\n  n1: {rack: rack-1}\n", encoding="utf-8")
        assert main(["sweep", "--topology", "map.yaml", "estate.json"]) == 1
        assert "--> estate.json:" in capsys.readouterr().err
        assert main(["sweep", "--topology", "map.yaml", "bare.yaml"]) == 1
        assert "--> bare.yaml:2:14" in capsys.readouterr().err


class TestTwoJudges:
    """jsonschema is asked about what was refused, and about everything with --jsonschema, up to 1 MB.

    A difference from the native check is a bug, said loudly.
    """

    @pytest.mark.parametrize(("file", "word"), [("valid", "refuses it"), ("invalid", "does not")])
    def test_a_difference_is_an_internal_error(
        self, file: str, word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from topology import schema_check
        from topology.schema_check import SchemaError, SchemaVerdict

        errors = (SchemaError((), "x-acyclic", "no"),) if file == "valid" else ()
        monkeypatch.setattr(schema_check, "schema_verdict", lambda *_: SchemaVerdict(not errors, errors))
        code, _, err = run(capsys, "--jsonschema", f"{file}.yaml")
        assert code == 1
        assert "internal error" in err
        assert word in err
        assert "please report it" in err

    def test_is_not_asked_about_large_files(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(topo.validation, "SCHEMA_DECIDES_BYTES", 10)
        monkeypatch.setattr("topology.schema_check.schema_verdict", lambda *_: pytest.fail("asked"))
        assert run(capsys, "--jsonschema", "valid.yaml")[0] == 0

    def test_is_not_asked_about_what_the_native_check_accepts(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("topology.schema_check.schema_verdict", lambda *_: pytest.fail("asked"))
        assert run(capsys, "valid.yaml")[0] == 0


def test_minutes_are_written_as_people_write_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    map_file = tmp_path / "map.yaml"
    map_file.write_text("version: 2\nnodes: {}\ndomains:\n  c: {kind: cooling, rideThroughMinutes: 15.0}\n")
    assert main(["validate", str(map_file)]) == 0
    assert "'c' claims 15 minutes of thermal ride-through" in capsys.readouterr().out
