"""Electrical figures worked out by others, or by hand from their inputs."""

from __future__ import annotations

from itertools import combinations

import pytest

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.results import Closure, Strict
from closure.strict import strict_check
from tests.estates import estate_of, on


def run(facility: Facility, *failed: str) -> tuple[Closure, Strict]:
    closure = close(facility, failed)
    return closure, strict_check(facility, failed, closure)


def lost(closure: Closure) -> set[str]:
    return {domain.id for domain in closure.domains}


class TestLab:
    """Methodology: feeds of 8 and 4 kW under 6 kW: losing the weak one is survivable, the strong one not."""

    @pytest.fixture
    def facility(self) -> Facility:
        domains = {
            "d": {"kind": "power", "feeds": ["strong", "weak"]},
            "strong": {"kind": "ups", "ratedKw": 8},
            "weak": {"kind": "ups", "ratedKw": 4},
        }
        return compile_facility(estate_of(domains, {"n": on("d", 6)}))

    def test_losing_the_weak_feed_is_survivable(self, facility: Facility) -> None:
        closure, strict = run(facility, "weak")
        assert lost(closure) == {"weak"}
        assert closure.nodes == ()
        assert [(d.id, d.surviving_feeds, d.spare) for d in closure.degraded] == [("d", ("strong",), 0)]
        assert closure.basis == ("redundant",)
        assert strict.agrees
        assert strict.tripped == ()

    def test_losing_the_strong_feed_is_an_outage(self, facility: Facility) -> None:
        closure, strict = run(facility, "strong")
        demoted = next(domain for domain in closure.domains if domain.id == "d")
        assert demoted.cause == "demoted"
        assert (demoted.by, demoted.sources, demoted.survivors) == (("strong",), ("strong",), ("weak",))
        assert (demoted.load_kw, demoted.surviving_rated_kw) == (6, 4)
        assert [node.id for node in closure.nodes] == ["n"]
        assert strict.agrees
        assert [(trip.id, trip.before_kw, trip.after_kw) for trip in strict.tripped] == [("weak", 3, 6)]


def test_shared_survivors() -> None:
    """Feeds a, b of 8 kW; d1, d2 on both, 6 kW each. Fail a: each fits b alone, together b is at 150 %."""
    domains = {
        "d1": {"kind": "power", "feeds": ["a", "b"]},
        "d2": {"kind": "power", "feeds": ["a", "b"]},
        "a": {"kind": "ups", "ratedKw": 8},
        "b": {"kind": "ups", "ratedKw": 8},
    }
    closure, strict = run(compile_facility(estate_of(domains, {"n1": on("d1", 6), "n2": on("d2", 6)})), "a")
    assert lost(closure) == {"a"}
    assert [(trip.id, trip.round, trip.after_kw) for trip in strict.tripped] == [("b", 1, 12)]
    assert strict.domains == ("a", "b", "d1", "d2")
    assert strict.nodes == ("n1", "n2")
    assert not strict.agrees


def test_uneven_split() -> None:
    """d = 12 kW on [a, b, c]; b 10 kW, c 4 kW; fail a: 14 ≥ 12 survives, but 6/6 trips c, then b at 120 %."""
    domains = {
        "d": {"kind": "power", "feeds": ["a", "b", "c"]},
        "a": {"kind": "ups", "ratedKw": 10},
        "b": {"kind": "ups", "ratedKw": 10},
        "c": {"kind": "ups", "ratedKw": 4},
    }
    closure, strict = run(compile_facility(estate_of(domains, {"n": on("d", 12)})), "a")
    assert lost(closure) == {"a"}
    assert [(trip.id, trip.round, trip.after_kw) for trip in strict.tripped] == [("b", 2, 12), ("c", 1, 6)]
    assert strict.domains == ("a", "b", "c", "d")
    assert strict.rounds == 2


class TestFourToMakeThree:
    """Four modules of 1.0, six load centres, one per pair: 0.75 before, 1.00 exactly after one failure."""

    @staticmethod
    def facility(kw: float) -> Facility:
        modules = ("m1", "m2", "m3", "m4")
        domains: dict[str, dict[str, object]] = {name: {"kind": "ups", "ratedKw": 1} for name in modules}
        nodes = {}
        for a, b in combinations(modules, 2):
            domains[f"centre-{a}{b}"] = {"kind": "power", "feeds": [a, b]}
            nodes[f"n-{a}{b}"] = on(f"centre-{a}{b}", kwPerUnit=kw)
        return compile_facility(estate_of(domains, nodes))

    def test_one_failure_is_carried_exactly(self) -> None:
        _, strict = run(self.facility(0.5), "m1")
        assert strict.tripped == ()
        assert strict.nodes == ()
        assert [s.id for s in strict.survivors] == ["m2", "m3", "m4"]
        assert [s.before_kw for s in strict.survivors] == pytest.approx([0.75] * 3)
        assert [s.after_kw for s in strict.survivors] == pytest.approx([1.0] * 3)

    def test_two_failures_leave_the_others_a_quarter_over(self) -> None:
        closure, strict = run(self.facility(0.5), "m1", "m2")
        assert [node.id for node in closure.nodes] == ["n-m1m2"]
        assert [(trip.id, trip.round, trip.after_kw) for trip in strict.tripped] == [
            ("m3", 1, 1.25),
            ("m4", 1, 1.25),
        ]

    def test_zero_reserve(self) -> None:
        """0.6667 per centre (the idea of Microsoft's Flex, ISCA 2021): 1.00 before, 1.333 on three after."""
        _, strict = run(self.facility(2 / 3), "m4")
        assert [trip.id for trip in strict.tripped] == ["m1", "m2", "m3"]
        assert [trip.before_kw for trip in strict.tripped] == pytest.approx([1.0] * 3)
        assert [trip.after_kw for trip in strict.tripped] == pytest.approx([4 / 3] * 3)
        assert len(strict.nodes) == 6


@pytest.mark.parametrize("failed", ["a", "b"])
def test_two_pdus_at_60_percent(failed: str) -> None:
    """eWEEK: feeds rated 10 kW, load 12 kW: losing either demotes."""
    domains = {
        "d": {"kind": "rack", "feeds": ["a", "b"]},
        "a": {"kind": "power", "ratedKw": 10},
        "b": {"kind": "power", "ratedKw": 10},
    }
    closure, strict = run(
        compile_facility(estate_of(domains, {"n": {"allocated": 12, "domains": {"rack": "d"}}})), failed
    )
    assert [domain.cause for domain in closure.domains if domain.id == "d"] == ["demoted"]
    assert strict.nodes == ("n",)


def test_two_1000_kva_for_800() -> None:
    """Northern Power: two UPS of 1000 for 800: one carries all at 80 %."""
    domains = {
        "d": {"kind": "power", "feeds": ["a", "b"]},
        "a": {"kind": "ups", "ratedKw": 1000},
        "b": {"kind": "ups", "ratedKw": 1000},
    }
    closure, strict = run(compile_facility(estate_of(domains, {"n": on("d", 800)})), "a")
    assert lost(closure) == {"a"}
    (survivor,) = strict.survivors
    assert survivor.rated_kw is not None
    assert survivor.after_kw / survivor.rated_kw == 0.8
