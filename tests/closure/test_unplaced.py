"""Nodes of which the map does not say where their power or cooling comes from: what may take them too."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import Facility, compile_facility
from closure.unplaced import reaches_unplaced, unplaced_drawing, unplaced_left, unplaced_survivors
from tests.estates import estate_of

DOMAINS: dict[str, Any] = {
    "ups": {"kind": "ups"},
    "pdu": {"kind": "power", "parent": "ups"},
    "rack": {"kind": "rack", "parent": "pdu"},
    "pump": {"kind": "cooling"},
    "loop": {"kind": "cooling", "parent": "pump"},
    "spine": {"kind": "network"},
}


def facility(
    places: dict[str, Any], extra: dict[str, Any] | None = None, *, load: Any = "allocated", **keys: Any
) -> Facility:
    """Return a facility with a node that says all, and one, `other`, that says `places`."""
    whole = {"allocated": 1, "domains": {"pdu": "pdu", "rack": "rack", "cooling": "loop"}}
    other = {"allocated": 1, "domains": places, **keys}
    return compile_facility(estate_of(DOMAINS | (extra or {}), {"whole": whole, "other": other}), load)


def found(built: Facility, *lost: str) -> list[tuple[str, str]]:
    """Return of which commodity the other node may be lost too, and why; all ways to ask agree."""
    numbers = {built.domain_index[name] for name in lost}
    survivors = [*unplaced_survivors(built, numbers, ())]
    assert {each.id for each in survivors} <= {"other"}
    assert reaches_unplaced(built, numbers, ()) == bool(unplaced_left(built, numbers, ())) == bool(survivors)
    return [(each.commodity, each.why) for each in survivors]


class TestUnnamed:
    """Who names no power, or no cooling, while others do, may hang from any domain that carries it."""

    @pytest.mark.parametrize(
        ("places", "lost", "expected"),
        [
            ({"cooling": "loop"}, "ups", [("power", "unnamed")]),
            ({"cooling": "loop"}, "rack", [("power", "unnamed")]),
            ({"cooling": "loop"}, "pump", []),
            ({"cooling": "loop"}, "spine", []),
            ({"rack": "rack"}, "pump", [("heat", "unnamed")]),
            ({"rack": "rack"}, "loop", [("heat", "unnamed")]),
            ({"rack": "rack"}, "ups", []),
            ({}, "ups", [("power", "unnamed")]),
        ],
    )
    def test_what_may_take_it(
        self, places: dict[str, Any], lost: str, expected: list[tuple[str, str]]
    ) -> None:
        assert found(facility(places), lost) == expected

    def test_a_node_that_is_lost_is_no_survivor(self) -> None:
        built = facility({"cooling": "loop"})
        ups, other = built.domain_index["ups"], built.node_index["other"]
        assert not [*unplaced_survivors(built, [ups], [other])]

    def test_a_node_that_is_lost_and_has_power_still_shifts_load(self) -> None:
        """'A node behind a dead loop or a dead spine keeps drawing'; one that failed by name does not."""
        built = facility({"cooling": "loop"})
        ups, other = built.domain_index["ups"], built.node_index["other"]
        assert reaches_unplaced(built, [ups], [built.node_group[other]])
        assert [each.id for each in unplaced_drawing(built, [ups], [ups], ())] == ["other"]
        assert not [*unplaced_drawing(built, [ups], [ups], [other])]

    def test_without_units_it_never_counts(self) -> None:
        assert found(facility({"rack": "rack"}, allocated=0), "loop") == []

    @pytest.mark.parametrize(("load", "expected"), [("allocated", []), ("installed", [("heat", "unnamed")])])
    def test_the_units_of_the_load(self, load: str, expected: list[tuple[str, str]]) -> None:
        assert found(facility({"rack": "rack"}, load=load, allocated=0, installed=8), "loop") == expected

    def test_an_estate_in_which_nobody_names_it(self) -> None:
        nodes = {name: {"allocated": 1, "domains": {"rack": "rack"}} for name in "ab"}
        assert found(compile_facility(estate_of(DOMAINS, nodes)), "loop") == []

    def test_what_is_out_already_takes_nothing_more(self) -> None:
        built = facility({"rack": "rack"}, {"loop": {"kind": "cooling", "status": "out"}})
        assert found(built, "loop") == []


class TestUndeclared:
    """Who names only what nobody declares, while others of its kind are, hangs from nobody knows what."""

    @pytest.mark.parametrize(
        ("places", "lost", "expected"),
        [
            ({"pdu": "p9", "cooling": "loop"}, "ups", [("power", "undeclared")]),
            ({"pdu": "p9", "cooling": "loop"}, "pdu", [("power", "undeclared")]),  # a PDU may feed a PDU
            ({"pdu": "p9", "cooling": "loop"}, "rack", []),
            ({"pdu": "p9", "rack": "rack", "cooling": "loop"}, "ups", []),
            ({"rack": "r9", "cooling": "loop"}, "pdu", [("power", "undeclared")]),
            ({"rack": "r9", "cooling": "loop"}, "rack", []),
            ({"rack": "rack", "cooling": "l9"}, "pump", [("heat", "undeclared")]),
            ({"rack": "rack", "cooling": "l9"}, "loop", []),
            ({"rack": "rack", "cooling": "l9"}, "l9", []),
        ],
    )
    def test_what_may_take_it(
        self, places: dict[str, Any], lost: str, expected: list[tuple[str, str]]
    ) -> None:
        assert found(facility(places), lost) == expected

    def test_a_rack_that_nobody_declares_is_a_place_where_others_name_a_pdu(self) -> None:
        nodes = {
            "a": {"allocated": 1, "domains": {"rack": "r1", "pdu": "pdu"}},
            "other": {"allocated": 1, "domains": {"rack": "r2"}},
        }
        domains = {"pdu": {"kind": "power"}}
        assert found(compile_facility(estate_of(domains, nodes)), "pdu") == [("power", "undeclared")]

    def test_racks_that_nobody_declares_are_all_that_a_map_may_know(self) -> None:
        nodes = {name: {"allocated": 1, "domains": {"rack": f"r{name}"}} for name in "ab"}
        assert found(compile_facility(estate_of({}, nodes)), "ra") == []


class TestUndeclaredChain:
    """'Its upstream chain is unknown': it may hang from whatever others of its kind hang from."""

    def test_cooling_may_hang_from_power(self) -> None:
        domains = {"ups": {"kind": "ups"}, "crah-1": {"kind": "cooling"}, "rack": {"kind": "rack"}}
        nodes = {
            "a": {"allocated": 1, "domains": {"rack": "rack", "cooling": "crah-1"}},
            "other": {"allocated": 1, "domains": {"rack": "rack", "cooling": "crah-2"}},
        }
        built = compile_facility(estate_of(domains, nodes))
        assert found(built, "ups") == [("heat", "undeclared")]
        assert found(built, "rack") == []

    def test_all_of_them_may_be_undeclared(self) -> None:
        domains = {"u1": {"kind": "ups"}, "pdu-a": {"kind": "power", "parent": "u1"}}
        nodes = {"other": {"allocated": 1, "domains": {"pdu": "PDU A"}}}
        assert found(compile_facility(estate_of(domains, nodes)), "u1") == [("power", "undeclared")]
