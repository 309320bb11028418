"""The page of licences says what is installed, and what is installed with topo is permissive."""

import re
from importlib.metadata import PackageNotFoundError, PathDistribution, distribution
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.supply import licences

ROW = re.compile(r"^\| (?!package)([a-z0-9.-]+) \| (.+) \|$", re.MULTILINE)
PERMISSIVE = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "MIT", "PSF-2.0", "Zlib"}


def rows(heading: str = "") -> dict[str, str]:
    text = licences.PAGE.read_text(encoding="utf-8")
    tables = text.partition("\n## Inside the package")[0]
    return dict(
        ROW.findall(tables.partition(f"## {heading}")[2].partition("\n## ")[0] if heading else tables)
    )


def test_every_pinned_package_has_a_row() -> None:
    assert set(rows()) == set(licences.pinned())


def test_every_row_is_what_the_installed_package_says() -> None:
    differs = {}
    for name, said in rows().items():
        try:
            now = licences.licence(distribution(name))
        except PackageNotFoundError:
            continue
        if now != said:
            differs[name] = (said, now)
    assert differs == {}


@pytest.mark.skipif(
    find_spec("distributed") is None or find_spec("importlib_metadata") is None,
    reason="needs every package that the page lists",
)
def test_the_page_is_written_by_its_command() -> None:
    assert licences.page() == licences.PAGE.read_text(encoding="utf-8")


def test_what_comes_with_topo_is_permissive() -> None:
    words = {
        name: set(re.split(r" (?:AND|OR) ", said.partition(" (")[0]))
        for name, said in rows("Installed with topo").items()
    }
    assert len(words) > 5
    assert {name: said for name, said in words.items() if not said <= PERMISSIVE} == {}


def test_a_package_that_says_nothing_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "METADATA").write_text("Metadata-Version: 2.4\nName: silent\nVersion: 1\n", encoding="utf-8")
    assert licences.licence(PathDistribution(tmp_path)) == "unknown: its metadata do not say"


def test_a_name_that_means_several_licences_stays_as_it_is(tmp_path: Path) -> None:
    said = "Metadata-Version: 2.4\nName: loose\nVersion: 1\nLicense: BSD License\n"
    (tmp_path / "METADATA").write_text(said, encoding="utf-8")
    assert licences.licence(PathDistribution(tmp_path)) == "BSD License"
