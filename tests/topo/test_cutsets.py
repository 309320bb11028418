"""`topo cutsets` through its real entry point: page, document, refusals."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from closure import cut_sets_algebra
from tests.topo.command import ROOT, Done, golden, topo, topo_twice
from topo.cli import main
from topo.text.table import display_width

ESTATE = "examples/two-halls/estate.json"
MAP = "examples/methodology/topology.yaml"
GOLDEN = Path(__file__).parent / "golden"
NOW = ("--now", "2026-12-01T12:00:00Z")
TARGETS = ("serve/deployment/embed", "train/pytorchjob/atlas-70b", "critical:50%", "units:1500", "h1-r1-01")


def cutsets(target: str, *words: str, file: str | Path = ESTATE) -> Done:
    return topo("cutsets", "--target", target, *words, file)


def document(target: str, *words: str, file: str | Path = ESTATE) -> Any:
    """The document, printed in this process: much the faster."""
    with redirect_stdout(StringIO()) as printed:
        assert main(["cutsets", "--target", target, *words, "--format", "json", str(ROOT / file)]) == 0
    return json.loads(printed.getvalue())


def written(folder: Path, name: str, **keys: Any) -> Path:
    """An estate with two feeds behind one node, every id carrying the hostile `name`."""
    domains = {f"a{name}": {"kind": "ups", **keys}, f"b{name}": {"kind": "ups", **keys}}
    domains[f"d{name}"] = {"kind": "power", "feeds": list(domains)}
    estate = {
        "schemaVersion": 1,
        "cluster": name or "lab",
        "unit": "gpu",
        "snapshotAt": "2026-11-30T12:00:00Z",
        "wattsPerUnitKw": 1,
        "nodes": [{"id": f"n{name}", "allocated": 8, "domains": {"pdu": f"d{name}"}}],
        "domains": domains,
        "workloads": [{"id": f"w{name}", "kind": "training", "placements": {f"n{name}": 8}}],
    }
    path = folder / "estate.json"
    path.write_text(json.dumps(estate), encoding="utf-8")
    return path


class TestPage:
    """The verdict first; nothing wider than 80 columns."""

    @pytest.mark.parametrize("target", TARGETS[:3])
    def test_golden(self, target: str) -> None:
        done = cutsets(target, "--top", "5", *NOW)
        assert (done.code, done.err) == (0, "")
        golden(GOLDEN / f"cutsets-{target.replace('/', '-').replace(':', '-').rstrip('%')}.txt", done.out)

    def test_width(self) -> None:
        page, _, proposed = cutsets("units:1500", "--top", "0", *NOW).out.rpartition("\nNEXT\n")
        assert max(map(display_width, page.splitlines())) <= 80
        assert proposed.startswith("  topo whatif --fail ")

    def test_what_it_proposes_works(self, tmp_path: Path) -> None:
        estate = written(tmp_path, " 'x'")
        proposed = cutsets("w 'x'", file=estate).out.rpartition("\nNEXT\n")[2].splitlines()
        assert len(proposed) == 2
        import shlex

        for line in proposed:
            assert topo(*shlex.split(line)[1:]).code == 0

    def test_no_set_at_all(self) -> None:
        assert cutsets("units:3000").out.startswith(
            "units:3000 cannot be lost: there are only 2,260 allocated units."
        )
        assert cutsets("gen-bus", "--order", "1").out.startswith("1 single failure takes gen-bus down.")

    def test_already_down(self) -> None:
        done = cutsets("gpu-h1-130", "--out", "h1-ups-a")
        assert done.out.startswith(
            "gpu-h1-130 is down already, with nothing failed: it stands on what is out of\n  service."
        )
        assert "PROBABILITY" not in done.out

    def test_a_service_that_is_short_is_down_with_nothing_out(self, tmp_path: Path) -> None:
        estate = json.loads((ROOT / ESTATE).read_text(encoding="utf-8"))
        serve = {"placements": {}, "replicas": {estate["nodes"][0]["id"]: 2}, "minAvailable": 4}
        estate["workloads"].append({"id": "w", "kind": "inference", **serve})
        path = tmp_path / "short.json"
        path.write_text(json.dumps(estate), encoding="utf-8")
        page = cutsets("workload:w", file=path).out
        assert page.startswith(
            "w is down already, with nothing failed: it runs fewer replicas than it needs.\n"
        )
        assert "down when fewer than 4 replicas are left (minAvailable); it runs\n  2." in page

    def test_without_rates(self) -> None:
        page = cutsets("ups-a", file=MAP).out
        assert "P(down)" not in page
        assert "Unknown: no cut set has failuresPerYear and repairHours" in page

    def test_assumptions_are_beside_the_figures(self) -> None:
        page = cutsets("h1-ups-a").out
        for title in ("SINGLE FAILURES", "PAIRS", "TRIPLES", "PROBABILITY"):
            assert f"{title}  independent failures assumed\n" in page
        assert " a year, whole gangs (modelled)." in page
        assert "lower bound" in page


class TestDocument:
    """Complete, deterministic, valid under its schema."""

    SCHEMA = jsonschema.Draft202012Validator(
        json.loads((ROOT / "schemas" / "cutsets.schema.json").read_text(encoding="utf-8"))
    )

    @pytest.mark.parametrize("target", TARGETS)
    def test_valid(self, target: str) -> None:
        self.SCHEMA.check_schema(self.SCHEMA.schema)
        self.SCHEMA.validate(document(target, *NOW))

    def test_a_map_alone(self) -> None:
        found = document("gpu-node-01", file=MAP)
        self.SCHEMA.validate(found)
        assert found["cutSets"][0]["probability"] is None
        assert found["cutSets"][0]["blast"]["units"] is None

    def test_already_down(self) -> None:
        found = document("gpu-h1-130", "--out", "h1-ups-a")
        self.SCHEMA.validate(found)
        assert found["alreadyDown"]
        assert [row["domains"] for row in found["cutSets"]] == [[]]
        assert "h1-ups-a" in found["baseline"]["domains"]

    def test_it_is_complete_whatever_the_table_shows(self) -> None:
        found = document("h1-r1-01", "--top", "1")
        assert found == document("h1-r1-01", "--top", "0")
        assert len(found["cutSets"]) == sum(found["counts"])

    def test_a_smaller_order_is_a_part(self) -> None:
        three, two = document("h1-r1-01"), document("h1-r1-01", "--order", "2")
        assert two["counts"] == three["counts"][:2]
        assert two["cutSets"] == [row for row in three["cutSets"] if len(row["domains"]) < 3]

    def test_same_input_same_bytes(self) -> None:
        first, second = topo_twice("cutsets", "--target", "h1-r1-01", "--format", "json", ESTATE)
        assert first == second

    @pytest.mark.parametrize("name", ["<b>", "\x1b[31m", "%s{}", "x" * 320, "\u202e", "é 'q'"])
    def test_hostile_ids(self, tmp_path: Path, name: str) -> None:
        estate = written(tmp_path, name, failuresPerYear=1, repairHours=10)
        found = document(f"w{name}", file=estate)
        assert [row["domains"] for row in found["cutSets"]] == [[f"d{name}"], [f"a{name}", f"b{name}"]]
        page = cutsets(f"w{name}", file=estate).out
        assert "\x1b" not in page
        assert "\u202e" not in page

    def test_the_largest_rates_stay_below_certainty(self, tmp_path: Path) -> None:
        found = document("w", file=written(tmp_path, "", failuresPerYear=100_000, repairHours=1_000_000))
        self.SCHEMA.validate(found)
        assert 0.999 < found["figures"][0]["value"] < 1


class TestRefused:
    """One clear message, and what to do."""

    @pytest.mark.parametrize(
        ("target", "said"),
        [
            ("h1-ups-x", "no workload, node or domain is called 'h1-ups-x': did you mean 'h1-ups-"),
            ("workload:atlas", "no workload is called 'atlas'"),
            ("critical:most", "critical:most is not an amount"),
            ("units:0", "units:0 is not an amount"),
        ],
    )
    def test_targets(self, target: str, said: str) -> None:
        done = cutsets(target)
        assert (done.code, done.out) == (2, "")
        assert said in done.err
        assert "  help: " in done.err
        assert "Traceback" not in done.err

    def test_amounts_of_a_map(self) -> None:
        done = cutsets("units:8", file=MAP)
        assert done.code == 2
        assert "a map alone has no units" in done.err

    def test_orders(self) -> None:
        assert cutsets("h1-ups-a", "--order", "4").code == 2

    def test_a_target_is_required(self) -> None:
        assert topo("cutsets", ESTATE).code == 2

    def test_too_many(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr(cut_sets_algebra, "MAX_SETS", 100)
        code = main(["cutsets", "--target", "train/pytorchjob/atlas-70b", str(ROOT / ESTATE)])
        printed = capsys.readouterr()
        assert (code, printed.out) == (2, "")
        assert "more than 100 candidates for cut sets of order 3" in printed.err
        assert "Say --order 2" in printed.err


class TestRatesThatAreUnknown:
    """docs/cutsets.md: "While any cut set has unknown rates all measures are null"."""

    ATLAS = TARGETS[1]

    def test_no_share_is_given_of_what_is_not_known(self) -> None:
        found = document(self.ATLAS)
        measures = ("birnbaum", "criticality", "diagnosis", "fussellVesely")
        assert found["unknownSets"] == 84
        assert {row[name] for row in found["importance"] for name in measures} == {None}
        ranked = [row["cutSets"] for row in found["importance"]]
        assert ranked == sorted(ranked, reverse=True)
        assert {each["name"] for each in found["figures"] if each["lowerBound"]} == {
            "probability",
            "expectedHoursPerYear",
            "expectedUsdPerYear",
            "expectedGangUsdPerYear",
        }

    def test_the_page_says_so(self) -> None:
        page = " ".join(cutsets(self.ATLAS, "--top", "1", *NOW).out.split())
        assert "Both are unknown while 84 cut sets of 142 have no rates" in page
        assert "Expected progress at risk: at least $3.95 a year" in page
        assert "F-V h1-fabric network 1 0 0 unknown unknown unknown" in page

    def test_where_all_are_known_nothing_but_larger_sets_is_missing(self) -> None:
        found = document("load", file="examples/two-trains/topology.yaml")
        assert found["importance"][0]["fussellVesely"] == pytest.approx(0.8235, abs=1e-4)
        assert {each["name"] for each in found["figures"] if each["lowerBound"]} == {
            "probability",
            "expectedHoursPerYear",
        }
