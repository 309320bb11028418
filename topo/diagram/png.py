"""A picture as PNG, drawn by resvg with the bundled fonts: the same on every machine."""

from importlib.resources import as_file, files
from typing import Final

from topo.diagram.canvas import Canvas, canvas
from topo.diagram.fit import covered
from topo.diagram.model import Picture
from topo.diagram.palette import LIGHT, Palette
from topo.diagram.svg import render_svg

SCALE: Final = 2.0
"""Pixels per unit of a small picture; never fewer than one."""
COMFORTABLE_PIXELS: Final = 9_000_000
"""Larger pictures are drawn at a smaller scale, down to one pixel per unit."""
MAX_PIXELS: Final = 60_000_000
"""Beyond this a PNG would take gigabytes to draw and could not be read anyway."""


class TooLarge(Exception):
    """A picture that does not fit into a PNG, as data [px]."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(width, height)
        self.width = width
        self.height = height

    def __str__(self) -> str:
        return f"the picture of {self.width:,.0f} × {self.height:,.0f} px is too large for a PNG"


def render_png(picture: Picture, palette: Palette = LIGHT) -> bytes:
    """Return a picture as PNG bytes.

    Raises:
        TooLarge: more than `MAX_PIXELS` at one pixel per unit.
    """
    import resvg_py

    svg = render_svg(picture, palette)
    drawn = canvas(picture)
    if drawn.width * drawn.height > MAX_PIXELS:
        raise TooLarge(drawn.width, drawn.height)
    scale = max(1.0, min(SCALE, (COMFORTABLE_PIXELS / (drawn.width * drawn.height)) ** 0.5))
    fonts = files("topo") / "assets/fonts"
    with (
        as_file(fonts / "DejaVuSans.ttf") as regular,
        as_file(fonts / "DejaVuSans-Bold.ttf") as bold,
    ):
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg,
                zoom=scale,
                font_files=[str(regular), str(bold)],
                font_family="DejaVu Sans",
                sans_serif_family="DejaVu Sans",
                # Ids in other scripts need whatever fonts the machine has.
                skip_system_fonts=_bundled_font_suffices(drawn),
            )
        )


def _bundled_font_suffices(drawn: Canvas) -> bool:
    cards = (text for card in (*drawn.cards, *drawn.legend) for text in card.texts)
    return all(covered(text.text) for text in (*drawn.texts, *cards))
