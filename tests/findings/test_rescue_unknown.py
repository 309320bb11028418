"""What a rescue does not know is never taken for something that holds."""

from __future__ import annotations

import dataclasses
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import settled_round, strict_check
from findings.rescue.plan import plan_rescue
from tests.estates import estate_of
from tests.findings.test_rescue import NOW
from tests.strategies import failures, scenarios
from topology.model import Estate


class TestDoubts:
    """docs/curtailment.md: `nothing-overloads` and `sheddable` vouch for every survivor that carries more,
    or holds with a feed gone; where one has no rating or an unknown load, "the answer is `unknown`".
    """

    def estate(self, b: dict[str, Any]) -> Estate:
        return estate_of(
            {
                "a": {"kind": "power", "ratedKw": 10},
                "u": {"kind": "power"},
                "b": {"kind": "power", **b},
                "r": {"kind": "rack", "feeds": ["a", "b"]},
            },
            {"n": {"allocated": 8, "domains": {"rack": "r"}}},
            workloads=[{"id": "w", "kind": "batch", "placements": {"n": 8}}],
            idleKwPerUnit=0,
        )

    def doubts(self, estate: Estate, *failed: str) -> tuple[str, list[tuple[str, str]]]:
        result = plan_rescue(compile_facility(estate), failed, now=NOW)
        return result.verdict, [(doubt.id, doubt.why) for doubt in result.doubts]

    def test_unknown_kw_alone_moves(self) -> None:
        estate = dataclasses.replace(self.estate({"ratedKw": 10}), watts_per_unit_kw=None)
        assert self.doubts(estate, "a") == ("unknown", [("b", "load-unknown"), ("r", "draw-unknown")])

    def test_onto_something_without_a_rating(self) -> None:
        assert self.doubts(self.estate({}), "a") == ("unknown", [("b", "unrated"), ("r", "unrated-feeds")])

    def test_what_the_failure_does_not_touch_is_no_doubt(self) -> None:
        assert self.doubts(self.estate({}), "b") == ("nothing-overloads", [])

    def test_a_plan_does_not_vouch_for_what_it_does_not_relieve(self) -> None:
        """Pauses keep `b` in time; `u` above it carries more, too, and has no rating."""
        overload = [{"percent": 200, "seconds": 600}]
        estate = self.estate({"ratedKw": 5, "overload": overload, "parent": "u"})
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert (result.verdict, result.in_time, len(result.plan.pauses)) == ("unknown", True, 1)
        assert [(doubt.id, doubt.why) for doubt in result.doubts] == [("u", "unrated")]


class TestNotPartOfTheFlow:
    """docs/curtailment.md: "what of a node's power is not part of the flow comes off it with no pause"."""

    def test_a_node_of_unknown_installed_units(self) -> None:
        """p2, rated 7 kW, carries the 8 kW of n1 and of n2 nobody knows what: pausing n2 leaves the 8 kW."""
        estate = estate_of(
            {
                "p1": {"kind": "power", "ratedKw": 20},
                "p2": {"kind": "power", "ratedKw": 7, "overload": [{"percent": 200, "seconds": 600}]},
                "r": {"kind": "rack", "feeds": ["p1", "p2"]},
            },
            {
                "n1": {"installed": 8, "allocated": 8, "domains": {"rack": "r"}},
                "n2": {"allocated": 4, "domains": {"rack": "r"}},
            },
            workloads=[{"id": "w", "kind": "batch", "placements": {"n2": 4}}],
            idleKwPerUnit=0,
        )
        result = plan_rescue(compile_facility(estate, "installed"), ["p1"], now=NOW)
        assert (result.verdict, result.plan.pauses) == ("not-sheddable", ())
        assert [(each.in_time_kw, each.at_all_kw) for each in result.reliefs] == [(0, 0)]


@st.composite
def filled_in(draw: st.DrawFn) -> tuple[Estate, Estate, tuple[str, ...]]:
    """A scenario with unknown kW and ratings, and the same when they turn out to be something.

    What has no rating turns out to be rated for no less than it carries before the failure.
    """
    estate, _ = draw(scenarios(max_workloads=2, max_failed=0))
    failed = draw(failures(estate, min_size=1, max_size=2))
    if draw(st.booleans()):
        estate = dataclasses.replace(estate, watts_per_unit_kw=None)
    kw = st.sampled_from([0.5, 3.0, 40.0])
    nodes = tuple(
        dataclasses.replace(
            node,
            kw_per_unit=draw(kw)
            if node.kw_per_unit is None and estate.watts_per_unit_kw is None
            else node.kw_per_unit,
            allocated=draw(st.integers(0, int(node.installed or 4)))
            if node.allocated is None
            else node.allocated,
        )
        for node in estate.nodes
    )
    known = dataclasses.replace(estate, nodes=nodes)
    facility = compile_facility(known)
    before = settled_round(facility, facility.out, ())
    domains = {
        name: dataclasses.replace(domain, rated_kw=before.flows_kw[facility.domain_index[name]])
        if domain.rated_kw is None and before.flows_kw[facility.domain_index[name]] and draw(st.booleans())
        else domain
        for name, domain in estate.domains.items()
    }
    return estate, dataclasses.replace(known, domains=domains), failed


@settings(max_examples=200)
@given(filled_in())
def test_where_nothing_overloads_nothing_does_whatever_the_unknown_is(
    scenario: tuple[Estate, Estate, tuple[str, ...]],
) -> None:
    """docs/curtailment.md: what nobody knows is never taken for something that holds."""
    estate, known, failed = scenario
    result = plan_rescue(compile_facility(estate), failed, now=NOW)
    if result.verdict != "nothing-overloads":
        return
    facility = compile_facility(known)
    closure = close(facility, failed)
    before = {trip.id for trip in strict_check(facility, (), close(facility, ())).tripped}
    assert not {trip.id for trip in strict_check(facility, failed, closure).tripped} - before
    assert not [
        lost.id
        for lost in closure.domains
        if lost.cause == "demoted" and lost.id not in closure.baseline_domains
    ]
