"""Rules overcommitted and load-mismatch: flows with nothing failed or out, against ratings and meters."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given

from closure.checks import check_flows
from closure.compiled import compile_facility
from tests import naive_engine, naive_strict
from tests.strategies import estates
from topology.model import Domain, Estate, Node, Standing
from topology.routes import TopologyRoutes


def faults(estate: Estate) -> list[tuple[str, str]]:
    return [(fault.rule, fault.ids[0]) for fault in check_flows(compile_facility(estate), TopologyRoutes())]


def pair(kw: float | None = 5, **keys: float | None) -> Estate:
    """Eight units that stand on two PDUs: 20 kW through each."""
    return Estate(
        cluster="lab",
        unit="gpu",
        snapshot_at="2026-11-30T12:00:00Z",
        nodes=(Node("n1", 8, standings=(Standing("pdu", "any", ("pdu-a", "pdu-b")),)),),
        domains={
            "pdu-a": Domain("pdu-a", "power", **keys),  # type: ignore[arg-type]
            "pdu-b": Domain("pdu-b", "power"),
        },
        watts_per_unit_kw=kw,
    )


class TestRoutes:
    """A fault stands where the figure that it doubts is written."""

    @pytest.mark.parametrize(
        ("key", "value", "written"), [("rated_kw", 1, "ratedKw"), ("measured_kw", 90, "measuredKw")]
    )
    def test_where_it_stands(self, key: str, value: float, written: str) -> None:
        (fault,) = check_flows(compile_facility(pair(**{key: value})), TopologyRoutes())
        assert fault.route == ("domains", "pdu-a", written)


class TestOvercommitted:
    """A rated domain whose strict flow exceeds its rating with nothing failed."""

    @pytest.mark.parametrize(("rated_kw", "said"), [(19.999, True), (20, False), (20.0 - 1e-9, False)])
    def test_equality_is_within_the_rating(self, rated_kw: float, said: bool) -> None:
        assert faults(pair(rated_kw=rated_kw)) == ([("overcommitted", "pdu-a")] if said else [])

    @given(estates())
    def test_as_the_naive_flows_say(self, estate: Estate) -> None:
        flows = {
            name: kw
            for commodity in ("power", "heat")
            for name, kw in naive_strict.flow(estate, commodity, set(), set(), "allocated").items()
        }
        over = {
            domain.id
            for domain in estate.domains.values()
            if domain.rated_kw is not None and naive_engine.over(flows.get(domain.id, 0.0), domain.rated_kw)
        }
        assert {name for rule, name in faults(estate) if rule == "overcommitted"} == over

    def test_a_lower_bound_can_be_enough(self) -> None:
        estate = pair(kw=None, rated_kw=1, own_load_kw=2)
        (fault,) = check_flows(compile_facility(estate), TopologyRoutes())
        assert "at least 2 kW" in fault.message

    def test_out_of_service_is_not_nothing_failed(self) -> None:
        estate = pair(rated_kw=20)
        out = replace(estate.domains["pdu-b"], out=True)
        assert faults(replace(estate, domains={**estate.domains, "pdu-b": out})) == []


class TestLoadMismatch:
    """`measuredKw` and the model differ by more than 20 %, of the model's flow."""

    @pytest.mark.parametrize(
        ("measured_kw", "said"),
        [(24, False), (24.01, True), (16, False), (15.99, True), (0, True), (20, False)],
    )
    def test_twenty_percent_either_way(self, measured_kw: float, said: bool) -> None:
        assert (abs(Fraction(measured_kw) - 20) > 4) == said
        assert faults(pair(measured_kw=measured_kw)) == ([("load-mismatch", "pdu-a")] if said else [])

    def test_unknown_draw_contradicts_no_meter(self) -> None:
        assert faults(pair(kw=None, measured_kw=90)) == []

    def test_a_reading_where_the_model_has_nothing(self) -> None:
        assert faults(replace(pair(measured_kw=3), nodes=())) == [("load-mismatch", "pdu-a")]
