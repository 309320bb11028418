"""Deterministic estates of any size: `python -m benchmarks.generate --nodes 100000 -o DIRECTORY`.

Halls of 54 racks repeat over three UPS designs; weak, unrated and single-corded equipment is sprinkled in.
About 0.4 domains and three placements per node. The same size and seed give the same estate everywhere.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.hall import HALLS_PER_CAMPUS, NODES_PER_RACK, RACKS_PER_HALL, build_hall, campus_domains
from topology.dump import estate_to_json, topology_to_json
from topology.model import Domain, Estate, Node, Standing, Topology, Workload

SEED = 2026
SNAPSHOT_AT = "2026-11-30T12:00:00Z"
UNITS_PER_NODE = 8
PRICE_USD = 2.5
SMALL_WORKLOADS = (("chat", "inference", 8, 1), ("embed", "inference", 16, 2), ("backfill", "batch", 32, 1))
"""Name, kind, nodes, and the allocated units that a node must exceed to hold one unit of it."""
SMALL_UNITS = len(SMALL_WORKLOADS)
GANG_NODES = (4, 8, 16, 32)


def generate(nodes: int, *, seed: int = SEED, chain: bool = False, workloads: bool = True) -> Estate:
    """Return an estate of `nodes` nodes; with `chain` every feeds list becomes its first feed as parent."""
    random = Random(seed)
    domains: dict[str, Domain] = {}
    machines: list[Node] = []
    racks = -(-nodes // NODES_PER_RACK)
    for number in range(-(-racks // RACKS_PER_HALL)):
        hall = build_hall(number, min(RACKS_PER_HALL, racks - number * RACKS_PER_HALL), random)
        shared = campus_domains(hall.campus) if number % HALLS_PER_CAMPUS == 0 else []
        for domain in (*shared, *hall.domains):
            domains[domain.id] = _chained(domain) if chain else domain
        for standings in hall.standings:
            first = len(machines)
            last = min(first + NODES_PER_RACK, nodes)
            machines += [_node(index, standings, random) for index in range(first, last)]
    return Estate(
        cluster="generated",
        unit="gpu",
        snapshot_at=SNAPSHOT_AT,
        nodes=tuple(machines),
        domains=domains,
        workloads=tuple(_workloads(machines, random)) if workloads else (),
        price_per_unit_hour=PRICE_USD,
        watts_per_unit_kw=1,
        default_restart_minutes=45,
        sample=True,
    )


def _chained(domain: Domain) -> Domain:
    """Return the domain as a map without redundancy has it: its first feed is its parent."""
    if not domain.feeds:
        return domain
    parent = domain.parent or domain.feeds[0]
    return replace(domain, parent=parent, feeds=(), min_feeds=None, transfer=None)


def _node(number: int, standings: tuple[Standing, ...], random: Random) -> Node:
    busy = random.random()
    return Node(
        id=f"n{number:07}",
        allocated=UNITS_PER_NODE if busy < 0.7 else int(UNITS_PER_NODE * random.random()),
        installed=UNITS_PER_NODE,
        standings=standings,
        utilization=round(random.random(), 2),
        utilization_basis="dcgm",
        ecc_errors_90d=int(12 * random.random() ** 3),
        job_failures_90d=int(3 * random.random() ** 4),
        xid_events_90d=int(4 * random.random() ** 4),
        ready=True,
        schedulable=True,
    )


def _workloads(machines: list[Node], random: Random) -> Iterator[Workload]:
    """Yield services, batches and gangs over neighbouring nodes: up to four placements on each."""
    for name, kind, size, more_than in SMALL_WORKLOADS:
        yield from _neighbours(f"{kind}/{name}", kind, machines, size, more_than, random)
    start = number = 0
    while start < len(machines):
        size = GANG_NODES[int(len(GANG_NODES) * random.random())]
        members = [(node.id, node.allocated or 0) for node in machines[start : start + size]]
        placements = {node_id: units - SMALL_UNITS for node_id, units in members if units > SMALL_UNITS}
        annotated = random.random() < 0.9
        if placements:
            yield Workload(
                id=f"ml/job/gang-{number:06}",
                kind="training",
                placements=placements,
                critical=random.random() < 0.15,
                critical_basis="label",
                checkpoint_minutes=5 * (1 + int(24 * random.random())) if annotated else None,
                restart_minutes=20 if number % 3 == 0 else None,
                gang=True,
                namespace="ml",
            )
        start += size
        number += 1


def _neighbours(
    name: str, kind: str, machines: list[Node], size: int, more_than: int, random: Random
) -> Iterator[Workload]:
    """Yield one workload per `size` nodes: one unit on every node with enough units allocated."""
    for number, start in enumerate(range(0, len(machines), size)):
        placements = {
            node.id: 1 for node in machines[start : start + size] if (node.allocated or 0) > more_than
        }
        if placements:
            critical = random.random() < 0.2
            yield Workload(
                f"ml/{name}-{number:06}", kind, placements, critical, "label", namespace="ml", gang=False
            )


def topology_of(estate: Estate) -> Topology:
    """Return the map that the estate stands on."""
    return Topology({node.id: node.standings for node in estate.nodes}, estate.domains, version=2)


def write(estate: Estate, directory: Path) -> tuple[Path, Path]:
    """Write topology.yaml and estate.json into the directory; return both paths."""
    directory.mkdir(parents=True, exist_ok=True)
    topology, snapshot = directory / "topology.yaml", directory / "estate.json"
    with topology.open("w", encoding="utf-8") as file:
        for key, value in topology_to_json(topology_of(estate)).items():
            if isinstance(value, dict):
                file.write(f"{key}:\n")
                file.writelines(f"  {name}: {_flow(entry)}\n" for name, entry in value.items())
            else:
                file.write(f"{key}: {value}\n")
    with snapshot.open("w", encoding="utf-8") as file:
        json.dump(estate_to_json(estate), file, separators=(",", ":"))
    return topology, snapshot


def _flow(value: Any) -> str:
    """Return YAML's flow style; every generated id is a plain scalar."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return str(value)


def main() -> None:
    """Write an estate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--chain", action="store_true", help="single parents instead of redundant feeds")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIRECTORY")
    args = parser.parse_args()
    for path in write(generate(args.nodes, seed=args.seed, chain=args.chain), args.output):
        print(path)


if __name__ == "__main__":
    main()
