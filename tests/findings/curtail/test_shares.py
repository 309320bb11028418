"""kW of a workload under D: its share of D's strict flow with nothing failed."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given

from closure.compiled import compile_facility
from closure.strict import simulate
from findings.curtail.pauses import pauses, savings
from findings.curtail.shares import everywhere, group_shares
from findings.index import EstateIndex
from tests.strategies import estates
from topology.model import Domain, Estate, Node, Standing, Workload


@given(estates(kw_known=True))
def test_shares_add_up_to_the_flow(estate: Estate) -> None:
    """Σ over the nodes of kW × share through D is D's strict flow, without what equipment draws itself."""
    domains = {
        name: dataclasses.replace(domain, own_load_kw=None, out=False)
        for name, domain in estate.domains.items()
    }
    facility = compile_facility(dataclasses.replace(estate, domains=domains))
    now = simulate(facility, ())[0]
    for d, name in enumerate(facility.domain_ids):
        if facility.commodity[d] is not None:
            shares = group_shares(facility, d, now)
            through = math.fsum(
                group.kw * share for group, share in zip(facility.groups, shares, strict=True)
            )
            assert through == pytest.approx(facility.strict_flow_kw(name))


def dual_corded(**values: object) -> Estate:
    domains = {
        "a": Domain("a", "power", parent="u"),
        "b": Domain("b", "power"),
        "u": Domain("u", "ups"),
    }
    node = Node("n", 8, standings=(Standing("pdu", "any", ("a", "b")),))
    jobs = (Workload("x", "batch", {"n": 6}), Workload("y", "batch", {"n": 2}))
    estate = Estate("c", "gpu", "2026-11-30T12:00:00Z", (node,), domains, jobs, watts_per_unit_kw=2.0)
    return dataclasses.replace(estate, **values)  # type: ignore[arg-type]


def kw_under(estate: Estate, name: str | None) -> dict[str, float]:
    facility, index = compile_facility(estate), EstateIndex(estate)
    now = simulate(facility, ())[-1]
    shares = (
        everywhere(facility, now)
        if name is None
        else group_shares(facility, facility.domain_index[name], now)
    )
    return {pause.workload.id: pause.kw for pause in pauses(index, facility, savings(index), shares)}


def test_a_dual_corded_node_sends_half_each_way() -> None:
    """6 of 8 units × 2 kW, half of it through a."""
    assert kw_under(dual_corded(), "a") == {"x": 6.0, "y": 2.0}
    assert kw_under(dual_corded(), "u") == {"x": 6.0, "y": 2.0}
    assert kw_under(dual_corded(), None) == {"x": 12.0, "y": 4.0}


def test_what_is_out_of_service_carries_nothing() -> None:
    estate = dual_corded()
    out = {**estate.domains, "u": dataclasses.replace(estate.domains["u"], out=True)}
    estate = dataclasses.replace(estate, domains=out)
    assert kw_under(estate, "b") == {"x": 12.0, "y": 4.0}
    assert kw_under(estate, "a") == {"x": 0.0, "y": 0.0}


@pytest.mark.parametrize(("idle", "kw"), [(0.5, 9.0), (2, 0.0), (3, 0.0)])
def test_paused_units_still_draw_their_idle_power(idle: float, kw: float) -> None:
    assert kw_under(dual_corded(idle_kw_per_unit=idle), None)["x"] == kw
