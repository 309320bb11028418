"""A topology file laid over a snapshot: the file wins, per axis and per domain (spec 1)."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from topology.decode_domains import implicit_roots
from topology.diagnostics import Diagnostic, Fault, InvalidInput
from topology.invariants import one_namespace
from topology.kinds import AXES
from topology.model import Estate, Node, Standing, Topology
from topology.routes import Routes, TopologyRoutes
from topology.rules import check

_AXIS_ORDER: Final = {axis: place for place, axis in enumerate(AXES)}
_NAMED: Final = 3
_APPLIED: Final = "topology over estate"


def apply_topology(estate: Estate, topology: Topology) -> Estate:
    """Return the estate with the facility map laid over it, and what did not match as provenance caveats.

    The map's age is now this file's: `verified_at` is what it says itself; when it was modified, whoever read
    it knows (`provenance.topology_file_modified_at` is unknown here). Raises `InvalidInput` where the two
    together make no valid facility (a label names on one axis what the file declares to be of another kind).
    """
    applied = overlay(estate, topology)
    faults = faults_together(applied)
    if faults:
        raise InvalidInput(tuple(sorted(_placeless(fault) for fault in faults)))
    return of_its_age(applied, topology)


def of_its_age(applied: Estate, topology: Topology) -> Estate:
    """Return the estate that a map was laid over, as old as the map says that it is itself."""
    provenance = replace(applied.provenance, topology_file_modified_at=None)
    return replace(applied, provenance=provenance, verified_at=topology.verified_at)


def faults_together(estate: Estate) -> list[Fault]:
    """Return the errors of an estate that a topology was laid over; routes are those of a topology file."""
    return [fault for fault in rules_together(estate, TopologyRoutes()) if fault.severity == "error"]


def rules_together(estate: Estate, routes: Routes) -> list[Fault]:
    """Return the faults of every rule over an estate that a topology was laid over."""
    nodes = [(node.id, node.standings) for node in estate.nodes]
    return check(estate.domains, nodes, routes) + one_namespace(
        (node.id for node in estate.nodes), estate.domains, routes
    )


def overlay(estate: Estate, topology: Topology) -> Estate:
    """Return the estate with the map's standings and domains, unchecked."""
    nodes = tuple(_placed(node, topology.nodes.get(node.id)) for node in estate.nodes)
    declared = {
        **{domain.id: domain for domain in estate.domains.values() if domain.declared},
        **{domain.id: domain for domain in topology.domains.values() if domain.declared},
    }
    standings = dict.fromkeys(standing for node in nodes for standing in node.standings)
    provenance = replace(
        estate.provenance, caveats=_with(estate.provenance.caveats, caveats(estate, topology))
    )
    return replace(
        estate,
        nodes=nodes,
        domains={**declared, **implicit_roots(declared, standings)},
        provenance=provenance,
    )


def _placed(node: Node, standings: tuple[Standing, ...] | None) -> Node:
    if not standings:
        return node
    merged = {standing.axis: standing for standing in (*node.standings, *standings)}
    return replace(
        node, standings=tuple(sorted(merged.values(), key=lambda standing: _AXIS_ORDER[standing.axis]))
    )


def caveats(estate: Estate, topology: Topology) -> tuple[str, ...]:
    """Return what of the map does not match the snapshot, counted."""
    said = []
    disagreements = [
        (node.id, standing.axis)
        for node in estate.nodes
        for standing in _disagreements(node, topology.nodes.get(node.id, ()))
    ]
    if disagreements:
        names = {node_id for node_id, _ in disagreements}
        said.append(
            f"The topology file and the cluster disagree on {_count(len(disagreements), 'axis', 'axes')} of "
            f"{_count(len(names), 'node')} ({_some(names)}): the file wins"
        )
    snapshot = {node.id for node in estate.nodes}
    strange = [node_id for node_id in topology.nodes if node_id not in snapshot]
    unplaced = [node.id for node in estate.nodes if node.id not in topology.nodes]
    hint = _name_hint(strange, unplaced)
    if strange:
        nodes = _count(len(strange), "node")
        said.append(f"{nodes} of the topology file not in the snapshot ({_some(strange)}){hint}")
    if unplaced:
        nodes = _count(len(unplaced), "node")
        said.append(f"{nodes} of the snapshot not in the topology file ({_some(unplaced)}){hint}")
    return tuple(said)


def _disagreements(node: Node, said: tuple[Standing, ...]) -> list[Standing]:
    """Return what the file says otherwise than the node's labels; one id is one id, however it is written."""
    known = {standing.axis: _meaning(standing) for standing in node.standings}
    return [
        standing for standing in said if known.get(standing.axis, _meaning(standing)) != _meaning(standing)
    ]


def _meaning(standing: Standing) -> tuple[str, frozenset[str]]:
    return ("one" if len(standing.ids) == 1 else standing.mode, frozenset(standing.ids))


def _name_hint(strange: list[str], unplaced: list[str]) -> str:
    """Return a hint where names differ by their domain part only: `gpu-1` and `gpu-1.example.com`."""
    by_short = {node_id.partition(".")[0].casefold(): node_id for node_id in unplaced}
    for node_id in strange:
        other = by_short.get(node_id.partition(".")[0].casefold())
        if other is not None:
            return f"; '{node_id}' in the file looks like '{other}' in the snapshot: write the full name"
    return ""


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def _some(names: Iterable[str]) -> str:
    listed = sorted(names)
    more = len(listed) - _NAMED
    return ", ".join(listed[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _with(caveats: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Return the caveats together, none twice."""
    return tuple(dict.fromkeys((*caveats, *more)))


def _placeless(fault: Fault) -> Diagnostic:
    return Diagnostic(_APPLIED, 1, 1, fault.severity, fault.rule, fault.message, fault.ids, fault.hint)
