"""A picture as a list of marks: geometry, fitted text and classes, for any renderer that draws shapes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from topo.diagram.boxtext import BoxText, box_text, short
from topo.diagram.fit import fitted, text_width, wrapped
from topo.diagram.kindwords import row_title
from topo.diagram.layout import Layout, Rect, Wire, layout
from topo.diagram.model import NODES, Box, Carries, EdgeStyle, Picture
from topo.diagram.states import LOOKS, State
from topo.kind_words import kind_word

_MARGIN: Final = 20.0
_GUTTER: Final = 124.0
"""Room for the rows' headings, left of the boxes."""
_MIN_WIDTH: Final = 760.0
_PAD: Final = 10.0
_STRIP: Final = 9.0
_SHADOW: Final = 5.0
_LEGEND_CELL: Final = 236.0
_LEGEND_LINE: Final = 44.0
_SWATCH: Final = 20.0

Tone = Literal["text", "muted", "state", "alarm"]


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text, at its left end on the baseline; never wider than `room` [px]."""

    x: float
    y: float
    text: str
    size: float
    room: float
    bold: bool = False
    tone: Tone = "text"


@dataclass(frozen=True, slots=True)
class Bar:
    """A load gauge: shares of the rating [-], drawn in `rect`."""

    rect: Rect
    before: float
    after: float | None


@dataclass(frozen=True, slots=True)
class Card:
    """A box on the canvas, or a swatch in the legend (`key` empty). `hint` is the tooltip, in full."""

    key: str
    state: State
    rect: Rect
    stacked: bool
    texts: tuple[Text, ...]
    bar: Bar | None
    hint: str


@dataclass(frozen=True, slots=True)
class Canvas:
    """All marks of a picture, in drawing order: wires, cards, texts, then the legend."""

    width: float
    height: float
    title: str
    description: str
    wires: tuple[Wire, ...]
    cards: tuple[Card, ...]
    texts: tuple[Text, ...]
    legend: tuple[Card, ...]
    samples: tuple[tuple[Wire, Text], ...]


def canvas(picture: Picture) -> Canvas:
    """Lay a picture out as marks."""
    placed = layout(picture)
    width = max(_MIN_WIDTH, _GUTTER + placed.width + 2 * _MARGIN)
    texts = list(_header(picture, width))
    top = max(text.y for text in texts) + 28
    left = _GUTTER + _MARGIN + max(0.0, (width - _GUTTER - 2 * _MARGIN - placed.width) / 2)
    cards = tuple(_card(box, _moved(placed.boxes[box.key], left, top), picture.unit) for box in picture.boxes)
    texts += _row_headings(picture, placed, top)
    legend_top = top + placed.height + 40
    legend, samples, labels, bottom = _legend(picture, legend_top, width)
    return Canvas(
        width=width,
        height=bottom + _MARGIN,
        title=picture.title,
        description=" ".join(filter(None, (picture.stale, *picture.summary, *picture.notes))),
        wires=tuple(_moved_wire(wire, left, top) for wire in placed.wires),
        cards=cards,
        texts=tuple(texts + labels),
        legend=legend,
        samples=samples,
    )


def _header(picture: Picture, width: float) -> Iterator[Text]:
    room = width - 2 * _MARGIN
    y = _MARGIN + 16
    yield Text(_MARGIN, y, fitted([picture.title], room, 17, bold=True), 17, room, bold=True)
    y += 4
    paragraphs: list[tuple[Tone, str]] = [("alarm", picture.stale)] if picture.stale else []
    paragraphs += [("text", line) for line in picture.summary]
    paragraphs += [("muted", line) for line in picture.notes]
    for tone, paragraph in paragraphs:
        loud = tone == "alarm"
        for line in wrapped(paragraph, room, 11.5, bold=loud):
            y += 17
            yield Text(_MARGIN, y, line, 11.5, room, bold=loud, tone=tone)


def _row_headings(picture: Picture, placed: Layout, top: float) -> list[Text]:
    texts = []
    room = _GUTTER - 8
    for row, y in zip(picture.rows, placed.row_tops, strict=True):
        lines = wrapped(row_title(row.kinds, row.level), room, 11, bold=True)[:4]
        start = top + y + 40 - 7 * len(lines)
        texts += [
            Text(_MARGIN, start + 14 * i, line, 11, room, bold=True, tone="muted")
            for i, line in enumerate(lines)
        ]
        if row.folded:
            words = "not drawn" if row.touched else "unaffected"
            more = [fitted([f"+{row.folded:,} {words}", f"+{short(row.folded)} {words}"], room, 10.5)]
            if row.touched:
                said = f"{row.touched:,} with nodes lost"
                more.append(fitted([said, f"{short(row.touched)} nodes lost"], room, 10.5))
            texts += [
                Text(_MARGIN, start + 14 * (len(lines) + i), line, 10.5, room, tone="muted")
                for i, line in enumerate(more)
            ]
    return texts


def _card(box: Box, rect: Rect, unit: str) -> Card:
    words = box_text(box, unit)
    left = rect.x + _PAD + (_STRIP if box.state != "safe" else 0)
    room = rect.right - _PAD + 3 - left
    lines: list[tuple[Sequence[str], float, bool]] = [(words.name, 12.5, True)]
    if words.state:
        lines.append((words.state, 9.5, True))
    lines += [(words.place, 10.5, False)]
    lines += [(candidates, 10.5, False) for candidates in (words.units, words.load) if candidates]
    texts = []
    y = rect.y + 18
    for candidates, size, bold in lines:
        text = fitted(candidates, room, size, bold=bold)
        texts.append(Text(left, y, text, size, room, bold=bold, tone="state"))
        y += 15
    texts += _kind_tag(box, rect, left + text_width(texts[0].text, 12.5, bold=True))
    bar, label = _gauge(box, words, rect, left, room)
    return Card(box.key, box.state, rect, not box.single, (*texts, *label), bar, _hint(box, words))


def _kind_tag(box: Box, rect: Rect, taken: float) -> list[Text]:
    """Return the kind at the right end of the first line, if it fits: the row's heading has it too."""
    if not box.single or box.kind == NODES:
        return []
    word = kind_word(box.kind)
    width = text_width(word, 9)
    x = rect.right - _PAD + 3 - width
    return [Text(x, rect.y + 17, word, 9, width, tone="state")] if x > taken + 6 else []


def _gauge(
    box: Box, words: BoxText, rect: Rect, left: float, room: float
) -> tuple[Bar | None, tuple[Text, ...]]:
    if not words.gauge:
        return None, ()
    full = box.gauge is not None and max(box.gauge.before, box.gauge.after or 0.0) > 1
    text = fitted([words.gauge], room, 9.5, bold=full)
    baseline = rect.bottom - 8
    if box.gauge is None:
        return None, (Text(left, baseline, text, 9.5, room, tone="state"),)
    taken = text_width(text, 9.5, bold=full)
    label = Text(left + room - taken, baseline, text, 9.5, taken, bold=full, tone="state")
    bar = Rect(left, baseline - 8, max(20.0, room - taken - 6), 8)
    return Bar(bar, box.gauge.before, box.gauge.after), (label,)


def _hint(box: Box, words: BoxText) -> str:
    from topo.diagram.fit import clipped
    from topo.text.clean import clean
    from topo.text.words import some

    states = ", ".join(f"{count:,} {LOOKS[state].word.lower()}" for state, count in box.states)
    parts = [
        clean(some(box.members, 12)) if not box.single else clean(box.members[0]),
        f"{words.place[0]}; {states}"
        if not box.single
        else f"{words.place[0]}; {LOOKS[box.state].word.lower()}",
        clean(box.why),
        *words.units[:1],
        *words.load[:1],
        words.gauge,
    ]
    return "\n".join(clipped(part, 4000, 10) for part in parts if part)


def _moved(rect: Rect, dx: float, dy: float) -> Rect:
    return Rect(rect.x + dx, rect.y + dy, rect.width, rect.height)


def _moved_wire(wire: Wire, dx: float, dy: float) -> Wire:
    pieces = tuple((x1 + dx, y1 + dy, x2 + dx, y2 + dy) for x1, y1, x2, y2 in wire.pieces)
    return Wire(wire.hub, wire.style, wire.carries, pieces, tuple((x + dx, y + dy) for x, y in wire.dots))


def _legend(
    picture: Picture, top: float, width: float
) -> tuple[tuple[Card, ...], tuple[tuple[Wire, Text], ...], list[Text], float]:
    """Return swatches of the picture's states, samples of its lines, their texts, and the lower edge."""
    texts = [Text(_MARGIN, top, "Legend", 11, 100, bold=True, tone="muted")]
    columns = max(1, int((width - 2 * _MARGIN) // _LEGEND_CELL))
    states = [state for state in LOOKS if any(state in dict(box.states) for box in picture.boxes)]
    cards = []
    for i, state in enumerate(states):
        x = _MARGIN + (i % columns) * _LEGEND_CELL
        y = top + 12 + (i // columns) * _LEGEND_LINE
        cards.append(_swatch(state, x, y))
        room = _LEGEND_CELL - 12
        texts.append(
            Text(x, y + _SWATCH + 13, fitted([LOOKS[state].means], room, 9.5), 9.5, room, tone="muted")
        )
    y = top + 12 + -(-len(states) // columns) * _LEGEND_LINE + 8
    samples = []
    for i, (style, carries, words) in enumerate(_lines(picture)):
        x = _MARGIN + (i % columns) * _LEGEND_CELL
        line_y = y + (i // columns) * 18
        wire = Wire("", style, carries, ((x, line_y, x + 34, line_y),), ())
        room = _LEGEND_CELL - 54
        samples.append(
            (wire, Text(x + 42, line_y + 3.5, fitted([words], room, 9.5), 9.5, room, tone="muted"))
        )
    y += -(-len(samples) // columns) * 18 + 4
    room = width - 2 * _MARGIN
    for line in _reading(picture):
        for piece in wrapped(line, room, 9.5):
            texts.append(Text(_MARGIN, y, piece, 9.5, room, tone="muted"))
            y += 14
    return tuple(cards), tuple(samples), texts, y - 14


def _swatch(state: State, x: float, y: float) -> Card:
    look = LOOKS[state]
    room = 150.0 - 22
    words = fitted([f"{look.glyph} {look.word}"], room, 9.5, bold=True)
    text = Text(x + 16, y + 14, words, 9.5, room, bold=True, tone="state")
    return Card("", state, Rect(x, y, 150.0, _SWATCH), stacked=False, texts=(text,), bar=None, hint="")


def _lines(picture: Picture) -> list[tuple[EdgeStyle, Carries, str]]:
    words: dict[tuple[EdgeStyle, Carries], str] = {
        ("live", "power"): "power, live",
        ("live", "heat"): "cooling, live",
        ("live", "other"): "other dependency, live",
        ("dead", "power"): "power, dead",
        ("dead", "heat"): "cooling, dead",
        ("dead", "other"): "other dependency, dead",
        ("strict", "power"): "power, dead in the strict check",
        ("strict", "heat"): "cooling, dead in the strict check",
        ("strict", "other"): "other, dead in the strict check",
    }
    present = {(edge.style, edge.carries) for edge in picture.edges}
    return [(style, carries, text) for (style, carries), text in words.items() if (style, carries) in present]


def _reading(picture: Picture) -> list[str]:
    lines = []
    if any(box.flow is not None for box in picture.boxes):
        lines.append(
            "flow: what passes through it with nothing failed; feeds that share a load carry a part each."
        )
    if any(box.load is not None and box.flow is None for box in picture.boxes):
        lines.append("load of a rack: what everything in it draws.")
    if any(box.gauge is not None for box in picture.boxes):
        shifted = any(box.gauge is not None and box.gauge.after is not None for box in picture.boxes)
        more = "; hatched, and after the arrow: in the strict check" if shifted else ""
        lines.append(f"bar: the flow, of the rating (in a group: of the fullest){more}.")
    return lines
