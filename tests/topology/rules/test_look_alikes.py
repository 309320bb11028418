"""look-alike-ids: declared domains of one kind that nobody can tell apart. implausible-count beside it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topology.load import load_estate_text, load_topology_text
from topology.model import Domain
from topology.routes import TopologyRoutes
from topology.rules import RULES
from topology.rules.look_alikes import shape_of


def said(*names: str, kinds: tuple[str, ...] = ("power",) * 9) -> list[tuple[str, ...]]:
    """The ids of each remark on a map that declares these domains."""
    domains = {name: {"kind": kind} for name, kind in zip(names, kinds, strict=False)}
    result = load_topology_text(json.dumps({"domains": domains}), "map.json")
    return [each.ids for each in result.diagnostics if each.rule == "look-alike-ids"]


class TestLookAlikes:
    @pytest.mark.parametrize(
        "other",
        [
            *(
                "PDU-A",
                " pdu-a",
                "pdu-a ",
                "pdu-a\n",
                "pdu\u00ad-a",
                "pdu-a\u200b",
                "pdu-a\ufeff",
                "p\u180edu-a",
            ),
            *("pdu-a\U000e0041", "pdu-\uff41", "\uff30du-a", "pdu-a\u3000", "pdu-a\u00a0", "pdu-a\ufe0f"),
            *("\u3164pdu-a", "pdu-\u115fa", "pdu-a\x00", "pdu-a\ue000", "pdu-a\u2800"),
        ],
    )
    def test_alike(self, other: str) -> None:
        assert said("pdu-a", other) == [tuple(sorted(("pdu-a", other)))]

    @pytest.mark.parametrize("other", ["pdu_a", "pdu-b", "pdu-a1", "pdu a", "pdu-á"])
    def test_apart(self, other: str) -> None:
        assert said("pdu-a", other) == []

    def test_another_kind_is_another_thing(self) -> None:
        assert said("pdu-a", "PDU-A", kinds=("power", "ups")) == []

    def test_one_remark_for_all_that_are_alike(self) -> None:
        assert said("b", "pdu-a", "PDU-A", "B", "Pdu-A") == [("B", "b"), ("PDU-A", "Pdu-A", "pdu-a")]

    @given(st.text(min_size=1))
    def test_a_shape_is_its_own(self, name: str) -> None:
        assert shape_of(shape_of(name)) == shape_of(name)

    def test_many_that_differ(self) -> None:
        domains = {f"Rack-{i}ä": Domain(f"Rack-{i}ä", "rack") for i in range(4_000)}
        assert RULES["look-alike-ids"](domains, [], TopologyRoutes()) == []


class TestCounts:
    def test_unhealthy_above_installed(self) -> None:
        nodes = [
            {"id": "b", "allocated": 0, "installed": 8, "unhealthy": 9},
            {"id": "a", "allocated": 0, "installed": 8, "unhealthy": 100.5},
            {"id": "c", "allocated": 0, "installed": 8, "unhealthy": 8},
            {"id": "d", "allocated": 0, "unhealthy": 9},
            {"id": "e", "allocated": 0, "installed": 0.3, "unhealthy": 0.1 + 0.2},
        ]
        head = {"schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z"}
        result = load_estate_text(json.dumps({**head, "nodes": nodes}), "e.json")
        (found,) = (each for each in result.diagnostics if each.rule == "implausible-count")
        assert found.ids == ("a", "b")
        assert found.message == "100.5 devices of node 'a' (and of 1 more) are unhealthy, of 8 installed"
