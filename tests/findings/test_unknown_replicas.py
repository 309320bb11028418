"""Spec 2: "unknown stays unknown through every formula": replicas that a node with units does not say."""

from __future__ import annotations

from typing import Any

import pytest

from findings.document import findings_document
from findings.index import EstateIndex
from findings.services import Service, services
from tests.findings.small import NOW, estate_of_json, node
from topology.model import Estate

RACKS: dict[str, Any] = {rack: {"kind": "rack"} for rack in ("r1", "r2")}


def estate(needed: int | None, **replicas: int) -> Estate:
    """A service with units on a in rack r1 and on b in r2."""
    nodes = [node(name, allocated=4, domains={"rack": rack}) for name, rack in (("a", "r1"), ("b", "r2"))]
    serve = {
        "id": "s",
        "kind": "inference",
        "critical": True,
        "placements": {"a": 4, "b": 4},
        "replicas": replicas,
    }
    return estate_of_json(nodes, RACKS, workloads=[{**serve, "minAvailable": needed}])


def lost(of: Estate, *nodes: str, before: tuple[str, ...] = ()) -> tuple[object, ...]:
    found: Service
    (found,) = services(EstateIndex(of), nodes, before)
    return found.replicas, found.replicas_left, found.below, found.was_below


class TestCounts:
    """`below`: fewer than `minAvailable` are left. Certain where the known ones are enough, or are all."""

    def test_a_count_that_is_missing_is_not_zero(self) -> None:
        assert lost(estate(1, a=1), "a") == (None, None, None, False)
        assert lost(estate(1), "a") == (None, None, None, None)

    def test_the_known_ones_are_enough(self) -> None:
        assert lost(estate(1, b=1), "a") == (None, 1, False, False)
        assert lost(estate(2, a=2), "b") == (None, 2, False, False)

    def test_what_nobody_counted_is_lost(self) -> None:
        assert lost(estate(1), "a", "b") == (None, 0, True, None)
        assert lost(estate(2, a=1), "b", before=("b",)) == (None, 1, True, True)

    def test_all_that_is_said_is_counted(self) -> None:
        assert lost(estate(1, a=1, b=0), "a") == (1, 0, True, False)
        assert lost(estate(None, a=1, b=1), "a") == (2, 1, None, None)


class TestFinding:
    """The services that no failure surely takes below are counted as unknown."""

    @pytest.mark.parametrize(
        ("needed", "replicas", "value", "unknown"),
        [
            (1, {"a": 1, "b": 0}, 1, 0),
            (1, {"a": 1, "b": 1}, 0, 0),
            (1, {"a": 1}, None, 1),
            (1, {}, None, 1),
            (2, {"a": 2}, None, 1),
        ],
    )
    def test_below_min_available(
        self, needed: int, replicas: dict[str, int], value: int | None, unknown: int
    ) -> None:
        document = findings_document(estate(needed, **replicas), now=NOW)
        found = next(each for each in document["findings"] if each["id"] == "below-min-available@allocated")
        assert (found["value"], found["unknownCount"]) == (value, unknown)

    @pytest.mark.parametrize(("replicas", "stops"), [({"a": 1, "b": 0}, ["r1"]), ({"a": 1}, []), ({}, [])])
    def test_single_points(self, replicas: dict[str, int], stops: list[str]) -> None:
        """Where replicas cannot be counted, a service stops with its last unit."""
        (found,) = findings_document(estate(1, **replicas), now=NOW)["beyond"]["allocated"]["singlePoints"]
        assert found["domains"] == stops
