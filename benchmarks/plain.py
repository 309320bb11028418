"""Parsed YAML and JSON into the model without any check: what a script that trusts its input would do."""

from typing import Any

from topology.kinds import AXES
from topology.model import Domain, Estate, Node, Standing, Workload


def estate_of(raw: dict[str, Any]) -> Estate:
    """Return the estate of a parsed estate.json, or of a parsed topology.yaml with every unit unknown."""
    domains = {id_: _domain(id_, fields) for id_, fields in raw["domains"].items()}
    if "cluster" in raw:
        nodes = [_node(fields["id"], fields["domains"], fields) for fields in raw["nodes"]]
    else:
        nodes = [_node(id_, standing, {}) for id_, standing in raw["nodes"].items()]
    for node in nodes:
        for standing in node.standings:
            for id_ in standing.ids:
                if id_ not in domains:
                    domains[id_] = Domain(id_, AXES[standing.axis], declared=False)
    return Estate(
        cluster=raw.get("cluster", ""),
        unit="gpu",
        snapshot_at=raw.get("snapshotAt", ""),
        nodes=tuple(nodes),
        domains=domains,
        workloads=tuple(
            Workload(work["id"], work["kind"], work["placements"], work.get("critical"))
            for work in raw.get("workloads", ())
        ),
        watts_per_unit_kw=raw.get("wattsPerUnitKw"),
    )


def _domain(id_: str, fields: dict[str, Any]) -> Domain:
    return Domain(
        id=id_,
        kind=fields["kind"],
        parent=fields.get("parent"),
        feeds=tuple(fields.get("feeds", ())),
        min_feeds=fields.get("minFeeds"),
        rated_kw=fields.get("ratedKw"),
        own_load_kw=fields.get("loadKw"),
    )


def _node(id_: str, standing: dict[str, Any], fields: dict[str, Any]) -> Node:
    standings = (_standing(axis, value) for axis, value in standing.items())
    return Node(id_, fields.get("allocated"), standings=tuple(standings), kw_per_unit=fields.get("kwPerUnit"))


def _standing(axis: str, value: Any) -> Standing:
    if isinstance(value, str):
        return Standing(axis, "one", (value,))
    if isinstance(value, list):
        return Standing(axis, "any", tuple(value))
    return Standing(axis, "all" if "all" in value else "any", tuple(*value.values()))
