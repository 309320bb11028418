"""Proofs: every hop follows from earlier ones, and a survivor is held by what is alive."""

from __future__ import annotations

import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.proof import Carried, Hold, Hop, Shift
from closure.strict import strict_check
from closure.why import why
from tests import naive_engine, strategies
from tests.estates import estate_of, on
from topology.model import Estate
from topology.unknown_id import UnknownId

DOMAINS = {
    "xfmr": {"kind": "transformer"},
    "ups-a": {"kind": "ups", "parent": "xfmr", "ratedKw": 8},
    "ups-b": {"kind": "ups", "ratedKw": 4},
    "ups-c": {"kind": "ups"},
    "pdu-1": {"kind": "power", "feeds": ["ups-a", "ups-b"]},
    "pdu-2": {"kind": "power", "feeds": ["ups-a", "ups-c"]},
}


@pytest.fixture
def facility() -> Facility:
    return compile_facility(estate_of(DOMAINS, {"n1": on("pdu-1", 6), "n2": on(["pdu-1", "pdu-2"], 2)}))


def test_a_loss_is_traced_to_what_failed(facility: Facility) -> None:
    proof = why(facility, close(facility, ["xfmr"]), "n1")
    assert proof.lost
    assert proof.hops == (
        Hop("xfmr", "domain", "failed"),
        Hop("ups-a", "domain", "parent-lost", ("xfmr",)),
        Hop(
            "pdu-1",
            "domain",
            "demoted",
            ("ups-a",),
            feeds=2,
            needed=1,
            load_kw=8,
            limit_kw=4,
            survivors=("ups-b",),
        ),
        Hop("n1", "node", "standing-lost", ("pdu-1",), "pdu"),
    )
    assert proof.holds == ()


def test_a_survivor_is_traced_to_what_holds_it(facility: Facility) -> None:
    proof = why(facility, close(facility, ["ups-b"]), "n1")
    assert not proof.lost
    assert proof.hops == ()
    margin, standing = proof.holds
    assert margin == Hold(
        "pdu-1",
        "domain",
        "feeds",
        "any",
        ("ups-a",),
        ("ups-b",),
        1,
        draw_kw=8,
        rated_kw=8,
        margin_kw=0,
    )
    assert (standing.axis, standing.alive, standing.spare) == ("pdu", ("pdu-1",), 0)


def test_an_unknown_margin_says_why(facility: Facility) -> None:
    (hold,) = why(facility, close(facility, ["ups-a"]), "pdu-2").holds
    assert hold.margin_kw is None
    assert hold.unrated == ("ups-c",)
    assert hold.draw_kw == 2


def test_the_strict_check_has_its_own_proof(facility: Facility) -> None:
    closure = close(facility, ["ups-c"])
    strict = strict_check(facility, ["ups-c"], closure)
    proof = why(facility, closure, "n1", strict)
    assert proof.strict_lost is False
    shared = compile_facility(
        estate_of(
            {"b": {"kind": "ups", "ratedKw": 8}, "a": {"kind": "ups", "ratedKw": 8}}
            | {name: {"kind": "power", "feeds": ["a", "b"]} for name in ("d1", "d2")},
            {"n": on("d1", 6), "m": on("d2", 6)},
        )
    )
    closure = close(shared, ["a"])
    proof = why(shared, closure, "n", strict_check(shared, ["a"], closure))
    assert (proof.lost, proof.strict_lost) == (False, True)
    assert [
        (hop.id, hop.rule, hop.by, hop.round, hop.load_kw, hop.limit_kw) for hop in proof.strict_hops
    ] == [
        ("a", "failed", (), None, None, None),
        ("b", "tripped", ("a",), 1, 12, 8),
        ("d1", "feeds-lost", ("a", "b"), None, None, None),
        ("n", "standing-lost", ("d1",), None, None, None),
    ]

    assert proof.strict_hops[1].before_kw == 6
    assert proof.strict_hops[1].shifts == (Shift("domain", ("d1", "d2"), ("a",), "b", 6, 12),)
    hold = proof.holds[0]
    assert hold.carried == (Carried("b", 6, 12, 12, 8, exact=True, tripped=1),)


def test_a_trip_far_above_is_traced_down_to_what_was_lost() -> None:
    """The flow of `top` rises because `d` lost `a` below it; two machines on one panel shift with it."""
    shared = compile_facility(
        estate_of(
            {
                "top": {"kind": "transformer", "ratedKw": 5},
                "a": {"kind": "ups"},
                "b": {"kind": "ups", "parent": "top"},
                "d": {"kind": "power", "feeds": ["a", "b"]},
            },
            {"n": on("d", 6), "m": on("d", 2)},
        )
    )
    closure = close(shared, ["a"])
    proof = why(shared, closure, "n", strict_check(shared, ["a"], closure))
    assert [(hop.id, hop.rule, hop.by) for hop in proof.strict_hops] == [
        ("a", "failed", ()),
        ("top", "tripped", ("a",)),
        ("b", "parent-lost", ("top",)),
        ("d", "feeds-lost", ("a", "b")),
        ("n", "standing-lost", ("d",)),
    ]
    assert proof.strict_hops[1].shifts == (Shift("domain", ("d",), ("a",), "b", 4, 8),)


def test_a_pump_that_stops_shifts_nothing() -> None:
    """It needs both feeds: with `a` it draws no more of its 0.5 kW from `b`, of which half were there."""
    shared = compile_facility(
        estate_of(
            {"b": {"kind": "ups", "ratedKw": 8}, "a": {"kind": "ups", "ratedKw": 8}}
            | {"pump": {"kind": "cooling", "feeds": ["a", "b"], "minFeeds": 2, "loadKw": 0.5}}
            | {name: {"kind": "power", "feeds": ["a", "b"]} for name in ("d1", "d2")},
            {"n": on("d1", 6), "m": on("d2", 6)},
        )
    )
    closure = close(shared, ["a"])
    trip = why(shared, closure, "n", strict_check(shared, ["a"], closure)).strict_hops[1]
    assert (trip.id, trip.before_kw, trip.load_kw) == ("b", 6.25, 12)
    assert trip.shifts == (Shift("domain", ("d1", "d2"), ("a",), "b", 6, 12),)


def test_heat_on_an_all_axis_keeps_its_shares() -> None:
    """`n` is lost with `y` and still draws: `x` keeps its 2 kW of heat, and trips under what `m` shifts."""
    loops = {"all": ("n", 4), "any": ("m", 6)}
    shared = compile_facility(
        estate_of(
            {"x": {"kind": "cooling", "ratedKw": 7}, "y": {"kind": "cooling"}},
            {
                name: {"allocated": units, "domains": {"cooling": {mode: ["x", "y"]}}}
                for mode, (name, units) in loops.items()
            },
        )
    )
    closure = close(shared, ["y"])
    trip = why(shared, closure, "m", strict_check(shared, ["y"], closure)).strict_hops[1]
    assert (trip.id, trip.before_kw, trip.load_kw) == ("x", 5, 8)
    assert trip.shifts == (Shift("node", ("m",), ("y",), "x", 3, 6),)


def test_what_is_shared_is_what_carries() -> None:
    """The margin of one domain against its feeds is not what its feed has left: others hang from it too."""
    shared = compile_facility(
        estate_of(
            {"b": {"kind": "ups", "ratedKw": 8}, "a": {"kind": "ups", "ratedKw": 8}}
            | {name: {"kind": "power", "feeds": ["a", "b"]} for name in ("d1", "d2")},
            {"n": on("d1", 3), "m": on("d2", 4)},
        )
    )
    closure = close(shared, ["a"])
    proof = why(shared, closure, "d1", strict_check(shared, ["a"], closure))
    (hold,) = proof.holds
    assert hold.margin_kw == 5
    assert hold.carried == (Carried("b", 3.5, 7, 7, 8, exact=True),)
    assert hold.carried[0].left_kw == 1
    assert proof.carried == Carried("d1", 3, 3, 3, None, exact=True)


def test_an_unknown_id_is_refused(facility: Facility) -> None:
    with pytest.raises(UnknownId):
        why(facility, close(facility, []), "pdu-9")


@given(scenario=strategies.scenarios(max_workloads=0))
def test_every_hop_follows_from_earlier_ones(scenario: tuple[Estate, tuple[str, ...]]) -> None:
    estate, failed = scenario
    facility = compile_facility(estate)
    closure = close(facility, failed)
    strict = strict_check(facility, failed, closure)
    lost = naive_engine.close(estate, failed)
    for name in (*estate.domains, *(node.id for node in estate.nodes)):
        proof = why(facility, closure, name, strict)
        assert proof.lost == (name in lost.domains | lost.nodes) == bool(proof.hops)
        assert not (proof.lost and proof.holds)
        assert proof.strict_lost == bool(proof.strict_hops)
        for hops in (proof.hops, proof.strict_hops):
            explained: set[str] = set()
            for hop in hops:
                assert set(hop.by) <= explained
                assert hop.by or hop.rule in {"failed", "out"}
                assert bool(hop.shifts) == (hop.rule == "tripped")
                assert all(shift.after_kw > shift.before_kw for shift in hop.shifts)
                explained.add(hop.id)
            assert not hops or hops[-1].id == name
        for hold in proof.holds:
            assert not set(hold.alive) & lost.domains
            assert set(hold.lost) <= lost.domains
            assert hold.spare >= 0
            if hold.lost and hold.margin_kw is not None:
                assert not naive_engine.over(hold.draw_kw or 0, hold.rated_kw or 0)
