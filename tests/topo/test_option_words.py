"""Words of the command line that are empty or said twice: refused, never dropped."""

import argparse
from contextlib import suppress
from pathlib import Path

import pytest

from tests.topo.command import LAB, topo
from topo.cli import COMMANDS, build_parser

ESTATE = LAB / "estate.json"
SPENT = (argparse._HelpAction, argparse._VersionAction)


def parser_of(name: str) -> argparse.ArgumentParser:
    (commands,) = (each.choices for each in build_parser(name)._actions if each.dest == "command")
    parser = dict(commands or {})[name]
    assert isinstance(parser, argparse.ArgumentParser)
    return parser


def options() -> list[tuple[str, str, bool]]:
    """Every option of every command that takes a value, and whether it may be repeated."""
    return [
        (name, action.option_strings[0], isinstance(action, argparse._AppendAction))
        for name in COMMANDS
        for action in parser_of(name)._actions
        if action.option_strings and action.nargs != 0 and not isinstance(action, SPENT)
    ]


OPTIONS = options()


def value_of(name: str, option: str) -> str:
    """A value that the option takes."""
    action = parser_of(name)._option_string_actions[option]
    if action.choices:
        return str(next(iter(action.choices)))
    for text in ("1", "2026-12-01T00:00:00Z", "ns/svc:1", "rack=label"):
        try:
            if action.type is not None:
                action.type(text)  # type: ignore[operator]
        except argparse.ArgumentTypeError:
            continue
        return text
    raise AssertionError(option)


class TestEmptyWords:
    """A variable of the shell that is not set: exit 2, for every option and every file."""

    @pytest.mark.parametrize(("name", "option", "_repeated"), OPTIONS)
    def test_no_option_takes_one(
        self, name: str, option: str, _repeated: object, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as left:
            parser_of(name).parse_args([option, ""])
        assert left.value.code == 2
        said = capsys.readouterr().err
        assert said.startswith("topo: error: ")
        assert option in said

    @pytest.mark.parametrize(
        "words",
        [
            ("sweep", ""),
            ("validate", ESTATE, ""),
            ("merge", ESTATE, ""),
            ("diff", ESTATE, ""),
            ("report", ""),
            ("explain-rule", ""),
            ("ok-to-take-out", "feed-strong", ""),
            ("ok-to-take-out", "feed-strong", "--load", "allocated", ""),
            ("whatif", "--fail", "feed-strong", "--topology", "", ESTATE),
            ("sweep", "--topology=", ESTATE),
            ("report", "-o", "", ESTATE),
            ("curtail", "--shed-kw", "1", "--picture", "", ESTATE),
        ],
    )
    def test_no_command_takes_one(self, words: tuple[str | Path, ...]) -> None:
        done = topo(*words)
        assert (done.code, done.out) == (2, "")
        assert "the word is empty\n" in done.err
        assert "A variable of the shell" in done.err
        assert len(done.err.splitlines()) == 2


class TestOptionsSaidTwice:
    """The first would be dropped in silence."""

    @pytest.mark.parametrize(("name", "option", "repeated"), OPTIONS)
    def test_only_lists_take_two(
        self, name: str, option: str, repeated: object, capsys: pytest.CaptureFixture[str]
    ) -> None:
        value = value_of(name, option)
        with suppress(SystemExit):  # FILE is missing, where nothing else is wrong
            parser_of(name).parse_args([f"{option}={value}"] * 2)
        assert ("given twice" in capsys.readouterr().err) != repeated

    @pytest.mark.parametrize(
        "words",
        [
            ("report", "-o", "a.html", "--output", "b.html", ESTATE),
            ("curtail", "--shed-kw", "1", "--shed-kw", "2", ESTATE),
            ("cutsets", "--target", "a", "--rows", "1", "--top", "2", ESTATE),
            ("collect", "--cluster", "a", "--cluster", "b"),
        ],
    )
    def test_is_refused(self, words: tuple[str | Path, ...]) -> None:
        done = topo(*words)
        assert (done.code, done.out) == (2, "")
        assert "given twice, and it takes one value\n" in done.err

    def test_a_parser_forgets_what_it_parsed(self) -> None:
        parser = parser_of("sweep")
        for _ in range(2):
            assert parser.parse_args(["--rows", "3", "f.json"]).rows == 3
