"""Schneider white paper 75: the single points of failure of its figures, found by the sweep."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import compile_facility
from closure.sweep import sweep
from tests.estates import estate_of, figure_5, on
from topology.model import Estate

INTAKE: dict[str, dict[str, Any]] = {
    "utility": {"kind": "utility"},
    "generator": {"kind": "generator"},
    "ats": {"kind": "ats", "feeds": ["utility", "generator"]},
    "input-bus": {"kind": "switchgear", "parent": "ats"},
}


def single_points(estate: Estate, node: str) -> set[str]:
    """Every domain whose failure alone loses the node, by closure and by strict check alike."""
    facility = compile_facility(estate)
    group = facility.node_group[facility.node_index[node]]
    rows = list(sweep(facility))
    by_closure = {facility.domain_ids[row.failed] for row in rows if group in row.groups}
    assert by_closure == {
        facility.domain_ids[r.failed] for r in rows if r.strict and group in r.strict.groups
    }
    return by_closure


def test_figure_1_single_module() -> None:
    """N with a bypass from the input bus to the output bus: the UPS is not a single point."""
    domains = INTAKE | {
        "ups": {"kind": "ups", "parent": "input-bus"},
        "output-bus": {"kind": "switchgear", "feeds": ["ups", "input-bus"], "transfer": "preferred"},
        "pdu": {"kind": "power", "parent": "output-bus"},
    }
    assert single_points(estate_of(domains, {"n": on("pdu")}), "n") == {
        "ats",
        "input-bus",
        "output-bus",
        "pdu",
    }


def test_figure_3_parallel_redundant() -> None:
    """N+1, two paralleled UPS: neither is a single point."""
    domains = INTAKE | {
        "ups-1": {"kind": "ups", "parent": "input-bus"},
        "ups-2": {"kind": "ups", "parent": "input-bus"},
        "paralleling-bus": {"kind": "switchgear", "feeds": ["ups-1", "ups-2"]},
        "pdu": {"kind": "power", "parent": "paralleling-bus"},
    }
    assert single_points(estate_of(domains, {"n": on("pdu")}), "n") == {
        "ats",
        "input-bus",
        "paralleling-bus",
        "pdu",
    }


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ("load1", {"sts1", "pdu1"}),
        ("load2", set()),
        ("load3", {"sts2", "pdu2"}),
        ("load4", set()),
        ("load5", {"sts3", "pdu3"}),
        ("load6", set()),
    ],
)
def test_figure_5_distributed_redundant(load: str, expected: set[str]) -> None:
    """Three UPS and switches; loads 1, 3, 5 single-corded, 2, 4, 6 dual-corded: no UPS is a single point."""
    assert single_points(figure_5(), load) == expected
