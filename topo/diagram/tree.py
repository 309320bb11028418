"""A picture as a tree for a terminal: from what failed down, or from the roots; every box once."""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from topo.diagram.boxtext import BoxText, box_text
from topo.diagram.model import NODES, Box, Picture
from topo.diagram.states import LOOKS
from topo.kind_words import kind_word
from topo.text.clean import clean
from topo.text.style import Style
from topo.text.table import PAGE_WIDTH, clip, display_width

_NAME: Final = 48
_DEEPEST: Final = 24
"""Levels that are still indented; beyond them the depth is written as a number."""
_NARROWEST: Final = 24
"""Columns that are left to text, however deep the tree."""
_FED_BY: Final = 3

_ASCII: Final = str.maketrans(
    {"·": "-", "–": "-", "→": "->", "≥": ">=", "…": "...", "×": "x", "├": "|", "└": "`", "─": "-", "│": "|"}
)
_COLOURS: Final = {"gone": "red", "shaken": "yellow"}


def render_tree(
    picture: Picture, *, ascii_only: bool = False, style: Style | None = None, width: int = PAGE_WIDTH
) -> str:
    """Return a picture as lines for a terminal of `width` columns; `ascii_only` where it needs that."""
    paint = style or Style()
    head = [line for text in (*picture.summary, *picture.notes) for line in wrap(text, width)]
    stale = [line.replace("STALE", paint("STALE", "bold", "red"), 1) for line in wrap(picture.stale, width)]
    lines = [*stale, *(paint(line, "bold") for line in wrap(picture.title, width)), *head, ""]
    lines += _Tree(picture, paint, width, ascii_only=ascii_only).lines()
    lines += ["", *_legend(picture, ascii_only=ascii_only)]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text.translate(_ASCII) if ascii_only else text


@dataclass(frozen=True, slots=True)
class _Step:
    """A box to write: under which other, its ancestors' guides, last of its siblings or not."""

    key: str
    under: str
    guides: tuple[bool, ...]
    last: bool


class _Tree:
    def __init__(self, picture: Picture, paint: Style, width: int, *, ascii_only: bool) -> None:
        self._picture = picture
        self._paint = paint
        self._width = width
        self._ascii = ascii_only
        self._boxes = {box.key: box for box in picture.boxes}
        self._downs: dict[str, list[str]] = {box.key: [] for box in picture.boxes}
        self._ups: dict[str, list[str]] = {box.key: [] for box in picture.boxes}
        for edge in picture.edges:
            self._downs[edge.source].append(edge.target)
            self._ups[edge.target].append(edge.source)
        self._shown: set[str] = set()

    def lines(self) -> Iterator[str]:
        """Yield the tree of every start, then of what is affected elsewhere."""
        gone = [box.key for box in self._picture.boxes if box.state in {"failed", "out"}]
        starts = gone or [key for key, ups in self._ups.items() if not ups]
        for key in starts:
            if key not in self._shown:
                yield from self._branch(key)
        rest = [box.key for box in self._picture.boxes if box.key not in self._shown]
        affected = [key for key in rest if self._boxes[key].state != "safe"]
        if affected:
            yield ""
            yield "Affected elsewhere:"
            for key in affected:
                if key not in self._shown:
                    yield from self._branch(key)
        unseen = len([key for key in rest if key not in self._shown])
        if unseen:
            yield ""
            yield f"{unseen:,} more {'box' if unseen == 1 else 'boxes'} above and beside, not affected."

    def _branch(self, start: str) -> Iterator[str]:
        waiting = [_Step(start, "", (), last=True)]
        while waiting:
            step = waiting.pop()
            again = step.key in self._shown
            self._shown.add(step.key)
            downs = self._downs[step.key]
            yield from self._entry(step, again=again, children=bool(downs) and not again)
            if not again:
                guides = (*step.guides, not step.last)
                waiting += [
                    _Step(key, step.key, guides, last=i == len(downs) - 1)
                    for i, key in reversed(list(enumerate(downs)))
                ]

    def _entry(self, step: _Step, *, again: bool, children: bool) -> Iterator[str]:
        first, rest = _guides(step, children=children)
        box = self._boxes[step.key]
        words = box_text(box, self._picture.unit, ascii_only=self._ascii)
        head = f"{LOOKS[box.state].ascii if self._ascii else LOOKS[box.state].glyph} {_name(box, words)}"
        if again:
            yield f"{first}{head}  (shown above)"
            return
        line = f"{first}{head}"
        used = display_width(line)
        room = max(_NARROWEST, self._width - display_width(rest))
        parts = (piece for part in self._parts(box, words, step.under) for piece in wrap(part, room))
        for position, part in enumerate(parts):
            gap = "  " if position == 0 else " · "
            if used + display_width(gap + part) > self._width:
                yield line
                line, used, gap = rest, display_width(rest), ""
            painted = self._painted(box, part) if position == 0 and box.state != "safe" else part
            line += gap + painted
            used += display_width(gap + part)
        yield line

    def _painted(self, box: Box, part: str) -> str:
        colour = _COLOURS.get(LOOKS[box.state].band)
        return self._paint(part, "bold", colour) if colour else part

    def _parts(self, box: Box, words: BoxText, under: str) -> list[str]:
        state = words.state[0] if words.state else "safe"
        if words.state and len(box.states) == 1:
            state = state.split(" ", 1)[1]
        parts = [state, words.place[0], *words.units[:1], *words.load[:1]]
        if words.gauge:
            parts.append(words.gauge if box.gauge is None else f"{words.gauge} of its rating")
        others = [up for up in self._ups[box.key] if up != under]
        if others:
            named = ", ".join(self._other(key) for key in others[:_FED_BY])
            more = f" and {len(others) - _FED_BY:,} more" if len(others) > _FED_BY else ""
            parts.append(f"{'also ' if under else ''}on {named}{more}")
        return [*parts, clean(box.why)] if box.why and box.state not in {"failed", "out"} else parts

    def _other(self, key: str) -> str:
        box = self._boxes[key]
        name = (
            clip(clean(box.members[0]), _NAME)
            if box.single
            else f"{len(box.members):,} {kind_word(box.kind, 2)}"
        )
        return f"{name} ({LOOKS[box.state].word.lower()})"


def _name(box: Box, words: BoxText) -> str:
    name = clip(words.name[0], _NAME)
    return f"{name} ({kind_word(box.kind)})" if box.single and box.kind != NODES else name


def _guides(step: _Step, *, children: bool) -> tuple[str, str]:
    """Return what stands before a box's first line, and before its further lines."""
    depth = len(step.guides)
    tail = "│  " if children else "   "
    if depth == 0:
        return "", tail
    if depth > _DEEPEST:
        mark = f"[{depth}] "
        return mark, " " * len(mark) + tail
    trunk = "".join("│  " if open_ else "   " for open_ in step.guides[1:])
    return trunk + ("└─ " if step.last else "├─ "), trunk + ("   " if step.last else "│  ") + tail


def _legend(picture: Picture, *, ascii_only: bool) -> list[str]:
    states = {state for box in picture.boxes for state, _ in box.states}
    looks = [look for state, look in LOOKS.items() if state in states and state != "safe"]
    return [f"{look.ascii if ascii_only else look.glyph} {look.word.lower()}: {look.means}" for look in looks]
