"""Inputs that broke other tools, with their right answers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pytest

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from closure.sweep import sweep
from closure.why import why
from tests.estates import estate_of, on
from tests.strategies import SNAPSHOT_AT, ladder
from topology.model import Domain, Estate, Node, Standing
from topology.unknown_id import UnknownId


class TestDepth:
    """A 5,000-deep chain works (no recursion limit); a cycle is refused. (NetBox 3782, 2721, 17292)"""

    def test_a_deep_chain_falls_whole(self) -> None:
        facility = compile_facility(ladder(5000))
        closure = close(facility, ["p00000"])
        assert len(closure.domains) == 5000
        assert closure.domains[-1].sources == ("p00000",)
        assert [node.id for node in closure.nodes] == ["n"]
        assert strict_check(facility, ["p00000"], closure).agrees
        assert len(why(facility, closure, "n").hops) == 5001

    def test_a_deep_chain_carries_its_load_to_the_top(self) -> None:
        facility = compile_facility(ladder(5000))
        assert facility.load_kw("p00000") == 8
        assert facility.strict_flow_kw("p00000") == 8

    def test_every_failure_of_a_deep_chain(self) -> None:
        rows = list(sweep(compile_facility(ladder(200))))
        assert [len(row.domains) for row in rows] == list(range(200, 0, -1))

    @pytest.mark.parametrize("cycle", [("a",), ("a", "b"), ("a", "b", "c")])
    def test_a_cycle_is_refused(self, cycle: tuple[str, ...]) -> None:
        parents = dict(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        domains = {name: Domain(name, "power", parent=parent) for name, parent in parents.items()}
        with pytest.raises(ValueError, match="cycle"):
            compile_facility(Estate("lab", "gpu", SNAPSHOT_AT, (), domains))


def test_five_levels_reach_the_top_rating() -> None:
    """Five levels feed, UPS, PDU, PDU, rack: the load reaches the top. (NetBox 3377, 17843)"""
    domains = {
        "feed": {"kind": "utility", "ratedKw": 20},
        "ups": {"kind": "ups", "parent": "feed"},
        "pdu-1": {"kind": "power", "parent": "ups"},
        "pdu-2": {"kind": "power", "parent": "pdu-1"},
        "rack": {"kind": "rack", "parent": "pdu-2"},
    }
    facility = compile_facility(estate_of(domains, {"n": {"allocated": 6, "domains": {"rack": "rack"}}}))
    assert {name: facility.load_kw(name) for name in domains} == dict.fromkeys(domains, 6)


def test_a_machine_behind_two_feeds_is_counted_once() -> None:
    """load_kw sums distinct nodes: reconvergent feeds do not double a load."""
    domains = {
        "pdu": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
        "ups-a": {"kind": "ups", "parent": "xfmr"},
        "ups-b": {"kind": "ups", "parent": "xfmr"},
        "xfmr": {"kind": "transformer"},
    }
    facility = compile_facility(estate_of(domains, {"n": on("pdu", 6)}))
    assert facility.load_kw("xfmr") == 6
    assert facility.strict_flow_kw("ups-a") == 3
    assert facility.strict_flow_kw("xfmr") == 6


class TestUnknownDraw:
    """An unset draw shown as 0 %: must read unknown. (NetBox 9795, Nautobot 7202)"""

    DOMAINS: ClassVar = {
        "d": {"kind": "power", "feeds": ["a", "b"]},
        "a": {"kind": "ups", "ratedKw": 8},
        "b": {"kind": "ups", "ratedKw": 4},
    }

    def test_it_is_unknown_upwards_and_verifies_nothing(self) -> None:
        facility = compile_facility(estate_of(self.DOMAINS, {"n": on("d", 6)}, wattsPerUnitKw=None))
        closure = close(facility, ["a"])
        assert facility.load_kw("a") is None
        assert [(u.id, u.unrated_feeds, u.draw_known) for u in closure.electrically_unverified] == [
            ("d", (), False)
        ]
        assert closure.basis == ("electrically-unverified", "redundant")
        assert strict_check(facility, ["a"], closure).lower_bound

    def test_no_units_draw_nothing_whatever_a_unit_draws(self) -> None:
        facility = compile_facility(estate_of(self.DOMAINS, {"n": on("d", 0)}, wattsPerUnitKw=None))
        assert facility.load_kw("a") == 0

    def test_installed_load_is_unknown_where_installed_is(self) -> None:
        nodes = {"n": on("d", 6, installed=8), "m": on("d", 1)}
        estate = estate_of(self.DOMAINS, nodes)
        assert compile_facility(estate).load_kw("d") == 7
        assert compile_facility(estate, "installed").load_kw("d") is None


def test_one_feed_gone_is_degraded_not_normal() -> None:
    """A dual-fed thing with one feed gone is degraded; list it. (openDCIM 684)"""
    domains = {"a": {"kind": "power"}, "b": {"kind": "power"}, "r": {"kind": "rack", "feeds": ["a", "b"]}}
    facility = compile_facility(
        estate_of(domains, {"n": {"allocated": 1, "domains": {"rack": "r", "pdu": ["a", "b"]}}})
    )
    degraded = close(facility, ["a"]).degraded
    assert [(d.id, d.type, d.lost_feeds, d.surviving_feeds, d.spare, d.axes) for d in degraded] == [
        ("n", "node", ("a",), ("b",), 0, ("pdu",)),
        ("r", "domain", ("a",), ("b",), 0, ()),
    ]


def test_the_list_with_the_fewest_left_says_how_many_more_a_node_can_lose() -> None:
    domains = {name: {"kind": "power"} for name in "abc"} | {name: {"kind": "ups"} for name in "uv"}
    stands = {"pdu": ["a", "b", "c"], "ups": ["u", "v"]}
    facility = compile_facility(estate_of(domains, {"n": {"allocated": 1, "domains": stands}}))

    def spare(*failed: str) -> list[int]:
        return [each.spare for each in close(facility, failed).degraded]

    assert (spare("a"), spare("a", "u"), spare("a", "b", "u")) == ([1], [0], [0])


def test_what_is_lost_is_not_degraded() -> None:
    """However many fail at once: `p23` is judged when both of its feeds have been."""
    domains: dict[str, dict[str, Any]] = {f"p{n:02}": {"kind": "power"} for n in range(40)}
    domains["p23"]["feeds"] = ["p02", "p09"]
    closure = close(compile_facility(estate_of(domains, {})), ["p02", "p05", "p09", "p25", "p35"])
    assert (len(closure.domains), closure.degraded) == (6, ())


def test_a_chiller_loop_needs_its_pump_and_one_of_two_chillers() -> None:
    """With parent too, both rules hold; power sees the own loadKw of cooling (spec 4 rule 4)."""
    domains = {
        "loop": {"kind": "cooling", "parent": "pump-pdu", "feeds": ["c1", "c2"]},
        "pump-pdu": {"kind": "power"},
        "c1": {"kind": "cooling", "ratedKw": 10, "feeds": ["pump-pdu", "ups"], "loadKw": 3},
        "c2": {"kind": "cooling", "ratedKw": 10},
        "ups": {"kind": "ups", "ratedKw": 2},
    }
    nodes = {"n": {"allocated": 9, "domains": {"cooling": "loop"}}}
    facility = compile_facility(estate_of(domains, nodes))
    closure = close(facility, ["pump-pdu"])
    assert {d.id: d.cause for d in closure.domains} == {
        "pump-pdu": "failed",
        "loop": "parent-lost",
        "c1": "demoted",
    }
    assert close(facility, ["c1"]).nodes == ()
    assert facility.load_kw("c1") == 9
    assert facility.load_kw("ups") == 3


class TestEquality:
    """Load exactly equal to the surviving rating survives; one ULP of float noise does not decide it."""

    @pytest.mark.parametrize("kw", [0.3, math.nextafter(0.3, 1), 0.1 + 0.2, 0.3 * (1 + 5e-10)])
    def test_equal_survives(self, kw: float) -> None:
        assert self._causes(kw) == {"a": "failed"}

    @pytest.mark.parametrize("kw", [0.3 * (1 + 2e-9), 0.31])
    def test_more_is_lost(self, kw: float) -> None:
        assert self._causes(kw) == {"a": "failed", "d": "demoted"}

    @staticmethod
    def _causes(kw: float) -> dict[str, str]:
        domains = {
            "d": {"kind": "power", "feeds": ["a", "b"]},
            "a": {"kind": "ups", "ratedKw": 0.3},
            "b": {"kind": "ups", "ratedKw": 0.3},
        }
        facility = compile_facility(estate_of(domains, {"n": on("d", 1, kwPerUnit=kw)}))
        closure = close(facility, ["a"])
        assert strict_check(facility, ["a"], closure).agrees
        return {domain.id: domain.cause for domain in closure.domains}


def test_an_overload_with_nothing_failed_is_not_an_outage() -> None:
    """A domain over its ratings with nothing failed is a finding of its own, in closure and strict check."""
    domains = {
        "d": {"kind": "power", "feeds": ["a", "b"]},
        "a": {"kind": "ups", "ratedKw": 2},
        "b": {"kind": "ups", "ratedKw": 2},
        "other": {"kind": "power"},
    }
    facility = compile_facility(estate_of(domains, {"n": on("d", 8)}))
    closure = close(facility, ["other"])
    assert [domain.id for domain in closure.domains] == ["other"]
    assert strict_check(facility, ["other"], closure).tripped == ()


def test_unknown_ids_are_named_with_the_closest() -> None:
    """Unknown ids in --fail list the closest known ids (spec 6)."""
    facility = compile_facility(estate_of({"ups-a": {"kind": "ups"}, "ups-b": {"kind": "ups"}}, {}))
    with pytest.raises(UnknownId) as refusal:
        close(facility, ["ups-a", "UPS-B", "nothing"])
    assert refusal.value.ids == ("UPS-B", "nothing")
    assert refusal.value.closest[0][0] == "ups-b"


def test_axes_are_told_in_one_order_whatever_the_file_says() -> None:
    """The first of topology.kinds.AXES that took the node is what took it."""
    standings = (
        Standing("zone", "one", ("z",)),
        Standing("cooling", "one", ("c",)),
        Standing("rack", "one", ("r",)),
    )
    domains = {"z": Domain("z", "zone"), "c": Domain("c", "cooling"), "r": Domain("r", "rack")}
    estate = Estate("c", "gpu", SNAPSHOT_AT, (Node("n", 1, standings=standings),), domains)
    (lost,) = close(compile_facility(estate), ["z", "c", "r"]).nodes
    assert (lost.axis, lost.by, lost.axes) == ("rack", ("r",), ("rack", "cooling", "zone"))
