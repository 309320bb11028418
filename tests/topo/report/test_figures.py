"""A click shows what `topo whatif` says: every figure and every state, of every single-domain failure."""

from __future__ import annotations

from typing import Any

import pytest

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from findings.index import EstateIndex
from findings.scenario import whatif, whatif_to_json
from tests.topo.diagram.drawing import example, node, small
from tests.topo.diagram.estates import halls
from tests.topo.report.pages import NOW, expand, hostile, island, telling
from topo.diagram.ground import ground
from topo.diagram.states import LOOKS
from topo.diagram.survey import survey
from topo.report import render_report
from topology.model import Domain, Estate


def silent() -> Estate:
    """Nodes that do not say what powers or cools them; load that shifts onto an unrated UPS."""
    return small(
        Domain("ups-a", "ups", rated_kw=8),
        Domain("ups-b", "ups"),
        Domain("rack", "rack", feeds=("ups-a", "ups-b"), rated_kw=40),
        Domain("loop", "cooling", rated_kw=40),
        Domain("spine", "network"),
        nodes=[
            node("whole", rack="rack", cooling="loop"),
            node("hot", rack="rack"),
            node("dark", cooling="loop"),
            node("lost", network="spine"),
        ],
    )


ESTATES = {
    "silent": silent,
    "lab": lambda: example("lab"),
    "two-halls": lambda: example("two-halls"),
    "halls": lambda: halls(1),
    "telling": telling,
    "hostile": hostile,
}


@pytest.fixture(scope="module", params=ESTATES)
def case(request: pytest.FixtureRequest) -> tuple[Estate, dict[str, Any]]:
    estate = ESTATES[request.param]()
    return estate, island(render_report(estate, now=NOW))


def figures(document: dict[str, Any]) -> list[Any]:
    """The figures of one engine, in the order of the page."""
    exposure, progress = document["exposure"], document["progressAtRisk"]
    return [
        exposure["nodes"],
        exposure["units"],
        exposure["criticalUnits"],
        exposure["criticalShare"],
        document["unitsStalled"],
        progress["usd"],
        progress["gangUsd"],
        progress["unpricedWorkloads"],
        int(exposure["unknownCriticality"] > 0),
        int(progress["unknownCount"] > 0),
        int(progress["gangUnknownCount"] > 0),
    ]


def shown(row: list[Any]) -> list[Any]:
    """The page's figures without the amplification, which the strict document does not have."""
    return [*row[:5], *row[6:]]


def test_figures_are_those_of_whatif(case: tuple[Estate, dict[str, Any]]) -> None:
    estate, data = case
    facility, index = compile_facility(estate), EstateIndex(estate)
    for d, name in enumerate(facility.domain_ids):
        said = whatif_to_json(whatif(facility, [name], index=index))
        row = data["failures"][d]
        assert shown(row["c"]) == figures(said), name
        assert row["c"][5] == said["amplification"]
        assert shown(row.get("t", row["c"])) == figures(said["strict"]), name
        assert row["d"] == len(said["lost"]["domains"])
        assert row.get("e", row["d"]) == len(said["strict"]["lost"]["domains"])
        assert row.get("w", "same") == said["worse"]
        assert row["b"] == said["basis"]


def test_lists_are_those_of_whatif(case: tuple[Estate, dict[str, Any]]) -> None:
    estate, data = case
    facility, index = compile_facility(estate), EstateIndex(estate)
    for d, name in enumerate(facility.domain_ids):
        said, row = whatif_to_json(whatif(facility, [name], index=index)), data["failures"][d]
        lost = {node for g in expand(row["g"]) for node in expand(data["groups"][g])}
        assert {facility.node_ids[n] for n in lost} == {node["id"] for node in said["lost"]["nodes"]}
        more = {node for g in expand(row.get("h", [])) for node in expand(data["groups"][g])}
        assert {facility.node_ids[n] for n in more} == set(said["strict"]["more"]["nodes"])
        unplaced = {node for g in expand(row.get("j", [])) for node in expand(data["groups"][g])}
        assert {facility.node_ids[n] for n in unplaced} == {each["id"] for each in said["unplaced"]}
        assert bool(row.get("u")) == said["unproven"]
        listed = data["details"].get(str(d))
        if listed is not None:
            assert listed["counts"][1:4] == [
                len(said["strict"]["tripped"]),
                len(said["strict"]["survivors"]),
                len(said["thermalRaces"]),
            ]
            verdicts = [(facility.domain_ids[race[0]], race[4]) for race in listed["races"]]
            assert verdicts == [(race["domain"], race["verdict"]) for race in said["thermalRaces"]]


def test_states_are_those_of_a_picture(case: tuple[Estate, dict[str, Any]]) -> None:
    estate, data = case
    facility = compile_facility(estate)
    base, names = ground(facility), list(LOOKS)
    for d, name in enumerate(facility.domain_ids):
        closure = close(facility, [name])
        scene = survey(base, closure, strict_check(facility, closure.failed, closure))
        drawn = {v.domain: v.state for v in scene.vertices if v.domain >= 0 and v.state != "safe"}
        assert {
            of: names[code] for code, steps in data["failures"][d]["s"] for of in expand(steps)
        } == drawn, name


def test_small_estates_carry_every_detail(case: tuple[Estate, dict[str, Any]]) -> None:
    estate, data = case
    assert len(data["details"]) == len(estate.domains)
    assert sorted(data["ranking"]) == list(range(len(estate.domains)))
