"""Headroom of a part of the estate: under a domain, of some kinds; no figure changes by asking for less."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.headroom.rooms import HeadroomReport, headroom_report
from findings.headroom.scope import under
from findings.index import EstateIndex
from tests.estates import estate_of
from tests.generator import seeded_scenario
from topology.kinds import commodity_of
from topology.unknown_id import UnknownId

DOMAINS: dict[str, Any] = {
    "a": {"kind": "ups", "ratedKw": 50},
    "b": {"kind": "ups", "ratedKw": 50},
    "p": {"kind": "power", "parent": "a", "ratedKw": 40},
    "q": {"kind": "power", "feeds": ["a", "b"], "ratedKw": 40},
    "crah": {"kind": "cooling", "parent": "q", "ratedKw": 30},
    "r1": {"kind": "rack", "parent": "p", "ratedKw": 20},
    "r2": {"kind": "rack", "parent": "q", "ratedKw": 20},
    "r3": {"kind": "rack", "parent": "q", "ratedKw": 20},
    "hall": {"kind": "room"},
    "row": {"kind": "row", "parent": "hall"},
}
NODES = {
    "n1": {"allocated": 4, "domains": {"rack": "r1", "row": "row"}},
    "n2": {"allocated": 4, "domains": {"rack": "r2", "room": "hall", "cooling": "crah"}},
    "n3": {"allocated": 4, "domains": {"rack": "r3"}},
}
ESTATE = estate_of(DOMAINS, NODES)


def report(**asked: Any) -> HeadroomReport:
    return headroom_report(compile_facility(ESTATE), **asked)


def names(**asked: Any) -> list[str]:
    return [room.domain for room in report(**asked).rooms]


class TestUnder:
    """docs/curtailment.md: "`--under ID` keeps a domain and what hangs from it by parents and feeds; of a
    place (a kind that carries nothing: a row, a room, a zone) also that all of whose nodes stand there"."""

    def test_what_hangs_from_it_of_whatever_commodity(self) -> None:
        assert names(under="b") == ["b", "crah", "q", "r2", "r3"]

    def test_of_a_place_what_stands_there_wholly(self) -> None:
        """`p` serves the hall alone; `q` and `a` serve machines elsewhere too."""
        assert names(under="hall") == ["crah", "p", "r1", "r2"]

    def test_what_is_no_domain(self) -> None:
        with pytest.raises(UnknownId):
            report(under="n1")

    @pytest.mark.parametrize("seed", range(40))
    def test_by_going_up_from_every_domain(self, seed: int) -> None:
        """The other way round: what is reached upwards from a domain, and from every node on it."""
        estate, _ = seeded_scenario(seed)
        index = EstateIndex(estate)

        def above(name: str) -> set[str]:
            domain = estate.domains[name]
            ups = {*domain.feeds, *([domain.parent] if domain.parent else [])}
            return {name}.union(*map(above, ups))

        for place in estate.domains:
            wanted = {name for name in estate.domains if place in above(name)}
            if not commodity_of(estate.domains[place].kind):
                for name in estate.domains:
                    on = [node for node in estate.nodes if name in index.stands_on(node)]
                    wanted |= {name} if on and all(place in index.stands_on(node) for node in on) else set()
            assert under(compile_facility(estate), index, place) == wanted


class TestKind:
    """`--kind KIND` keeps domains of these kinds."""

    def test_one_or_several(self) -> None:
        assert names(kinds={"rack"}) == ["r1", "r2", "r3"]
        assert names(kinds={"rack", "ups"}, under="a") == ["a", "r1", "r2", "r3"]

    def test_the_figures_are_those_of_the_whole(self) -> None:
        whole = {room.domain: room for room in report().rooms}
        assert all(room == whole[room.domain] for room in report(under="hall", kinds={"rack"}).rooms)
