"""Whole files, word for word; with TOPO_REGENERATE=1 in the environment this test writes them anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.topo.diagram.drawing import ROOT, draw, example
from tests.topo.diagram.estates import halls
from topo.diagram.mermaid import render_mermaid
from topo.diagram.model import Picture
from topo.diagram.render import render
from topo.diagram.states import LOOKS, Look

GOLDEN = Path(__file__).parent / "golden"


def _lab() -> Picture:
    return draw(example("lab"), ["feed-strong"])


def _halls() -> Picture:
    return draw(halls(5, pairs=5, racks=9, nodes=4), ["h2-pdu-3a"])


@pytest.mark.parametrize("form", ["svg", "txt", "mmd", "dot"])
@pytest.mark.parametrize(("name", "make"), [("lab", _lab), ("halls", _halls)])
def test_pictures_are_what_they_were(name: str, make: Callable[[], Picture], form: str) -> None:
    path = GOLDEN / f"{name}.{form}"
    drawn = str(render(make(), form))
    if os.environ.get("TOPO_REGENERATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == drawn


def _two_halls() -> Picture:
    return draw(example("two-halls"), ["h1-ups-a"])


class TestDocumentation:
    """The page on diagrams shows what the command draws."""

    PAGE = ROOT / "docs" / "diagrams.md"

    def test_its_image(self) -> None:
        path = ROOT / "docs/images/two-halls.svg"
        drawn = str(render(_two_halls(), "svg"))
        if os.environ.get("TOPO_REGENERATE"):
            path.write_text(drawn, encoding="utf-8", newline="\n")
        assert path.read_text(encoding="utf-8") == drawn

    def test_its_mermaid(self) -> None:
        text = self.PAGE.read_text(encoding="utf-8")
        head, _, _ = text.partition("```mermaid\n")
        shown = f"{head}```mermaid\n{render_mermaid(_lab())}```\n"
        if os.environ.get("TOPO_REGENERATE"):
            self.PAGE.write_text(shown, encoding="utf-8", newline="\n")
        assert self.PAGE.read_text(encoding="utf-8") == shown

    @pytest.mark.parametrize("look", LOOKS.values(), ids=lambda look: look.state)
    def test_its_states(self, look: Look) -> None:
        assert f"| {look.glyph} | {look.word.lower()} | {look.means}" in self.PAGE.read_text(encoding="utf-8")
