"""Generated estates are deterministic, valid and as large as asked for."""

from pathlib import Path

import pytest

from benchmarks.generate import generate, topology_of, write
from topology.load import load_text


@pytest.mark.parametrize("chain", [False, True])
@pytest.mark.parametrize("nodes", [1, 7, 500])
def test_what_is_written_loads_back_equal(tmp_path: Path, nodes: int, chain: bool) -> None:
    estate = generate(nodes, chain=chain)
    topology, snapshot = write(estate, tmp_path)

    loaded_topology = load_text(topology.read_bytes(), topology.name)
    loaded_estate = load_text(snapshot.read_bytes(), snapshot.name)

    assert [d for d in loaded_topology.diagnostics if d.severity == "error"] == []
    assert [d for d in loaded_estate.diagnostics if d.severity == "error"] == []
    assert loaded_topology.topology == topology_of(estate)
    assert loaded_estate.estate is not None
    assert loaded_estate.estate.nodes == estate.nodes
    assert loaded_estate.estate.domains == estate.domains
    assert loaded_estate.estate.workloads == estate.workloads


def test_the_same_size_and_seed_give_the_same_estate() -> None:
    assert generate(300) == generate(300)
    assert generate(300) != generate(300, seed=1)


def test_it_has_as_many_nodes_as_asked_for_and_about_0_4_domains_per_node() -> None:
    estate = generate(2000)

    assert len(estate.nodes) == 2000
    assert 0.35 < len(estate.domains) / len(estate.nodes) < 0.5
    assert sum(len(workload.placements) for workload in estate.workloads) > 3 * len(estate.nodes)


def test_a_chain_estate_has_no_feeds() -> None:
    assert all(domain.feeds == () for domain in generate(500, chain=True).domains.values())
