"""An object read member by member, and places found from where its members end: the same as without."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.topology.loading.test_mutated_files import mutated
from topology import json_text
from topology.diagnostics import Route
from topology.unreadable import Unreadable

_TEXTS = st.text('ab"\\{}[]:, \n\u2028é', max_size=3)
_SPACES = st.text(" \t\r\n", max_size=2)
_SCALARS = (_TEXTS | st.integers(-5, 10**6) | st.none() | st.booleans()).map(json.dumps)


def _object(members: list[tuple[str, str, str]]) -> str:
    return (
        "{"
        + ",".join(f"{space}{json.dumps(key)}:{space}{value}{space}" for key, value, space in members)
        + "}"
    )


def _array(items: list[str]) -> str:
    return "[" + ", ".join(items) + "]"


def _objects(values: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.tuples(_TEXTS, values, _SPACES), max_size=4).map(_object)


_VALUES = st.recursive(
    _SCALARS, lambda inner: _objects(inner) | st.lists(inner, max_size=3).map(_array), max_leaves=12
)
_FILES = st.tuples(_SPACES, _objects(_VALUES) | _VALUES, _SPACES).map("".join)
"""Valid JSON, mostly objects; keys are often repeated, and hold all that brackets can be mistaken in."""


def _said(text: str) -> object:
    try:
        parsed = json_text.parse(text)
    except Unreadable as trouble:
        return trouble.rule, trouble.offset, trouble.message, trouble.hint
    return repr(parsed.value), parsed.repeats


def _said_of_the_whole(text: str) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_by_member", lambda _text, _object_of: None)
        return _said(text)


def _routes(value: Any, route: Route = ()) -> list[Route]:
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [route, *(found for step, inner in steps for found in _routes(inner, (*route, step)))]


class TestTheSame:
    """Values, repeated keys and refusals are those of the whole text read at once."""

    @given(_FILES)
    def test_valid_texts(self, text: str) -> None:
        assert _said(text) == _said_of_the_whole(text)

    @given(_FILES, st.integers(0, 10**6))
    def test_damaged_texts(self, text: str, seed: int) -> None:
        damaged = mutated(text.encode(), seed).decode("utf-8", "replace")
        assert _said(damaged) == _said_of_the_whole(damaged)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            "{",
            "{}",
            "{} {}",
            '{"a": 1,}',
            '{"a": 1} x',
            '{"a" 1}',
            '{1: "a"}',
            "{null: 1}",
            '{["a"]: 1}',
            '{"a": 1 "b": 2}',
            '{"a": 1;}',
            '\x0b{"a": 1}',
            '{"a":\xa01}',
            '{"a": "\n"}',
            '{"a": 1, "a": 2, "b": {"a": 3, "a": 4}}',
            f'{{"a": {"9" * 5_000}}}',
            '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
            '{"a": NaN, "b": -Infinity, "c": 1e999}',
        ],
    )
    def test_what_could_be_mistaken(self, text: str) -> None:
        assert _said(text) == _said_of_the_whole(text)


class TestEnds:
    """The end of a value right in the object is where its text ends."""

    @given(_FILES)
    def test_ends(self, text: str) -> None:
        for start, end in json_text.parse(text).ends.items():
            assert json.JSONDecoder().raw_decode(text, start)[1] == end

    def test_every_member_has_one(self) -> None:
        text = ' { "a" : [1, {"b": 2}] ,"c":{"d":3}, "e": 4}'
        ends = json_text.parse(text).ends
        assert [text[start:end] for start, end in ends.items()] == ['[1, {"b": 2}]', '{"d":3}', "4"]


class TestPlaces:
    """Wanted routes stand where the index of the whole text has them, with the ends and without."""

    @given(_FILES, st.data())
    def test_places(self, text: str, data: st.DataObject) -> None:
        parsed = json_text.parse(text)
        routes = _routes(parsed.value)
        wanted = data.draw(st.sets(st.sampled_from([*routes, ("a", "nowhere"), ("b", 7)]), max_size=4))
        whole = json_text.locate(text, None).offsets
        found = json_text.locate(text, wanted, parsed.ends).offsets
        asked = {route[:length] for route in wanted for length in range(len(route) + 1)}
        assert found == {route: place for route, place in whole.items() if route in asked}
        assert found == json_text.locate(text, wanted).offsets

    def test_the_first_of_repeated_members_counts(self) -> None:
        text = '{"a": {"b": 1}, "a": {"b": 2, "c": 3}, "d": 4}'
        ends = json_text.parse(text).ends
        assert json_text.locate(text, {("a", "b")}, ends).offsets[("a", "b")] == (7, 12)
        assert json_text.locate(text, {("a", "c")}, ends).offsets[("a", "c")] == (30, 35)

    def test_nothing_is_read_behind_the_last_wanted_route(self) -> None:
        text = '{"a": [5, 6, 7], "b": '
        assert json_text.locate(text + "}]", {("a", 1)}).offsets == {
            (): (0, 0),
            ("a",): (1, 6),
            ("a", 1): (10, 10),
        }
