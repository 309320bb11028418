"""Outputs that cannot be written, or are not files: one clear message, and nothing half-written."""

from __future__ import annotations

import os
import resource
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.writers import READERS, WRITERS, refused, topo
from topo.cli import COMMANDS, build_parser
from topo.output import UsageError, write_output

ENDINGS = {"report": "r.html", "diagram": "d.svg", "merge": "m.json", "curtail": "c.svg", "rescue": "s.svg"}


def write(name: str, target: Path | str) -> tuple[str, ...]:
    return (*WRITERS[name], str(target))


def small_files() -> None:
    """No file may grow beyond one block: what a full disk feels like."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def test_every_writing_command_is_here() -> None:
    """A new command with -o or --picture fails here until it is among the writers."""
    parser = build_parser(None)
    (subparsers,) = (one.choices for one in parser._actions if one.dest == "command")
    writing = {
        name
        for name, sub in dict(subparsers or {}).items()
        if {"--output", "--picture"} & {option for action in sub._actions for option in action.option_strings}
    }
    assert writing - {"collect"} == set(WRITERS)  # the collector writes with its own code, tested beside it
    assert set(READERS) == set(COMMANDS)


@pytest.mark.parametrize("name", WRITERS)
class TestEveryWriter:
    def test_a_full_disk_leaves_the_old_file(self, name: str, tmp_path: Path) -> None:
        target = tmp_path / ENDINGS[name]
        target.write_text("old", encoding="utf-8")
        refused(topo(*write(name, target), before=small_files), "File too large")
        assert target.read_text(encoding="utf-8") == "old"
        assert list(tmp_path.iterdir()) == [target]

    def test_a_folder_is_no_file(self, name: str, tmp_path: Path) -> None:
        target = tmp_path / ENDINGS[name]
        target.mkdir()
        refused(topo(*write(name, target)), "Is a directory")
        assert list(target.iterdir()) == []

    def test_a_folder_that_is_not_there(self, name: str, tmp_path: Path) -> None:
        refused(topo(*write(name, tmp_path / "no" / ENDINGS[name])), "No such file or directory")

    def test_a_path_that_is_none(self, name: str, tmp_path: Path) -> None:
        refused(topo(*write(name, tmp_path / ("x" * 300 + ENDINGS[name]))), "File name too long")


class TestSpecialFiles:
    @pytest.mark.parametrize("name", ["report", "merge"])
    def test_dev_null(self, name: str) -> None:
        ending = topo(*write(name, "/dev/null"))
        assert (ending.code, ending.out) == (0, ""), ending.err
        assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)

    @pytest.mark.parametrize("name", ["report", "merge"])
    def test_dev_stdout(self, name: str) -> None:
        assert topo(*write(name, "/dev/stdout")).out.endswith(("</html>\n", "}\n"))

    def test_dev_full(self) -> None:
        refused(topo(*write("merge", "/dev/full")), "No space left on device")

    def test_a_symbolic_link_is_followed(self, tmp_path: Path) -> None:
        """What the link leads to is replaced; the link stays one."""
        target, link = tmp_path / "real.json", tmp_path / "link.json"
        target.write_text("old", encoding="utf-8")
        link.symlink_to(target)
        assert topo(*write("merge", link)).code == 0
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8").startswith("{")

    def test_a_symbolic_link_to_nothing_makes_its_target(self, tmp_path: Path) -> None:
        link = tmp_path / "link.json"
        link.symlink_to(tmp_path / "real.json")
        assert topo(*write("merge", link)).code == 0
        assert link.is_symlink()
        assert (tmp_path / "real.json").is_file()

    def test_a_symbolic_link_to_itself(self, tmp_path: Path) -> None:
        link = tmp_path / "link.json"
        link.symlink_to(link)
        refused(topo(*write("merge", link)), "symbolic links")

    def test_a_named_pipe(self, tmp_path: Path) -> None:
        import subprocess

        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
            assert topo(*write("merge", pipe)).code == 0
            out, _ = reader.communicate(timeout=60)
        assert out.startswith("{")


@pytest.fixture
def nobody() -> Iterator[Path]:
    """A folder of the current user, who for the time being is one without special rights."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        special = os.geteuid() == 0
        if special:
            os.seteuid(65534)
        try:
            yield folder
        finally:
            if special:
                os.seteuid(0)


class TestPermission:
    """One message; what stood there stays."""

    def test_a_folder_that_is_shut(self, nobody: Path) -> None:
        folder = nobody / "shut"
        folder.mkdir(mode=0o555)
        with pytest.raises(UsageError, match="Permission denied"):
            write_output(str(folder / "m.json"), "new")
        assert list(folder.iterdir()) == []

    def test_a_read_only_file_in_an_open_folder(self, nobody: Path) -> None:
        """Its mode says that it must not change: it does not, though the folder would allow to replace it."""
        target = nobody / "m.json"
        target.write_text("old", encoding="utf-8")
        target.chmod(0o444)
        with pytest.raises(UsageError, match="Permission denied"):
            write_output(str(target), "new")
        assert target.read_text(encoding="utf-8") == "old"
        assert list(nobody.iterdir()) == [target]
