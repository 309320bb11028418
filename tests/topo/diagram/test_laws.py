"""Laws of every picture, whatever the estate: limits hold, nothing overlaps, no text leaves its box."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import estates, failures, hostile_ids, ladder, renamed
from tests.topo.diagram.drawing import draw, example
from tests.topo.diagram.estates import halls
from topo.diagram.canvas import Canvas, Text, canvas
from topo.diagram.fit import text_width
from topo.diagram.layout import Rect
from topo.diagram.model import Options, Picture
from topo.diagram.svg import render_svg
from topology.model import Estate

_SLACK = 0.2
"""Coordinates are rounded to a tenth of a pixel."""


@st.composite
def pictures(draw_: st.DrawFn) -> Picture:
    """The picture of a random scenario on a random estate."""
    estate = draw_(estates(max_domains=18, max_nodes=8, max_workloads=1))
    failed = draw_(failures(estate, max_size=4))
    focus = draw_(st.lists(st.sampled_from(sorted(estate.domains)), max_size=1)) if estate.domains else []
    options = Options(
        focus=tuple(focus),
        depth=draw_(st.one_of(st.none(), st.integers(0, 4))),
        full=draw_(st.booleans()),
        all_kinds=draw_(st.booleans()),
    )
    return draw(estate, failed, options)


class TestLimits:
    """At most so many boxes a row and in all, unless everything was asked for."""

    @given(st.data())
    def test_limits_hold_for_every_estate(self, data: st.DataObject) -> None:
        estate = data.draw(estates(max_domains=24, max_nodes=8, max_workloads=0))
        options = Options(max_row=data.draw(st.integers(6, 12)), max_boxes=57)
        drawn = draw(estate, data.draw(failures(estate, max_size=12)), options)
        _assert_within(drawn, options)

    @pytest.mark.parametrize("failed", [[], ["h2-xfmr-a"], ["h1-pdu-2a", "h3-loop-1"], ["zone-2"]])
    def test_limits_hold_for_large_facilities(self, failed: list[str]) -> None:
        _assert_within(draw(halls(6, pairs=10, racks=10, nodes=2), failed), Options())

    def test_a_chain_of_thousands_is_drawn_within_the_limits(self) -> None:
        estate = ladder(2000)
        _assert_within(draw(estate, [max(estate.domains)]), Options())
        _assert_within(draw(estate), Options())

    def test_full_draws_every_domain(self) -> None:
        estate = halls(1)
        drawn = draw(estate, ["h1-ups-a"], Options(full=True, all_kinds=True))
        assert {name for box in drawn.boxes for name in box.members} == set(estate.domains)


def _assert_within(drawn: Picture, options: Options) -> None:
    rows = [sum(box.row == row for box in drawn.boxes) for row in range(len(drawn.rows))]
    assert len(drawn.boxes) <= options.max_boxes
    assert max(rows, default=0) <= options.max_row


class TestGeometry:
    """What a canvas puts down can be read."""

    @given(pictures())
    def test_every_law_holds_on_every_picture(self, drawn: Picture) -> None:
        made = canvas(drawn)
        boxes_stay_apart_and_on_the_canvas(made)
        no_text_leaves_its_room(made)
        lines_stay_on_the_canvas_and_out_of_boxes(made)
        buses_of_different_boxes_never_lie_on_each_other(made)

    @pytest.mark.parametrize(
        ("name", "failed"), [("lab", "feed-strong"), ("two-halls", "h1-ups-a"), ("two-halls", "h1-loop-5")]
    )
    def test_lines_of_different_boxes_do_not_hide_each_other(self, name: str, failed: str) -> None:
        made = canvas(draw(example(name), [failed]))
        uprights: dict[float, list[tuple[float, float, str]]] = {}
        for wire in made.wires:
            for x1, y1, x2, y2 in wire.pieces:
                if x1 == x2:
                    uprights.setdefault(x1, []).append((min(y1, y2), max(y1, y2), wire.hub))
        for lines in uprights.values():
            for i, (top, bottom, hub) in enumerate(lines):
                for top2, bottom2, hub2 in lines[i + 1 :]:
                    assert hub == hub2 or bottom <= top2 or bottom2 <= top


def boxes_stay_apart_and_on_the_canvas(made: Canvas) -> None:
    rects = [card.rect for card in (*made.cards, *made.legend)]
    for i, one in enumerate(rects):
        assert one.x >= 0
        assert one.y >= 0
        assert one.right <= made.width
        assert one.bottom <= made.height
        assert not any(_overlap(one, other) for other in rects[i + 1 :])


def no_text_leaves_its_room(made: Canvas) -> None:
    for card in (*made.cards, *made.legend):
        for text in card.texts:
            assert text.x >= card.rect.x
            assert text.x + _width(text) <= card.rect.right
            assert card.rect.y <= text.y - text.size * 0.7
            assert text.y <= card.rect.bottom
    for text in _texts(made):
        assert _width(text) <= text.room + _SLACK
        assert text.x + _width(text) <= made.width


def lines_stay_on_the_canvas_and_out_of_boxes(made: Canvas) -> None:
    rects = [card.rect for card in made.cards]
    for x1, y1, x2, y2 in _pieces(made):
        assert min(x1, x2) >= 0
        assert max(x1, x2) <= made.width
        assert max(y1, y2) <= made.height
        assert not any(_crosses((x1, y1, x2, y2), rect) for rect in rects)


def buses_of_different_boxes_never_lie_on_each_other(made: Canvas) -> None:
    level: dict[float, list[tuple[float, float]]] = {}
    for wire in made.wires:
        for x1, y1, x2, y2 in wire.pieces:
            if y1 == y2:
                level.setdefault(y1, []).append((min(x1, x2), max(x1, x2)))
    for spans in level.values():
        spans.sort()
        assert all(left[1] < right[0] for left, right in pairwise(spans))


def _texts(made: Canvas) -> Iterator[Text]:
    for card in (*made.cards, *made.legend):
        yield from card.texts
    yield from made.texts
    yield from (text for _, text in made.samples)


def _width(text: Text) -> float:
    return text_width(text.text, text.size, bold=text.bold)


def _pieces(made: Canvas) -> Iterator[tuple[float, float, float, float]]:
    for wire in made.wires:
        yield from wire.pieces


def _overlap(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _crosses(piece: tuple[float, float, float, float], rect: Rect) -> bool:
    x1, y1, x2, y2 = piece
    return (
        max(x1, x2) > rect.x + 1
        and min(x1, x2) < rect.right - 1
        and max(y1, y2) > rect.y + 1
        and min(y1, y2) < rect.bottom - 1
    )


class TestText:
    """Ids are hostile text, and the same picture is the same bytes."""

    @given(st.data())
    def test_hostile_ids_leave_the_document_well_formed(self, data: st.DataObject) -> None:
        estate = _hostile(data)
        failed = data.draw(failures(estate, min_size=1))
        svg = render_svg(draw(estate, failed))
        root = ElementTree.fromstring(svg.encode())
        tags = {element.tag.split("}")[1] for element in root.iter()}
        assert tags <= {
            *("svg", "title", "desc", "defs", "pattern", "path", "rect", "circle", "g", "text"),
        }

    @given(st.data())
    def test_same_input_same_bytes_in_any_order_of_ids(self, data: st.DataObject) -> None:
        estate = data.draw(estates())
        failed = data.draw(failures(estate))
        backwards = dict(reversed(list(estate.domains.items())))
        from dataclasses import replace

        turned = replace(estate, domains=backwards)
        assert render_svg(draw(estate, failed)) == render_svg(draw(turned, failed))

    def test_a_picture_has_literal_colours_and_no_script(self) -> None:
        svg = render_svg(draw(example("two-halls"), ["h1-ups-a"]))
        assert "var(" not in svg
        assert "<script" not in svg
        assert "style=" not in svg
        assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def _hostile(data: st.DataObject) -> Estate:
    estate = data.draw(estates())
    names = [*estate.domains, *(node.id for node in estate.nodes)]
    table = {name: f"{data.draw(hostile_ids())}{i}" for i, name in enumerate(names)}
    return renamed(estate, lambda name: table[name])
