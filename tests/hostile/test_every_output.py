"""Every command in every format, on an estate and a map in which every name is an attack."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.hostile import judges
from tests.hostile.estates import Hostile, Name, estate_text, map_text, plain
from topo.cli import COMMANDS, build_parser, main

NOW = ("--now", "2026-12-01T00:00:00Z")
FIRSTS = (0, *(pytest.param(first, marks=pytest.mark.extra) for first in (11, 23, 34)))
"""Where the attacks begin: each role meets several of them."""


@dataclass(frozen=True, slots=True)
class Run:
    """One command in one format. `words` makes its arguments from a folder of files and names."""

    command: str
    format: str
    words: Callable[[Path, Name], list[str]]
    judge: Callable[[str, str], object]
    """Of the output, and of the output for the harmless twin."""
    codes: tuple[int, ...] = (0,)


def _estate(*words: str, fail: tuple[str, ...] = (), flags: bool = True) -> Callable[[Path, Name], list[str]]:
    """Arguments for the estate: `words`, a --fail per role, and the file."""

    def make(folder: Path, name: Name) -> list[str]:
        failing = [f"--fail={name(role)}" for role in fail]
        return [*words, *failing, *(NOW if flags else ()), str(folder / "estate.json")]

    return make


def _text(output: str, _twin: str) -> None:
    judges.text(output)


def _json(command: str) -> Callable[[str, str], object]:
    return lambda output, _twin: judges.json_of(command, output)


def _pages(
    command: str,
    *words: str,
    fail: tuple[str, ...] = (),
    codes: tuple[int, ...] = (0,),
    rows: str = "--rows=0",
) -> list[Run]:
    """The table and the JSON of a command."""
    return [
        Run(command, "table", _estate(*words, rows, fail=fail), _text, codes),
        Run(command, "json", _estate(*words, "--format=json", fail=fail), _json(command), codes),
    ]


def _why(folder: Path, name: Name) -> list[str]:
    return [*NOW, f"--fail={name('ups-a')}", "--", name("node-0"), str(folder / "estate.json")]


def _explain(folder: Path, name: Name) -> list[str]:
    return [*NOW, "--", f"lemon-score/{name('node-0')}", str(folder / "estate.json")]


def _taking_out(folder: Path, name: Name) -> list[str]:
    return [*NOW, "--", name("pdu-1"), name("node-3"), str(folder / "estate.json")]


def _cut(folder: Path, name: Name) -> list[str]:
    return [*NOW, f"--target=node:{name('node-1')}", "--rows=0", str(folder / "estate.json")]


def _shed(folder: Path, name: Name) -> list[str]:
    return [*NOW, "--shed-kw=2", f"--under={name('ups-a')}", str(folder / "estate.json")]


def _two(folder: Path, _name: Name) -> list[str]:
    return [*NOW, str(folder / "estate.json"), str(folder / "changed.json")]


def _with(words: Callable[[Path, Name], list[str]], *more: str) -> Callable[[Path, Name], list[str]]:
    return lambda folder, name: [*more, *words(folder, name)]


def _both(command: str, words: Callable[[Path, Name], list[str]], codes: tuple[int, ...] = (0,)) -> list[Run]:
    return [
        Run(command, "table", words, _text, codes),
        Run(command, "json", _with(words, "--format=json"), _json(command), codes),
    ]


def _validate(form: str, judge: Callable[[str, str], object]) -> Run:
    def words(folder: Path, _name: Name) -> list[str]:
        files = [str(folder / name) for name in ("broken.yaml", "estate.json", HOSTILE_FILE)]
        return [f"--format={form}", "--topology", str(folder / "map.yaml"), *files]

    return Run("validate", form, words, judge, (1,))


HOSTILE_FILE = "it's \x1b[31m<b>::%0A,|`\u202e.yaml"

RUNS = [
    _validate("text", _text),
    _validate("auto", _text),
    _validate("json", _json("validate")),
    _validate("github", lambda output, _: judges.github(output)),
    _validate("sarif", lambda output, _: judges.sarif(output)),
    *_pages("whatif", fail=("ups-a",)),
    *_both("why", _why),
    *_pages("sweep"),
    *_both("cutsets", _cut),
    *_pages("findings"),
    Run("findings", "markdown", _estate("--format=markdown"), lambda output, _: judges.markdown(output)),
    Run("findings", "csv", _estate("--format=csv"), lambda output, _: judges.comma_separated(output)),
    *_both("explain", _explain),
    Run("report", "html", _estate(), judges.page),
    *(
        Run("diagram", form, _estate(f"--format={form}", "--all-kinds", *more, fail=("ups-a",)), judge)
        for form, more, judge in (
            ("txt", (), _text),
            ("svg", ("--full",), judges.drawing),
            ("html", ("--full",), judges.page),
            ("dot", (), lambda output, _: judges.dot(output)),
            ("mmd", (), judges.mermaid),
        )
    ),
    Run(
        "diagram",
        "png",
        _estate("--format=png", fail=("ups-a",)),
        lambda output, _: judges.picture(output.encode("latin-1")),
    ),
    *_both("curtail", _shed, (0, 3)),
    *_pages("rescue", fail=("ups-a",), codes=(0, 3)),
    *_pages("headroom"),
    *_both("ok-to-take-out", _taking_out, (0, 3)),
    *_both("diff", _two),
    Run("diff", "markdown", _with(_two, "--format=markdown"), lambda output, _: judges.markdown(output)),
    Run("diff", "sarif", _with(_two, "--format=sarif"), lambda output, _: judges.sarif(output)),
    Run("merge", "json", lambda folder, _: [str(folder / "estate.json")], _json("estate")),
    Run("collect", "text", lambda *_: ["--print-requests", "--cluster", "\x1b[31m"], _text),
    Run("explain-rule", "text", lambda *_: ["dangling-feed"], _text),
    Run("explain-rule", "markdown", lambda *_: ["--format=markdown"], _text),
]


@pytest.fixture(scope="module", params=FIRSTS)
def names(request: pytest.FixtureRequest) -> Hostile:
    return Hostile(request.param)


@pytest.fixture(scope="module")
def folders(names: Hostile, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The files of the hostile estate, and of its harmless twin."""
    return _files(tmp_path_factory.mktemp("hostile"), names), _files(tmp_path_factory.mktemp("twin"), plain)


def _files(folder: Path, name: Name) -> Path:
    texts = {
        "estate.json": estate_text(name),
        "changed.json": estate_text(name).replace('"ratedKw": 9', '"ratedKw": 5'),
        "map.yaml": map_text(name),
        "broken.yaml": map_text(name, broken=True),
        HOSTILE_FILE: "nodes: {a: {rack: r}}\ndomains: {a: {kind: ups}, b: {kind: ups, parent: gone}}\n",
    }
    for file, content in texts.items():
        (folder / file).write_text(content, encoding="utf-8")
    return folder


def _output(run: Run, folder: Path, name: Name, capture: pytest.CaptureFixture[bytes]) -> str:
    capture.readouterr()
    arguments = [run.command, *run.words(folder, name)]
    try:
        code = main(arguments)
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    sys.stdout.flush()
    out, err = capture.readouterr()
    judges.text(err.decode())
    assert code in run.codes, err.decode()[:2000]
    return out.decode("latin-1" if run.format == "png" else "utf-8")


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.command}-{run.format}")
def test_output_is_inert(
    run: Run,
    folders: tuple[Path, Path],
    names: Hostile,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    hostile, twin = folders
    output = _output(run, hostile, names, capsysbinary)
    assert output
    run.judge(output, _output(run, twin, plain, capsysbinary))


@pytest.mark.parametrize("run", [run for run in RUNS if run.judge is _text], ids=lambda run: run.command)
def test_colour_lets_nothing_else_through(
    run: Run,
    folders: tuple[Path, Path],
    names: Hostile,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    judges.text(_output(run, folders[0], names, capsysbinary))


def _formats(command: str) -> set[str]:
    """The formats that a command's parser offers."""
    parser = build_parser(command)
    subparsers = next(one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    options = subparsers.choices[command]._actions
    choices = next((one.choices for one in options if "--format" in one.option_strings), None)
    return {str(choice) for choice in choices or ()}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_and_no_format_is_left_out(command: str) -> None:
    """A new command or format fails here until it is among the runs above."""
    tried = {run.format for run in RUNS if run.command == command}
    assert tried
    assert _formats(command) - tried == set()
