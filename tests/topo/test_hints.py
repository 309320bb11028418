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
