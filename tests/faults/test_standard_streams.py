"""Standard error that cannot be written changes no exit code; standard input is read once."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faults.writers import ESTATE, MAP, READERS, WRITERS, command, environment, refused, topo

ERRORS_OF = {"closed": "2>&-", "full": "2>/dev/full"}


def code_of(where: str, *words: str) -> int:
    """The exit code of a command whose standard error is closed or full."""
    shell = ["sh", "-c", f'"$@" {ERRORS_OF[where]}', "sh", *command(*words)]
    return subprocess.run(
        shell, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120
    ).returncode


@pytest.mark.parametrize("where", ERRORS_OF)
class TestNobodyHearsTheErrors:
    def test_wrong_usage(self, where: str) -> None:
        assert code_of(where, "whatif", "--fail", "nope", str(ESTATE)) == 2

    def test_no_such_command(self, where: str) -> None:
        assert code_of(where, "whatiff") == 2

    def test_no_such_option(self, where: str) -> None:
        assert code_of(where, "whatif", "--nope", str(ESTATE)) == 2

    def test_invalid_input(self, where: str, tmp_path: Path) -> None:
        broken = tmp_path / "estate.json"
        broken.write_text("{", encoding="utf-8")
        assert code_of(where, "whatif", "--fail", "a", str(broken)) == 1

    def test_notes_beside_a_result(self, where: str, tmp_path: Path) -> None:
        target = tmp_path / "m.json"
        assert code_of(where, "merge", str(ESTATE), "-o", str(target)) == 0
        assert target.read_text(encoding="utf-8").endswith("}\n")

    def test_work_that_could_draw_its_progress(self, where: str) -> None:
        assert code_of(where, *READERS["sweep"]) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("merge", "-", "-"),
        ("merge", str(ESTATE), "-", "--topology", "-"),
        ("validate", "-", "-"),
        ("validate", "-", str(MAP), "-"),
        ("whatif", "--fail", "a", "--topology", "-", "-"),
        ("diff", "-", "-"),
        ("diff", "-", "/dev/stdin"),
        ("diff", "/dev/fd/0", "/proc/self/fd/0"),
        ("validate", "/dev/./stdin", "-"),
        ("sweep", "--topology", "/dev/stdin", "-"),
    ],
    ids=" ".join,
)
def test_standard_input_named_twice(words: tuple[str, ...]) -> None:
    refused(topo(*words), "only one of them can be standard input")


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_that_would_be_read_twice(name: str) -> None:
    refused(topo("diff", str(ESTATE), str(ESTATE), "--topology", name), "--topology is read twice")


@pytest.mark.parametrize("name", ["curtail", "rescue"])
class TestAPictureAmongThePage:
    """Standard output belongs to the page or the document, by whatever name."""

    @pytest.mark.parametrize("path", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev//stdout"])
    def test_standard_output(self, name: str, path: str) -> None:
        ending = topo(*WRITERS[name], path, "--format", "json")
        refused(ending, "the page goes to standard output")
        assert ending.out == ""

    def test_its_file(self, name: str, tmp_path: Path) -> None:
        target = tmp_path / "both.svg"
        with target.open("wb") as stream:
            done = subprocess.run(
                command(*WRITERS[name], str(target)),
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.PIPE,
                timeout=120,
            )
        assert (done.returncode, target.read_bytes()) == (2, b"")
        assert b"the page goes to standard output" in done.stderr


def test_a_result_never_replaces_the_file_on_standard_input(tmp_path: Path) -> None:
    copy = tmp_path / "estate.json"
    copy.write_bytes(ESTATE.read_bytes())
    with copy.open("rb") as stream:
        done = subprocess.run(
            command("merge", "-", "-o", str(copy)),
            env=environment(),
            stdin=stream,
            capture_output=True,
            timeout=120,
        )
    assert done.returncode == 2
    assert b"is an input" in done.stderr
    assert copy.read_bytes() == ESTATE.read_bytes()


@pytest.mark.parametrize("rated", ["5e-324", "9.9e-10"])
@pytest.mark.parametrize(
    "words", [("report",), ("diagram",), ("rescue", "--fail", "a"), ("whatif", "--fail", "a")]
)
def test_a_rating_too_small_for_a_share(words: tuple[str, ...], rated: str, tmp_path: Path) -> None:
    ending = topo(*words, str(rated_at(rated, tmp_path)))
    assert (ending.code, ending.out) == (1, "")
    assert "Traceback" not in ending.err
    assert "out of range: it must be at least 0.000000001" in " ".join(ending.err.split())


@pytest.mark.parametrize(
    "words", [("report",), ("diagram",), ("rescue", "--fail", "a"), ("whatif", "--fail", "a")]
)
def test_the_smallest_rating_gives_a_share(words: tuple[str, ...], tmp_path: Path) -> None:
    ending = topo(*words, str(rated_at("1e-9", tmp_path)))
    assert (ending.code in (0, 3), ending.err) == (True, "")  # 3: whether in time is unknown
    assert "inf %" not in ending.out


def rated_at(rated: str, folder: Path) -> Path:
    """An estate of one node and the largest load per unit, on domains rated so many kW."""
    domain = f'"ratedKw": {rated}'
    target = folder / "estate.json"
    target.write_text(
        '{"schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z",'
        ' "wattsPerUnitKw": 1000000000000000, "pricePerUnitHour": 2, "nodes":'
        ' [{"id": "n", "allocated": 4, "installed": 8, "domains": {"rack": "r"}}], "domains":'
        f' {{"a": {{"kind": "ups", {domain}}}, "b": {{"kind": "ups", {domain}}},'
        f' "r": {{"kind": "rack", "feeds": ["a", "b"], {domain}}}}}, "workloads":'
        ' [{"id": "w", "kind": "training", "placements": {"n": 4}, "checkpointMinutes": 10,'
        ' "restartMinutes": 5, "critical": true}]}',
        encoding="utf-8",
    )
    return target


@pytest.mark.parametrize(
    ("name", "option"), [("diagram", "-o"), ("curtail", "--picture"), ("rescue", "--picture")]
)
def test_the_hint_names_the_option_that_was_given(name: str, option: str, tmp_path: Path) -> None:
    for target in (tmp_path / "no" / "p.svg", ESTATE):
        ending = topo(*WRITERS[name], str(target))
        assert ending.code == 2
        assert f"hoose another {option}." in ending.err


def test_files_that_cannot_be_read_are_not_tallied(tmp_path: Path) -> None:
    ending = topo("validate", str(tmp_path / "no.json"))
    assert (ending.code, ending.out) == (2, "")
