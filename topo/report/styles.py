"""The colours of the page: of its states and pictures from the diagram's palettes, light and dark."""

from collections.abc import Iterator
from typing import Final

from topo.diagram.css import picture_css
from topo.diagram.palette import BORDERS, DARK, LIGHT, Palette
from topo.report.parts import PRINTED

_LIGHT: Final = {
    "page": "#f6f7f9",
    "card": "#ffffff",
    "text": "#16191d",
    "muted": "#535b66",
    "line": "#d5dae1",
    "strong": "#8a93a0",
    "link": "#0b57a4",
    "accent": "#0b57a4",
    "hover": "#eaf1f9",
    "alarm": "#a33603",
    "alarm-back": "#fff1e8",
    "badge": "#5b2d00",
    "badge-back": "#ffe2b8",
    "code": "#eef1f5",
    "bar-1": "#4a6d8c",
    "bar-2": "#a33603",
    "bar-3": "#c77d1a",
    "bar-4": "#84145f",
    "bar-5": "#2c7a4b",
}
_DARK: Final = {
    "page": "#0f1216",
    "card": "#14171c",
    "text": "#ececec",
    "muted": "#aab1ba",
    "line": "#2d333b",
    "strong": "#6b7480",
    "link": "#7cc4f2",
    "accent": "#7cc4f2",
    "hover": "#1b2530",
    "alarm": "#ff9d66",
    "alarm-back": "#2c1c13",
    "badge": "#ffe2b8",
    "badge-back": "#4a3000",
    "code": "#1d2229",
    "bar-1": "#6d94b8",
    "bar-2": "#ff8a4c",
    "bar-3": "#e0a44a",
    "bar-4": "#f29bd0",
    "bar-5": "#66c08a",
}


def light() -> str:
    """Return the rules of the light page."""
    shapes = "\n".join(_shapes())
    paper = f"@media print{{table.data tbody tr:nth-child(n+{PRINTED + 1}){{display:none}}}}"
    return f":root{{color-scheme:light;{_variables(_LIGHT)}}}\n{_states(LIGHT)}\n{shapes}\n{paper}\n"


def dark() -> str:
    """Return the rules that make it dark."""
    return f":root{{color-scheme:dark;{_variables(_DARK)}}}\n{_states(DARK)}\n"


def _variables(colours: dict[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


def _states(palette: Palette) -> str:
    chips = "\n".join(
        f".chip.s-{state}{{background:{ink.fill};color:{ink.text};border-color:{ink.border}}}"
        for state, ink in palette.states.items()
    )
    return f"{picture_css(palette)}\n{chips}"


def _shapes() -> Iterator[str]:
    """How a state's border is drawn, so that a box that changes its class changes its shape."""
    for state, border in BORDERS.items():
        dash = border.dash or "none"
        yield f".box.s-{state} .frame{{stroke-width:{border.width};stroke-dasharray:{dash}}}"
        line = "dashed" if border.dash else "solid"
        yield f".chip.s-{state}{{border-style:{line}}}"
    yield ".wire.live.power,.wire.live.heat{stroke-dasharray:none}.wire.dead{stroke-dasharray:6 4}"
    yield ".wire.strict{stroke-dasharray:12 4 2 4}"
