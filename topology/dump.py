"""The model written back as files say it: the exact inverse of loading (spec 1 and 2)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from topology.decode_domains import DOMAIN
from topology.decode_standings import StandingReader, write_standings
from topology.estate_shapes import ESTATE, LOOP, PROVENANCE, WORKLOAD, node_shape
from topology.fields import Shape
from topology.limits import SCHEMA_VERSION
from topology.model import Domain, Estate, Standing, Topology

_NODE: Final = node_shape(StandingReader())
_NESTED: Final = frozenset(
    {"schemaVersion", "nodes", "domains", "workloads", "loops", "provenance", "topology", "$schema"}
)
_PLAIN: Final = Shape({key: known for key, known in ESTATE.fields.items() if key not in _NESTED})


def topology_to_json(topology: Topology) -> dict[str, Any]:
    """Return a topology as its file says it: loading that gives an equal topology."""
    raw: dict[str, Any] = {} if topology.version is None else {"version": topology.version}
    if topology.verified_at is not None:
        raw["verifiedAt"] = topology.verified_at
    raw["nodes"] = {node_id: standings_to_json(standings) for node_id, standings in topology.nodes.items()}
    return {**raw, **_filled("domains", domains_to_json(topology.domains))}


def estate_to_json(estate: Estate) -> dict[str, Any]:
    """Return an estate as its file says it: loading that gives an equal estate.

    A bare estate has no file: its nodes lack the units that a file must say.
    """
    return {
        "schemaVersion": SCHEMA_VERSION,
        **_PLAIN.write(estate),
        "nodes": [_NODE.write(node) for node in estate.nodes],
        **_filled("domains", domains_to_json(estate.domains)),
        **_filled("workloads", [WORKLOAD.write(workload) for workload in estate.workloads]),
        **_filled("loops", [LOOP.write(loop) for loop in estate.loops]),
        **_filled("provenance", PROVENANCE.write(estate.provenance)),
    }


def domains_to_json(domains: Mapping[str, Domain]) -> dict[str, Any]:
    """Return the declared domains by id; the others come back from the nodes that name them."""
    return {domain.id: domain_to_json(domain) for domain in domains.values() if domain.declared}


def domain_to_json(domain: Domain) -> dict[str, Any]:
    """Return a domain's keys."""
    return DOMAIN.write(domain)


def standings_to_json(standings: Iterable[Standing]) -> dict[str, Any]:
    """Return a node's axes."""
    return write_standings(tuple(standings)) or {}


def _filled(key: str, value: Any) -> dict[str, Any]:
    return {key: value} if value else {}
