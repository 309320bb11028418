"""Rule cycle: one shortest cycle per strongly connected component, in order."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topology.chains import chains_of, shortest_cycles
from topology.model import Domain
from topology.routes import TopologyRoutes
from topology.rules import RULES, check


def domains_of(edges: dict[int, list[int]]) -> dict[str, Domain]:
    """Domains `d00`, `d01`, ... each fed by those that `edges` says."""
    return {
        f"d{i:02}": Domain(f"d{i:02}", "power", feeds=tuple(f"d{up:02}" for up in ups))
        for i, ups in edges.items()
    }


def graph_of(domains: dict[str, Domain]) -> nx.DiGraph[str]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(domains)
    graph.add_edges_from((d.id, up) for d in domains.values() for up in d.feeds if up != d.id)
    return graph


@st.composite
def tangles(draw: st.DrawFn) -> dict[str, Domain]:
    size = draw(st.integers(1, 12))
    ups = st.lists(st.integers(0, size - 1), max_size=3, unique=True)
    return domains_of({i: draw(ups) for i in range(size)})


class TestShortestCycles:
    """One shortest cycle per strongly connected component of two and more."""

    # networkx before 3.4 looks for pandas and scipy when it makes a graph of a generator, and says so.
    @pytest.mark.filterwarnings("ignore:(pandas|numpy|scipy) not found:ImportWarning")
    @given(tangles())
    def test_each_is_a_cycle_as_short_as_networkx_finds(self, domains: dict[str, Domain]) -> None:
        chains = chains_of(domains)
        found = [[chains.ids[i] for i in cycle] for cycle in shortest_cycles(chains)]
        graph = graph_of(domains)
        tangled = {frozenset(part) for part in nx.strongly_connected_components(graph) if len(part) > 1}
        assert {next(part for part in tangled if set(cycle) <= part) for cycle in found} == tangled
        assert len(found) == len(tangled)
        for cycle in found:
            assert all(
                graph.has_edge(down, up) for down, up in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            )
            part = graph.subgraph(next(part for part in tangled if set(cycle) <= part))
            assert len(cycle) == min(len(simple) for simple in nx.simple_cycles(part))

    @given(tangles())
    def test_the_order_of_the_file_changes_nothing(self, domains: dict[str, Domain]) -> None:
        backwards = dict(reversed(domains.items()))
        assert RULES["cycle"](domains, (), TopologyRoutes()) == RULES["cycle"](
            backwards, (), TopologyRoutes()
        )

    def test_starts_at_its_first_id_and_names_every_hop(self) -> None:
        domains = {
            "b": Domain("b", "power", parent="c"),
            "c": Domain("c", "power", feeds=("x", "a")),
            "a": Domain("a", "power", parent="b"),
            "x": Domain("x", "power"),
        }
        (fault,) = RULES["cycle"](domains, (), TopologyRoutes())
        assert fault.ids == ("a", "b", "c")
        assert "'a' -> 'b' -> 'c' -> 'a'" in fault.message
        assert [route for route, _ in fault.related] == [
            ("domains", "a", "parent"),
            ("domains", "b", "parent"),
            ("domains", "c", "feeds", 1),
        ]

    def test_a_self_feed_is_not_repeated_as_a_cycle(self) -> None:
        domains = {"a": Domain("a", "ups", parent="a", feeds=("a",))}
        assert [fault.rule for fault in check(domains, (), TopologyRoutes())] == ["self-feed"]

    def test_a_ring_of_thousands_is_found_without_recursion(self) -> None:
        size = 5_000
        domains = {f"d{i}": Domain(f"d{i}", "power", parent=f"d{(i + 1) % size}") for i in range(size)}
        (fault,) = RULES["cycle"](domains, (), TopologyRoutes())
        assert len(fault.ids) == size
        assert "4,989 more" in fault.message

    def test_a_chain_of_thousands_is_none(self) -> None:
        domains = {
            f"d{i}": Domain(f"d{i}", "power", parent=f"d{i + 1}" if i < 4_999 else None) for i in range(5_000)
        }
        assert check(domains, (), TopologyRoutes()) == []
