"""The networkx graph says everything that the engine knows: its answers can be worked out from it alone."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import compile_facility
from tests import naive_engine, strategies
from tests.estates import estate_of, on
from topology.graph import facility_graph
from topology.model import Estate

if TYPE_CHECKING:
    Graph = nx.DiGraph[Hashable]


def _kw(attributes: dict[str, Any]) -> float | None:
    if attributes["allocated"] == 0:
        return 0.0
    return None if attributes["kwPerUnit"] is None else attributes["allocated"] * attributes["kwPerUnit"]


def _load(graph: Graph, domain: Hashable) -> float | None:
    """load_kw from the graph alone: what reaches the domain through its own commodity."""
    commodity = graph.nodes[domain]["commodity"]
    carriers = [v for v, a in graph.nodes(data=True) if a["type"] == "domain" and a["commodity"] == commodity]
    below = nx.ancestors(graph.subgraph(carriers), domain) | {domain}
    terms: list[float | None] = [
        _kw(a) for v, a in graph.nodes(data=True) if a["type"] == "node" and below & set(graph.successors(v))
    ]
    if commodity == "power":
        terms += [
            a["loadKw"]
            for v, a in graph.nodes(data=True)
            if a["type"] == "domain" and a["loadKw"] and (v in below or below & set(graph.successors(v)))
        ]
    return None if None in terms else math.fsum(term for term in terms if term is not None)


def _group_lost(
    graph: Graph, vertex: Hashable, members: list[tuple[Hashable, dict[str, Any]]], lost: set[Hashable]
) -> bool:
    """Whether one group of edges loses the vertex: too few members left, or too weak a rest."""
    alive = [upstream for upstream, _ in members if upstream not in lost]
    if len(alive) < members[0][1]["needed"]:
        return True
    if len(alive) == len(members) or members[0][1]["relation"] == "stands":
        return False
    carried, own = graph.nodes[alive[0]]["commodity"], graph.nodes[vertex]["commodity"]
    draw = None
    if carried is not None:
        draw = (
            _load(graph, vertex)
            if carried == own
            else graph.nodes[vertex]["loadKw"]
            if carried == "power"
            else None
        )
    ratings = [graph.nodes[upstream]["ratedKw"] for upstream in alive]
    return draw is not None and None not in ratings and naive_engine.over(draw, sum(ratings))


def _close(graph: Graph, failed: Iterable[Hashable]) -> set[Hashable]:
    """The closure from the graph alone: one pass from the roots down."""
    lost: set[Hashable] = set(failed)
    for vertex in reversed(list(nx.topological_sort(graph))):
        attributes = graph.nodes[vertex]
        groups: dict[str, list[tuple[Hashable, dict[str, Any]]]] = {}
        for upstream, edge in graph[vertex].items():
            if edge["relation"] == "parent" and upstream in lost:
                lost.add(vertex)
            if "group" in edge:
                groups.setdefault(edge["group"], []).append((upstream, edge))
        if attributes.get("status") == "out" or any(
            _group_lost(graph, vertex, m, lost) for m in groups.values()
        ):
            lost.add(vertex)
    return lost


@given(scenario=strategies.scenarios())
def test_the_closure_can_be_worked_out_from_the_graph(scenario: tuple[Estate, tuple[str, ...]]) -> None:
    estate, failed = scenario
    graph = facility_graph(estate)
    facility = compile_facility(estate)
    closure = close(facility, failed)
    jobs = {vertex for vertex, attributes in graph.nodes(data=True) if attributes["type"] == "workload"}
    expected = {loss.id for loss in closure.domains} | {loss.id for loss in closure.nodes}
    assert _close(graph.subgraph(set(graph) - jobs), failed) == expected
    for name in estate.domains:
        if graph.nodes[name]["commodity"] is not None:
            load = _load(graph, name)
            assert facility.load_kw(name) == (None if load is None else pytest.approx(load))


@given(estate=strategies.estates())
def test_edges_run_from_the_dependent_to_what_it_depends_on(estate: Estate) -> None:
    graph = facility_graph(estate)
    assert nx.is_directed_acyclic_graph(graph)
    facility = compile_facility(estate)
    place: dict[Hashable, int] = {name: index for index, name in enumerate(facility.domain_ids)}
    assert all(place[down] > place[up] for down, up in graph.edges if down in place)
    for node in estate.nodes:
        named = {domain_id for standing in node.standings for domain_id in standing.ids}
        assert set(graph.successors(node.id)) == named
    for workload in estate.workloads:
        assert set(graph.successors(workload.id)) == set(workload.placements)


def test_attributes_have_the_names_of_the_files() -> None:
    domains = {
        "loop": {"kind": "cooling", "rideThroughMinutes": 3, "feeds": ["c1", "c2"], "minFeeds": 1},
        "c1": {"kind": "cooling", "ratedKw": 50},
        "c2": {"kind": "cooling"},
        "pdu": {"kind": "power", "status": "out", "parent": "ups", "feeds": ["ups", "ups-2"]},
        "ups": {"kind": "ups"},
        "ups-2": {"kind": "ups"},
    }
    job = {"id": "n", "kind": "training", "placements": {"node": 4, "n": 0}}
    graph = facility_graph(estate_of(domains, {"node": on("pdu", 4), "n": on("pdu", 1)}, workloads=[job]))
    assert graph.nodes["loop"]["kind"] == "cooling"
    assert graph.nodes["loop"]["rideThroughMinutes"] == 3
    assert (graph.nodes["c1"]["ratedKw"], graph.nodes["c2"]["ratedKw"]) == (50, None)
    assert graph.nodes["pdu"]["status"] == "out"
    assert graph.edges["loop", "c2"] == {"relation": "feed", "group": "feeds", "order": 1, "needed": 1}
    assert graph.edges["pdu", "ups"]["relation"] == "parent"
    assert graph.edges["pdu", "ups"]["group"] == "feeds"
    assert graph.edges["node", "pdu"]["axis"] == "pdu"
    assert graph.edges["node", "pdu"]["mode"] == "one"
    assert graph.edges[("workload", "n"), "node"] == {"relation": "placed", "units": 4}
    assert not graph.has_edge(("workload", "n"), "n")
    assert graph.graph["unit"] == "gpu"
