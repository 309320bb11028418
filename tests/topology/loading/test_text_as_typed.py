"""Ids are the text that the operator typed; numbers are numbers only where one is expected (case 10)."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.topology.loading.files import faults, only, topology
from topology import yaml_events
from topology.model import Standing
from topology.unreadable import Unreadable

_GUESSED = (
    *("012", "08", "1e3", "0x1F", "1_000", "12:30", "2026-01-01", "on", "off", "yes", "no", "y", "N", "true"),
    *(
        "False",
        ".5",
        ".inf",
        ".nan",
        "+1",
        "-1",
        "0",
        "00",
        "1.0",
        "1.10",
        "é",
        "a b",
        "a:b",
        "<<x",
        "=",
        "!",
    ),
)


class TestIdsAreText:
    """Case 10 (PyYAML 107): `rack: 012` is "012", `pdu: on` is "on": never silently renamed."""

    @pytest.mark.parametrize("typed", [each for each in _GUESSED if each != "!"])
    def test_an_unquoted_id_is_what_was_typed(self, typed: str) -> None:
        loaded = topology(f"nodes:\n  n: {{rack: {typed}}}\n")
        assert loaded.nodes["n"] == (Standing("rack", "one", (typed,)),)

    @pytest.mark.parametrize("typed", _GUESSED)
    def test_quotes_change_nothing(self, typed: str) -> None:
        loaded = topology(f"nodes:\n  n: {{rack: '{typed}', pdu: \"x{typed}\"}}\n")
        assert [standing.ids for standing in loaded.nodes["n"]] == [(typed,), (f"x{typed}",)]

    @pytest.mark.parametrize("typed", ["012", "on", "~", "null", "1e3", "2026-01-01"])
    def test_keys_are_text_too(self, typed: str) -> None:
        assert list(topology(f"nodes:\n  {typed}: {{rack: r}}\n").nodes) == [typed]

    def test_quoted_and_unquoted_keys_are_one(self) -> None:
        assert only(faults("nodes:\n  012: {rack: r}\n  '012': {rack: r}\n")).rule == "duplicate-key"

    def test_an_explicit_text_tag_is_a_quote(self) -> None:
        loaded = topology("nodes:\n  n: {rack: !!str null}\n")
        assert loaded.nodes["n"] == (Standing("rack", "one", ("null",)),)


class TestNothingIsAbsent:
    """Spec 2: "`null` is the same as absent": `null`, `~` and nothing at all."""

    @pytest.mark.parametrize("nothing", ["null", "~", "", "Null", "NULL"])
    def test_an_axis_without_a_value_says_nothing(self, nothing: str) -> None:
        assert topology(f"nodes:\n  n: {{rack: {nothing} , pdu: p}}\n").nodes["n"] == (
            Standing("pdu", "one", ("p",)),
        )

    def test_a_node_without_a_value_stands_nowhere(self) -> None:
        assert topology("nodes:\n  n:\n").nodes == {"n": ()}

    def test_quoted_null_is_a_name(self) -> None:
        assert topology("nodes:\n  n: {rack: 'null'}\n").nodes["n"][0].ids == ("null",)

    def test_null_is_no_entry_of_a_list(self) -> None:
        found = only(faults("nodes:\n  n: {pdu: [a, null]}\n"))
        assert (found.rule, found.line, found.column) == ("schema", 2, 16)

    def test_a_required_key_with_null_is_missing(self) -> None:
        found = only(faults("domains:\n  a: {kind: null}\n"))
        assert "required" in found.message
        assert (found.line, found.column) == (2, 7)


class TestNumbers:
    """Decimal numbers with an optional exponent; every other spelling is refused with the fix."""

    @pytest.mark.parametrize(
        ("typed", "value"), [("40", 40), ("40.5", 40.5), ("1e3", 1000.0), ("+4", 4), (".5", 0.5), ("5.", 5.0)]
    )
    def test_decimal_numbers(self, typed: str, value: float) -> None:
        rated = topology(f"domains:\n  a: {{kind: ups, ratedKw: {typed}}}\n").domains["a"].rated_kw
        assert rated == value
        assert type(rated) is type(value)

    @pytest.mark.parametrize(
        ("typed", "fix"),
        [
            ("012", "12"),
            ("1_000", "1000"),
            ("'40'", "without quotes"),
            ("40kW", "Write 40 alone"),
            ("40 kW", "Write 40 alone"),
            ("'40,5'", "Write 40.5"),
            ("0x1F", "decimal"),
            ("0o17", "decimal"),
            ("12:30", "decimal"),
            ("true", "decimal"),
            (".inf", "unknown"),
            (".nan", "unknown"),
            ("1e999", "unknown"),
            ("9" * 5000, "unknown"),
            ("[1]", "number"),
            ("-4", "Write a number above 0"),
            ("0", "or leave the key out where it is unknown."),
            ("tbd", "or leave the key out where it is unknown."),
            ("1000000000000001", "Write a number above 0"),
        ],
    )
    def test_other_spellings_are_refused_with_the_fix(self, typed: str, fix: str) -> None:
        found = only(faults(f"domains:\n  a: {{kind: ups, ratedKw: {typed}}}\n"))
        assert (found.rule, found.line, found.column, found.ids) == ("schema", 2, 27, ("a",))
        assert fix in found.hint

    @pytest.mark.parametrize(
        ("typed", "range_"),
        [
            ("0", "above 0"),
            ("-5", "above 0"),
            ("1e-12", "at least 0.000000001"),
            ("1e16", "above 0 and at most 1,000,000,000,000,000"),
        ],
    )
    def test_a_range_is_said_in_one_way(self, typed: str, range_: str) -> None:
        found = only(faults(f"domains:\n  a: {{kind: ups, ratedKw: {typed}}}\n"))
        assert found.message.endswith(f"it must be {range_}")
        assert found.hint.startswith(f"Write a number {range_}")

    @pytest.mark.parametrize(
        ("key", "typed", "fix"),
        [
            ("ratedKw", "1.2 MW", "Write 1200: the number is in kW."),
            ("ratedKw", "0.25MW", "Write 250: the number is in kW."),
            ("ratedKw", "'1,5 MW'", "Write 1500: the number is in kW."),
            ("ratedKw", ".5 MW", "Write 500: the number is in kW."),
            ("ratedKw", "40 kw", "Write 40 alone: the unit is in the key's name."),
            ("loadKw", "500W", "Write 0.5: the number is in kW."),
            ("measuredKw", "1_000 W", "Write 1: the number is in kW."),
            ("rideThroughMinutes", "90s", "Write 1.5: the number is in minutes."),
            ("rideThroughMinutes", "2h", "Write 120: the number is in minutes."),
            ("rideThroughMinutes", "'30m'", "Write 30 alone: the unit is in the key's name."),
            ("repairHours", "2 days", "Write 48: the number is in hours."),
            ("repairHours", "45 min", "Write 0.75: the number is in hours."),
        ],
    )
    def test_a_typed_unit_is_converted(self, key: str, typed: str, fix: str) -> None:
        kind = "cooling" if key == "rideThroughMinutes" else "ups"
        assert only(faults(f"domains:\n  a: {{kind: {kind}, {key}: {typed}}}\n")).hint == fix

    @pytest.mark.parametrize(
        ("key", "typed", "fix"),
        [
            (
                "ratedKw",
                "250 kVA",
                "kVA is not kW: multiply by the power factor, and write that number of kW.",
            ),
            ("ratedKw", "2 MVA", "kVA is not kW: multiply by the power factor, and write that number of kW."),
            ("ratedKw", "40 hp", "Write the number in kW, without a unit."),
            ("ratedKw", "40 mW", "Write the number in kW, without a unit."),
            ("rideThroughMinutes", "4 M", "Write the number in minutes, without a unit."),
            ("rideThroughMinutes", "4 kW", "Write the number in minutes, without a unit."),
            ("ratedKw", "'2,500 W'", "Write the number in kW, without a unit."),
            ("failuresPerYear", "3 a", "Write the number alone, without a unit."),
        ],
    )
    def test_no_number_is_proposed_where_the_unit_does_not_say_it(
        self, key: str, typed: str, fix: str
    ) -> None:
        kind = "cooling" if key == "rideThroughMinutes" else "ups"
        assert only(faults(f"domains:\n  a: {{kind: {kind}, {key}: {typed}}}\n")).hint == fix

    @pytest.mark.parametrize(("percent", "seconds"), [("'120%'", "600"), ("120", "10 min")])
    def test_units_of_an_overload(self, percent: str, seconds: str) -> None:
        point = f"{{percent: {percent}, seconds: {seconds}}}"
        said = only(faults(f"domains:\n  a: {{kind: ups, overload: [{point}]}}\n")).hint
        assert said.startswith(
            "Write 120 alone" if "%" in percent else "Write 600: the number is in seconds."
        )

    @pytest.mark.parametrize(("typed", "number"), [("2,500", "2500"), ("1,234,567.5", "1234567.5")])
    def test_a_comma_between_thousands_is_no_decimal_one(self, typed: str, number: str) -> None:
        said = only(faults(f"domains:\n  a:\n    kind: ups\n    ratedKw: {typed}\n"))
        assert said.hint == f"A thousands separator? Write {number}. A decimal one is a point."

    def test_a_whole_number_may_be_written_with_a_fraction_of_zero(self) -> None:
        loaded = topology("domains:\n  a: {kind: ups, feeds: [b], minFeeds: 1.0}\n  b: {kind: ups}\n")
        assert loaded.domains["a"].min_feeds == 1

    @pytest.mark.parametrize("typed", ["0", "1.5", "-1", "one"])
    def test_min_feeds_is_a_whole_number_from_1(self, typed: str) -> None:
        text = f"domains:\n  a: {{kind: ups, feeds: [b], minFeeds: {typed}}}\n  b: {{kind: ups}}\n"
        assert only(faults(text)).rule == "schema"


class TestPureParser:
    """Where PyYAML was built without libyaml the pure parser gives the same values."""

    @given(
        st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), st.text(max_size=4) | st.none())
    )
    def test_same_values(self, nodes: dict[str, str | None]) -> None:
        try:
            text = yaml.safe_dump({"nodes": nodes}, allow_unicode=True)
            with_libyaml = yaml_events.parse(text)
        except (UnicodeError, Unreadable):
            return
        assert _pure(text) == with_libyaml

    @pytest.mark.parametrize(
        "text",
        [
            "nodes:\n  a: &x {rack: 012, pdu: [a, 'b']}\n  b: *x\n  c: {<<: *x, pdu: ~}\n",
            "a: {b: c\n",
            "a:\n\tb: c\n",
            "a: '\\x00'\nb: \"\\x00\"\n",
            "[" * 2000,
            "- " * 2000,
            "a: \x00\n",
            "---\n---\n",
            "",
        ],
    )
    def test_same_values_or_refusals(self, text: str) -> None:
        def outcome(parse: object) -> object:
            try:
                return parse(text)  # type: ignore[operator]
            except Unreadable as trouble:
                return trouble.rule

        assert outcome(_pure) == outcome(yaml_events.parse)


def _pure(text: str) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "__with_libyaml__", False)
        return yaml_events.parse(text)
