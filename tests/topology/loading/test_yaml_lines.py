"""The reader of usual YAML gives what that of all YAML gives, at the same places, or gives way to it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import topologies
from tests.topology.loading.test_mutated_files import mutated
from tests.topology.loading.test_topology_files import METHODOLOGY
from topology import yaml_events, yaml_lines, yaml_places
from topology.dump import topology_to_json
from topology.unreadable import Unreadable

ROOT = Path(__file__).parents[3]
FILES = sorted(
    path
    for folder in ("tests/fixtures", "examples")
    for path in (ROOT / folder).rglob("*.yaml")
    if path.is_file()
)

BLOCKS = """\
# A map in blocks
---
version: 2   # a comment
verifiedAt: 2026-11-30T12:00:00Z

nodes:
  n1:
    rack: 'rack 1'
    pdu:
    - pdu-a
    - "pdu: b"
    cooling:
        any:
          - c1
          - ~
  n2: {rack: r, pdu: [pdu-a,
       pdu-b], 'network': {any: [l1, "l, 2"]}}
  n3: { rack: rück, row: [] }
  n4:
  "n5": {}
domains:
  pdu-a:
    kind: power
    description: Row 3, place 4 (left), it's fed by a:b
    overload:
      - percent: 150
        seconds: -10
      - {percent: 1e3, seconds: .5}
  pdu-b: {kind: power, description: the other one}
"""


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return [(type(key), key, _typed(inner)) for key, inner in value.items()]
    if isinstance(value, list):
        return [_typed(inner) for inner in value]
    return type(value), value


def is_usual(text: str, routes: st.DataObject | None = None) -> bool:
    """Return whether the text is read as usual; where it is, both readings must be the same."""
    parsed = yaml_lines.parse(text)
    if parsed is None:
        return False
    careful = yaml_events.parse(text)
    assert _typed(parsed.value) == _typed(careful.value)
    assert careful.repeats == ()
    places = yaml_places.locate(text, None)
    assert yaml_lines.locate(text, None) == places
    every = sorted(places.offsets, key=str)
    some = set(random.Random(len(text)).sample(every, min(3, len(every))))
    assert (
        yaml_lines.locate(text, some | {("no", "such", 1)}).offsets == yaml_places.locate(text, some).offsets
    )
    return True


class TestUsualForms:
    """What operators and programs write is read line by line, in every style."""

    def test_blocks_and_braces(self) -> None:
        assert is_usual(BLOCKS)

    @pytest.mark.parametrize("end", ["\r\n", "\n"])
    def test_line_ends(self, end: str) -> None:
        assert is_usual(BLOCKS.replace("\n", end))

    def test_the_methodology(self) -> None:
        assert is_usual(METHODOLOGY)

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
    def test_files(self, path: Path) -> None:
        try:
            usual = is_usual(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            return
        assert usual or "invalid" in path.parts

    @given(topologies(), st.sampled_from((True, False, None)), st.sampled_from((20, 80, 10**6)))
    def test_what_programs_dump(self, topology: Any, flow: bool | None, width: int) -> None:
        raw = topology_to_json(topology)
        text = yaml.safe_dump(raw, default_flow_style=flow, width=width, sort_keys=False, allow_unicode=True)
        is_usual(text)


UNUSUAL = (
    "§# nothing\n§---\n§a§- a\n§[a]\n§{a: b}\n§a: b\n---\nc: d\n§a: b\n...\n§%YAML 1.1\n---\na: b\n§"
    "a: b\na: c\n§a: {b: c, b: d}\n§a: b\n c: d\n§a: b\n  c\n§a:\n  b: c\n d: e\n§ a: b\nc: d\n§"
    "a:\n\tb: c\n§a: b\tc\n§a: b\x85c\n§a: b\u2028c: d\n§a: b\ufeff\n§a: \x00\n§a: b\rc: d\n§"
    "a: &x b\nc: *x\n§a: {<<: b}\n§<<: {a: b}\n§? a\n: b\n§a: !!str b\n§a: |\n  b\n§a: >\n  b\n§"
    'a: "b\\n"\n§a: \'it\'\'s\'\n§a: "b\n  c"\n§a: "b" c\n§a: b: c\n§a: b:\n§a:b\n§a : b\n§a: {b: c\n§'
    "a: [b]]\n§a: {b}\n§a: {b: }\n§a: [b,]\n§a: {b: c,}\n§a: [b: c]\n§a: {b:c}\n§a: {b: c}}\n§"
    "a: [b c, d: e]\n§a: {b: c} d\n§a: {b: c}#d\n§a: [b\n c]\n§a: [b, # c\n d]\n§a: [[[[[b]]]]]\n§"
    "a:\n- b\n c: d\n§a:\n  - b\n  c: d\n§a:\n  b: c\n  - d\n§-\n§a:\n-\n§a:\n- - b\n§a: - b\n§a: -\n§"
    "a: *\n§a: @b\n§a: `b\n§a: %b\n§a: ,b\n§a: b #\n c\n§a: [...]\n§a: [b,\n... ]\n§a: [b,\n--- ]\n§"
    "a: [b,\nc]\n§a: {b: c,\nd: e}\n§...: a\n§a:\n  ---\n"
).split("§")

FRAGMENTS = (
    "a§b§ab c§- §-§:§: §?§ §  §\n§\n  §\n    §\n- §\r\n§#§ # x§{§}§[§]§, §,§'§\"§'q'§\"q r\"§é§~§null§<<§"
    "&x §*x§!t §|§>§0§-1§.5§1e3§a:\n  §b: {a: c, d: [e]}\n§c:\n  - §---\n§...§\t§\x7f§%§@§=§/"
).split("§")


class TestEverythingElse:
    """What is not certainly the same is left to the parser of all YAML."""

    @pytest.mark.parametrize("text", [*UNUSUAL, f"{'k' * 2000}: b\n", f"a: {{{'k' * 2000}: b}}\n"])
    def test_no_form_is_read_otherwise(self, text: str) -> None:
        is_usual(text)

    @pytest.mark.parametrize(
        "text", ["a: b\na: c\n", "a: &x b\nc: *x\n", "a: |\n  b\n", "a:\n\tb: c\n", "[a]\n", "a: b\n c\n"]
    )
    def test_gives_way(self, text: str) -> None:
        assert yaml_lines.parse(text) is None

    @pytest.mark.parametrize("seed", range(200))
    def test_damaged_files(self, seed: int) -> None:
        text = (METHODOLOGY, BLOCKS)[seed % 2].encode()
        try:
            is_usual(mutated(text, seed).decode())
        except UnicodeDecodeError:
            return

    @given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
    def test_any_text(self, text: str) -> None:
        try:
            is_usual(text)
        except Unreadable as refusal:
            pytest.fail(f"read line by line, but {refusal}")
