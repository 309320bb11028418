"""Numbers of the command line: as files write them, within the bounds of files, refused in few words."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.topo.command import LAB, topo
from topo.cli import build_parser, values
from topology.limits import NUMBER_LIMIT

ESTATE = LAB / "estate.json"
WORDS = frozenset({"identifier", "timestamp", "_kind", "label_pair", "target", "dcgm_choice", "path"})
"""Readers of options whose value is no number."""


def numeric() -> dict[str, Callable[[str], Any]]:
    """Every option of every command that takes a number, with its reader."""
    parser = build_parser(None)
    (commands,) = (action.choices for action in parser._actions if action.dest == "command")
    return {
        f"{action.option_strings[0]} {action.type.__module__}": action.type
        for command in dict(commands or {}).values()
        for action in command._actions
        if action.option_strings and action.type is not None and action.type.__name__ not in WORDS
    }


NUMERIC = numeric()


def test_every_number_is_here() -> None:
    assert {name.split()[0] for name in NUMERIC} == {
        "--price-per-unit-hour", "--kw-per-unit", "--default-restart-minutes", "--max-size", "--rows",
        "--order", "--top", "--workers", "--depth", "--shed-kw", "--to-kw", "--percent", "--within",
        "--max", "--duration", "--request-timeout",
    }  # fmt: skip


@pytest.mark.parametrize("name", NUMERIC)
class TestEveryNumber:
    """0 <= value <= 10^15, in ASCII digits; the refusal is short, and says what is read in words."""

    @pytest.mark.parametrize(
        "text", ["1_0", " 5 ", "5\n", "٣", "1e16", "1e308", "1e999", "nan", "inf", "-1", ""]
    )
    def test_is_refused(self, name: str, text: str) -> None:
        with pytest.raises(argparse.ArgumentTypeError):
            NUMERIC[name](text)

    @pytest.mark.parametrize("digits", [16, 400, 5_000, 100_000])
    def test_is_refused_in_few_words(self, name: str, digits: int) -> None:
        with pytest.raises(argparse.ArgumentTypeError) as refusal:
            NUMERIC[name]("9" * digits)
        assert len(str(refusal.value)) < 250

    def test_is_read(self, name: str) -> None:
        assert NUMERIC[name]("1") == 1


class TestBounds:
    def test_the_largest_number_of_a_file(self) -> None:
        assert (
            values.number("1e15") == values.number(str(10**15)) == values.whole(str(10**15)) == NUMBER_LIMIT
        )

    @pytest.mark.parametrize("text", ["-0", "-0.0", "0.0", "0e5"])
    def test_minus_nought_is_nought(self, text: str) -> None:
        assert repr(values.number(text)) == "0"

    @pytest.mark.parametrize("words", [("--depth", "9" * 5_000), ("--depth", "x")])
    def test_a_sentence_without_the_names_of_functions(self, words: tuple[str, ...]) -> None:
        done = topo("diagram", *words, ESTATE)
        assert (done.code, done.out) == (2, "")
        assert "is not a whole number >= 0" in done.err
        assert "_depth" not in done.err
        assert len(done.err) < 300

    def test_a_long_choice_is_cut(self) -> None:
        assert len(topo("sweep", "--load", "x" * 5_000, ESTATE).err) < 300

    @pytest.mark.parametrize(
        "words",
        [
            ("whatif", "--fail", "feed-strong", "--price-per-unit-hour", "1e308", "--format", "json"),
            ("findings", "--kw-per-unit", "1e308"),
            ("curtail", "--shed-kw", "1", "--kw-per-unit", "1e308"),
        ],
    )
    def test_one_message(self, words: tuple[str, ...]) -> None:
        done = topo(*words, ESTATE)
        assert (done.code, done.out) == (2, "")
        assert "is not a finite number >= 0 and <= 1,000,000,000,000,000\n" in done.err


class TestMinusNoughtOfAFile:
    def test_is_nought(self, tmp_path: Path) -> None:
        estate = json.loads(ESTATE.read_text(encoding="utf-8"))
        estate["nodes"][0]["utilization"] = -0.0
        path = tmp_path / "estate.json"
        path.write_text(json.dumps(estate), encoding="utf-8")
        done = topo("findings", path, "--format", "json")
        assert done.code == 0
        assert "-0.0" not in done.out


class TestUnitsWithoutEnd:
    """headroomUnits: the whole units of the estate's kW per unit that fit; 10^15 and more are no figure."""

    @pytest.mark.parametrize(
        ("kw", "known"), [("1e-310", False), ("1e-15", False), ("1e-10", True), ("0.4", True)]
    )
    def test_never_cut(self, kw: str, known: bool) -> None:
        document = json.loads(topo("headroom", "--kw-per-unit", kw, "--format", "json", ESTATE).out)
        rooms = [each for each in document["domains"] if each["headroomKw"] > 0]
        assert rooms
        for each in rooms:
            units = each["headroomUnits"]
            assert (units is not None) == known
            assert not known or units == pytest.approx(each["headroomKw"] / float(kw), abs=1, rel=1e-6)
