"""Headroom against every round of a failure, against what is out, and along every way that may be used."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.headroom.rooms import Room, headroom_report
from tests import naive_engine, naive_strict
from tests.generator import seeded_scenario
from tests.strategies import estates
from topology.kinds import POWER, commodity_of
from topology.model import Domain, Estate, Mode, Node, Standing

OUT = "out"
EXTRA = "the addition"
NEARLY = 1 - 1e-6
"""Of a headroom [-]: so far from the limit that no rounding decides."""


def stand(name: str, place: str, kw: float | None, *, axis: str = "rack") -> Node:
    """A node of one unit that draws so many kW at one place."""
    return Node(name, 1, kw_per_unit=kw, standings=(Standing(axis, "one", (place,)),))


def estate(nodes: tuple[Node, ...], *domains: Domain) -> Estate:
    return Estate("c", "gpu", "2026-11-30T12:00:00Z", nodes, {domain.id: domain for domain in domains})


def rooms(one: Estate) -> dict[str, Room]:
    return {room.domain: room for room in headroom_report(compile_facility(one)).rooms}


def cascade() -> Estate:
    """12 kW on a, b and c; b is weak: if a fails, b trips, and c carries everything alone."""
    return estate(
        (stand("n", "rack-1", 12),),
        Domain("a", "ups", rated_kw=100),
        Domain("b", "ups", rated_kw=5),
        Domain("c", "ups", rated_kw=14),
        Domain("rack-1", "rack", feeds=("a", "b", "c")),
        Domain("rack-2", "rack", parent="c", rated_kw=30),
    )


class TestEveryRound:
    """'How many kW can be added at a rated domain D so that every single failure stays survivable?'"""

    @pytest.mark.parametrize("name", ["c", "rack-2"])
    def test_what_shifts_when_something_trips_takes_room(self, name: str) -> None:
        found = rooms(cascade())[name]
        assert (found.headroom_kw, found.limited_by, found.limiting_failure) == (2, "c", "a")
        assert (found.limit_load_kw, found.limit.rated_kw) == (12, 14)

    def test_what_a_failure_trips_anyway_has_no_room_behind_it(self) -> None:
        """'A failure that overloads something already leaves no room behind it.'"""
        assert rooms(cascade())["b"].headroom_kw == 0


class TestWhatIsOut:
    """'With nothing failed … Δ ≤ …': what is out has shifted load, tripped and demoted already."""

    def test_what_trips_with_nothing_more_failed_is_gone_when_something_fails(self) -> None:
        """b trips with a out: 4 kW on c and on d, 8 on the one when the other fails, so 15 − 8."""
        found = rooms(
            estate(
                (stand("n1", "rack-1", 8), stand("n2", "rack-2", 4)),
                Domain("a", "ups", rated_kw=20, out=True),
                Domain("b", "ups", rated_kw=6),
                Domain("c", "ups", rated_kw=15),
                Domain("d", "ups", rated_kw=15),
                Domain("rack-1", "rack", feeds=("a", "b", "c", "d"), rated_kw=10),
                Domain("rack-2", "rack", feeds=("a", "b")),
            )
        )
        assert [found[name].headroom_kw for name in ("b", "c", "d", "rack-1")] == [0, 7, 7, 0]
        assert (found["rack-1"].limited_by, found["rack-1"].limiting_failure) == ("b", None)

    def test_a_trip_is_not_undone_by_a_failure_that_would_have_prevented_it(self) -> None:
        """b trips with a out, and p with it. If e fails, 5 kW join the 6 on d; b alone would have kept 3."""
        found = rooms(
            estate(
                (stand("n1", "rack-1", 6), stand("n2", "rack-2", 6), stand("n3", "rack-3", 5)),
                Domain("a", "ups", rated_kw=20, out=True),
                Domain("b", "ups", rated_kw=5),
                Domain("d", "ups", rated_kw=20),
                Domain("e", "ups", rated_kw=20),
                Domain("p", "power", feeds=("b", "e"), min_feeds=2),
                Domain("rack-1", "rack", feeds=("a", "b", "d")),
                Domain("rack-2", "rack", parent="p"),
                Domain("rack-3", "rack", feeds=("e", "d"), transfer="preferred"),
            )
        )["d"]
        assert (found.headroom_kw, found.limiting_failure, found.limit_load_kw) == (9, "e", 11)

    def baseline(self, util_b: float) -> dict[str, Room]:
        """8 kW behind a PDU that is out still count: 'loads are the snapshot's'."""
        return rooms(
            estate(
                (stand("n1", "rack-1", 8), stand("n2", "rack-2", 2)),
                Domain("util-a", "utility", out=True),
                Domain("util-b", "utility", rated_kw=util_b),
                Domain("swg", "switchgear", feeds=("util-a", "util-b"), rated_kw=50),
                Domain("pdu", "power", parent="swg", out=True),
                Domain("rack-1", "rack", parent="pdu"),
                Domain("rack-2", "rack", parent="swg", rated_kw=30),
            )
        )

    @pytest.mark.parametrize("name", ["swg", "rack-2"])
    @pytest.mark.parametrize(("util_b", "kw"), [(11, 1), (10, 0), (9, 0)])
    def test_the_surviving_feeds_bound_what_stands_on_a_domain_that_lost_one(
        self, name: str, util_b: float, kw: float
    ) -> None:
        """'Δ ≤ Σ ratedKw(surviving feeds) − load, of every domain … that has lost a feed'"""
        found = self.baseline(util_b)[name]
        assert (found.headroom_kw, found.limited_by, found.limiting_failure) == (kw, "swg", None)
        assert (found.limit.demoted, found.limit_load_kw) == (True, 10)

    def test_demotions_take_feeds_too(self) -> None:
        """'Demotions cascade through the closure like any other loss': x is demoted, and takes a feed."""
        found = rooms(
            estate(
                (stand("n", "rack-1", 6), stand("m", "rack-2", 1)),
                Domain("a", "ups", rated_kw=9, out=True),
                Domain("b", "ups", rated_kw=6),
                Domain("x", "power", feeds=("a", "b")),
                Domain("z", "power", rated_kw=8),
                Domain("rack-1", "rack", feeds=("x", "z"), rated_kw=20),
                Domain("rack-2", "rack", parent="x"),
            )
        )["rack-1"]
        assert found.headroom_kw == 0

    def test_no_heat_can_be_added_where_the_loop_is_lost(self) -> None:
        """The pump's PDU is demoted with nothing more failed."""
        loop = Domain("loop", "cooling", parent="pdu", rated_kw=40)
        feeds = Domain("a", "ups", rated_kw=9, out=True), Domain("b", "ups", rated_kw=3)
        pdu = Domain("pdu", "power", feeds=("a", "b"))
        found = rooms(estate((stand("n", "pdu", 5, axis="pdu"),), *feeds, pdu, loop))["loop"]
        assert (found.headroom_kw, found.limited_by, found.limiting_failure) == (0, "b", None)


class TestWhatIsLostWithIt:
    """docs/curtailment.md: "What is out of service, or lost by the closure with what is, has no headroom"."""

    def test_a_rack_in_a_row_that_is_out(self) -> None:
        """Its power may still be on: the row carries none. Nothing can stand there all the same."""
        row = Domain("row", "row", out=True)
        rack = Domain("r", "rack", parent="row", rated_kw=8)
        report = headroom_report(compile_facility(estate((stand("a", "r", 4),), row, rack)))
        assert report.rooms == ()
        assert [(loss.id, loss.cause, loss.by) for loss in report.out_of_service] == [
            ("r", "parent-lost", ("row",))
        ]

    def test_what_is_out_itself(self) -> None:
        one = estate((stand("a", "r", 4),), Domain("r", "rack", rated_kw=8, out=True))
        report = headroom_report(compile_facility(one))
        assert [(loss.id, loss.cause, loss.by) for loss in report.out_of_service] == [("r", "out", ())]

    def test_what_goes_with_a_demotion_by_another_way_than_power(self) -> None:
        """`p` is demoted with nothing more failed; the row it feeds goes, and the rack with the row."""
        feeds = Domain("u", "ups", rated_kw=90, out=True), Domain("v", "ups", rated_kw=3)
        panel = Domain("p", "power", feeds=("u", "v"), rated_kw=70)
        row = Domain("row", "row", feeds=("p",))
        rack = Domain("x", "rack", parent="row", rated_kw=8)
        found = rooms(estate((stand("n", "p", 5, axis="pdu"),), *feeds, panel, row, rack))
        assert found["x"].headroom_kw == 0

    @pytest.mark.parametrize("seed", range(120))
    def test_nothing_that_is_lost_with_nothing_failed_has_room(self, seed: int) -> None:
        one, _ = seeded_scenario(seed)
        report = headroom_report(compile_facility(one))
        lost = naive_engine.close(one, ()).domains
        assert all(room.headroom_kw == 0 for room in report.rooms if room.domain in lost)
        out = {name for name, domain in one.domains.items() if domain.out}
        gone = {name for name in naive_strict.dead_set(one, out) if name in one.domains}
        assert {loss.id for loss in report.out_of_service} == {
            name for name in gone if one.domains[name].rated_kw is not None
        }
        assert gone.isdisjoint(room.domain for room in report.rooms)


class TestWaysThatMayBeUsed:
    """'Behind an unrated feed, or where units of unknown kW stand, headroom is an upper bound.'"""

    def standby(self, *, kw: float | None, gen_kw: float | None, out: str = "") -> Room:
        """An ATS on its preferred utility, with a generator that some other rack hangs from."""
        named = [
            Domain("util", "utility", rated_kw=100),
            Domain("gen", "generator", rated_kw=gen_kw),
            Domain("ats", "ats", feeds=("util", "gen"), transfer="preferred", rated_kw=50),
            Domain("rack-1", "rack", parent="ats", rated_kw=40),
            Domain("rack-2", "rack", parent="gen"),
        ]
        nodes = (stand("n1", "rack-1", 8), stand("n2", "rack-2", kw))
        return rooms(estate(nodes, *(dataclasses.replace(d, out=d.id == out) for d in named)))["rack-1"]

    def test_an_unrated_standby(self) -> None:
        found = self.standby(kw=1, gen_kw=None)
        assert (found.unrated, found.exact, found.full) == (("gen",), True, None)

    def test_unknown_kw_on_a_standby(self) -> None:
        found = self.standby(kw=None, gen_kw=60)
        assert (found.unrated, found.exact, found.full) == ((), False, None)

    def test_all_known(self) -> None:
        found = self.standby(kw=1, gen_kw=60)
        assert (found.unrated, found.exact, found.full, found.headroom_kw) == ((), True, False, 32)

    def test_a_standby_that_is_out_is_never_used(self) -> None:
        found = self.standby(kw=None, gen_kw=None, out="gen")
        assert (found.unrated, found.exact, found.full) == ((), True, False)

    def test_unpowered_units_of_unknown_kw_are_a_known_0(self) -> None:
        """'Unpowered things draw no power and make no heat.'"""
        found = self.standby(kw=None, gen_kw=60, out="rack-2")
        assert (found.exact, found.full) == (True, False)

    def test_a_demotion_that_cannot_be_judged_makes_an_upper_bound(self) -> None:
        """The unknown units are dark and flow nowhere, but they count in the load of what lost a feed."""
        feeds = Domain("a", "ups", rated_kw=90), Domain("b", "ups", rated_kw=80)
        panel = Domain("p", "power", feeds=("a", "b"), rated_kw=70)
        dark = Domain("q", "power", parent="p", out=True)
        nodes = (stand("n", "p", 5, axis="pdu"), stand("m", "q", None, axis="pdu"))
        found = rooms(estate(nodes, *feeds, panel, dark))["p"]
        assert (found.flow_kw, found.flow_exact, found.headroom_kw, found.exact) == (5, True, 65, False)


def with_more(one: Estate, name: str, kw: float) -> Estate:
    """The estate with an addition: a larger loadKw of a power domain, a machine of heat alone on a loop."""
    domain = one.domains[name]
    if commodity_of(domain.kind) == POWER:
        heavier = dataclasses.replace(domain, own_load_kw=(domain.own_load_kw or 0) + kw)
        return dataclasses.replace(one, domains={**one.domains, name: heavier})
    mode: Mode = "one"
    heat = Node(EXTRA, 1, kw_per_unit=kw, standings=(Standing("cooling", mode, (name,)),))
    return dataclasses.replace(one, nodes=(*one.nodes, heat))


def losses(one: Estate, failed: tuple[str, ...]) -> tuple[set[str], set[str], set[str]]:
    """What a failure trips, what it loses by the strict check, and what by the closure (naive engines)."""
    check, closure = naive_strict.strict(one, failed), naive_engine.close(one, failed)
    return (
        set(check.tripped),
        check.domains | check.nodes - {EXTRA},
        closure.domains | closure.nodes - {EXTRA},
    )


@settings(max_examples=60)
@given(estates(kw_known=True, max_domains=10), st.data())
def test_with_its_headroom_added_no_single_failure_loses_more(one: Estate, data: st.DataObject) -> None:
    open_ = [room for room in rooms(one).values() if room.headroom_kw]
    if not open_:
        return
    room = data.draw(st.sampled_from(open_))
    full = with_more(one, room.domain, room.headroom_kw * NEARLY)
    for failed in ((), *((name,) for name in one.domains)):
        before, after = losses(one, failed), losses(full, failed)
        assert all(more <= less for more, less in zip(after, before, strict=True)), failed
