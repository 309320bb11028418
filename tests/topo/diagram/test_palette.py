"""Contrast by numbers, and states told apart without any colour."""

from __future__ import annotations

import itertools

import pytest

from topo.diagram.css import picture_css
from topo.diagram.palette import BORDERS, DARK, LIGHT, Palette
from topo.diagram.states import LOOKS, State


def _luminance(colour: str) -> float:
    """WCAG 2.2: relative luminance from linearised channels."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: (L1 + 0.05) / (L2 + 0.05)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
class TestContrast:
    """WCAG AA: text 4.5, lines and borders 3."""

    def test_text_in_boxes(self, palette: Palette) -> None:
        for state, ink in palette.states.items():
            assert contrast(ink.text, ink.fill) >= 6, state

    def test_text_beside_boxes(self, palette: Palette) -> None:
        assert contrast(palette.text, palette.page) >= 7
        assert contrast(palette.muted, palette.page) >= 4.5

    def test_lines_and_borders(self, palette: Palette) -> None:
        for colour in (palette.power, palette.heat, palette.other, palette.dead, palette.strict):
            assert contrast(colour, palette.page) >= 3
        for state, ink in palette.states.items():
            edge = max(contrast(ink.border, palette.page), contrast(ink.fill, palette.page))
            assert edge >= 3, state

    def test_gauges(self, palette: Palette) -> None:
        assert contrast(palette.gauge, palette.gauge_room) >= 7
        assert contrast(palette.over, palette.gauge_room) >= 3


def test_no_two_states_share_border_strip_and_brightness() -> None:
    """In greyscale every state differs from every other in its border, its strip or clearly in its fill."""

    def shape(state: State) -> tuple[object, ...]:
        return (BORDERS[state].width > 1, BORDERS[state].dash, BORDERS[state].strip)

    for one, other in itertools.combinations(LOOKS, 2):
        fills = contrast(LIGHT.states[one].fill, LIGHT.states[other].fill)
        edges = contrast(LIGHT.states[one].border, LIGHT.states[other].border)
        assert shape(one) != shape(other) or fills > 1.5 or edges > 1.5, (one, other)


def test_every_state_has_its_own_glyph_word_and_ascii() -> None:
    looks = list(LOOKS.values())
    assert len({look.glyph for look in looks}) == len(looks)
    assert len({look.word for look in looks}) == len(looks)
    assert len({look.ascii for look in looks}) == len(looks)
    assert all(look.ascii.isascii() for look in looks)


def test_the_style_sheet_recolours_every_state() -> None:
    css = picture_css(DARK)
    assert all(f".box.s-{state} .frame" in css for state in LOOKS)
    assert "var(" not in css
