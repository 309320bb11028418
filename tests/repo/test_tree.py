"""The repository speaks of the product alone."""

import re
from pathlib import Path

import pytest

from tests.repo.tree import ROOT, files, relative

# Written in pieces, so that this file passes its own test.
_HOSTS = ("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "npm" + "js.com", "deb" + "ian.org")

FORBIDDEN = {
    "a path of somebody's machine": re.compile(r"(?<![\w.~-])/(?:work|root|home|Users)/\w"),
    "a temporary path": re.compile(r"(?<![\w.~-])/tmp/\w"),
    "a registry's host": re.compile("|".join(re.escape(host) for host in _HOSTS)),
    "a folder outside the repository": re.compile(r"\.\./" + "shared"),
}
NOT_TEXT = {".png", ".ttf", ".woff", ".woff2", ".gz", ".zip", ".whl", ".ico"}


def text_of(path: Path) -> str | None:
    """The text of a file; None for one that is not text."""
    if path.suffix in NOT_TEXT:
        return None
    data = path.read_bytes()
    return None if b"\0" in data else data.decode("utf-8", errors="replace")


@pytest.mark.parametrize("what", FORBIDDEN)
def test_nothing_names(what: str) -> None:
    found = [
        f"{relative(path)}:{number}"
        for path in files()
        if (text := text_of(path)) is not None
        for number, line in enumerate(text.splitlines(), 1)
        if FORBIDDEN[what].search(line)
    ]
    assert not found


def test_no_file_is_huge() -> None:
    assert {relative(path): path.stat().st_size for path in files() if path.stat().st_size > 4_000_000} == {}


def test_names_are_portable() -> None:
    names = [relative(path) for path in files()]
    assert [name for name in names if re.search(r"[^\w./+-]", name)] == []
    assert len({name.casefold() for name in names}) == len(names)


def test_text_ends_with_one_newline_and_has_no_carriage_returns() -> None:
    found = [
        relative(path)
        for path in files()
        if path.suffix in {".md", ".py", ".toml"}
        and "data" not in path.relative_to(ROOT).parts  # other people's files stay as they were published
        and (data := path.read_bytes())
        and (b"\r" in data or not data.endswith(b"\n") or data.endswith(b"\n\n"))
    ]
    assert not found
