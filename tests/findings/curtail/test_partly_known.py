"""What can be decided of a draw that is known in part."""

from __future__ import annotations

import dataclasses

from closure.compiled import compile_facility
from findings.curtail.ask import Ask
from findings.curtail.curtailment import plan_curtailment
from tests.estates import estate_of
from tests.findings.curtail.test_curtailment import estate, job, plan
from tests.findings.small import NOW
from topology.model import Node


def test_an_amount_is_decided_whatever_else_draws() -> None:
    """1 kW is 1 kW; 10 % of the draw nobody knows."""
    one = estate(job("a", "batch", 6), job("b", "batch", 4), watts_per_unit_kw=None)
    known = [dataclasses.replace(node, kw_per_unit=1) for node in one.nodes]
    dark = Node("n-dark", 2, standings=one.nodes[0].standings)
    partly = dataclasses.replace(one, nodes=(*known, dark))
    assert plan(partly, "shed-kw", 1).feasible is True
    assert plan(partly, "percent", 10).feasible is None


def test_a_node_that_names_no_power_may_draw_there() -> None:
    """Its 2 kW may pass `p`, or not: whether 5 kW remain there nobody knows."""
    nodes = {
        "n1": {"allocated": 8, "domains": {"pdu": "p"}},
        "n2": {"allocated": 2, "domains": {"zone": "z"}},
    }
    one = estate_of({"p": {"kind": "power"}}, nodes, wattsPerUnitKw=1)
    result = plan_curtailment(compile_facility(one), Ask("to-kw", 9, under="p"), now=NOW)
    assert (result.draw_kw, result.draw_exact, result.feasible) == (8, False, None)
    assert any("do not say what they hang from may draw there" in caveat for caveat in result.caveats)
