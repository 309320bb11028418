"""What every section is made of: numbers that lead to their formula, sortable tables, notes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from findings.formulas import formulas
from topo.diagram.states import LOOKS, State
from topo.kind_words import kind_word
from topo.report.html import Element, Node, el, group
from topo.text.table import UNKNOWN
from topo.text.words import known_cell, minutes, number, percent, usd
from topology.model import Number

PRINTED: Final = 40
"""Rows of a table that go on paper."""
SHOWN: Final = 200
"""Rows that a table of the page holds; what it leaves out is counted beneath it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `formula` is the definition that its figures follow, `right` aligns numbers."""

    title: str
    formula: str | None = None
    right: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows, and what it is sorted by (None: unknown, always last)."""

    content: Node
    key: Number | str | None = None


def anchor(formula: str) -> str:
    """Return the link to a definition in the appendix."""
    return f"#f-{formula}"


def linked(content: Node, value: Number | None, formula: str) -> Element:
    """Return a figure that leads to its definition; its exact value travels along."""
    shown = content if value is None else el("data", {"value": exact(value)}, content)
    css = "n unknown" if value is None else "n"
    return el("a", {"class": css, "href": anchor(formula)}, shown)


def plain(content: Node, value: Number | None) -> Element:
    """Return a figure whose column leads to its definition."""
    if value is None:
        return el("span", {"class": "unknown"}, content)
    return el("data", {"value": exact(value)}, content)


def exact(value: Number) -> str:
    """Return a number with every digit it has."""
    return repr(value)


def amount(value: Number | None, digits: int = 2) -> Cell:
    """Return a plain figure as a cell."""
    return Cell(plain(number(value, digits), value), value)


def known_amount(value: Number | None, *, unsaid: bool) -> Cell:
    """Return a sum of what is known as a cell; `unsaid`: some of its terms are not."""
    return Cell(plain(known_cell(value, unsaid=unsaid), value), value)


def dollars(value: Number | None, *, unsaid: bool = False) -> Cell:
    """Return dollars as a cell; `unsaid`: some of their terms are not known."""
    return Cell(plain(known_cell(value, unsaid=unsaid, write=usd), value), value)


def share(value: float | None) -> Cell:
    """Return a share as a cell."""
    return Cell(plain(percent(value), value), value)


def clock(value: Number | None) -> Cell:
    """Return minutes as a cell."""
    return Cell(plain(minutes(value), value), value)


def words(text: str | None) -> Cell:
    """Return text as a cell."""
    return Cell(el("span", {"class": "unknown"}, UNKNOWN), None) if text is None else Cell(text, text)


def name(identifier: str) -> Cell:
    """Return an id as a cell: long ones break."""
    return Cell(el("span", {"class": "id"}, identifier), identifier)


def domain_name(identifier: str, index: int) -> Cell:
    """Return a domain's id as a cell; the page's script makes it the button that fails it."""
    return Cell(el("span", {"class": "id", "data-fail": index}, identifier), identifier)


def chip(state: State, text: str | None = None) -> Element:
    """Return a state in its colours, told apart by glyph and word as well."""
    look = LOOKS[state]
    return el("span", {"class": f"chip s-{state}"}, f"{look.glyph} {text or look.word}")


def table(
    identifier: str,
    caption: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    *,
    total: int | None = None,
    more: str = "topo findings FILE --format csv",
) -> Element:
    """Return a table; the page's script lets it be sorted and searched. Rows beyond `SHOWN` are counted."""
    left = (len(rows) if total is None else total) - len(rows[:SHOWN])
    note = f"{left:,} more rows are not in this page: {more} has all." if left > 0 else ""
    head = el("tr", {}, *(_heading(column) for column in columns))
    body = (_row(columns, row) for row in rows[:SHOWN])
    return group(
        (
            el(
                "div",
                {"class": "scroll", "role": "region", "tabindex": 0, "aria-label": caption},
                el(
                    "table",
                    {"class": "data", "id": identifier},
                    el("caption", {}, caption),
                    el("thead", {}, head),
                    el("tbody", {}, *body),
                ),
            ),
            el("p", {"class": "more"}, note) if note else None,
        )
    )


def _heading(column: Column) -> Element:
    formula = column.formula
    link = (
        el("a", {"class": "fx", "href": anchor(formula), "aria-label": _definition(formula)}, "ƒ")
        if formula
        else None
    )
    css = "right" if column.right else None
    return el("th", {"scope": "col", "class": css}, el("span", {"class": "title"}, column.title), link)


def _definition(formula: str) -> str:
    return f"Definition: {formulas()[formula].title}"


def _row(columns: Sequence[Column], row: Sequence[Cell]) -> Element:
    cells = [
        el(
            "th" if position == 0 else "td",
            {
                "scope": "row" if position == 0 else None,
                "class": "right" if column.right else None,
                "data-key": _key(cell.key),
            },
            cell.content,
        )
        for position, (column, cell) in enumerate(zip(columns, row, strict=True))
    ]
    return el("tr", {}, *cells)


def _key(key: Number | str | None) -> str | None:
    """A number sorts as a number; text by what the cell shows."""
    return None if key is None or isinstance(key, str) else exact(key)


def section(identifier: str, title: str, *content: Node, lead: Node = None) -> Element:
    """Return a titled section of the page."""
    return el(
        "section",
        {"id": identifier, "aria-labelledby": f"{identifier}-title"},
        el("h2", {"id": f"{identifier}-title"}, title),
        el("p", {"class": "lead"}, lead) if lead is not None else None,
        *content,
    )


def notes(texts: Iterable[str]) -> Node:
    """Return caveats beside the figures that they qualify."""
    items = [el("li", {}, text) for text in texts]
    return el("ul", {"class": "notes"}, *items) if items else None


def kind_name(kind: str) -> str:
    """Return what people call a kind of domain."""
    return kind_word(kind)


def beyond() -> Element:
    """Return the label of what the methodology does not have."""
    return el("span", {"class": "tag"}, "beyond the methodology")
