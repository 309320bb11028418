"""A canvas as SVG: literal colours in presentation attributes (a style sheet may override them), no script.

Class names (`box s-lost`, `wire dead power`, ...) are for pages around it; the picture needs none.
"""

from collections.abc import Iterator
from typing import Final

from topo.diagram.canvas import Bar, Canvas, Card, Text, canvas
from topo.diagram.fit import text_width
from topo.diagram.layout import Rect, Wire
from topo.diagram.model import Picture
from topo.diagram.palette import BORDERS, LIGHT, Ink, Palette
from topo.diagram.xml import attribute, escaped

FONT: Final = "DejaVu Sans, Verdana, sans-serif"
_SNUG: Final = 0.9
"""Text that fills more of its room than this share [-] is pinned to its measured width in every font."""

_DASHES: Final = {"dead": "6 4", "strict": "12 4 2 4"}


def render_svg(
    picture: Picture, palette: Palette = LIGHT, *, prefix: str = "", standalone: bool = True
) -> str:
    """Return a picture as SVG text. `prefix` keeps ids apart where a page holds several pictures.

    `standalone` adds the XML declaration and a page-coloured background.
    """
    return "".join(_Svg(palette, prefix).document(canvas(picture), standalone=standalone))


class _Svg:
    def __init__(self, palette: Palette, prefix: str) -> None:
        self._palette = palette
        self._prefix = prefix

    def document(self, drawn: Canvas, *, standalone: bool) -> Iterator[str]:
        if standalone:
            yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        palette = self._palette
        colours = {"text": palette.text, "muted": palette.muted, "alarm": palette.over}
        width, height = _n(drawn.width), _n(drawn.height)
        name, about = self._prefix + "title", self._prefix + "about"
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name} {about}" '
            f'font-family="{FONT}">\n'
            f'<title id="{name}">{escaped(drawn.title)}</title>\n'
            f'<desc id="{about}">{escaped(drawn.description)}</desc>\n'
        )
        yield from self._patterns(drawn)
        if standalone:
            yield f'<rect class="page" width="{width}" height="{height}" fill="{self._palette.page}"/>\n'
        for wire in sorted(drawn.wires, key=lambda wire: wire.style != "live"):
            yield from self._wire(wire)
        for card in (*drawn.cards, *drawn.legend):
            yield from self._card(card)
        for text in drawn.texts:
            yield self._text(text, colours[text.tone])
        for wire, text in drawn.samples:
            yield from self._wire(wire)
            yield self._text(text, self._palette.muted)
        yield "</svg>\n"

    # --- patterns --------------------------------------------------------------------------------

    def _patterns(self, drawn: Canvas) -> Iterator[str]:
        """Yield the strip patterns of the states that are drawn, and the hatch of gauges."""
        yield "<defs>\n"
        for state in sorted({card.state for card in (*drawn.cards, *drawn.legend)}):
            ink, kind = self._palette.states[state], BORDERS[state].strip
            if kind in STRIPS:
                yield self._pattern(f"strip-{state}", f"strip s-{state}", STRIPS[kind], ink.strip)
        for card in drawn.cards:
            if card.bar is not None and card.bar.after is not None:
                yield self._pattern("shift", "shift", STRIPS["hatch"], self._palette.over)
                break
        yield "</defs>\n"

    def _pattern(self, name: str, css: str, path: str, colour: str) -> str:
        return (
            f'<pattern id="{self._prefix}{name}" class="{css}" width="6" height="6" '
            f'patternUnits="userSpaceOnUse"><path d="{path}" stroke="{colour}" stroke-width="1.8" '
            f'fill="none"/></pattern>\n'
        )

    # --- wires -----------------------------------------------------------------------------------

    def _wire(self, wire: Wire) -> Iterator[str]:
        palette = self._palette
        live = {"power": palette.power, "heat": palette.heat, "other": palette.other}[wire.carries]
        colour = {"live": live, "dead": palette.dead, "strict": palette.strict}[wire.style]
        path = "".join(f"M{_n(x1)} {_n(y1)}L{_n(x2)} {_n(y2)}" for x1, y1, x2, y2 in wire.pieces)
        css = f"wire {wire.style} {wire.carries}"
        width = {"power": 1.8, "heat": 4.4, "other": 1.2}[wire.carries]
        dashes = _DASHES.get(wire.style, "2 3" if wire.carries == "other" else "")
        # Square ends close the corners of a wide line; on dashes they would close the gaps.
        dash = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="square"'
        yield f'<path class="{css}" d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>\n'
        if wire.carries == "heat":
            yield (
                f'<path class="core" d="{path}" fill="none" stroke="{palette.page}" stroke-width="1.8" '
                f'stroke-linecap="square"/>\n'
            )
        for x, y in wire.dots:
            place = f'cx="{_n(x)}" cy="{_n(y)}" r="3.4"'
            yield f'<circle class="dot {wire.style} {wire.carries}" {place} fill="{colour}"/>\n'

    # --- cards -----------------------------------------------------------------------------------

    def _card(self, card: Card) -> Iterator[str]:
        ink, border = self._palette.states[card.state], BORDERS[card.state]
        name = f' id="{self._prefix}{card.key}"' if card.key else ""
        yield f'<g class="box s-{card.state}"{name}>\n'
        if card.hint:
            yield f"<title>{escaped(card.hint)}</title>\n"
        if card.stacked:
            behind = Rect(card.rect.x + 5, card.rect.y - 5, card.rect.width, card.rect.height)
            yield _outline(behind, ink, 1.0, "", "frame behind")
        yield _outline(card.rect, ink, border.width, border.dash, "frame")
        if border.strip:
            yield self._strip(card, ink, border.strip)
        if card.bar is not None:
            yield from self._bar(card.bar, ink)
        for text in card.texts:
            yield self._text(text, ink.text)
        yield "</g>\n"

    def _strip(self, card: Card, ink: Ink, kind: str) -> str:
        inset = BORDERS[card.state].width / 2
        x, y, height = card.rect.x + inset, card.rect.y + inset, card.rect.height - 2 * inset
        if kind == "half":
            y, height = y + height / 2, height / 2
        fill = ink.strip if kind in {"solid", "half"} else f"url(#{self._prefix}strip-{card.state})"
        css = "strip plain" if kind in {"solid", "half"} else "strip"
        return (
            f'<rect class="{css}" x="{_n(x)}" y="{_n(y)}" width="9" height="{_n(height)}" fill="{fill}"/>\n'
        )

    def _bar(self, bar: Bar, ink: Ink) -> Iterator[str]:
        """Yield the gauge: solid for now, hatched for the strict check, a mark at the rating."""
        rect, palette = bar.rect, self._palette
        full = max(1.0, bar.before, bar.after or 0.0)
        yield _plain(rect, palette.gauge_room, "gauge-room", ink.text)
        if bar.after is not None and bar.after > bar.before:
            shift = Rect(rect.x, rect.y, rect.width * bar.after / full, rect.height)
            yield _plain(shift, f"url(#{self._prefix}shift)", "gauge-shift", "")
        solid = Rect(rect.x, rect.y, rect.width * bar.before / full, rect.height)
        yield _plain(solid, palette.gauge, "gauge-now", "")
        if full > 1:
            mark = f"M{_n(rect.x + rect.width / full)} {_n(rect.y - 3)}V{_n(rect.bottom + 3)}"
            yield f'<path class="limit-gap" d="{mark}" stroke="{palette.gauge_room}" stroke-width="5"/>\n'
            yield f'<path class="limit" d="{mark}" stroke="{palette.over}" stroke-width="2"/>\n'

    # --- text ------------------------------------------------------------------------------------

    def _text(self, text: Text, colour: str) -> str:
        width = text_width(text.text, text.size, bold=text.bold)
        pinned = (
            f' textLength="{_n(width)}" lengthAdjust="spacingAndGlyphs"' if width > text.room * _SNUG else ""
        )
        weight = ' font-weight="bold"' if text.bold else ""
        return (
            f'<text class="{text.tone}" x="{_n(text.x)}" y="{_n(text.y)}" font-size="{_n(text.size)}"'
            f'{weight} fill="{colour}"{pinned}>{escaped(text.text)}</text>\n'
        )


STRIPS: Final = {
    "hatch": "M-1.5 1.5L1.5 -1.5M0 6L6 0M4.5 7.5L7.5 4.5",
    "zigzag": "M0 4.5L3 1.5L6 4.5",
    "cross": "M0 0L6 6M6 0L0 6",
}
"""Paths of 6 × 6 px tiles."""


def _outline(rect: Rect, ink: Ink, width: float, dash: str, css: str) -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<rect class="{css}" x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" '
        f'height="{_n(rect.height)}" rx="3" fill="{ink.fill}" stroke="{ink.border}" '
        f'stroke-width="{_n(width)}"{dashes}/>\n'
    )


def _plain(rect: Rect, fill: str, css: str, border: str) -> str:
    stroke = f' stroke="{border}" stroke-width="0.8"' if border else ""
    return (
        f'<rect class="{css}" x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" '
        f'height="{_n(rect.height)}" fill="{attribute(fill)}"{stroke}/>\n'
    )


def _n(value: float) -> str:
    """Return a coordinate with at most one decimal, the same on every machine."""
    return f"{value:.1f}".removesuffix(".0")
