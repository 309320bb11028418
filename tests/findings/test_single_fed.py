"""Nodes that the loss of any one feed takes down."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.single_fed import Cords, cords
from tests.estates import estate_of, on


def cord(node: dict[str, Any], *out: str) -> Cords:
    """The cords of one node on PDUs a and b, or in a rack of them; some are out."""
    domains: dict[str, dict[str, Any]] = {
        "a": {"kind": "power"},
        "b": {"kind": "power"},
        "both": {"kind": "rack", "feeds": ["a", "b"]},
        "needs-both": {"kind": "rack", "feeds": ["a", "b"], "minFeeds": 2},
        "below": {"kind": "rack", "parent": "a"},
        "below-and-fed": {"kind": "rack", "parent": "a", "feeds": ["b"]},
        "alone": {"kind": "rack"},
        "row": {"kind": "row"},
        "in-a-row": {"kind": "rack", "parent": "row", "feeds": ["a", "b"]},
        "alone-in-a-row": {"kind": "rack", "parent": "row"},
    }
    for name in out:
        domains[name]["status"] = "out"
    (found,) = cords(compile_facility(estate_of(domains, {"n": node})))
    return found


class TestSingleFed:
    """It is alive and can lose none of its live sources: 0 < sources <= needed."""

    @pytest.mark.parametrize(
        ("pdu", "out", "sources", "needed", "single_fed"),
        [
            (["a"], (), ("a",), 1, True),
            (["a", "b"], (), ("a", "b"), 1, False),
            ({"all": ["a", "b"]}, (), ("a", "b"), 2, True),
            (["a", "b"], ("a",), ("b",), 1, True),
            (["a", "b"], ("a", "b"), (), 1, False),
            ({"all": ["a", "b"]}, ("a",), (), 2, False),  # dead already, as behind minFeeds
        ],
    )
    def test_on_pdus(
        self, pdu: Any, out: tuple[str, ...], sources: tuple[str, ...], needed: int, single_fed: bool
    ) -> None:
        found = cord(on(pdu), *out)
        assert (found.sources, found.needed, found.single_fed) == (sources, needed, single_fed)

    @pytest.mark.parametrize(
        ("rack", "out", "sources", "needed", "single_fed"),
        [
            ("both", (), ("a", "b"), 1, False),
            ("both", ("b",), ("a",), 1, True),
            ("needs-both", (), ("a", "b"), 2, True),
            ("below", (), ("a",), 1, True),
            ("below-and-fed", (), ("a",), 1, True),
            ("alone", (), ("alone",), 1, True),
            ("alone", ("alone",), (), 1, False),
            ("needs-both", ("a",), (), 1, False),
            ("in-a-row", (), ("a", "b"), 1, False),
            ("in-a-row", ("b",), ("a",), 1, True),
            ("alone-in-a-row", (), ("alone-in-a-row",), 1, True),
        ],
    )
    def test_in_a_rack(
        self, rack: str, out: tuple[str, ...], sources: tuple[str, ...], needed: int, single_fed: bool
    ) -> None:
        found = cord({"allocated": 1, "domains": {"rack": rack}}, *out)
        assert (found.sources, found.needed, found.single_fed) == (sources, needed, single_fed)

    def test_unknown_where_the_map_says_nothing_of_power(self) -> None:
        found = cord({"allocated": 1})
        assert (found.sources, found.single_fed) == (None, None)
