"""What can be decided of a draw that is known in part."""

from __future__ import annotations

import dataclasses

from tests.findings.curtail.test_curtailment import estate, job, plan
from topology.model import Node


def test_an_amount_is_decided_whatever_else_draws() -> None:
    """1 kW is 1 kW; 10 % of the draw nobody knows."""
    one = estate(job("a", "batch", 6), job("b", "batch", 4), watts_per_unit_kw=None)
    known = [dataclasses.replace(node, kw_per_unit=1) for node in one.nodes]
    dark = Node("n-dark", 2, standings=one.nodes[0].standings)
    partly = dataclasses.replace(one, nodes=(*known, dark))
    assert plan(partly, "shed-kw", 1).feasible is True
    assert plan(partly, "percent", 10).feasible is None
