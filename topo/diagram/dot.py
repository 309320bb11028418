"""A picture as Graphviz DOT: synthetic ids, escaped labels, one rank per row."""

from itertools import pairwise
from typing import Final

from topo.diagram.boxtext import box_text
from topo.diagram.model import NODES, Box, Edge, Picture
from topo.diagram.palette import BORDERS, LIGHT
from topo.kind_words import kind_word
from topo.text.clean import clean
from topo.text.table import clip

_CLIP: Final = 48
"""Cells that an id may take in a label."""


def render_dot(picture: Picture) -> str:
    """Return a picture as DOT text."""
    stale = [picture.stale] if picture.stale else []
    lines = [
        "digraph topo {",
        '  graph [rankdir=TB, nodesep=0.3, ranksep=0.6, fontname="DejaVu Sans", labelloc=t, labeljust=l,',
        f'         label="{_label([picture.title, *stale, *picture.summary, *picture.notes])}"];',
        '  node [shape=box, fontname="DejaVu Sans", fontsize=10, margin="0.12,0.08"];',
        "  edge [arrowhead=none, arrowtail=none];",
    ]
    lines += [f"  {_node(box, picture.unit)}" for box in picture.boxes]
    rows: dict[int, list[str]] = {}
    for box in picture.boxes:
        rows.setdefault(box.row, []).append(box.key)
    lines += [f"  {{ rank=same; {'; '.join(keys)} }}" for _, keys in sorted(rows.items())]
    heads = [keys[0] for _, keys in sorted(rows.items())]
    # Rows without a feed between them would float: an invisible spine keeps their order.
    lines += [f"  {above} -> {below} [style=invis];" for above, below in pairwise(heads)]
    row_of = {box.key: box.row for box in picture.boxes}
    lines += [f"  {_edge(edge, row_of)}" for edge in picture.edges]
    return "\n".join([*lines, "}"]) + "\n"


def box_lines(box: Box, unit: str) -> list[str]:
    """Return what a box says in full, for formats that size their boxes themselves."""
    words = box_text(box, unit)
    name = clip(words.name[0], _CLIP)
    if box.single and box.kind != NODES:
        name = f"{name} ({kind_word(box.kind)})"
    flow = f"{words.gauge} of its rating" if box.gauge is not None else words.gauge
    return [
        name,
        *words.state[:1],
        *words.place[:1],
        *words.units[:1],
        *words.load[:1],
        *([flow] if flow else []),
    ]


def _node(box: Box, unit: str) -> str:
    ink, border = LIGHT.states[box.state], BORDERS[box.state]
    styles = ["filled"]
    if border.dash:
        styles.append("dotted" if border.dash.startswith("2") else "dashed")
    peripheries = "" if box.single else ", peripheries=2"
    return (
        f'{box.key} [label="{_label(box_lines(box, unit))}", style="{",".join(styles)}", '
        f'fillcolor="{ink.fill}", color="{ink.border}", fontcolor="{ink.text}", '
        f"penwidth={border.width:g}{peripheries}];"
    )


def _edge(edge: Edge, row_of: dict[str, int]) -> str:
    colour = {"power": LIGHT.power, "heat": LIGHT.heat, "other": LIGHT.other}[edge.carries]
    style = "dotted" if edge.carries == "other" else "solid"
    if edge.style != "live":
        colour = LIGHT.dead if edge.style == "dead" else LIGHT.strict
        style = "dashed"
    width = 2.5 if edge.carries == "heat" else 1.2
    upper, lower = sorted((edge.source, edge.target), key=lambda key: row_of[key])
    return f'{upper} -> {lower} [style={style}, color="{colour}", penwidth={width}];'


def _label(lines: list[str]) -> str:
    return "".join(f"{_escaped(line)}\\l" for line in lines)


def _escaped(text: str) -> str:
    # Graphviz reads entities in labels, so an ampersand needs one.
    return clean(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
