"""What can be added so that every single failure stays survivable, and what is rated for nothing."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from closure.tolerance import exceeds
from findings.headroom.document import headroom_to_json
from findings.headroom.rooms import Room, headroom_report
from tests.generator import Choices, Size, estate_from
from tests.strategies import estates
from topology.kinds import POWER, commodity_of
from topology.model import Domain, Estate, Mode, Node, Standing

SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "headroom.schema.json"


def rooms(estate: Estate) -> dict[str, Room]:
    return {room.domain: room for room in headroom_report(compile_facility(estate)).rooms}


def estate(*domains: Domain, kw: float, pdu: tuple[str, ...]) -> Estate:
    mode: Mode = "any" if len(pdu) > 1 else "one"
    node = Node("n", 1, kw_per_unit=kw, standings=(Standing("pdu", mode, pdu),))
    return Estate(
        "c",
        "gpu",
        "2026-11-30T12:00:00Z",
        (node,),
        {domain.id: domain for domain in domains},
        watts_per_unit_kw=4.0,
    )


def test_two_feeds_keep_room_for_each_other() -> None:
    """90 kW on a and b, 100 kW each: 45 kW flow through either, 90 when the other fails. 10 more fit."""
    pair = Domain("a", "power", rated_kw=100), Domain("b", "power", rated_kw=100)
    found = rooms(estate(*pair, kw=90, pdu=("a", "b")))["a"]
    assert (found.flow_kw, found.free_kw, found.headroom_kw, found.stranded_kw) == (45, 55, 10, 45)
    assert (found.limited_by, found.limiting_failure, found.units) == ("a", "b", 2)


def test_of_what_keeps_as_much_unknown_the_first_by_id_is_named_first() -> None:
    chains = (
        Domain("z", "ups"),
        Domain("y", "ups"),
        Domain("p1", "power", parent="z", rated_kw=9),
        Domain("p2", "power", parent="y", rated_kw=9),
    )
    report = headroom_report(compile_facility(estate(*chains, kw=2, pdu=("p1", "p2"))))
    assert [(blind.id, blind.domains) for blind in report.blind] == [("y", 1), ("z", 1)]


def test_what_is_dead_with_its_parent_keeps_nothing_from_being_known() -> None:
    """Heat flows up through what is alive: `idle` hangs from a loop that is out, and has no rating."""
    domains = (
        Domain("loop", "cooling", out=True),
        Domain("idle", "cooling", parent="loop"),
        Domain("live", "cooling", rated_kw=50),
        Domain("c", "cooling", feeds=("idle", "live"), rated_kw=20),
        Domain("p", "power"),
    )
    base = estate(*domains, kw=5, pdu=("p",))
    standings = (Standing("pdu", "one", ("p",)), Standing("cooling", "one", ("c",)))
    nodes = (dataclasses.replace(base.nodes[0], standings=standings),)
    found = rooms(dataclasses.replace(base, nodes=nodes))["c"]
    assert (found.headroom_kw, found.unrated) == (15, ())


def test_a_chain_is_bounded_by_its_tightest_link() -> None:
    chain = Domain("p", "power", parent="u", rated_kw=100), Domain("u", "ups", rated_kw=30)
    found = rooms(estate(*chain, kw=20, pdu=("p",)))
    assert (found["p"].headroom_kw, found["p"].stranded_kw) == (10, 70)
    assert (found["p"].limited_by, found["p"].limiting_failure) == ("u", None)
    assert found["u"].stranded_kw == 0


def test_the_surviving_feeds_bound_what_stands_behind_them() -> None:
    """The lab: 6 kW on feeds of 8 and 4 kW. The strong one's failure is an outage already: no room."""
    feeds = Domain("strong", "power", rated_kw=8), Domain("weak", "power", rated_kw=4)
    panel = Domain("panel", "power", feeds=("strong", "weak"), rated_kw=20)
    found = rooms(estate(*feeds, panel, kw=6, pdu=("panel",)))
    assert (found["panel"].headroom_kw, found["panel"].stranded_kw) == (0, 14)
    assert (found["strong"].headroom_kw, found["strong"].limiting_failure) == (2, "weak")


def test_no_more_than_all_of_an_addition_reaches_what_leaves_it_no_room() -> None:
    """`b` is out and `a` trips: with it goes the chiller, which no heat can be added to any more."""
    domains = (
        Domain("a", "power", rated_kw=5),
        Domain("b", "power", out=True),
        Domain("p", "power", feeds=("a", "b")),
        Domain("chiller", "cooling", parent="a", rated_kw=50),
    )
    found = headroom_to_json(headroom_report(compile_facility(estate(*domains, kw=8, pdu=("p",)))))
    (chiller,) = [room for room in found["domains"] if room["id"] == "chiller"]
    assert (chiller["headroomKw"], chiller["limitedBy"]["domain"]) == (0, "a")
    assert chiller["limitedBy"]["share"] <= 1


def test_an_unrated_feed_makes_an_upper_bound() -> None:
    chain = Domain("p", "power", parent="u", rated_kw=100), Domain("u", "ups")
    assert rooms(estate(*chain, kw=20, pdu=("p",)))["p"].unrated == ("u",)


def test_an_unrated_surviving_feed_may_demote_what_an_addition_only_stands_on() -> None:
    """Σ ratedKw(surviving feeds) − load "of every domain that D stands on": all flows by p1, and p2 keeps
    only u2 when u1 fails. Rated 5 kW, that would demote p2, and with it the rack, which needs both."""
    one = estate(
        Domain("u1", "ups", rated_kw=100),
        Domain("u2", "ups"),
        Domain("p1", "power", rated_kw=100),
        Domain("p2", "power", rated_kw=100, feeds=("u1", "u2")),
        Domain("p3", "power", rated_kw=20, feeds=("p1", "p2"), min_feeds=2, transfer="preferred"),
        kw=4,
        pdu=("p3",),
    )
    found = rooms(one)["p3"]
    assert (found.headroom_kw, found.unrated, found.full) == (16, ("u2",), None)
    weak = dataclasses.replace(one.domains["u2"], rated_kw=5)
    assert rooms(dataclasses.replace(one, domains={**one.domains, "u2": weak}))["p3"].headroom_kw == 1


@pytest.mark.parametrize("seed", [*range(150), 1803, 2296])
def test_a_rating_never_lowers_what_was_known(seed: int) -> None:
    """Whatever rating something gets, as long as every failure trips and demotes what it did."""
    choices = Choices(Random(seed).randrange)
    one = estate_from(choices, Size(14, 6, 0, rated=2, kw_known=True))
    blind = sorted(d.id for d in one.domains.values() if d.rated_kw is None and commodity_of(d.kind))
    if not blind:
        return
    name, kw = choices.pick(blind), choices.pick((0.5, 2, 5, 8, 13, 21, 34, 60))
    domain = dataclasses.replace(one.domains[name], rated_kw=kw)
    rated = dataclasses.replace(one, domains={**one.domains, name: domain})
    before, after = compile_facility(one), compile_facility(rated)
    if any(cascades(before, failed) != cascades(after, failed) for failed in one.domains):
        return
    later = rooms(rated)
    for room in rooms(one).values():
        if room.exact and name not in room.unrated:
            assert later[room.domain].headroom_kw == room.headroom_kw


def cascades(facility: Facility, failed: str) -> tuple[set[str], set[str]]:
    closure = close(facility, [failed])
    tripped = {trip.id for trip in strict_check(facility, [failed], closure).tripped}
    return tripped, {lost.id for lost in closure.domains if lost.cause == "demoted"}


def with_load(estate: Estate, name: str, kw: float) -> Facility:
    """The estate with more load that enters at a power domain itself: a larger loadKw."""
    domain = estate.domains[name]
    heavier = dataclasses.replace(domain, own_load_kw=(domain.own_load_kw or 0) + kw)
    return compile_facility(dataclasses.replace(estate, domains={**estate.domains, name: heavier}))


@settings(max_examples=25)
@given(estates(kw_known=True, max_domains=9), st.data())
def test_what_fits_overloads_nothing_and_a_little_more_does(one: Estate, data: st.DataObject) -> None:
    """Against both engines on an estate that carries the addition."""
    report = headroom_report(compile_facility(one)).rooms
    power = [room for room in report if commodity_of(room.kind) == POWER]
    if not power:
        return
    room = data.draw(st.sampled_from(power))
    if room.headroom_kw:
        before, full = compile_facility(one), with_load(one, room.domain, room.headroom_kw)
        for failed in one.domains:
            old, new = cascades(before, failed), cascades(full, failed)
            assert new[0] <= old[0] or old[0]
            assert new[1] <= old[1]
    over = with_load(one, room.domain, room.headroom_kw * 1.01 + 0.01)
    where = over.domain_index[room.limited_by]
    if room.limiting_failure is None:
        outages = [name for name, domain in one.domains.items() if domain.out]
        assert outages or exceeds(over.flows_kw[where], room.limit.rated_kw)
        return
    tripped, demoted = cascades(over, room.limiting_failure)
    held_before = exceeds(over.flows_kw[where], room.limit.rated_kw)
    assert held_before or room.limited_by in (demoted if room.limit.demoted else tripped)


@given(estates())
def test_the_document_keeps_to_its_schema(one: Estate) -> None:
    document = headroom_to_json(headroom_report(compile_facility(one)))
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(document)
    assert all(room["headroomKw"] >= 0 for room in document["domains"])


@pytest.mark.parametrize("load", ["allocated", "installed"])
def test_nothing_rated_is_an_empty_report(load: str) -> None:
    facility = compile_facility(estate(Domain("p", "power"), kw=1, pdu=("p",)), load)  # type: ignore[arg-type]
    assert headroom_report(facility).rooms == ()


class TestUnknownPower:
    """Unknown is reported as unknown, never as 0."""

    def chain(self, *kw: float | None) -> Room:
        one = estate(Domain("p", "power", rated_kw=9), kw=1, pdu=("p",))
        nodes = tuple(dataclasses.replace(one.nodes[0], id=f"n{i}", kw_per_unit=k) for i, k in enumerate(kw))
        return rooms(dataclasses.replace(one, nodes=nodes, watts_per_unit_kw=None))["p"]

    def test_nothing_known(self) -> None:
        found = self.chain(None, None)
        assert (found.flow_kw, found.free_kw, found.stranded_kw, found.limit_load_kw) == (None,) * 4
        assert (found.headroom_kw, found.exact, found.full) == (9, False, None)

    def test_partly_known_is_a_lower_bound(self) -> None:
        found = self.chain(4, None)
        assert (found.flow_kw, found.flow_exact, found.limit_load_kw, found.full) == (4, False, 4, None)

    def test_full_with_what_is_known_is_full(self) -> None:
        assert self.chain(9, None).full is True

    def test_no_load_is_a_known_0(self) -> None:
        found = self.chain(0)
        assert (found.flow_kw, found.flow_exact, found.full) == (0, True, False)

    def test_an_idle_backup_carries_a_known_0_until_its_preferred_feed_is_out(self) -> None:
        def backup(status: str) -> Room:
            first = Domain("a", "ups", rated_kw=9, out=status == "out")
            ats = Domain("ats", "ats", feeds=("a", "b"), transfer="preferred")
            one = estate(first, Domain("b", "ups", rated_kw=9), ats, kw=1, pdu=("ats",))
            node = Node("n", 1, standings=(Standing("pdu", "one", ("ats",)),))
            return rooms(dataclasses.replace(one, nodes=(node,), watts_per_unit_kw=None))["b"]

        assert backup("in").flow_kw == 0
        assert backup("out").flow_kw is None
