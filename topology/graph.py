"""The facility as one networkx DiGraph, for whoever wants to ask it his own questions (spec 3)."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from topology.kinds import commodity_of, is_facility
from topology.model import Domain, Estate, Node, Standing, Workload

if TYPE_CHECKING:
    from networkx import DiGraph


def facility_graph(estate: Estate) -> "DiGraph[Hashable]":
    """Return the estate's dependencies as a directed acyclic graph.

    Vertices are the ids of nodes, workloads and domains; every one has `type` ("node", "workload", "domain"),
    `id`, and what the files say of it under the files' own names (`kind`, `ratedKw`, `rideThroughMinutes`,
    `allocated`, ...), None where unknown. A workload whose id is also that of a node or domain has the vertex
    ("workload", id).

    An edge points from the dependent to what it depends on. `relation` is:

    - "parent": a domain is lost with the other;
    - "feed": one of the domain's feeds. Edges with `group` "feeds" belong together: the domain needs `needed`
      of them; `order` is the place in the list. A parent that is also listed as a feed has both;
    - "stands": a node names the domain on `axis`, which is also the `group`, in `mode`: of the edges of the
      group it needs `needed`;
    - "placed": the workload has `units` on the node, more than none.

    Needs networkx.
    """
    import networkx as nx

    graph: DiGraph[Hashable] = nx.DiGraph(
        cluster=estate.cluster, unit=estate.unit, snapshotAt=estate.snapshot_at
    )
    graph.add_nodes_from((name, _domain_attributes(domain)) for name, domain in estate.domains.items())
    graph.add_nodes_from((node.id, _node_attributes(node, estate)) for node in estate.nodes)
    for domain in estate.domains.values():
        _add_upstream(graph, domain)
    for node in estate.nodes:
        for standing in node.standings:
            graph.add_edges_from(
                (node.id, domain_id, _standing_attributes(standing)) for domain_id in standing.ids
            )
    taken = frozenset(graph)
    for workload in estate.workloads:
        vertex: Hashable = ("workload", workload.id) if workload.id in taken else workload.id
        graph.add_node(vertex, **_workload_attributes(workload))
        graph.add_edges_from(
            (vertex, node_id, {"relation": "placed", "units": units})
            for node_id, units in workload.placements.items()
            if units
        )
    return graph


def _add_upstream(graph: "DiGraph[Hashable]", domain: Domain) -> None:
    for order, feed in enumerate(domain.feeds):
        graph.add_edge(
            domain.id, feed, relation="feed", group="feeds", order=order, needed=domain.feeds_needed
        )
    if domain.parent is not None:
        graph.add_edge(domain.id, domain.parent, relation="parent")


def _standing_attributes(standing: Standing) -> dict[str, Any]:
    needed = 1 if standing.mode == "any" else len(standing.ids)
    return {
        "relation": "stands",
        "group": standing.axis,
        "axis": standing.axis,
        "mode": standing.mode,
        "needed": needed,
    }


def _domain_attributes(domain: Domain) -> dict[str, Any]:
    return {
        "type": "domain",
        "id": domain.id,
        "kind": domain.kind,
        "commodity": commodity_of(domain.kind),
        "facility": is_facility(domain.kind),
        "ratedKw": domain.rated_kw,
        "rideThroughMinutes": domain.ride_through_minutes,
        "loadKw": domain.own_load_kw,
        "measuredKw": domain.measured_kw,
        "minFeeds": domain.min_feeds,
        "transfer": domain.transfer,
        "status": "out" if domain.out else "in",
        "failuresPerYear": domain.failures_per_year,
        "repairHours": domain.repair_hours,
        "description": domain.description,
        "contact": domain.contact,
        "declared": domain.declared,
    }


def _node_attributes(node: Node, estate: Estate) -> dict[str, Any]:
    return {
        "type": "node",
        "id": node.id,
        "installed": node.installed,
        "allocated": node.allocated,
        "kwPerUnit": estate.watts_per_unit_kw if node.kw_per_unit is None else node.kw_per_unit,
        "utilization": node.utilization,
        "ready": node.ready,
        "schedulable": node.schedulable,
        "unhealthy": node.unhealthy,
        "model": node.model,
        "roles": node.roles,
        "cluster": node.cluster,
    }


def _workload_attributes(workload: Workload) -> dict[str, Any]:
    return {
        "type": "workload",
        "id": workload.id,
        "kind": workload.kind,
        "critical": workload.critical,
        "checkpointMinutes": workload.checkpoint_minutes,
        "restartMinutes": workload.restart_minutes,
        "gang": workload.gang,
        "namespace": workload.namespace,
        "owner": workload.owner,
        "contact": workload.contact,
        "cluster": workload.cluster,
    }
