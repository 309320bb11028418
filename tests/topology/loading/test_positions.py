"""Every key and every value is found at its exact place, in JSON and YAML, block and flow style."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.topology.loading.files import only
from topology import yaml_lines, yaml_places
from topology.diagnostics import Fault, Route
from topology.limits import WHOLE_INDEX_CHARACTERS
from topology.load import load_estate_text, load_topology_text
from topology.parsed import Index
from topology.source import At, Dialect, Source

_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x7f\x85\u2028\u2029\ufeff"), max_size=6)
_VALUES = st.recursive(
    _TEXTS | st.integers(-5, 99) | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=12,
)


def _routes(value: Any, route: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield route, value
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in steps:
        yield from _routes(inner, (*route, step))


def _offset(source: Source, place: tuple[int, int]) -> int:
    lines = source.text.replace("\r\n", "\n").split("\n")
    assert "\r" not in source.text
    return sum(len(line) + 1 for line in lines[: place[0] - 1]) + place[1] - 1


class TestJsonPositions:
    """The text at a position is the JSON text of the value, or of the key."""

    @given(_VALUES, st.sampled_from((None, 0, 1, 3)))
    def test_values_and_keys(self, value: Any, indent: int | None) -> None:
        source = Source("f.json", json.dumps(value, indent=indent, ensure_ascii=indent == 1), "json")
        decoder = json.JSONDecoder()
        for route, inner in _routes(value):
            offset = _offset(source, source.position(route))
            assert decoder.raw_decode(source.text, offset)[0] == inner
            if route and isinstance(route[-1], str):
                key_offset = _offset(source, source.position(route, "key"))
                assert decoder.raw_decode(source.text, key_offset)[0] == route[-1]

    @given(_VALUES, st.data())
    def test_a_large_file_is_searched_for_the_wanted_routes_alone(
        self, value: Any, data: st.DataObject
    ) -> None:
        text = json.dumps(value)
        whole = Source("f.json", text, "json")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("topology.source.WHOLE_INDEX_CHARACTERS", -1)
            routes = data.draw(st.lists(st.sampled_from([route for route, _ in _routes(value)]), max_size=4))
            ats: tuple[At, ...] = ("key", "value")
            wanted = [(route, at) for route in routes for at in ats]
            assert Source("f.json", text, "json").positions(wanted) == whole.positions(wanted)

    @pytest.mark.parametrize("levels", [6, 7, 8, 50])
    def test_what_nobody_asked_for_is_stepped_over_at_any_depth(self, levels: int) -> None:
        deep = "[" * levels + '"]}\\" {"' + "]" * levels
        text = f'{{"a" : {deep} , "b\\n" : {{"c": {deep}}}, '
        text += f'"d": [ {deep},{{"e": "[" }} , 5, {deep}, {{"f": 1}} ]}}'
        source = Source("f.json", text, "json")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("topology.source.WHOLE_INDEX_CHARACTERS", -1)
            assert source.position(("d", 4, "f")) == (1, text.index("1}") + 1)
            assert source.position(("b\n", "c"), "key") == (1, text.index('"c"') + 1)


class TestYamlPositions:
    """The text at a position starts with the scalar, a bracket, or the first key of a block."""

    @given(_VALUES, st.sampled_from((True, False, None)), st.booleans())
    def test_values_and_keys(self, value: Any, flow: bool | None, wide: bool) -> None:
        text = yaml.dump(
            value, default_flow_style=flow, width=10**6 if wide else 5, allow_unicode=True, Dumper=_NoAliases
        )
        if "\r" in text or "?" in text:
            return  # a complex key: its place is that of the key, which this test cannot re-read alone
        source = Source("f.yaml", text, "yaml")
        raw = source.parse().value
        for route, inner in _routes(raw):
            if inner is None:
                continue
            rest = text[_offset(source, source.position(route)) :]
            assert _starts_with(rest, inner)
            if route and isinstance(route[-1], str):
                assert _starts_with(text[_offset(source, source.position(route, "key")) :], route[-1])

    def test_the_places_of_a_topology(self) -> None:
        text = "nodes:\n  n1: {rack: r1, pdu: [a, 'b']}\n  n2:\n    pdu:\n    - a\n    - b\n"
        source = Source("t.yaml", text, "yaml")
        assert source.position(("nodes",), "key") == (1, 1)
        assert source.position(("nodes", "n1"), "key") == (2, 3)
        assert source.position(("nodes", "n1")) == (2, 7)
        assert source.position(("nodes", "n1", "pdu", 1)) == (2, 27)
        assert source.position(("nodes", "n2", "pdu", 1)) == (6, 7)
        assert source.position(("nodes", "n2", "pdu"), "key") == (4, 5)

    def test_what_the_file_lacks_is_placed_at_the_key_around_it(self) -> None:
        source = Source("t.yaml", "domains:\n  a: {kind: ups}\n", "yaml")
        assert source.position(("domains", "a", "ratedKw")) == (2, 3)
        assert source.position(("domains", "b", "kind")) == (1, 1)

    def test_aliases_and_merges_are_placed_where_they_are_written(self) -> None:
        text = (
            "nodes:\n  a: &x {rack: r, pdu: p}\n  b: *x\n"
            "  c:\n    <<: *x\n    row: w\n  d: {<<: [*x, {zone: z}]}\n"
        )
        source = Source("t.yaml", text, "yaml")
        assert source.position(("nodes", "b", "pdu")) == (2, 24)
        assert source.position(("nodes", "b")) == (3, 6)
        assert source.position(("nodes", "c", "rack")) == (2, 16)
        assert source.position(("nodes", "c", "row")) == (6, 10)
        assert source.position(("nodes", "d", "rack")) == (2, 16)
        assert source.position(("nodes", "d", "zone")) == (7, 23)
        assert source.position(("nodes", "d", "row")) == (7, 3)

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_every_line_end_counts_once(self, end: str) -> None:
        source = Source("t.yaml", end.join(("nodes:", "  a: {rack: r}", "  b: {rack: q}", "")), "yaml")
        assert source.position(("nodes", "b", "rack")) == (3, 13)
        assert source.line(3) == "  b: {rack: q}"

    def test_columns_count_characters(self) -> None:
        source = Source("t.yaml", "nodes: {\U0001f600é: {rack: r}}\n", "yaml")
        assert source.position(("nodes", "\U0001f600é", "rack")) == (1, 20)

    def test_other_separators_end_no_line(self) -> None:
        source = Source("t.yaml", "a: 'x\u2028y'\nb: c\n", "yaml")
        assert source.position(("b",)) == (2, 4)


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, _data: object) -> bool:
        return True


def _starts_with(rest: str, value: Any) -> bool:
    if isinstance(value, dict):
        return rest.startswith("{") or (bool(value) and _starts_with(rest, next(iter(value))))
    if isinstance(value, list):
        return rest.startswith(("[", "-"))
    return rest[:1] in ("'", '"', "|", ">") or rest.startswith(value.split("\n")[0].split(" ")[0])


class TestLines:
    """Lines are numbered from 1; beyond the last there is nothing."""

    def test_lines(self) -> None:
        source = Source("f", "a\nb", "yaml")
        assert [source.line(number) for number in (0, 1, 2, 3)] == ["", "a", "b", ""]


class TestManyFaults:
    """All faults of one run are placed with one reading of the file."""

    @pytest.mark.parametrize(
        ("module", "locate", "start"),
        [(yaml_lines, yaml_lines.locate, ""), (yaml_places, yaml_places.locate, "%YAML 1.1\n---\n")],
    )
    def test_one_reading_places_ten_thousand(
        self,
        module: ModuleType,
        locate: Callable[[str, set[Route] | None], Index],
        start: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        readings: list[str] = []

        def counted(text: str, routes: set[Route] | None) -> Index:
            readings.append(text)
            return locate(text, routes)

        monkeypatch.setattr(module, "locate", counted)
        text = f"{start}nodes:\n" + "".join(f"  n{i}: {{rack: r, hall: h}}\n" for i in range(10_000))
        result = load_topology_text(text, "t.yaml")
        assert len(result.diagnostics) == 10_000
        assert (result.diagnostics[-1].line, result.diagnostics[-1].column) == (
            10_001 + start.count("\n"),
            20,
        )
        assert readings == [text]

    @pytest.mark.parametrize("dialect", ["yaml", "json"])
    def test_faults_come_in_file_order(self, dialect: Dialect) -> None:
        text = '{"nodes": {"a": {"hall": 1}, "b": {"rack": ""}}, "version": 9}'
        result = load_topology_text(text, f"t.{dialect}")
        assert [each.column for each in result.diagnostics] == [18, 44, 61]

    def test_a_fault_in_a_large_estate_is_placed(self) -> None:
        nodes = [{"id": f"n{i}", "allocated": 0, "model": "x" * 900} for i in range(10_000)]
        nodes[7_777]["allocated"] = -1
        raw = {
            "schemaVersion": 1,
            "cluster": "c",
            "unit": "gpu",
            "snapshotAt": "2026-11-30T12:00:00Z",
            "nodes": nodes,
        }
        text = json.dumps(raw, indent=0)
        assert len(text) > WHOLE_INDEX_CHARACTERS
        found = only(load_estate_text(text, "e.json").diagnostics)
        assert text.split("\n")[found.line - 1] == '"allocated": -1,'
        assert found.column == 14


class TestFaultsBecomeDiagnostics:
    """Routes are resolved once, in one place."""

    def test_related_places(self) -> None:
        source = Source("t.yaml", "a: 1\nb: 2\n", "yaml")
        fault = Fault("schema", "error", "m", ("b",), "h", ("b",), related=((("a",), "first"),))
        found = only(source.diagnostics([fault]))
        assert (found.file, found.line, found.column, found.ids) == ("t.yaml", 2, 4, ("b",))
        assert found.related == ((1, 1, "first"),)
