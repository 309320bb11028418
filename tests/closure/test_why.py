"""Proofs: every hop follows from earlier ones, and a survivor is held by what is alive."""

from __future__ import annotations

import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from closure.why import Hold, Hop, why
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
        ("b", "tripped", (), 1, 12, 8),
        ("a", "failed", (), None, None, None),
        ("d1", "feeds-lost", ("a", "b"), None, None, None),
        ("n", "standing-lost", ("d1",), None, None, None),
    ]


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
                assert hop.by or hop.rule in {"failed", "out", "tripped"}
                explained.add(hop.id)
            assert not hops or hops[-1].id == name
        for hold in proof.holds:
            assert not set(hold.alive) & lost.domains
            assert set(hold.lost) <= lost.domains
            assert hold.spare >= 0
            if hold.lost and hold.margin_kw is not None:
                assert not naive_engine.over(hold.draw_kw or 0, hold.rated_kw or 0)
