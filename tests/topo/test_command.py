"""The command's manners: exit codes, streams, whole files, quiet endings (spec 6)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.topo.command import LAB, ROOT, TWO_HALLS, topo, topo_twice
from topo.cli import COMMANDS
from topo.output import UsageError, write_output

ESTATE = LAB / "estate.json"


class TestHelp:
    def test_names_every_command(self) -> None:
        done = topo("--help")
        assert done.code == 0
        assert all(f"  {name} " in done.out for name in COMMANDS)

    def test_without_a_command_is_wrong_usage(self) -> None:
        assert topo().code == 2

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_explains_itself(self, name: str) -> None:
        done = topo(name, "--help")
        assert done.code == 0
        assert done.out.startswith("usage: topo")

    def test_an_unknown_command_lists_the_known_ones(self) -> None:
        done = topo("wathif")
        assert done.code == 2
        assert "whatif" in done.err


class TestExitCodes:
    def test_unreadable_file(self) -> None:
        done = topo("whatif", "--fail", "x", "no-such.json")
        assert (done.code, done.out) == (2, "")
        assert "cannot read no-such.json" in done.err

    def test_a_folder_is_no_file(self) -> None:
        assert topo("sweep", ROOT / "examples").code == 2

    def test_invalid_input_says_where_and_prints_no_result(self, tmp_path: Path) -> None:
        path = tmp_path / "bad.yaml"
        path.write_text("nodes: {}\ndomains:\n  a: {kind: ups, parent: b}\n", encoding="utf-8")
        done = topo("whatif", "--fail", "a", path)
        assert (done.code, done.out) == (1, "")
        assert "error[dangling-feed]" in done.err
        assert f"{path}:3:" in done.err

    def test_unknown_ids_list_the_closest(self) -> None:
        done = topo("whatif", "--fail", "feed-stong", ESTATE)
        assert (done.code, done.out) == (2, "")
        assert "'feed-strong'" in done.err

    @pytest.mark.parametrize("text", ["-1", "nan", "inf", "many"])
    def test_numbers_are_checked(self, text: str) -> None:
        assert topo("sweep", f"--kw-per-unit={text}", ESTATE).code == 2

    @pytest.mark.parametrize("text", ["yesterday", "2026-12-01", "2026-12-01T00:00:00"])
    def test_now_needs_an_offset(self, text: str) -> None:
        assert topo("sweep", "--now", text, ESTATE).code == 2


class TestStreams:
    def test_stdin(self) -> None:
        done = topo("whatif", "--fail", "feed-strong", "--format", "json", "-", stdin=ESTATE.read_bytes())
        assert done.code == 0
        assert json.loads(done.out)["failed"] == ["feed-strong"]

    def test_same_input_same_bytes(self) -> None:
        first, second = topo_twice(
            "whatif", "--fail", "h1-ups-a", "--format", "json", TWO_HALLS / "estate.json"
        )
        assert first == second

    def test_a_closed_pipe_is_quiet(self) -> None:
        line = f'"{sys.executable}" -m topo sweep "{TWO_HALLS / "estate.json"}" --format json | head -1'
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("{\n", "")

    def test_colour_only_when_forced(self) -> None:
        arguments = ("whatif", "--fail", "feed-strong", ESTATE)
        assert "\x1b[" not in topo(*arguments).out
        assert "\x1b[" in topo(*arguments, NO_COLOR="", FORCE_COLOR="1").out

    def test_an_ascii_terminal_does_not_break_it(self) -> None:
        done = topo("diagram", ESTATE, "-o", "-", "--format", "txt", PYTHONUTF8="0", LC_ALL="C")
        assert "Traceback" not in done.err


class TestWholeFiles:
    """Output files are written whole or not at all (spec 6)."""

    def test_replaces_what_was_there(self, tmp_path: Path) -> None:
        path = tmp_path / "out.txt"
        path.write_text("old", encoding="utf-8")
        write_output(str(path), "new")
        assert path.read_text(encoding="utf-8") == "new"
        assert list(tmp_path.iterdir()) == [path]

    def test_keeps_the_mode_of_what_was_there(self, tmp_path: Path) -> None:
        path = tmp_path / "out.txt"
        path.write_text("old", encoding="utf-8")
        path.chmod(0o640)
        write_output(str(path), "new")
        assert path.stat().st_mode & 0o777 == 0o640

    def test_a_missing_folder_is_said(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="cannot write"):
            write_output(str(tmp_path / "no" / "out.txt"), "new")

    def test_a_failed_write_leaves_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "out.txt"
        path.write_text("old", encoding="utf-8")

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(UsageError, match="No space left"):
            write_output(str(path), "new")
        assert path.read_text(encoding="utf-8") == "old"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_device_is_written_to(self) -> None:
        write_output("/dev/null", "new")

    def test_a_result_never_replaces_its_own_input(self, tmp_path: Path) -> None:
        path = tmp_path / "estate.json"
        path.write_bytes(ESTATE.read_bytes())
        done = topo("report", path, "-o", path)
        assert (done.code, done.out) == (2, "")
        assert "is an input" in done.err
        assert path.read_bytes() == ESTATE.read_bytes()


class TestBadEndings:
    """Nothing that happens to standard output or input ends in a traceback."""

    @pytest.mark.parametrize(
        ("ending", "said"),
        [
            (">/dev/full", "cannot write to standard output"),
            (">&-", "standard output is closed"),
        ],
    )
    @pytest.mark.parametrize(
        "words",
        [
            *("--help", "--version", "help sweep", "sweep --help", "whatif -h", "collect --help"),
            f'whatif --fail feed-strong "{ESTATE}"',
        ],
    )
    def test_output(self, words: str, ending: str, said: str) -> None:
        line = f'"{sys.executable}" -m topo {words} {ending}'
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("topo: error: ")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1

    def test_input(self) -> None:
        line = f'"{sys.executable}" -m topo sweep - <&-'
        done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert "standard input is closed" in done.stderr
