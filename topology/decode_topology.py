"""A topology file's raw values into the model; every fault of shape in one run (spec 1)."""

from typing import Any, Final

from topology.decode_domains import decode_domains, implicit_roots, key_fault
from topology.decode_standings import StandingReader
from topology.diagnostics import Fault
from topology.fields import Field, Shape, anything
from topology.kinds import AXES
from topology.limits import TOPOLOGY_VERSIONS
from topology.list_readers import mapping
from topology.model import Standing, Topology
from topology.number_readers import number
from topology.readers import Wrong, ident, located, timestamp
from topology.slips import domains_among_nodes, indented_too_far, indented_too_little, spaced, stray_keys

TOPOLOGY: Final = Shape(
    {
        "version": Field("version", number(*TOPOLOGY_VERSIONS, whole=True)),
        "nodes": Field("nodes", mapping),
        "domains": Field("domains", mapping),
        "verifiedAt": Field("verified_at", timestamp),
        "$schema": Field("schema", anything),
    }
)


def decode_topology(raw: object) -> tuple[Topology, list[Fault]]:
    """Return the topology as far as it can be read, and every fault of its shape."""
    faults: list[Fault] = []
    values: dict[str, Any]
    try:
        values = TOPOLOGY.read(raw)
    except Wrong as wrong:
        faults += located(wrong, ())
        values = wrong.partial if isinstance(wrong.partial, dict) else {}
    domains = decode_domains(values.get("domains", {}), faults)
    reader = StandingReader()
    nodes, strays = _nodes(values.get("nodes", {}), reader, faults)
    faults += strays
    everything = {**domains, **implicit_roots(domains, reader.distinct)}
    return Topology(nodes, everything, values.get("version"), values.get("verified_at")), faults


def _nodes(
    raw: dict[str, Any], reader: StandingReader, faults: list[Fault]
) -> tuple[dict[str, tuple[Standing, ...]], list[Fault]]:
    """Return what the nodes say, and the faults of domains that stand among them: these are no nodes."""
    nodes: dict[str, tuple[Standing, ...]] = {}
    domains: list[str] = []
    seen: dict[int, tuple[Standing, ...]] = {}
    for node_id, value in raw.items():
        try:
            ident(node_id)
        except Wrong as wrong:
            faults += map(key_fault, located(wrong, ("nodes", node_id), "node", node_id))
        known = seen.get(id(value))
        if known is not None:  # written like another node's, and read into the same object
            nodes[node_id] = known
            continue
        try:
            nodes[node_id] = seen[id(value)] = reader.read(value) if value is not None else ()
        except Wrong as wrong:
            if isinstance(value, dict) and "kind" in value and not any(axis in value for axis in AXES):
                domains.append(node_id)
                continue
            faults += _said_of(node_id, raw, wrong)
            nodes[node_id] = wrong.partial if isinstance(wrong.partial, tuple) else ()
    return nodes, domains_among_nodes(domains, raw)


def _said_of(node_id: str, raw: dict[str, Any], wrong: Wrong) -> list[Fault]:
    route = ("nodes", node_id)
    moved = indented_too_far(route, raw[node_id], AXES)
    strays = stray_keys(raw, AXES)
    if node_id in strays:
        moved = indented_too_little("nodes", node_id, raw, strays)
    return [moved] if moved else spaced(located(wrong, route, "node", node_id), node_id)
