"""The live page in a real browser says what the command says, and sends nothing anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.test_conformance import at, cases, same
from tests.topo.command import ROOT, TWO_HALLS, topo
from tests.topo.live.browser import NOW, Visit, live_page, visit
from tests.topo.report.pages import HOSTILE, hostile
from topo.live.engine import Session
from topo.output import to_json
from topology.dump import estate_to_json

pytestmark = pytest.mark.extra

CLUSTERS = ROOT / "examples" / "two-clusters"
INVALID = sorted(
    path for path in (ROOT / "tests" / "fixtures" / "invalid").iterdir() if path.name != "expected.json"
)
SCENARIOS = (("h1-ups-a",), ("h1-fabric",), ("h1-ups-a", "h1-ups-b"), ("h2-mech-1", "h2-pdu-1a"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return live_page(tmp_path_factory.mktemp("live"))


def clean(seen: Visit) -> None:
    """Nothing requested, nothing blocked by the policy, nothing on the console."""
    assert (seen.requests, seen.blocked, seen.console, seen.axe) == ([], [], [], [])


@pytest.fixture(scope="module")
def halls(page: Path) -> Visit:
    steps: list[dict[str, Any]] = [
        {"axe": "empty"},
        {"set": {"#now": NOW}},
        {"drop": [str(TWO_HALLS / "estate.json")]},
        {"inside": "document.querySelector('#verdict').innerText", "as": "verdict"},
        {"saved": "#save", "as": "report"},
        {"axe": "done"},
        {"document": "findings", "as": "findings"},
        {"document": "validate", "as": "validate"},
        {"document": "estate", "as": "estate"},
        *({"document": "whatif", "fail": ids, "as": " ".join(ids)} for ids in SCENARIOS),
        {"document": "whatif", "fail": ["no-such-id"], "as": "unknown"},
        {"set": {"#load": "installed"}, "until": "done"},
        {"document": "whatif", "fail": ["h1-ups-a"], "as": "installed"},
        {"set": {"#now": "yesterday"}, "until": "refused"},
        {"read": "document.getElementById('faults').textContent", "as": "yesterday"},
    ]
    return visit(page, steps)


class TestTwoHalls:
    """A 2,000-GPU estate, dropped on the page."""

    def test_nothing_is_requested_or_blocked(self, halls: Visit) -> None:
        clean(halls)

    def test_the_report_is_the_one_that_the_command_writes(self, halls: Visit) -> None:
        done = topo("report", TWO_HALLS / "estate.json", "--now", NOW)
        assert halls.values["report"] == done.out

    def test_the_report_is_shown(self, halls: Visit) -> None:
        assert "Worst single failure" in halls.values["verdict"]

    @pytest.mark.parametrize("ids", SCENARIOS)
    def test_what_fails_costs_what_the_command_says(self, halls: Visit, ids: tuple[str, ...]) -> None:
        fails = [argument for each in ids for argument in ("--fail", each)]
        done = topo("whatif", *fails, TWO_HALLS / "estate.json", "--format", "json")
        assert halls.values[" ".join(ids)] == done.out

    def test_installed_units_can_draw_power(self, halls: Visit) -> None:
        options = ("--load", "installed", "--format", "json")
        assert (
            halls.values["installed"]
            == topo("whatif", "--fail", "h1-ups-a", TWO_HALLS / "estate.json", *options).out
        )

    def test_an_unknown_id_is_said(self, halls: Visit) -> None:
        assert "no-such-id" in halls.values["unknown"]

    def test_the_findings_are_those_of_the_command(self, halls: Visit) -> None:
        done = topo("findings", TWO_HALLS / "estate.json", "--now", NOW, "--format", "json")
        assert halls.values["findings"] == done.out

    def test_the_check_is_that_of_the_command(self, halls: Visit) -> None:
        done = topo("validate", TWO_HALLS / "estate.json", "--format", "json")
        ours, theirs = json.loads(halls.values["validate"]), json.loads(done.out)
        for each in theirs["diagnostics"]:
            each["file"] = Path(each["file"]).name
        assert ours == theirs

    def test_a_time_that_is_none_is_refused(self, halls: Visit) -> None:
        assert "'yesterday' is no RFC 3339 time" in halls.values["yesterday"]


@pytest.fixture(scope="module")
def together(page: Path) -> Visit:
    both = [str(CLUSTERS / "train.json"), str(CLUSTERS / "serve.json")]
    facility_map = str(CLUSTERS / "topology.yaml")
    steps: list[dict[str, Any]] = [
        {"set": {"#now": NOW}},
        {"drop": both},
        {"document": "estate", "as": "merged"},
        {"read": "document.getElementById('notes').textContent", "as": "notes"},
        {"drop": [*both, facility_map]},
        {"document": "estate", "as": "mapped"},
        {"drop": [both[0], facility_map]},
        {"document": "estate", "as": "one"},
        {"document": "validate", "as": "one-check"},
        {"drop": [facility_map]},
        {"document": "whatif", "fail": ["xfmr-t1"], "as": "bare"},
        {"drop": [both[0], both[0]], "until": "refused"},
        {"read": "document.getElementById('faults').textContent", "as": "twice"},
    ]
    return visit(page, steps)


class TestFilesTogether:
    """Several estates are merged, a topology is laid over them."""

    def test_nothing_is_requested_or_blocked(self, together: Visit) -> None:
        clean(together)

    @pytest.mark.parametrize("name", ["merged", "mapped"])
    def test_a_merge_is_that_of_the_command(self, together: Visit, name: str) -> None:
        facility_map = ("--topology", CLUSTERS / "topology.yaml") if name == "mapped" else ()
        done = topo("merge", CLUSTERS / "train.json", CLUSTERS / "serve.json", *facility_map)
        assert file_names(together.values[name]) == file_names(done.out)

    def test_the_notes_are_shown(self, together: Visit) -> None:
        assert all(
            note in together.values["notes"] for note in json.loads(together.values["merged"])["notes"]
        )

    def test_a_topology_is_laid_over_one_estate(self, together: Visit) -> None:
        paths = [CLUSTERS / "train.json", CLUSTERS / "topology.yaml"]
        assert together.values["one"] == to_json(dropped(paths).document("estate"))
        modified = datetime.fromtimestamp(int(paths[1].stat().st_mtime), tz=UTC)
        stamp = json.loads(together.values["one"])["provenance"]["topologyFileModifiedAt"]
        assert datetime.fromisoformat(stamp) == modified

    def test_a_topology_alone_is_judged(self, together: Visit) -> None:
        expected = dropped([CLUSTERS / "topology.yaml"]).document("whatif", ["xfmr-t1"])
        assert json.loads(together.values["bare"]) == json.loads(to_json(expected))

    def test_the_same_cluster_twice_is_refused(self, together: Visit) -> None:
        assert "cluster-twice" in together.values["twice"]


def file_names(merged: str) -> str:
    """A merged estate as text; it names the files that it was made of by what they were called."""
    return merged.replace(f"{CLUSTERS}/", "")


def dropped(paths: list[Path], now: str = NOW) -> Session:
    """The same files, read by this Python."""
    session = Session()
    session.take(
        [(path.name, path.read_bytes(), path.stat().st_mtime * 1000) for path in paths], now, "allocated"
    )
    return session


def test_invalid_files_give_the_same_diagnostics(page: Path) -> None:
    steps: list[dict[str, Any]] = []
    for path in INVALID:
        steps += [
            {"drop": [str(path)], "until": "refused"},
            {"document": "validate", "as": path.name},
            {
                "read": "[...document.querySelectorAll('#faults li code')].map((c) => c.textContent)",
                "as": "at " + path.name,
            },
        ]
    seen = visit(page, steps)
    clean(seen)
    for path in INVALID:
        expected = json.loads(to_json(dropped([path]).document("validate")))
        assert json.loads(seen.values[path.name]) == expected, path.name
        places = [f"{path.name}:{each['line']}:{each['column']}" for each in expected["diagnostics"]]
        assert seen.values["at " + path.name] == places


def test_files_are_dropped_as_a_person_drops_them_and_the_last_ones_count(page: Path) -> None:
    first, last = (
        (ROOT / "examples" / name / "estate.json").read_text("utf-8") for name in ("two-halls", "lab")
    )
    dropping = """(texts) => {
        document.body.dataset.state = "busy";
        for (const text of texts) {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "estate.json"));
            document.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }
    }"""
    steps: list[dict[str, Any]] = [
        {"read": f"({dropping})({json.dumps([first, last])})", "as": "dropped"},
        {"set": {"#now": NOW}, "until": "done"},
        {"document": "estate", "as": "estate"},
        {"saved": "#save", "as": "report"},
    ]
    seen = visit(page, steps)
    clean(seen)
    path = ROOT / "examples" / "lab" / "estate.json"
    assert seen.values["estate"] == to_json(dropped([path]).document("estate"))
    assert seen.values["report"] == topo("report", path, "--now", NOW).out


def test_hostile_ids_are_inert(page: Path, tmp_path: Path) -> None:
    path = tmp_path / "<img src=x onerror=hurt()>.json"
    text = to_json(estate_to_json(hostile()))
    path.write_text(text.replace("\\ud800", ""), encoding="utf-8")  # half a surrogate pair is refused
    steps: list[dict[str, Any]] = [
        {"set": {"#now": NOW}},
        {"drop": [str(path)]},
        {"read": "[window.hurt, document.querySelectorAll('img, b').length]", "as": "page"},
        {"inside": "[window.hurt, document.querySelectorAll('img').length]", "as": "report"},
        {"document": "whatif", "fail": [f"{HOSTILE[0]} ups"], "as": "whatif"},
        {"document": "estate", "as": "estate"},
        {"read": "[window.hurt, document.querySelectorAll('img, b').length]", "as": "after"},
    ]
    seen = visit(page, steps)
    clean(seen)
    assert seen.values["page"] == seen.values["report"] == seen.values["after"] == [None, 0]
    session = dropped([path])
    assert seen.values["estate"] == to_json(session.document("estate"))
    assert seen.values["whatif"] == to_json(session.document("whatif", [f"{HOSTILE[0]} ups"]))


def test_the_conformance_suite(page: Path, tmp_path: Path) -> None:
    steps = list(conformance_steps(tmp_path))
    seen = visit(page, steps, timeout=240_000)
    clean(seen)
    assert len(seen.values) == len(cases())
    for name, case in cases():
        ours, expected = json.loads(seen.values[name]), case["expect"]
        wrong = {
            pointer: at(ours, pointer)
            for pointer in expected
            if not same(at(ours, pointer), expected[pointer])
        }
        assert not wrong, name
        assert ours == json.loads(to_json(in_this_process(case))), name


def in_this_process(case: dict[str, Any]) -> dict[str, Any]:
    """The document of a case by the same engine, without a browser; its time is given, as in the page."""
    session = Session()
    now, load = wanted(case)
    session.take([("estate.json", json.dumps(case["estate"]).encode(), 0)], now, load)  # type: ignore[arg-type]
    return session.document("whatif" if "fail" in case else "findings", case.get("fail", []))


def conformance_steps(folder: Path) -> Iterator[dict[str, Any]]:
    """Every case dropped as a file; those with the same time and load follow one another."""
    setting = None
    numbered = enumerate(cases())
    for number, (name, case) in sorted(numbered, key=lambda item: (wanted(item[1][1]), item[0])):
        if wanted(case) != setting:
            setting = wanted(case)
            yield {"set": {"#now": setting[0], "#load": setting[1]}}
        path = folder / f"{number}.json"
        path.write_text(json.dumps(case["estate"]), encoding="utf-8")
        yield {"drop": [str(path)]}
        yield {
            "document": "whatif" if "fail" in case else "findings",
            "fail": case.get("fail", []),
            "as": name,
        }


def wanted(case: dict[str, Any]) -> tuple[str, str]:
    """The time and the load that a case asks for."""
    return case.get("now", NOW), case.get("load", "allocated")
