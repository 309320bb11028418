"""A map alone: what it cannot say is asked of a snapshot, and never of an option that changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.topo.command import topo

MAP = (
    "nodes:\n  n1: {rack: r1}\ndomains:\n  ups-1: {kind: ups, ratedKw: 40}\n"
    "  ups-2: {kind: ups, ratedKw: 40}\n  r1: {kind: rack, feeds: [ups-1, ups-2]}\n"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "map.yaml"
    path.write_text(MAP, encoding="utf-8")
    return path


@pytest.mark.parametrize("words", [(), ("--kw-per-unit", "10")])
def test_the_draw_comes_from_a_snapshot(words: tuple[str, ...], path: Path) -> None:
    shown = " ".join(topo("whatif", "--fail", "ups-1", *words, path).out.split())
    assert "give a snapshot (estate.json, this map with --topology)" in shown
    assert "give kW per unit" not in shown


def test_what_a_facility_domain_is(path: Path) -> None:
    path.write_text("nodes: {n1: {rack: r1}}\ndomains: {r1: {kind: rack}}\n", encoding="utf-8")
    shown = " ".join(topo("validate", path).out.split())
    assert (
        "0 of 1 node stand on a facility domain (power or cooling equipment; a rack alone is none); not: n1."
        in shown
    )
