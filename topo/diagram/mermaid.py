"""A picture as a Mermaid flowchart that renders in a README: synthetic ids, odd characters as entities."""

import json
import re
from typing import Final

from topo.diagram.dot import box_lines
from topo.diagram.model import Edge, Picture
from topo.diagram.palette import BORDERS, LIGHT
from topo.diagram.states import State
from topo.text.clean import clean

MAX_EDGES: Final = 500
MAX_CHARACTERS: Final = 50_000
"""Mermaid's own limits: beyond them it draws an error, or silently nothing."""

_WRAP: Final = 320
"""Width of a line in a box before it breaks [px]."""

_ODD: Final = re.compile(r"[!-+/:-@\[-`{-~]")
"""ASCII punctuation that Mermaid could read as syntax, an icon, mathematics or markup."""


class TooLargeForMermaid(Exception):
    """A picture over Mermaid's limits, as data."""

    def __init__(self, edges: int, characters: int) -> None:
        super().__init__(edges, characters)
        self.edges = edges
        self.characters = characters

    def __str__(self) -> str:
        return (
            f"{self.edges:,} lines and {self.characters:,} characters are more than Mermaid draws "
            f"({MAX_EDGES:,} and {MAX_CHARACTERS:,})"
        )


def render_mermaid(picture: Picture) -> str:
    """Return a picture as Mermaid text.

    Raises:
        TooLargeForMermaid: over the limits within which Mermaid draws.
    """
    lines = ["---", f"title: {json.dumps(clean(picture.title))}"]
    lines += ["config:", "  flowchart:", f"    wrappingWidth: {_WRAP}", "---", "flowchart TB"]
    if picture.stale:
        lines.append(f'  stale["{_escaped(picture.stale)}"]:::stale_note')
    for box in picture.boxes:
        label = "<br/>".join(_escaped(line) for line in box_lines(box, picture.unit))
        # A subroutine's double edge stands for a group.
        left, right = ("[", "]") if box.single else ("[[", "]]")
        lines.append(f'  {box.key}{left}"{label}"{right}:::{_class(box.state)}')
    row_of = {box.key: box.row for box in picture.boxes}
    lines += [f"  {_edge(edge, row_of)}" for edge in picture.edges]
    lines += _edge_styles(picture)
    lines += [f"  classDef {_class(state)} {_style(state)}" for state in _present(picture)]
    if picture.stale:
        lines.append(
            f"  classDef stale_note fill:{LIGHT.page},stroke:{LIGHT.over},color:{LIGHT.over},stroke-width:3px"
        )
    text = "\n".join(lines) + "\n"
    if len(picture.edges) > MAX_EDGES or len(text) > MAX_CHARACTERS:
        raise TooLargeForMermaid(len(picture.edges), len(text))
    return text


def _present(picture: Picture) -> list[State]:
    return sorted({box.state for box in picture.boxes})


def _class(state: State) -> str:
    return state.replace("-", "_") + "_state"


def _style(state: State) -> str:
    ink, border = LIGHT.states[state], BORDERS[state]
    dash = f",stroke-dasharray:{border.dash}" if border.dash else ""
    return f"fill:{ink.fill},stroke:{ink.border},color:{ink.text},stroke-width:{border.width:g}px{dash}"


def _edge(edge: Edge, row_of: dict[str, int]) -> str:
    upper, lower = sorted((edge.source, edge.target), key=lambda key: row_of[key])
    if edge.style != "live":
        return f"{upper} -.- {lower}"
    return f"{upper} {'===' if edge.carries == 'heat' else '---'} {lower}"


def _edge_styles(picture: Picture) -> list[str]:
    by_look: dict[str, list[str]] = {}
    live = {"power": LIGHT.power, "heat": LIGHT.heat, "other": LIGHT.other}
    for number, edge in enumerate(picture.edges):
        colour = {"live": live[edge.carries], "dead": LIGHT.dead, "strict": LIGHT.strict}[edge.style]
        width = {"power": 2, "heat": 4, "other": 1}[edge.carries]
        by_look.setdefault(f"stroke:{colour},stroke-width:{width}px", []).append(str(number))
    return [f"  linkStyle {','.join(numbers)} {look}" for look, numbers in sorted(by_look.items())]


def _escaped(text: str) -> str:
    return _ODD.sub(lambda match: f"#{ord(match.group())};", clean(text))
