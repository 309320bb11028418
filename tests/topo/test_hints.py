"""Wrong usage is answered with what would be right, and exit code 2; nothing is printed on stdout."""

from pathlib import Path
from typing import Any

import pytest

from tests.topo.command import TWO_HALLS, topo

ESTATE = TWO_HALLS / "estate.json"
MAP = TWO_HALLS / "topology.yaml"
SAID: dict[str, tuple[tuple[str | Path, ...], tuple[str, ...]]] = {
    "a command": (("wahtif", ESTATE), ("no command 'wahtif'", "Did you mean whatif?", "topo --help")),
    "an option": (("whatif", "--fial", "a", ESTATE), ("no option --fial", "Did you mean --fail?")),
    "an option of many words": (("ok-to-take-out", "--bogus", "a", ESTATE), ("no option --bogus",)),
    "what fails": (
        ("whatif", ESTATE),
        ("required: --fail", "--fail h1-fabric, --fail zone-1", "`topo sweep FILE`"),
    ),
    "what fails, where nothing can be ranked": (("rescue", "nowhere.json"), ("`topo sweep FILE`",)),
    "several ids in one word": (
        ("whatif", "--fail", "h1-ups-a,h1-ups-b", ESTATE),
        ("--fail h1-ups-a --fail h1-ups-b",),
    ),
    "several ids in one word of many": (
        ("ok-to-take-out", "h1-ups-a,h1-ups-b", ESTATE),
        ("a word of its own: h1-ups-a h1-ups-b",),
    ),
    "a file among the ids": (
        ("ok-to-take-out", ESTATE, "h1-ups-a"),
        ("FILE stands last: topo ok-to-take-out h1-ups-a ",),
    ),
    "a file before the id": (("why", ESTATE, "h1-ups-a"), ("FILE stands last: topo why h1-ups-a ",)),
    "an empty id": (("whatif", "--fail=", ESTATE), ("--fail: an id is not empty",)),
    "an empty id among many": (("ok-to-take-out", "", ESTATE), ("the word is empty",)),
    "a workload by its last part": (
        ("cutsets", "--target", "atlas-70b", ESTATE),
        ("did you mean 'train/pytorchjob/atlas-70b'?",),
    ),
    "a node for a domain that is out": (
        ("whatif", "--fail", "h1-ups-a", "--out", "gpu-h1-001", ESTATE),
        ("--out takes domains, and gpu-h1-001 is a node", "Use --fail gpu-h1-001 instead."),
    ),
    "the same where nothing fails": (
        ("sweep", "--out", "h1-ups-a", "--out", "gpu-h1-001", ESTATE),
        ("without the node: topo whatif --fail gpu-h1-001 --out h1-ups-a ",),
    ),
    "the same of what is to be taken out": (
        ("ok-to-take-out", "gpu-h1-002", "--out", "gpu-h1-001", ESTATE),
        ("may be out together: topo ok-to-take-out gpu-h1-002 gpu-h1-001 ",),
    ),
    "an id for a finding": (
        ("explain", "h1-ups-a", ESTATE),
        ("findings about it", "critical-share/h1-ups-a, progress-at-risk/h1-ups-a"),
    ),
    "two maps": (("sweep", "--topology", MAP, "--topology", MAP, ESTATE), ("--topology: given twice",)),
    "two maps of a check": (
        ("validate", "--topology", MAP, "--topology", MAP, ESTATE),
        ("--topology: given twice",),
    ),
    "a choice": (
        ("sweep", "--load", "foo", ESTATE),
        ("--load: there is no 'foo', only allocated or installed", "`topo sweep --help`"),
    ),
    "a choice of numbers": (
        ("cutsets", "--target", "a", "--order", "5", ESTATE),
        ("--order: there is no '5', only 1, 2 or 3",),
    ),
    "several ids behind one option": (
        ("whatif", "--fail", "h1-ups-a", "ups-r", ESTATE),
        ("--fail takes one id, and 2 follow it", "--fail h1-ups-a --fail ups-r.", "`topo whatif --help`"),
    ),
    "several ids behind the last option": (
        ("whatif", ESTATE, "--fail", "h1-ups-a", "ups-r"),
        ("--fail h1-ups-a --fail ups-r.",),
    ),
    "an id without its option": (
        ("whatif", "h1-ups-a", ESTATE),
        ("required: --fail", "Say `topo whatif --fail h1-ups-a "),
    ),
    "a word too many": (
        ("sweep", ESTATE, "h1-ups-a"),
        ("nothing takes 'h1-ups-a'", "Say `topo sweep FILE`.", "`topo sweep --help`"),
    ),
    "hours for minutes": (
        ("ok-to-take-out", "--duration", "4h", "h1-ups-a", ESTATE),
        ("--duration: '4h' is not a number", "Write 240: the number is in minutes."),
    ),
    "minutes with their unit": (
        ("curtail", "--shed-kw", "40", "--within", "30m", ESTATE),
        ("Write 30: the number is in minutes.",),
    ),
    "kW with their unit": (
        ("curtail", "--shed-kw", "400kW", ESTATE),
        ("Write 400: the number is in kW.",),
    ),
    "MW for kW": (("curtail", "--to-kw", "1.2MW", ESTATE), ("Write 1200: the number is in kW.",)),
    "a percentage with its sign": (
        ("curtail", "--percent", "10%", ESTATE),
        ("Write 10: the number is in percent.",),
    ),
    "watts per unit": (("sweep", "--kw-per-unit", "700W", ESTATE), ("Write 0.7: the number is in kW.",)),
    "a restart in hours": (
        ("sweep", "--default-restart-minutes", "1h", ESTATE),
        ("Write 60: the number is in minutes.",),
    ),
    "a price with its currency": (
        ("sweep", "--price-per-unit-hour", "2.5 USD", ESTATE),
        ("Write the number alone, without a unit.",),
    ),
    "a date for a time": (
        ("ok-to-take-out", "--until", "2026-12-05", "h1-ups-a", ESTATE),
        ("Write 2026-12-05T00:00:00Z:",),
    ),
    "a number": (("curtail", "--shed-kw", "-4", ESTATE), ("--shed-kw: '-4' is not", "`topo curtail --help`")),
    "the other file": (("diff", ESTATE), ("required: NEW", "Say `topo diff OLD NEW`.")),
    "a finding about something": (
        ("explain", "critical-share", ESTATE),
        ("about one domain: about which?", "critical-share/h1-fabric"),
    ),
    "a subject": (
        ("explain", "critical-share/h1-upsa", ESTATE),
        ("none called 'h1-upsa'", "Did you mean 'critical-share/h1-ups-a'?", "There are 202"),
    ),
    "a format": (("diagram", ESTATE, "-o", "x.pdf"), (".svg, .png, .html, .dot, .mmd, .txt",)),
}


@pytest.mark.parametrize("name", SAID)
def test_a_slip_is_named(name: str) -> None:
    words, said = SAID[name]
    done = topo(*words)
    assert (done.code, done.out) == (2, "")
    assert all(each in done.err for each in said), done.err
    assert [line.partition(":")[0] for line in done.err.splitlines()] == ["topo", "  help"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("merge", MAP, ESTATE), "--topology"),
        (("sweep", ESTATE, "--topology", ESTATE), "is an estate"),
    ],
)
def test_a_file_of_the_other_kind_is_invalid_input(words: tuple[str | Path, ...], said: str) -> None:
    done = topo(*words)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert "error[" not in done.err


def test_what_is_far_from_every_id_gets_no_offer() -> None:
    said = topo("whatif", "--fail", "qqq", ESTATE).err
    assert "no domain or node is called 'qqq'\n" in said


def test_an_estate_without_domains_lacks_its_map(tmp_path: Path) -> None:
    path = tmp_path / "estate.json"
    path.write_text(
        '{"schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",'
        ' "nodes": [{"id": "n", "allocated": 1}]}',
        encoding="utf-8",
    )
    for words in (("whatif", "--fail", "pdu-a"), ("sweep", "--out", "pdu-a"), ("why", "pdu-a")):
        done = topo(*words, path)
        assert (done.code, done.out) == (2, "")
        assert "no domains at all: give the facility map with --topology FILE" in done.err


def test_an_option_may_be_shortened() -> None:
    assert topo("sweep", "--row", "1", ESTATE).code == 0


ASCII: dict[str, Any] = {
    "LC_ALL": "C",
    "LANG": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONIOENCODING": "ascii",
}


class TestALocaleWithoutLetters:
    """Under the C locale ids of a file are still named, and shown: what cannot be said is an escape."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        path = tmp_path / "plan-é.yaml"
        path.write_text(
            "nodes:\n  knoten-ä: {pdu: überspannung}\ndomains:\n  überspannung: {kind: power, parent: 電源}\n"
            "  電源: {kind: ups}\n",
            encoding="utf-8",
        )
        return path

    def test_ids_are_named_and_printed(self, path: Path) -> None:
        done = topo("whatif", "--fail", "電源", path, **ASCII)
        assert done.code == 0
        assert done.out.isascii()
        assert "\\u96fb\\u6e90 fails: 1 of 1 node lost" in done.out
        assert "plan-\\xe9.yaml" in done.out

    def test_in_every_place(self, path: Path) -> None:
        for words in (
            ("why", "knoten-ä", "--fail", "überspannung", path),
            ("ok-to-take-out", "knoten-ä", path),
            ("diagram", "--focus", "電源", path),
            ("sweep", "--out", "überspannung", path),
        ):
            done = topo(*words, **ASCII)
            assert done.code in {0, 3}, done.err
            assert (done.out + done.err).isascii()

    def test_a_wrong_id_is_an_escape_too(self, path: Path) -> None:
        done = topo("whatif", "--fail", "電", path, **ASCII)
        assert done.code == 2
        assert "\\u96fb" in done.err
        assert "Traceback" not in done.err

    def test_formulas_are_spelled(self) -> None:
        done = topo("explain", "lemon-score/gpu-h1-019", ESTATE, **ASCII)
        assert done.code == 0
        assert "31 x 1 + 4 x 8 + 6 x 4 = 87" in done.out


class TestHelp:
    """`topo help [COMMAND]` is `topo [COMMAND] --help`."""

    def test_of_everything(self) -> None:
        assert topo("help") == topo("--help") == topo("help", "--help")

    def test_of_a_command(self) -> None:
        done = topo("help", "whatif")
        assert done == topo("whatif", "--help")
        assert done.code == 0

    def test_of_no_command(self) -> None:
        done = topo("help", "wahtif")
        assert done.code == 2
        assert "Did you mean whatif?" in done.err
