"""Everyday slips of YAML: the fix says what was meant, not what the parser made of it."""

from __future__ import annotations

import json

import pytest

from tests.topology.loading.files import faults, only, topology
from topology.load import load_topology_text

_THOUSANDS = "A thousands separator? Write 2500. A decimal one is a point."


def hints(text: str, path: str = "topology.yaml") -> set[str]:
    return {fault.hint for fault in faults(text, path)}


class TestCommas:
    """A comma in braces starts another key; ids between commas are a list only in brackets."""

    @pytest.mark.parametrize(
        ("domain", "fix"),
        [
            ("\n    kind: rack\n    feeds: pdu-a, pdu-b\n", "Write [pdu-a, pdu-b]."),
            ("\n    kind: rack\n    feeds: 'pdu-a, pdu-b'\n", 'Write ["pdu-a", "pdu-b"].'),
            (" {kind: rack, feeds: pdu-a, pdu-b}\n", "Write feeds: [pdu-a, pdu-b]."),
            (" {kind: rack, feeds: pdu-a, pdu-b, loadKw: 1}\n", "Write feeds: [pdu-a, pdu-b]."),
            (" {kind: rack, feeds: pdu-a}\n", "Write ['pdu-a']."),
            ("\n    kind: rack\n    feeds: a b, {\n", "Write ['a b, {']."),
            (" {kind: rack, ratedKw: 2,500}\n", _THOUSANDS),
            (" {kind: rack, ratedKw: 1,250,000}\n", _THOUSANDS.replace("2500", "1250000")),
            (" {ratedKw: 2,500, kind: rack}\n", _THOUSANDS),
        ],
    )
    def test_of_a_domain(self, domain: str, fix: str) -> None:
        declared = "  pdu-a: {kind: power}\n  pdu-b: {kind: power}\n"
        assert hints(f"domains:\n  rack-1:{domain}{declared}") == {fix}

    def test_of_a_node(self) -> None:
        assert hints("nodes:\n  n: {pdu: pdu-a, pdu-b}\n") == {"Write pdu: [pdu-a, pdu-b]."}

    def test_two_digits_are_no_thousand(self) -> None:
        (hint,) = hints("domains:\n  a: {kind: rack, ratedKw: 2,50}\n")
        assert hint.startswith("Known: ")

    def test_in_json_the_fix_is_json(self) -> None:
        raw = {"domains": {"a": {"kind": "rack", "feeds": "b, c"}}}
        assert 'Write ["b", "c"].' in hints(json.dumps(raw), "topology.json")


class TestColons:
    """Without a space behind it a colon is part of the text."""

    @pytest.mark.parametrize(
        ("text", "fix"),
        [
            ("nodes:\n  n1:{rack: r1}\n", "A space is missing after the colon of `n1:`."),
            ("nodes:\n  n1:{rack: r1, pdu: p}\n", "A space is missing after the colon of `n1:`."),
            ("domains:\n  a:{kind: rack}\n", "A space is missing after the colon of `a:`."),
            ("domains:\n  a: {kind:rack}\n", "A space is missing after the colon: write kind: rack."),
            ("nodes:\n  n1: {rack:r1}\n", "A space is missing after the colon: write rack: r1."),
            ("nodes:\n  n1:\n    rack:r1\n    pdu: p\n", "A space is missing after the colon of `rack:`."),
        ],
    )
    def test_the_missing_space_is_named(self, text: str, fix: str) -> None:
        assert only(faults(text)).hint == fix

    @pytest.mark.parametrize("name", ["n:1", "rack:1", "a:{b"])
    def test_a_colon_in_an_id_is_no_slip(self, name: str) -> None:
        assert list(topology(f"nodes:\n  {name}: {{rack: r}}\n").nodes) == [name]

    def test_other_syntax_keeps_its_hint(self) -> None:
        hint = only(faults("nodes:\n  n1: rack: r1\n")).hint
        assert hint == "Check indentation, colons and quotes here and on the lines before."


class TestIndentation:
    """`domains:` and the other keys of the top, moved in under `nodes:`."""

    @pytest.mark.parametrize(
        ("text", "line", "name"),
        [
            ("nodes:\n  n: {rack: r}\n  domains:\n    r: {kind: rack}\n    s: {kind: rack}\n", 3, "domains"),
            ("domains:\n  r: {kind: rack}\n  nodes:\n    n: {rack: r}\n", 3, "nodes"),
            ("nodes:\n  n: {rack: r}\n  verifiedAt: 2026-11-15T08:00:00Z\n", 3, "verifiedAt"),
        ],
    )
    def test_is_one_fault_at_the_key(self, text: str, line: int, name: str) -> None:
        fault = only(faults(text))
        assert (fault.line, fault.column) == (line, 3)
        assert fault.message.startswith(f"`{name}:` is indented too far")
        assert fault.hint == f"Start `{name}:` in the first column."

    @pytest.mark.parametrize(
        ("text", "line", "message", "fix"),
        [
            (
                "nodes:\n  n: {rack: r}\n  domains:\n  r: {kind: rack, feeds: [p]}\n  p: {kind: power}\n",
                3,
                "`domains:` is indented too far: it, and what follows it, is read as nodes",
                "Start `domains:` in the first column, and leave its domains further in.",
            ),
            (
                "nodes:\n  n: {rack: r}\n  r: {kind: rack}\n",
                3,
                "'r' has a kind: it is a domain, and stands under `nodes:`",
                "Move it under `domains:`, which starts in the first column.",
            ),
            (
                "nodes:\n  n: {rack: r}\nr: {kind: rack}\n",
                3,
                "unknown key 'r'",
                "It has a kind: move it further in, under `domains:`.",
            ),
            (
                "domains:\n  r:\n  kind: rack\n",
                3,
                "`kind:` is not indented far enough: it is read as one of the domains",
                "Move `kind: rack` further in, below 'r'.",
            ),
            (
                "nodes:\n  n:\n    rack: r\n  pdu: p\n",
                4,
                "`pdu:` is not indented far enough: it is read as one of the nodes",
                "Move `pdu: p` further in, below 'n'.",
            ),
        ],
    )
    def test_a_thing_among_others_is_one_fault(self, text: str, line: int, message: str, fix: str) -> None:
        fault = only(faults(text))
        assert (fault.line, fault.message, fault.hint) == (line, message, fix)

    @pytest.mark.parametrize(
        ("text", "fix"),
        [
            ("domains:\n- {name: r, kind: rack}\n", "write r: {kind: rack}, without the dash."),
            ("nodes:\n- n1\n", "write n1: {..}, without the dash."),
            ("nodes:\n- {rack: r}\n", "write its name, a colon and {..}, without the dash."),
        ],
    )
    def test_a_list_of_named_things(self, text: str, fix: str) -> None:
        assert only(faults(text)).hint == f"Names are keys: {fix}"

    def test_a_thing_may_have_such_a_name(self) -> None:
        assert "indented" not in only(faults("domains:\n  nodes: {kind: rack, ratedKw: x}\n")).message
        assert "indented" not in only(faults("nodes:\n  domains: {rack: r, hall: x}\n")).message
        assert topology("nodes:\n  domains: {rack: r}\n").nodes.keys() == {"domains"}


class TestTimes:
    """What a time lacks is added in the fix."""

    @pytest.mark.parametrize(
        ("typed", "fixed"),
        [
            ("2026-11-15", "2026-11-15T00:00:00Z"),
            ("2026-11-15 08:00", "2026-11-15T08:00:00Z"),
            ("2026-11-15T08:00:30", "2026-11-15T08:00:30Z"),
            ("2026-11-15 08:00:30+02:00", "2026-11-15T08:00:30+02:00"),
        ],
    )
    def test_the_corrected_one_is_shown_and_valid(self, typed: str, fixed: str) -> None:
        assert only(faults(f"verifiedAt: {typed}\nnodes: {{}}\n")).hint.startswith(f"Write {fixed}: ")
        assert load_topology_text(f"verifiedAt: {fixed}\nnodes: {{}}\n", "t.yaml").value is not None

    @pytest.mark.parametrize("typed", ["2026-02-30", "yesterday", "15.11.2026", "x" * 500])
    def test_else_the_format_is(self, typed: str) -> None:
        hint = only(faults(f"verifiedAt: {typed}\nnodes: {{}}\n")).hint
        assert hint == "Write RFC 3339: date, T, time, Z or an offset."
