"""`topo findings` and `topo explain` as a user runs them."""

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from closure.compiled import compile_facility
from findings.document import findings_document
from findings.scenario import whatif, whatif_to_json
from findings.sweep_rows import sweep_document, sweep_rows
from tests import strategies
from tests.topo.command import widest
from topo.cli import main
from topology.model import Estate
from topology.notes import CPU_UNIT_CAVEAT, CRITICALITY_CAVEAT, NO_MAP_CAVEAT, SELF_REPORTED_NOTE

ROOT = Path(__file__).resolve().parents[2]
HALLS = str(ROOT / "examples" / "two-halls" / "estate.json")
NOW = ("--now", "2026-12-01T00:00:00Z")
FORMATS = ("table", "json", "markdown", "csv")
HOSTILE = (
    "<script>alert(1)</script>",
    "=1+1",
    "a|b\nc",
    "\x1b[31mred",
    "\u202ertl",
    "[a](javascript:x)",
    "x" * 320,
)


@cache
def schema(name: str) -> Any:
    document = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    """An estate in which every id is an attack."""
    names = iter(HOSTILE)
    node, pdu, job, loop, zone, lemon = (next(names) for _ in range(6))
    history = {"eccErrors90d": 0, "jobFailures90d": 0, "xidEvents90d": 50}
    estate = {
        "schemaVersion": 1,
        "cluster": HOSTILE[6],
        "unit": "gpu",
        "snapshotAt": "2026-11-30T12:00:00Z",
        "pricePerUnitHour": 2.5,
        "nodes": [
            {"id": node, "installed": 8, "allocated": 8, "utilization": 0.01,
             "domains": {"pdu": pdu, "zone": zone}},
            {"id": lemon, "installed": 8, "allocated": 0, "domains": {"pdu": pdu}, **history},
        ],
        "workloads": [{"id": job, "kind": "training", "critical": True, "checkpointMinutes": 30,
                       "placements": {node: 8}}],
        "loops": [{"id": loop, "hourlyActions": [9] * 24}],
    }  # fmt: skip
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(estate), encoding="utf-8")
    return str(path)


class TestFindings:
    @pytest.mark.parametrize("load", ["allocated", "installed"])
    def test_json_is_valid_and_the_same_twice(self, capsys: pytest.CaptureFixture[str], load: str) -> None:
        arguments = ("findings", HALLS, "--format", "json", *NOW, "--load", load)
        code, out, err = run(capsys, *arguments)
        assert (code, err) == (0, "")
        document = json.loads(out)
        schema("findings").validate(document)
        assert document["now"] == "2026-12-01T00:00:00Z"
        assert run(capsys, *arguments)[1] == out

    def test_the_page_fits_eighty_columns(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "findings", HALLS, *NOW)
        assert code == 0
        assert widest(out) <= 80
        flat = " ".join(out.split())
        assert CRITICALITY_CAVEAT in flat
        assert SELF_REPORTED_NOTE in flat
        assert "SAMPLE DATA" in flat

    def test_csv_has_a_row_per_finding(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = list(csv.DictReader(io.StringIO(run(capsys, "findings", HALLS, "--format", "csv", *NOW)[1])))
        document = json.loads(run(capsys, "findings", HALLS, "--format", "json", *NOW)[1])
        assert [row["id"] for row in rows] == [finding["id"] for finding in document["findings"]]

    def test_markdown_is_complete(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = run(capsys, "findings", HALLS, "--format", "markdown", *NOW)[1]
        document = json.loads(run(capsys, "findings", HALLS, "--format", "json", *NOW)[1])
        assert out.count("\n| ") > len(document["metrics"]["exposure"])
        assert "## Read with care" in out

    @pytest.mark.parametrize("form", FORMATS)
    def test_hostile_ids_are_inert(self, capsys: pytest.CaptureFixture[str], hostile: str, form: str) -> None:
        code, out, _ = run(capsys, "findings", hostile, "--format", form, *NOW)
        assert code == 0
        assert not {"\x1b", "\u202e"} & set(out)
        if form == "table":
            assert widest(out) <= 80
        if form == "markdown":
            assert "<script" not in out
        if form == "csv":
            assert not any(cell.startswith("=") for row in csv.reader(io.StringIO(out)) for cell in row)

    def test_units_without_a_map(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        estate = {
            "schemaVersion": 1, "cluster": "c", "unit": "cpu", "snapshotAt": "2026-11-20T00:00:00Z",
            "nodes": [{"id": "n", "installed": 64, "allocated": 8, "domains": {"zone": "z"}}],
        }  # fmt: skip
        path = tmp_path / "cpu.json"
        path.write_text(json.dumps(estate), encoding="utf-8")
        document = json.loads(run(capsys, "findings", str(path), "--format", "json", *NOW)[1])
        assert CPU_UNIT_CAVEAT in document["caveats"]
        assert NO_MAP_CAVEAT in document["caveats"]
        exposure = next(f for f in document["findings"] if f["formula"] == "critical-share")
        assert (exposure["confidence"], exposure["confidenceSignal"]) == ("Low", "facility map")
        assert "STALE" in run(capsys, "findings", str(path), *NOW)[1]

    @pytest.mark.parametrize("words", [("findings",), ("explain", "capacity-ledger")])
    def test_a_topology_alone_has_no_snapshot_to_judge(
        self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
    ) -> None:
        code, out, err = run(capsys, *words, str(ROOT / "examples" / "methodology" / "topology.yaml"), *NOW)
        assert (code, out) == (2, "")
        assert "needs a snapshot" in err


class TestExplain:
    @pytest.mark.parametrize(
        "wanted", ["capacity-ledger", "critical-share/h1-ups-a", "single-point@installed"]
    )
    def test_a_page(self, capsys: pytest.CaptureFixture[str], wanted: str) -> None:
        code, out, _ = run(capsys, "explain", wanted, HALLS, *NOW)
        assert code == 0
        for heading in ("FORMULA", "WITH THE NUMBERS OF THIS ESTATE", "TERMS", "CONFIDENCE"):
            assert heading in out

    def test_json_carries_the_terms(self, capsys: pytest.CaptureFixture[str]) -> None:
        out = run(capsys, "explain", "lemon-score/gpu-h1-019", HALLS, "--format", "json", *NOW)[1]
        explained = json.loads(out)
        assert explained["value"] == 87
        assert [term["name"] for term in explained["terms"]] == [
            "eccErrors90d",
            "jobFailures90d",
            "xidEvents90d",
        ]

    @pytest.mark.parametrize("wanted", ["lemon-scor", "nonsense", "critical-share/nowhere", "/"])
    def test_an_unknown_finding_is_wrong_usage(self, capsys: pytest.CaptureFixture[str], wanted: str) -> None:
        code, out, err = run(capsys, "explain", wanted, HALLS, *NOW)
        assert (code, out) == (2, "")
        assert "topo findings" in err
        assert ("Did you mean 'lemon-score'" in err) == (wanted == "lemon-scor")

    def test_hostile_ids_are_inert(self, capsys: pytest.CaptureFixture[str], hostile: str) -> None:
        out = run(capsys, "explain", "progress-at-risk", hostile, *NOW)[2]
        assert "\x1b" not in out
        document = json.loads(run(capsys, "findings", hostile, "--format", "json", *NOW)[1])
        for finding in document["findings"]:
            page = run(capsys, "explain", finding["id"], hostile, *NOW)[1]
            assert not {"\x1b", "\u202e"} & set(page)


class TestSchemas:
    """Every document is valid, whatever the estate."""

    @settings(max_examples=5)
    @given(estate=strategies.estates())
    def test_documents_of_any_estate(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        schema("findings").validate(findings_document(estate, now=NOW[1]))
        schema("sweep").validate(sweep_document(sweep_rows(facility), load="allocated"))
        schema("sweep").validate(sweep_document(sweep_rows(facility, strict=False), load="allocated"))
        for failed in (next(iter(estate.domains)), estate.nodes[0].id):
            schema("whatif").validate(whatif_to_json(whatif(facility, [failed])))
