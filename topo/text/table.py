"""Tables for a terminal: aligned columns that fit the width, ids clipped in the middle or set apart."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from topo.text.clean import clean

PAGE_WIDTH: Final = 80
"""Columns that every page fits."""

_GAP: Final = "  "
_MIN_FLEXIBLE: Final = 8
UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `right` aligns numbers; a `flexible` one gives way when the page is too narrow.

    A `whole` one gives way first and is never clipped: a cell that is too wide gets a line of its own.
    A `wraps` one gives way as a flexible one does, but loses nothing: what it says goes on below.
    """

    title: str
    right: bool = False
    flexible: bool = False
    whole: bool = False
    wraps: bool = False


def display_width(text: str) -> int:
    """Return how many terminal cells `text` takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def clip(text: str, width: int) -> str:
    """Return `text` in at most `width` cells: the middle gives way, so that both ends can be told apart."""
    if display_width(text) <= width:
        return text
    if width <= 3:
        return "." * max(0, width)
    tail = (width - 2) // 2
    return _take(text, width - 2 - tail) + ".." + _take(text[::-1], tail)[::-1]


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Return `text` filled up to `width` cells."""
    fill = " " * (width - display_width(text))
    return fill + text if right else text + fill


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], *, width: int = PAGE_WIDTH, indent: str = "  "
) -> list[str]:
    """Return the lines of a table: a header and the rows, none wider than `width`."""
    cells = [[clean(cell) for cell in row] for row in rows]
    widths = [
        max([display_width(column.title), *(display_width(row[i]) for row in cells)])
        for i, column in enumerate(columns)
    ]
    widths = _shrink(columns, widths, width - len(indent) - len(_GAP) * (len(columns) - 1))
    header = [column.title for column in columns]
    lines = [_line(columns, widths, header, indent)]
    for row in cells:
        lines += _row(columns, widths, row, indent, width)
    return lines


def _row(
    columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str], indent: str, width: int
) -> list[str]:
    """Return a row, above it what is too wide for its column, beside the columns before it."""
    lines: list[str] = []
    row = list(cells)
    for i, column in enumerate(columns):
        if column.whole and display_width(row[i]) > widths[i]:
            start = len(indent) + sum(widths[:i]) + len(_GAP) * i
            before = _line(columns[:i], widths[:i], row[:i], indent)
            for piece in _pieces(row[i], width - start):
                lines.append(pad(before, start) + piece)
                before = ""
            row[: i + 1] = [""] * (i + 1)
    wrapped = [
        _wrap(cell, room) if column.wraps else [cell]
        for column, room, cell in zip(columns, widths, row, strict=True)
    ]
    below = zip_longest(*wrapped, fillvalue="")
    return [*lines, *(_line(columns, widths, cells, indent) for cells in below)]


def _wrap(text: str, width: int) -> list[str]:
    """Return `text` as lines of at most `width` cells, broken between words; a longer word is cut in two."""
    lines = [""]
    for word in text.split():
        for piece in _pieces(word, width):
            fits = display_width(lines[-1]) + 1 + display_width(piece) <= width
            if not lines[-1]:
                lines[-1] = piece
            elif fits:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
    return lines


def _pieces(text: str, width: int) -> list[str]:
    """Return `text` cut into pieces of at most `width` cells, at least one character each."""
    cut: list[str] = []
    while text:
        piece = _take(text, width) or text[0]
        cut.append(piece)
        text = text[len(piece) :]
    return cut


def _line(columns: Sequence[Column], widths: Sequence[int], row: Sequence[str], indent: str) -> str:
    parts = [
        pad(clip(cell, width), width, right=column.right)
        for column, width, cell in zip(columns, widths, row, strict=True)
    ]
    return (indent + _GAP.join(parts)).rstrip()


def _shrink(columns: Sequence[Column], widths: list[int], room: int) -> list[int]:
    """Take the excess from whole columns, then from the widest flexible ones, down to a readable minimum."""
    widths = list(widths)
    for i, column in enumerate(columns):
        if column.whole and (excess := sum(widths) - room) > 0:
            widths[i] = max(widths[i] - excess, min(widths[i], display_width(column.title)))
    flexible = [i for i, column in enumerate(columns) if column.flexible or column.wraps]
    while sum(widths) > room and flexible:
        widest = max(flexible, key=lambda i: (widths[i], -i))
        if widths[widest] <= _MIN_FLEXIBLE:
            break
        others = max((widths[i] for i in flexible if i != widest), default=_MIN_FLEXIBLE)
        step = max(1, min(sum(widths) - room, widths[widest] - max(others, _MIN_FLEXIBLE)))
        widths[widest] -= step
    return widths


def _take(text: str, width: int) -> str:
    taken, used = [], 0
    for char in text:
        used += display_width(char)
        if used > width:
            break
        taken.append(char)
    return "".join(taken)
