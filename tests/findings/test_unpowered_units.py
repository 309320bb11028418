"""'Unpowered things draw no power and make no heat': units of unknown kW that are dark leave nothing unknown.

Spec 4, the strict electrical check: who draws.
"""

from __future__ import annotations

from typing import Any

import pytest

from closure.bounded import bounded_flows
from closure.compiled import compile_facility
from closure.strict import simulate
from findings.curtail.ask import Ask
from findings.curtail.curtailment import plan_curtailment
from findings.index import EstateIndex
from findings.maintenance.safety import Safety, Scene, judge
from tests.estates import estate_of, on
from topology.model import Estate

NOW = "2026-11-30T13:00:00Z"


def two_panels(status: str) -> Estate:
    """8 known kW on one panel, 8 units of unknown kW on another, both on one UPS and one loop."""
    domains: dict[str, Any] = {
        "ups": {"kind": "ups"},
        "pdu-1": {"kind": "power", "parent": "ups"},
        "pdu-2": {"kind": "power", "parent": "ups", "status": status},
        "loop": {"kind": "cooling"},
    }
    known = {**on("pdu-1", 8, kwPerUnit=1), "idleKwPerUnit": 0}
    known["domains"]["cooling"] = "loop"
    unknown = on("pdu-2", 8)
    unknown["domains"]["cooling"] = "loop"
    job = {"id": "w", "kind": "batch", "critical": False, "placements": {"n1": 8}}
    nodes = {"n1": known, "n2": unknown}
    return estate_of(domains, nodes, wattsPerUnitKw=None, workloads=[job])


@pytest.mark.parametrize("under", [None, "ups", "loop"])
def test_a_draw_without_the_dark_is_exact_and_the_ask_decided(under: str | None) -> None:
    found = plan_curtailment(compile_facility(two_panels("out")), Ask("to-kw", 2, under=under), now=NOW)
    assert (found.draw_kw, found.draw_exact, found.target_kw, found.feasible) == (8, True, 6, True)


@pytest.mark.parametrize("under", [None, "ups", "loop"])
def test_a_draw_with_them_is_a_lower_bound(under: str | None) -> None:
    found = plan_curtailment(compile_facility(two_panels("in")), Ask("to-kw", 2, under=under), now=NOW)
    assert (found.draw_kw, found.draw_exact, found.feasible) == (8, False, None)


@pytest.mark.parametrize("under", ["ups-a", "ups-b"])
def test_what_is_lost_with_its_cooling_and_has_power_carries_the_unknown(under: str) -> None:
    """Power goes through what is not without power: through `ups-a` too, which its cooler takes along."""
    domains: dict[str, Any] = {
        "crac": {"kind": "cooling", "status": "out"},
        "ups-a": {"kind": "ups", "parent": "crac"},
        "ups-b": {"kind": "ups"},
        "pdu": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
    }
    nodes = {"n1": on("pdu", 8, kwPerUnit=1), "n2": on("pdu", 8)}
    facility = compile_facility(estate_of(domains, nodes, wattsPerUnitKw=None))
    found = plan_curtailment(facility, Ask("to-kw", 2, under=under), now=NOW)
    assert (found.draw_kw, found.draw_exact) == (4, False)


def shifted(status: str, *ids: str) -> Safety:
    """A known load loses its feed ups-1 to ups-0, which a panel of unknown units hangs from."""
    domains: dict[str, Any] = {
        **{name: {"kind": "ups", "ratedKw": 100} for name in ("ups-0", "ups-1")},
        "pdu-1": {"kind": "power", "feeds": ["ups-0", "ups-1"]},
        "pdu-2": {"kind": "power", "parent": "ups-0", "status": status},
    }
    nodes = {"n1": on("pdu-1", 8, kwPerUnit=1), "n2": on("pdu-2", 8)}
    estate = estate_of(domains, nodes, wattsPerUnitKw=None)
    return judge(Scene(compile_facility(estate), EstateIndex(estate)), ids)


def test_load_shifts_onto_what_the_dark_hang_from() -> None:
    found = shifted("out", "ups-1")
    assert (found.safe, found.doubts) == (True, ())


def test_load_shifts_onto_what_carries_unknown_kw() -> None:
    found = shifted("in", "ups-1")
    assert found.safe is None
    assert [(doubt.id, doubt.why) for doubt in found.doubts] == [("ups-0", "load-unknown")]


def test_a_node_that_is_itself_taken_out_draws_nothing() -> None:
    assert shifted("in", "ups-1", "n2").doubts == ()


def test_every_part_of_a_flow_must_be_known() -> None:
    """Of two nodes of unknown kW at one place, one is taken out."""
    nodes = {"n1": on("p", 1), "n2": on("p", 1), "n3": on("p", 1, kwPerUnit=1)}
    facility = compile_facility(estate_of({"p": {"kind": "power"}}, nodes, wattsPerUnitKw=None))
    bounded = [len(bounded_flows(facility, failed_nodes=failed)) for failed in ((), (0,), (0, 1))]
    assert bounded == [1, 1, 0]
    assert simulate(facility, (), (0, 1))[-1].flows_kw == (1,)


def test_nothing_shifts_where_nothing_is_drawn() -> None:
    """The panel that loses a feed carries nothing; its other feed carries what is unknown, as before."""
    domains: dict[str, Any] = {
        **{name: {"kind": "ups", "ratedKw": 100} for name in ("ups-0", "ups-1")},
        "pdu-1": {"kind": "power", "feeds": ["ups-0", "ups-1"]},
        "pdu-2": {"kind": "power", "parent": "ups-0"},
    }
    estate = estate_of(domains, {"n": on("pdu-2", 8)}, wattsPerUnitKw=None)
    found = judge(Scene(compile_facility(estate), EstateIndex(estate)), ["ups-1"])
    assert ([each.id for each in found.degraded], found.safe) == (["pdu-1"], True)
