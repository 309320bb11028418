"""Rescue plans against both engines on estates built anew, and against every other shed."""

from __future__ import annotations

import dataclasses
import json
import math
from itertools import combinations

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import Load, compile_facility
from closure.strict import strict_check
from findings.rescue.document import rescue_to_json
from findings.rescue.overloads import carry_seconds
from findings.rescue.plan import Rescue, plan_rescue
from tests.findings.test_rescue import JOBS, NOW, SCHEMA, shared_survivor
from tests.strategies import failures, scenarios
from topo.text.page import PageOptions
from topo.text.rescue import rescue_page
from topo.text.style import Style
from topology.model import Domain, Estate, Node, Overload, Standing, Workload

OVERLOADS = st.sampled_from([(), (Overload(130, 60), Overload(200, 3600)), (Overload(10_000, 60 * 60),)])


@st.composite
def overloaded_scenarios(draw: st.DrawFn, kw_known: bool | None = True) -> tuple[Estate, tuple[str, ...]]:
    estate, _ = draw(scenarios(kw_known=kw_known, max_workloads=5, max_failed=0))
    domains = {
        name: dataclasses.replace(domain, overload=draw(OVERLOADS) if domain.rated_kw else ())
        for name, domain in estate.domains.items()
    }
    idle = draw(st.sampled_from([0, 0.1, None]))
    estate = dataclasses.replace(estate, domains=domains, idle_kw_per_unit=idle)
    return estate, draw(failures(estate, min_size=1, max_size=2))


def left(estate: Estate, names: tuple[str, ...]) -> Estate:
    """The estate when these workloads draw their idle power: as nodes of fewer units, one kW each."""
    nodes = []
    for node in estate.nodes:
        unit_kw = estate.watts_per_unit_kw if node.kw_per_unit is None else node.kw_per_unit
        assert unit_kw is not None
        saved = max(0.0, unit_kw - (estate.idle_kw_per_unit or 0))
        gone = [job.placements.get(node.id, 0) for job in estate.workloads if job.id in names]
        kw = math.fsum([(node.allocated or 0) * unit_kw, *(-units * saved for units in gone)])
        nodes.append(dataclasses.replace(node, allocated=1, installed=None, kw_per_unit=max(0.0, kw)))
    return dataclasses.replace(estate, nodes=tuple(nodes), workloads=())


def holds(estate: Estate, failed: tuple[str, ...]) -> bool:
    facility = compile_facility(estate)
    closure = close(facility, failed)
    demoted = any(lost.cause == "demoted" for lost in closure.domains)
    return not demoted and not strict_check(facility, failed, closure).tripped


def losses(estate: Estate, names: tuple[str, ...], failed: tuple[str, ...]) -> tuple[float, ...]:
    """Nodes, units and critical units lost when these are paused, each by the engine that loses the most."""
    facility = compile_facility(left(estate, names))
    closure = close(facility, failed)
    both = [
        {node.id for node in closure.nodes},
        set(strict_check(facility, failed, closure).nodes),
    ]
    critical = [job for job in estate.workloads if job.critical]
    return (
        max(len(lost) for lost in both),
        max(math.fsum(node.allocated or 0 for node in estate.nodes if node.id in lost) for lost in both),
        max(
            math.fsum(n for job in critical for at, n in job.placements.items() if at in lost)
            for lost in both
        ),
    )


def check_partial(estate: Estate, failed: tuple[str, ...], result: Rescue) -> None:
    """What it promises is what both engines say of an estate built anew, and that is better than nothing."""
    partial = result.partial
    assert partial is not None
    reduced = compile_facility(left(estate, tuple(pause.workload.id for pause in partial.plan.pauses)))
    closure = close(reduced, failed)
    strict = strict_check(reduced, failed, closure)
    assert partial.after.tripped == tuple(trip.id for trip in strict.tripped)
    assert partial.after.demoted == tuple(lost.id for lost in closure.domains if lost.cause == "demoted")
    assert partial.after.nodes == max(len(closure.nodes), len(strict.nodes))
    before, after = result.before, partial.after
    assert after.nodes <= before.nodes
    assert after.units <= before.units
    assert (after.nodes, after.units) != (before.nodes, before.units)
    assert partial.plan.pauses
    assert partial.stuck or partial.after.holds  # what was over its rating before may live on above it
    assert partial.relieved
    assert not set(partial.relieved) & {*partial.stuck, *after.tripped, *after.demoted}
    assert not set(partial.relieved) & {*strict.domains, *(lost.id for lost in closure.domains)}
    names = tuple(pause.workload.id for pause in partial.plan.pauses)
    with_all = losses(estate, names, failed)
    for name in names:
        without = losses(estate, tuple(other for other in names if other != name), failed)
        assert any(more > ours for more, ours in zip(without, with_all, strict=True)), name


class TestInTime:
    """docs/curtailment.md: "of the plans that are in time the smallest is taken, even where a slower one
    would be smaller or cheaper; only where none is in time, or nobody knows, the smallest of all".
    """

    @pytest.mark.parametrize(
        ("seconds", "verdict", "in_time", "paused", "other"),
        [
            (60, "sheddable", True, "b5", "no other plan in time does less harm"),
            (10, "too-slow", False, "t4", "no other plan does less harm"),
            (None, "unknown", False, "t4", "no other plan does less harm"),
        ],
    )
    def test_the_smallest_of_those_in_time(
        self, seconds: int | None, verdict: str, in_time: bool, paused: str, other: str
    ) -> None:
        """4 kW too much: a training of 4 kW is gone in 20 min at worst, a batch job of 5 kW in one."""
        overload = () if seconds is None else (Overload(150, seconds),)
        estate = shared_survivor(
            ("b5", "batch", 5), ("t4", "training", 4), overload=overload, checkpoint_minutes=20
        )
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert (result.verdict, result.in_time) == (verdict, in_time)
        assert [pause.workload.id for pause in result.plan.pauses] == [paused]
        page = " ".join(rescue_page(result, PageOptions(Style(), 8, "estate.json")).split())
        assert f"Proven: {other} " in page


class TestPartial:
    """Two cascades from one failure: pauses stop one, and nothing stops the other."""

    def estate(self) -> Estate:
        base = shared_survivor(*JOBS)
        domains = {
            **base.domains,
            "c": Domain("c", "power", rated_kw=5),
            "d3": Domain("d3", "rack", feeds=("a", "c")),
        }
        fixed = Node("n3", 6, standings=(Standing("rack", "one", ("d3",)),))
        return dataclasses.replace(base, domains=domains, nodes=(*base.nodes, fixed))

    def test_what_can_be_kept_is_kept(self) -> None:
        result = plan_rescue(compile_facility(self.estate()), ["a"], now=NOW)
        assert (result.verdict, result.plan.pauses) == ("not-sheddable", ())
        assert result.partial is not None
        assert (result.partial.relieved, result.partial.stuck) == (("b",), ("c", "d3"))
        assert result.partial.plan.kw == 4
        assert (result.before.nodes, result.partial.after.nodes) == (3, 1)
        assert result.partial.after.tripped == ("c",)
        check_partial(self.estate(), ("a",), result)
        document = rescue_to_json(result)
        jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(document)
        assert document["partial"]["rerun"]["lostNodes"] == 1

    def test_where_nothing_can_there_is_none(self) -> None:
        estate = dataclasses.replace(self.estate(), workloads=())
        assert plan_rescue(compile_facility(estate), ["a"], now=NOW).partial is None

    def test_what_trips_next_is_relieved_too(self) -> None:
        """`c` cannot be relieved; when it trips, `d3` shifts onto `e`, which pauses keep in its rating."""
        base = self.estate()
        domains = {
            **base.domains,
            "e": Domain("e", "power", rated_kw=8),
            "d3": Domain("d3", "rack", feeds=("a", "c", "e")),
            "d4": Domain("d4", "rack", parent="e"),
            "c": Domain("c", "power", rated_kw=2),
        }
        node = Node("n4", 5, standings=(Standing("rack", "one", ("d4",)),))
        job = Workload("v5", "batch", {"n4": 5}, critical=False)
        estate = dataclasses.replace(
            base, domains=domains, nodes=(*base.nodes, node), workloads=(*base.workloads, job)
        )
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert result.partial is not None
        assert result.partial.stuck == ("c",)
        assert result.partial.relieved == ("b", "e")
        assert result.partial.after.tripped == ("c",)
        assert (result.before.nodes, result.partial.after.nodes) == (4, 0)


@settings(max_examples=40)
@given(overloaded_scenarios())
def test_after_every_plan_nothing_trips(scenario: tuple[Estate, tuple[str, ...]]) -> None:
    """The strict check rerun on the reduced load, from an estate built anew."""
    estate, failed = scenario
    result = plan_rescue(compile_facility(estate), failed, now=NOW)
    names = tuple(pause.workload.id for pause in result.plan.pauses)
    if result.verdict == "not-sheddable":
        assert names == ()
        if result.partial is not None:
            check_partial(estate, failed, result)
        return
    assert result.partial is None
    assert result.after.holds
    assert holds(left(estate, names), failed)
    if result.verdict == "sheddable":
        for relief in result.reliefs:
            assert relief.over.carry_seconds is not None
            assert relief.in_time_kw is not None
            assert relief.in_time_kw >= relief.over.needed_kw


@settings(max_examples=60)
@given(overloaded_scenarios(kw_known=None), st.sampled_from(["allocated", "installed"]))
def test_no_more_comes_off_than_flows(scenario: tuple[Estate, tuple[str, ...]], load: Load) -> None:
    """docs/curtailment.md: "what of a node's power is not part of the flow comes off it with no pause"."""
    estate, failed = scenario
    result = plan_rescue(compile_facility(estate, load), failed, now=NOW)
    for relief in result.reliefs:
        assert relief.at_all_kw <= relief.over.load_kw * (1 + 1e-9)
    if result.plan.pauses:
        assert result.after.holds


@settings(max_examples=25)
@given(overloaded_scenarios())
def test_no_smaller_shed_would_do(scenario: tuple[Estate, tuple[str, ...]]) -> None:
    """Against trying every set of workloads that can be timed: none keeps more critical units for less kW.

    A survivor that was over its rating before any failure must come down to its rating, so only plans for
    facilities within their ratings are the smallest.
    """
    estate, failed = scenario
    facility = compile_facility(estate)
    over_before = any(
        rated is not None and kw > rated * (1 + 1e-9)
        for kw, rated in zip(facility.flows_kw, facility.rated_kw, strict=True)
    )
    result = plan_rescue(facility, failed, now=NOW)
    if over_before or not result.plan.pauses or result.verdict == "sheddable":
        return
    timed = [
        job.id
        for job in estate.workloads
        if job.kind in {"inference", "batch"} or (job.kind == "training" and job.checkpoint_minutes)
    ]
    units = {job.id: math.fsum(job.placements.values()) if job.critical else 0 for job in estate.workloads}
    ours = {pause.workload.id for pause in result.plan.pauses}
    critical = math.fsum(units[name] for name in ours)
    for size in range(len(timed) + 1):
        for names in combinations(timed, size):
            if holds(left(estate, names), failed):
                assert critical <= math.fsum(units[name] for name in names)


@given(overloaded_scenarios())
def test_the_document_keeps_to_its_schema(scenario: tuple[Estate, tuple[str, ...]]) -> None:
    estate, failed = scenario
    document = rescue_to_json(plan_rescue(compile_facility(estate), failed, now=NOW))
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(document)


class TestOrderOfOverloads:
    """Which of a list's entries stands first decides nothing, not even where a program contradicts itself."""

    @given(st.lists(st.builds(Overload, st.integers(100, 103), st.integers(0, 3)), max_size=5), st.data())
    def test_of_what_is_carried(self, points: list[Overload], data: st.DataObject) -> None:
        domain = Domain("x", "ups", rated_kw=8, overload=tuple(points))
        other = dataclasses.replace(domain, overload=tuple(data.draw(st.permutations(points))))
        for percent in range(100, 105):
            assert carry_seconds(domain, percent) == carry_seconds(other, percent)
