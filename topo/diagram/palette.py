"""Colours, light and dark: chosen for contrast and colour blindness, never the only carrier of a meaning."""

from dataclasses import dataclass
from typing import Final

from topo.diagram.states import State


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours of a box in one state: background, border, text, and the pattern of its edge strip."""

    fill: str
    border: str
    text: str
    strip: str


@dataclass(frozen=True, slots=True)
class Palette:
    """All colours of a picture."""

    page: str
    text: str
    muted: str
    power: str
    heat: str
    other: str
    dead: str
    strict: str
    gauge: str
    gauge_room: str
    over: str
    states: dict[State, Ink]


LIGHT: Final = Palette(
    page="#ffffff",
    text="#1a1a1a",
    muted="#595959",
    power="#333333",
    heat="#0067a3",
    other="#767676",
    dead="#a33603",
    strict="#6a1b9a",
    gauge="#333333",
    gauge_room="#ffffff",
    over="#a33603",
    states={
        "failed": Ink("#1a1a1a", "#e06c00", "#ffffff", "#e06c00"),
        "out": Ink("#4d4d4d", "#1a1a1a", "#ffffff", "#1a1a1a"),
        "lost": Ink("#a33603", "#541a00", "#ffffff", "#541a00"),
        "demoted": Ink("#f3d3e4", "#84145f", "#2b0a20", "#84145f"),
        "emptied": Ink("#ffe3d1", "#a33603", "#3a1500", "#a33603"),
        "tripped": Ink("#e9d9f5", "#6a1b9a", "#2a0a3d", "#6a1b9a"),
        "strict-lost": Ink("#f8f1fc", "#6a1b9a", "#2a0a3d", "#6a1b9a"),
        "partial": Ink("#ffffff", "#a8795f", "#1a1a1a", "#a33603"),
        "unverified": Ink("#d9ecfb", "#00507e", "#062b42", "#00507e"),
        "degraded": Ink("#ffeaa8", "#6b4e00", "#332500", "#6b4e00"),
        "stands": Ink("#ffffff", "#8c8c8c", "#1a1a1a", "#8c8c8c"),
        "safe": Ink("#ffffff", "#8c8c8c", "#1a1a1a", "#8c8c8c"),
    },
)

DARK: Final = Palette(
    page="#14171c",
    text="#ececec",
    muted="#b0b4ba",
    power="#d6d6d6",
    heat="#63b6ea",
    other="#9aa0a6",
    dead="#ff8a4c",
    strict="#d5a6f2",
    gauge="#d6d6d6",
    gauge_room="#14171c",
    over="#ff8a4c",
    states={
        "failed": Ink("#000000", "#ff9a3d", "#ffffff", "#ff9a3d"),
        "out": Ink("#3a3d42", "#c8c8c8", "#ffffff", "#c8c8c8"),
        "lost": Ink("#9a3300", "#ffb38a", "#ffffff", "#ffb38a"),
        "demoted": Ink("#4a1237", "#f29bd0", "#ffe6f4", "#f29bd0"),
        "emptied": Ink("#43200c", "#ff8a4c", "#ffe9dc", "#ff8a4c"),
        "tripped": Ink("#3a1a52", "#d5a6f2", "#f6eafd", "#d5a6f2"),
        "strict-lost": Ink("#241a2e", "#d5a6f2", "#f6eafd", "#d5a6f2"),
        "partial": Ink("#1d2229", "#a8795f", "#ececec", "#ff8a4c"),
        "unverified": Ink("#0f3248", "#7cc4f2", "#e3f3fd", "#7cc4f2"),
        "degraded": Ink("#4a3a00", "#ffd24a", "#fff5d1", "#ffd24a"),
        "stands": Ink("#1d2229", "#7c828a", "#ececec", "#7c828a"),
        "safe": Ink("#1d2229", "#7c828a", "#ececec", "#7c828a"),
    },
)


@dataclass(frozen=True, slots=True)
class Border:
    """How a state's border is drawn: width and dashes [px], the pattern of the strip along its left edge."""

    width: float
    dash: str = ""
    strip: str = ""


BORDERS: Final[dict[State, Border]] = {
    "failed": Border(4.0),
    "out": Border(3.0, "9 3 2 3", "cross"),
    "lost": Border(2.5),
    "demoted": Border(3.0, strip="hatch"),
    "emptied": Border(2.5, strip="solid"),
    "tripped": Border(3.0, "10 3", "zigzag"),
    "strict-lost": Border(2.0, "2 4", "zigzag"),
    "partial": Border(1.2, strip="half"),
    "unverified": Border(2.5, "2 3"),
    "degraded": Border(2.5, "7 4"),
    "stands": Border(1.0, "12 2"),
    "safe": Border(1.0),
}
"""Shape beside colour: every state is told apart in greyscale too."""
