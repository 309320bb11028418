"""Limits of the command line: how many rows, how large a file, and no result over what was read."""

import shutil
from pathlib import Path

import pytest

from tests.topo.command import LAB, TWO_HALLS, topo

NOW = ("--now", "2026-12-01T12:00:00Z")
ESTATE = TWO_HALLS / "estate.json"


class TestRows:
    """`--rows 0` is everything, in every table, and the line that shortens one says so."""

    @pytest.mark.parametrize("command", [("sweep",), ("headroom",), ("findings",)])
    def test_nought_is_all(self, command: tuple[str, ...]) -> None:
        short, whole = topo(*command, ESTATE, *NOW), topo(*command, ESTATE, "--rows", "0", *NOW)
        assert " more (--rows 0 " in short.out
        assert " more (--rows" not in whole.out
        assert len(whole.out.splitlines()) > len(short.out.splitlines())


class TestSize:
    """`--max-size` takes bytes or a binary unit, the same in every command that reads a file."""

    @pytest.mark.parametrize("limit", ["64M", "1g", "2GiB", "100000000"])
    def test_units(self, limit: str) -> None:
        assert topo("validate", LAB / "estate.json", "--max-size", limit).code == 0

    @pytest.mark.parametrize(
        "command", [("validate",), ("sweep",), ("merge",), ("whatif", "--fail", "feed-weak")]
    )
    def test_a_larger_file_is_refused(self, command: tuple[str, ...]) -> None:
        done = topo(*command, LAB / "estate.json", "--max-size", "1K")
        assert done.code == 1
        assert "--max-size" in done.out + done.err

    @pytest.mark.parametrize(
        ("name", "start", "size", "limit"),
        [
            ("t.yaml", "nodes:\n", 2**28 + 1, 2**28),
            ("e.json", '{"nodes": [', 2**40, 2**31),
            ("snapshot", '{"nodes": [', 2**40, 2**31),
        ],
    )
    def test_a_file_beyond_every_limit_is_refused_unread(
        self, tmp_path: Path, name: str, start: str, size: int, limit: int
    ) -> None:
        with (tmp_path / name).open("w") as sparse:
            sparse.write(start)
            sparse.truncate(size)
        done = topo("validate", tmp_path / name)
        assert done.code == 1
        said = " ".join(done.out.split())
        assert f"the file has {size:,} bytes, more than the limit of {limit:,}" in said
        assert "--max-size" in said


class TestInputsAreSpared:
    """A result never replaces what it was computed from."""

    @pytest.mark.parametrize("form", ["estate.svg", "./estate.svg"])
    def test_a_picture(self, tmp_path: Path, form: str) -> None:
        copy = tmp_path / "estate.svg"
        shutil.copy(ESTATE, copy)
        before = copy.read_bytes()
        for command in (("curtail", "--shed-kw", "100"), ("rescue", "--fail", "h1-pdu-4a")):
            done = topo(*command, copy, "--picture", tmp_path / form, *NOW)
            assert (done.code, done.out) == (2, "")
            assert "is an input" in done.err
        assert copy.read_bytes() == before

    def test_a_map(self, tmp_path: Path) -> None:
        copy = tmp_path / "map.svg"
        shutil.copy(TWO_HALLS / "topology.yaml", copy)
        done = topo("curtail", "--shed-kw", "100", ESTATE, "--topology", copy, "--picture", copy, *NOW)
        assert (done.code, done.out) == (2, "")
        assert "is an input" in done.err
