"""`topo curtail`, `topo rescue`, `topo headroom`: pages, documents, gates."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from findings.curtail.plan import plan_of
from findings.curtail.solver import Proven
from tests.estates import estate_of
from tests.topo.command import LAB, ROOT, golden, topo, widest
from topo.text.shed import proof_words

ESTATE = "examples/two-halls/estate.json"
NOW = ("--now", "2026-12-01T12:00:00Z")
GOLDEN = Path(__file__).parent / "golden"

CASES: dict[str, tuple[str | Path, ...]] = {
    "curtail": ("curtail", ESTATE, "--shed-kw", "400", "--within", "30", *NOW),
    "curtail-short": ("curtail", ESTATE, "--percent", "50", "--under", "h1-ups-a", "--within", "5", *NOW),
    "rescue": ("rescue", ESTATE, "--fail", "h1-pdu-4a", *NOW),
    "rescue-no-plan": ("rescue", ESTATE, "--fail", "h1-ups-a", *NOW),
    "headroom": ("headroom", ESTATE, *NOW),
    "headroom-part": ("headroom", ESTATE, "--under", "zone-1", "--kind", "pdu", "--rows", "4", *NOW),
}
CODES = {
    "curtail": 0,
    "curtail-short": 3,
    "rescue": 3,
    "rescue-no-plan": 3,
    "headroom": 0,
    "headroom-part": 0,
}


@pytest.mark.parametrize("name", CASES)
def test_the_page(name: str) -> None:
    done = topo(*CASES[name])
    assert (done.code, done.err) == (CODES[name], "")
    assert widest(done.out) <= 80
    golden(GOLDEN / f"{name}.txt", done.out)


@pytest.mark.parametrize("name", CASES)
def test_the_document(name: str) -> None:
    done = topo(*CASES[name], "--format", "json")
    assert (done.code, done.err) == (CODES[name], "")
    schema = json.loads((ROOT / "schemas" / f"{CASES[name][0]}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(done.out))
    assert json.loads(done.out)["now"] == "2026-12-01T12:00:00Z"
    assert topo(*CASES[name], "--format", "json").out == done.out


def test_a_rescue_from_several_failures_says_what_is_to_be_capped_before() -> None:
    said = " ".join(topo("rescue", ESTATE, "--fail", "h1-ups-a", "--fail", "ups-r", *NOW).out.split())
    assert "h1-ups-a, ups-r fail: no pause takes enough load off h1-mech-1, h1-ups-m." in said
    assert "Cap before: the part of `over by` that no pause takes off in time." in said


def document(*arguments: str | Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(topo(*arguments, "--format", "json", *NOW).out)
    return loaded


def test_the_command_line_is_named_as_the_basis_of_what_it_says() -> None:
    found = document("curtail", ESTATE, "--shed-kw", "10", "--price-per-unit-hour", "7")
    price = next(each for each in found["assumptions"] if each["name"] == "pricePerUnitHour")
    assert (price["value"], price["basis"]) == (7, "command line")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "--shed-kw"),
        (("--shed-kw", "1", "--to-kw", "1"), 2, "not allowed"),
        (("--shed-kw", "-1"), 2, "not a finite number"),
        (("--shed-kw", "1", "--under", "h1-upsa"), 2, "h1-ups-a"),
        (("--shed-kw", "1", "--under", "h1-zone"), 2, ""),
        (("--shed-kw", "1e9"), 3, ""),
        (("--shed-kw", "1"), 0, ""),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int, said: str) -> None:
    done = topo("curtail", ESTATE, *arguments)
    assert done.code == code
    assert said in done.err


def test_nothing_to_shed_is_not_ok_where_nodes_are_lost() -> None:
    done = topo("rescue", "--fail", "lab-rack", "examples/lab/estate.json")
    assert done.code == 0
    assert done.out.startswith(
        "NOTHING TO SHED  lab-rack fails: 1 of 1 node is lost; no survivor is overloaded.\n"
    )


@pytest.mark.parametrize("command", [("curtail", "--shed-kw", "1"), ("rescue", "--fail", "x"), ("headroom",)])
def test_a_map_alone_has_no_workloads(command: tuple[str, ...]) -> None:
    done = topo(*command, LAB / "topology.yaml")
    assert done.code == 2
    assert "estate.json" in done.err


class TestPicture:
    def picture(self, tmp_path: Path, *arguments: str | Path) -> ElementTree.Element:
        path = tmp_path / "stairs.svg"
        topo(*arguments, "--picture", path, *NOW)
        return ElementTree.fromstring(path.read_text("utf-8"))

    def test_it_shows_both_clocks_what_is_asked_and_the_deadline(self, tmp_path: Path) -> None:
        root = self.picture(tmp_path, "curtail", ESTATE, "--shed-kw", "400", "--within", "30")
        words = " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))
        for word in ("at worst", "expected", "asked: 400 kW", "deadline: 30 min", "minutes after the orders"):
            assert word in words
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 2

    def test_hostile_names_stay_text(self, tmp_path: Path) -> None:
        raw = json.loads((LAB / "estate.json").read_text("utf-8"))
        raw["cluster"] = "<script>&\u202e\u0000"
        path = tmp_path / "hostile.json"
        path.write_text(json.dumps(raw), encoding="utf-8")
        root = self.picture(tmp_path, "curtail", path, "--shed-kw", "1")
        assert not list(root.iter("{http://www.w3.org/2000/svg}script"))

    def words(self, root: ElementTree.Element) -> str:
        return " ".join(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text"))

    def test_a_rescue_shows_its_verdict_the_need_and_how_long_it_is_carried(self, tmp_path: Path) -> None:
        """302.6 of 240 kW are carried for 120 s; the job of 436.8 kW draws half of it through that PDU."""
        root = self.picture(tmp_path, "rescue", ESTATE, "--fail", "h1-ups-a")
        said = self.words(root)
        for words in (
            "NO PLAN, but a part can be kept: rescue from h1-ups-a, cluster two-halls",
            "1 pause sheds 436.8 kW, 218.4 kW of it off h1-pdu-4b: 60 min expected, 120 min at worst",
            "needed: 62.6 kW",
            "carried for 120 s",
        ):
            assert words in said
        assert "asked" not in said
        lines = root.iter("{http://www.w3.org/2000/svg}line")
        assert len([line for line in lines if line.get("stroke-width") == "1.5"]) == 2

    def test_a_rescue_that_cannot_be_judged_says_so(self, tmp_path: Path) -> None:
        said = self.words(self.picture(tmp_path, "rescue", ESTATE, "--fail", "h2-pdu-1a"))
        assert "UNKNOWN: rescue from h2-pdu-1a" in said
        assert "Nothing is known to be overloaded, and nothing is paused." in said

    def test_a_plan_of_nothing_can_be_drawn(self, tmp_path: Path) -> None:
        assert self.picture(tmp_path, "rescue", ESTATE, "--fail", "ups-r").tag.endswith("svg")


def test_headroom_does_not_print_unknown_flow_as_0(tmp_path: Path) -> None:
    raw = json.loads((LAB / "estate.json").read_text("utf-8"))
    raw.pop("wattsPerUnitKw", None)
    for node in raw["nodes"]:
        node.pop("kwPerUnit", None)
    for domain in raw["domains"].values():
        domain.pop("loadKw", None)
    path = tmp_path / "unmetered.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    loaded = [each for each in document("headroom", path)["domains"] if not each["exact"]]
    assert loaded
    assert {each["flowKw"] for each in loaded} == {None} == {each["freeKw"] for each in loaded}
    page = topo("headroom", path).out
    assert f"{len(loaded)} unknown" in page


def test_headroom_begins_with_the_racks_by_what_can_be_added_and_says_what_holds_the_first_back() -> None:
    """Nothing can be plugged into a utility, however much room it has."""
    rooms = {each["id"]: each for each in document("headroom", ESTATE)["domains"]}
    done = topo("headroom", ESTATE, "--rows", "0", *NOW)
    _, racks, others = re.split(r"\n(?:RACKS|OTHER RATED DOMAINS)\b", done.out)
    shown = [line.split()[0] for line in racks.splitlines() if line.startswith("  h")]
    assert {rooms[name]["kind"] for name in shown} == {"rack"}
    known = [rooms[name]["headroomKw"] for name in shown if not rooms[name]["unrated"]]
    assert known == sorted(known, reverse=True)
    assert len(shown) == sum(each["kind"] == "rack" for each in rooms.values())
    assert not any(f"  {name} " in others for name in shown)
    limit = rooms[shown[0]]["limitedBy"]
    assert f"Most room: rack {shown[0]}, " in done.out
    assert f"  topo why {limit['domain']} --fail {limit['failed']} " in done.out


def test_headroom_of_a_part_says_which() -> None:
    asked = ("headroom", ESTATE, "--under", "zone-1", "--kind", "rack", "--kind", "pdu")
    found = document(*asked)
    assert (found["under"], found["kinds"]) == ("zone-1", ["power", "rack"])
    assert {each["kind"] for each in found["domains"]} == {"power", "rack"}
    assert all(each["id"].startswith("h1-") for each in found["domains"])
    empty = topo("headroom", ESTATE, "--under", "h1-leaf-1", "--kind", "ups", *NOW).out
    assert "Nothing there is rated." in empty
    for wrong, said in ((("--under", "h1-ups"), "h1-ups-a"), (("--kind", "row"), "there is no 'row'")):
        done = topo("headroom", ESTATE, *wrong)
        assert done.code == 2
        assert said in done.err


def test_headroom_without_a_rack_that_has_room_says_so() -> None:
    lab = LAB / "estate.json"
    assert "Every rated rack is full. Most room elsewhere: feed-strong, 2 kW" in topo("headroom", lab).out


class TestRefusals:
    """What makes no sense is refused before anything is computed or written."""

    @pytest.mark.parametrize("command", [("curtail", "--shed-kw", "1"), ("rescue", "--fail", "h1-pdu-4a")])
    @pytest.mark.parametrize("name", ["p.png", "p", "p.svg.pdf"])
    def test_a_picture_is_svg(self, tmp_path: Path, command: tuple[str, ...], name: str) -> None:
        path = tmp_path / name
        done = topo(*command, ESTATE, "--picture", path)
        assert (done.code, done.out) == (2, "")
        assert ".svg" in done.err
        assert not path.exists()

    def test_a_picture_does_not_go_where_the_page_goes(self) -> None:
        done = topo("curtail", ESTATE, "--shed-kw", "1", "--picture", "-")
        assert (done.code, done.out) == (2, "")
        assert "--picture needs a file" in done.err

    @pytest.mark.parametrize("name", ["x.pdf", "x"])
    def test_a_report_is_html(self, tmp_path: Path, name: str) -> None:
        done = topo("report", LAB / "estate.json", "-o", tmp_path / name)
        assert (done.code, done.out) == (2, "")
        assert ".html" in done.err
        assert not (tmp_path / name).exists()

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("curtail", ESTATE, "--percent", "101"), "more than 100"),
            (("headroom", ESTATE, "--rows", "-3"), "not a whole number >= 0"),
            (("findings", ESTATE, "--rows", "x"), "not a whole number"),
            (("validate", ESTATE, "--max-size", "0"), "not a size >= 1"),
            (("sweep", ESTATE, "--max-size", "64X"), "like 1000, 64M or 1G"),
            (("whatif", "--fail", "h1-ups-a", ESTATE, "--max-size", "-1"), "not a size >= 1"),
        ],
    )
    def test_numbers_that_mean_nothing(self, arguments: tuple[str | Path, ...], said: str) -> None:
        done = topo(*arguments)
        assert (done.code, done.out) == (2, "")
        assert said in done.err

    def test_everything_can_be_asked_for(self) -> None:
        assert topo("curtail", ESTATE, "--percent", "100").code in {0, 3}


class TestProofWords:
    """What the solver proved, said plainly: no solver's name, no gaps of zero, no ties."""

    def test_the_least_harm(self) -> None:
        page = " ".join(topo(*CASES["curtail"]).out.split())
        assert "Proven: no other plan, of the workloads whose drain is known, does less harm" in page
        assert "gap" not in page

    def test_a_plan_that_may_be_improved(self) -> None:
        levels = (Proven("criticalUnits", 8, 8, 0.0), Proven("usd", 100, 75, 0.25), Proven("ties", 9, 3, 0.5))
        said = proof_words(plan_of((), levels), estate_of({}, {}))
        assert said == (
            "Not proven to be the least harm: another plan might pause at most 25 % fewer dollars "
            "(critical GPUs count first, then dollars)."
        )


def test_no_prose_of_a_cell_is_cut_and_nothing_is_priced_at_zero() -> None:
    page = topo("curtail", "--shed-kw", "999999", "--rows", "0", "examples/two-halls/estate.json").out
    said = " ".join(page.split())
    assert "all workloads together draw too little" in said
    assert "$0.00" not in said
    assert "not priced" in said
    assert "serve/deployment/chat-large (0 left of 9 needed)" in said
