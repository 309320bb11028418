"""`topo diff`: the page, the document, Markdown, SARIF, the gate."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.topo.command import LAB, ROOT, Done, golden, topo, widest

OLD = LAB / "estate.json"
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    """The lab's map with a weaker strong feed and a panel on one feed."""
    text = (LAB / "topology.yaml").read_text("utf-8")
    changed = text.replace("ratedKw: 8}", "ratedKw: 5}").replace(
        "feeds: [feed-strong, feed-weak]", "parent: feed-weak"
    )
    path = tmp_path / "new.yaml"
    path.write_text(changed, encoding="utf-8")
    return path


def diff(new: Path, *words: str) -> Done:
    done = topo("diff", LAB / "topology.yaml", new, *words)
    assert done.err == ""
    return done


@pytest.mark.parametrize(("form", "suffix"), [("table", "txt"), ("markdown", "md")])
def test_the_page(worse: Path, form: str, suffix: str) -> None:
    done = diff(worse, "--format", form, "--fail-on", "worse")
    assert done.code == 3
    assert form == "markdown" or widest(done.out) <= 80
    golden(GOLDEN / f"diff.{suffix}", done.out.replace(str(worse), "new.yaml"))


def test_the_document(worse: Path) -> None:
    done = diff(worse, "--format", "json")
    assert done.code == 0
    schema = json.loads((ROOT / "schemas" / "diff.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(done.out))
    assert json.loads(done.out)["worse"] is True
    (panel, feeds) = json.loads(done.out)["wiring"]
    assert (panel["field"], panel["old"], panel["new"]) == ("parent", None, "feed-weak")
    assert (feeds["field"], feeds["old"], feeds["new"]) == ("feeds", ["feed-strong", "feed-weak"], [])


def test_sarif_stands_on_the_lines_of_the_new_map(worse: Path) -> None:
    log = json.loads(diff(worse, "--format", "sarif").out)
    lines = worse.read_text("utf-8").splitlines()
    shown = {}
    for result in log["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].endswith("new.yaml")
        shown[result["ruleId"]] = lines[place["region"]["startLine"] - 1]
    assert "feed-strong:" in shown["diff-rating"]
    assert "lab-panel:" in shown["diff-redundancy"]
    assert "feed-weak:" in shown["diff-exposure"]


def test_nothing_changed_passes_the_gate() -> None:
    done = topo("diff", OLD, OLD, "--fail-on", "worse", "--format", "json")
    assert (done.code, json.loads(done.out)["changes"]) == (0, [])
    assert "READ WITH CARE\n\n" not in topo("diff", OLD, OLD).out


def test_hostile_ids_stay_text(tmp_path: Path) -> None:
    name = "<img src=x>|`*_@team https://a.b www.a.b [x](y) \\u001b[31m"
    paths = [tmp_path / "old.yaml", tmp_path / "new.yaml"]
    for path, rated in zip(paths, (9, 5), strict=True):
        path.write_text(f'domains: {{"{name}": {{kind: ups, ratedKw: {rated}}}}}\n', encoding="utf-8")
    out = topo("diff", *paths, "--format", "markdown").out
    row = next(line for line in out.splitlines() if line.startswith("| worse"))
    assert row.count("|") == 6
    assert not set("<>`*_@[]\\\x1b") & set(row)
    assert "://" not in row
    assert "www." not in row


@pytest.fixture
def maps(tmp_path: Path) -> tuple[Path, Path]:
    """A PDU that moves to another UPS behind the same transformer, and 30 racks that move with a PDU."""
    text = "domains:\n  t: {kind: transformer}\n"
    text += "".join(f"  ups-{i}: {{kind: ups, parent: t}}\n" for i in (1, 2, 3))
    text += "  pdu-1: {kind: power, feeds: [ups-1, ups-2]}\n  pdu-2: {kind: power, feeds: [ups-1, ups-2]}\n"
    text += "  pdu-3: {kind: power, parent: ups-1}\n"
    text += "".join(f"  rack-{i:02}: {{kind: rack, feeds: [pdu-1, pdu-2]}}\n" for i in range(30))
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(f"{text}nodes:\n  n1: {{row: row-1}}\n  n2: {{row: row-1}}\n", "utf-8")
    moved = text.replace(
        "pdu-2: {kind: power, feeds: [ups-1, ups-2]}", "pdu-2: {kind: power, feeds: [ups-1, ups-3]}"
    )
    moved = moved.replace("pdu-3: {kind: power, parent: ups-1}", "pdu-3: {kind: power, parent: ups-2}")
    moved = moved.replace("rack, feeds: [pdu-1, pdu-2]", "rack, feeds: [pdu-2, pdu-1], transfer: preferred")
    new.write_text(
        f"{moved}nodes:\n  n1: {{row: row-1, nvlink: nv-1}}\n  n2: {{row: row-1, nvlink: nv-1}}\n", "utf-8"
    )
    return old, new


def test_what_is_wired_otherwise_is_said_though_no_figure_changed(maps: tuple[Path, Path]) -> None:
    """30 racks alike are a row or two, and so are the nodes that moved."""
    rows = ("--rows", "3", "--fail-on", "worse")
    for form, suffix in (("table", "txt"), ("markdown", "md")):
        done = topo("diff", *maps, *rows, "--format", form)
        assert (done.code, done.err) == (0, "")
        assert form == "markdown" or widest(done.out) <= 80
        golden(GOLDEN / f"diff-wiring.{suffix}", done.out.replace(str(maps[1]), "new.yaml"))


def test_wiring_is_a_note_on_its_line(maps: tuple[Path, Path]) -> None:
    lines = maps[1].read_text("utf-8").splitlines()
    results = json.loads(topo("diff", *maps, "--format", "sarif").out)["runs"][0]["results"]
    notes = {result["message"]["text"]: result for result in results if result["ruleId"] == "diff-wiring"}
    assert {result["level"] for result in notes.values()} == {"note"}
    (moved,) = (text for text in notes if text.startswith("pdu-3"))
    assert moved == "pdu-3: parent: was ups-1, is ups-2."
    region = notes[moved]["locations"][0]["physicalLocation"]["region"]
    assert lines[region["startLine"] - 1][region["startColumn"] - 1 :].startswith("ups-2")


def test_one_connection(maps: tuple[Path, Path], tmp_path: Path) -> None:
    one = tmp_path / "one.yaml"
    one.write_text(maps[0].read_text("utf-8").replace("[ups-1, ups-2]", "[ups-1, ups-3]", 1), "utf-8")
    done = topo("diff", maps[0], one)
    assert done.out.startswith("NO FIGURE CHANGED, 1 connection did\n")
    assert topo("diff", one, one).out.startswith("NO CHANGE\n")


def test_two_maps_under_one_snapshot_have_units(worse: Path) -> None:
    words = ("--under", OLD, "--format", "json")
    found = json.loads(topo("diff", LAB / "topology.yaml", worse, *words).out)
    assert {change["field"] for change in found["changes"]} >= {"units", "nodes"}
    assert json.loads(topo("diff", worse, worse, *words).out)["changes"] == []


def test_what_to_do_next_is_about_the_new_one_under_the_same_snapshot(worse: Path) -> None:
    page = topo("diff", LAB / "topology.yaml", worse, "--under", OLD, "--load", "installed").out
    commands = [shlex.split(line)[1:] for line in page.partition("\nNEXT\n")[2].splitlines()]
    assert [words[0] for words in commands] == ["whatif", "why", "sweep"]
    for words in commands:
        assert words[-5:] == ["--topology", str(worse), "--load", "installed", str(OLD)]
        assert topo(*words).code == 0
    same = topo("diff", OLD, OLD).out.partition("\nNEXT\n")[2]
    assert same.splitlines() == [f"  topo whatif --fail feed-strong {OLD}", f"  topo sweep {OLD}"]
    assert "critical GPUs lost" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--under", "-"), "standard input"),
        (("--under", str(OLD), "--topology", str(LAB / "topology.yaml")), "--topology"),
    ],
)
def test_wrong_usage_of_under(worse: Path, words: tuple[str, ...], said: str) -> None:
    done = topo("diff", worse, worse, *words)
    assert done.code == 2
    assert said in done.err


@pytest.mark.parametrize(
    ("old", "under", "said"),
    [
        (OLD, OLD, "with --under, OLD and NEW are facility maps, and"),
        (LAB / "topology.yaml", LAB / "topology.yaml", "--under takes an estate, and"),
    ],
)
def test_the_wrong_kind_of_file_under(old: Path, under: Path, said: str) -> None:
    """The words are about what was typed: nobody who typed --under has given --topology."""
    done = topo("diff", old, LAB / "topology.yaml", "--under", under)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert "--topology" not in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [(("-", "-"), "standard input"), ((str(OLD),), "NEW"), ((str(OLD), "nowhere.json"), "nowhere.json")],
)
def test_wrong_usage(words: tuple[str, ...], said: str) -> None:
    done = topo("diff", *words)
    assert done.code == 2
    assert said in done.err


class TestNothingIsCutBetweenIds:
    """An id may give way in a long row; the words between ids never, and at --rows 0 nothing does."""

    WORDS = ("--under", "examples/two-halls/estate.json")

    def maps(self, tmp_path: Path) -> tuple[str, str]:
        old = "examples/two-halls/topology.yaml"
        new = tmp_path / "new.yaml"
        text = (ROOT / old).read_text("utf-8")
        new.write_text(re.sub(r"(h1-pdu-1b:.*ratedKw: )400", r"\g<1>300", text), "utf-8")
        return old, str(new)

    def test_the_verb_stays(self, tmp_path: Path) -> None:
        page = topo("diff", *self.maps(tmp_path), *self.WORDS).out
        assert "h1-pdu-1a stops" in page
        assert "stops.." not in page
        assert widest(page) <= 80

    def test_rows_0_names_whatever_one_side_alone_has(self, tmp_path: Path) -> None:
        gone = [f"gpu-h1-00{n}" for n in range(1, 7)]
        new = tmp_path / "gone.yaml"
        text = (ROOT / "examples/two-halls/topology.yaml").read_text("utf-8")
        new.write_text(re.sub(r"(?m)^ *gpu-h1-00[1-6]:.*\n", "", text), "utf-8")
        words = ("diff", "examples/two-halls/topology.yaml", new, "--fail-on", "worse")
        whole, cut = topo(*words, "--rows", "0"), topo(*words)
        assert (whole.code, cut.code) == (3, 3)
        assert f"6 nodes removed: {', '.join(gone)}." in " ".join(whole.out.split())
        assert "gpu-h1-004 and 2 more." in cut.out
        assert cut.out.startswith("UNKNOWN\n")
        assert "\n  better" not in cut.out


def hall(weak_kw: float | None = 5, **estate: Any) -> dict[str, Any]:
    """A rack of 8 GPUs on two feeds, of which the weaker does not carry it."""
    return {
        "schemaVersion": 1,
        "cluster": "c",
        "unit": "gpu",
        "snapshotAt": "2026-12-01T10:00:00Z",
        "wattsPerUnitKw": 1,
        "nodes": [{"id": "n1", "installed": 8, "allocated": 8, "domains": {"rack": "r1"}}],
        "domains": {
            "r1": {"kind": "rack", "feeds": ["pa", "pb"]},
            "pa": {"kind": "power", "ratedKw": 10},
            "pb": {"kind": "power", "ratedKw": weak_kw},
        },
        "workloads": [{"id": "a/x", "kind": "batch", "critical": True, "placements": {"n1": 8}}],
        **estate,
    }


def gate(tmp_path: Path, old: dict[str, Any], new: dict[str, Any]) -> tuple[int, str, str]:
    """The exit code, the verdict and the page on one line."""
    files = tmp_path / "old.json", tmp_path / "new.json"
    for file, document in zip(files, (old, new), strict=True):
        file.write_text(json.dumps(document), encoding="utf-8")
    done = topo("diff", *files, "--fail-on", "worse")
    return done.code, done.out.splitlines()[0], " ".join(done.out.split())


def test_a_loss_that_is_smaller_for_want_of_a_kw_fails_the_gate(tmp_path: Path) -> None:
    """docs/diff.md: "A loss that is smaller while survivors are not proven safe goes as `unknown`"."""
    code, verdict, page = gate(tmp_path, hall(), hall(wattsPerUnitKw=None))
    assert (code, verdict) == (3, "UNKNOWN")
    assert "better" not in page.partition("CHANGES")[2]


def test_a_proof_that_is_gone_fails_the_gate_though_no_loss_is_another(tmp_path: Path) -> None:
    """docs/diff.md: "Then the failure is no longer proven safe, the page says of how many"."""
    code, verdict, page = gate(tmp_path, hall(20), hall(20, wattsPerUnitKw=None))
    assert (code, verdict) == (3, "UNKNOWN")
    assert "2 failures are no longer proven safe: what survives them may not hold." in page
    code, verdict, page = gate(tmp_path, hall(20, wattsPerUnitKw=None), hall(20))
    assert (code, verdict) == (0, "CHANGED")
    assert "2 failures are proven safe now, and were not before." in page


def test_a_rating_that_is_written_down_passes_the_gate(tmp_path: Path) -> None:
    """docs/diff.md: "A loss that is larger only by what is known now was as large before"."""
    code, verdict, page = gate(tmp_path, hall(None), hall(5))
    assert (code, verdict) == (0, "CHANGED")
    assert "4 worse only because the old one was not proven" in page
    assert "changed exposure, nodes lost pa >= 0 1" in page
    assert "changed single point, stops pa stops a/x no, not proven yes" in page


def test_a_node_that_says_less_of_where_it_stands_fails_the_gate(tmp_path: Path) -> None:
    """docs/diff.md: "The verdict is `UNKNOWN`, the page names such nodes"."""
    less = hall()
    less["nodes"] = [{**less["nodes"][0], "domains": {"zone": "z"}}]
    code, verdict, page = gate(tmp_path, hall(), less)
    assert (code, verdict) == (3, "UNKNOWN")
    assert "1 node no longer says where it stands: n1 (rack). What takes it down there is not" in page
    assert "gone" not in page
