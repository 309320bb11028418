"""A machine or a limit that is too small: one message, what to do, and no partial result."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from tests.faults.writers import READERS, refused, topo

LIMIT_BYTES = 512 * 1024**2
ONLY_PARSED_BYTES = 24 * 1024**2
"""A file of so many empty mappings fits as text, and not as objects."""


def little_memory() -> None:
    """Let the process have so much memory and no more."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "estate.json"
    path.write_text('{"nodes": [{}' + ",{}" * (ONLY_PARSED_BYTES // 3) + "]}", encoding="ascii")
    return path


@pytest.mark.parametrize(
    "words", [("validate",), ("report", "-o", "{}/out.html"), ("merge", "-o", "{}/out.json"), ("sweep",)]
)
def test_not_enough_memory(words: tuple[str, ...], large: Path, tmp_path: Path) -> None:
    """Exit 2, not 1: nothing is known about the file."""
    ending = topo(*(word.format(tmp_path) for word in words), str(large), before=little_memory)
    refused(ending, "not enough memory: nothing was written")
    assert ending.out == ""
    assert "raise the limit" in ending.err
    assert list(tmp_path.iterdir()) == []


def test_the_limit_is_enough_for_what_is_small() -> None:
    assert topo(*READERS["sweep"], before=little_memory).code == 0


def test_the_machine_says_so_in_other_words() -> None:
    """ENOMEM of the operating system is no fault of standard output."""
    import subprocess

    from tests.faults.writers import command, environment

    code = """
import errno
from topo import cli
def main():
    raise OSError(errno.ENOMEM, "Cannot allocate memory")
cli.main = main
cli.entry()
"""
    done = subprocess.run(
        [command()[0], "-c", code], capture_output=True, text=True, env=environment(), timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith("topo: error: not enough memory")
