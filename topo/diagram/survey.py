"""One scenario on the ground: the state of every domain, and of the machines that stand in each place."""

from dataclasses import dataclass

from closure.results import Closure, LostDomain, Strict
from topo.diagram.ground import Ground
from topo.diagram.model import NODES
from topo.diagram.states import State

_CAUSES: dict[str, State] = {
    "failed": "failed",
    "out": "out",
    "parent-lost": "lost",
    "feeds-lost": "lost",
    "demoted": "demoted",
}


@dataclass(frozen=True, slots=True)
class Vertex:
    """A thing that a box can stand for. `domain` is -1 for machines; `nodes` stand directly here."""

    id: str
    kind: str
    state: State
    domain: int
    ups: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """Vertices by index, each after everything it hangs from (`ups`); and which nodes are lost, by index."""

    ground: Ground
    closure: Closure
    strict: Strict | None
    vertices: tuple[Vertex, ...]
    lost_nodes: frozenset[int]
    strict_nodes: frozenset[int]
    failed_nodes: frozenset[int]


def survey(ground: Ground, closure: Closure, strict: Strict | None) -> Survey:
    """Place a scenario's results on the ground."""
    index = ground.facility.node_index
    fates = _Fates(
        lost=frozenset(index[node.id] for node in closure.nodes),
        failed=frozenset(index[node.id] for node in closure.nodes if node.cause == "failed"),
        strict=frozenset() if strict is None else frozenset(index[node_id] for node_id in strict.nodes),
        degraded=frozenset(index[entry.id] for entry in closure.degraded if entry.type == "node"),
    )
    touched = _racks_of(ground, fates.lost | fates.strict | fates.degraded)
    position = {d: v for v, d in enumerate(ground.order)}
    states = domain_states(closure, strict)
    vertices = [
        _domain_vertex(ground, d, position, states, fates if d in touched else None) for d in ground.order
    ]
    vertices += _machine_vertices(ground, position, fates)
    return Survey(ground, closure, strict, tuple(vertices), fates.lost, fates.strict, fates.failed)


@dataclass(frozen=True, slots=True)
class _Fates:
    """What became of the nodes, by index. `lost` includes the failed ones."""

    lost: frozenset[int]
    failed: frozenset[int]
    strict: frozenset[int]
    degraded: frozenset[int]


def domain_states(closure: Closure, strict: Strict | None) -> dict[str, State]:
    """Return the state of every domain that is not safe, by id; the closure's word goes first."""
    states: dict[str, State] = {entry.id: "degraded" for entry in closure.degraded if entry.type == "domain"}
    states |= {entry.id: "unverified" for entry in closure.electrically_unverified}
    if strict is not None:
        states |= dict.fromkeys(strict.domains, "strict-lost")
        states |= {trip.id: "tripped" for trip in strict.tripped}
    return states | {domain.id: _lost_state(domain) for domain in closure.domains}


def _lost_state(domain: LostDomain) -> State:
    return _CAUSES[domain.cause]


def _domain_vertex(
    ground: Ground, d: int, position: dict[int, int], states: dict[str, State], fates: _Fates | None
) -> Vertex:
    domain_id = ground.facility.domain_ids[d]
    state = states.get(domain_id, "safe")
    nodes = ground.rack_nodes.get(d, ())
    if fates is not None and state in {"safe", "degraded", "unverified"}:
        state = _place_state(nodes, fates, state)
    ups = tuple(sorted(position[u] for u in ground.ups[d]))
    return Vertex(domain_id, ground.kinds[d], state, d, ups, nodes)


def _racks_of(ground: Ground, nodes: frozenset[int]) -> set[int]:
    """Return the racks (by index) that hold some of these nodes."""
    facility = ground.facility
    groups = {facility.node_group[node] for node in nodes}
    return {place.domains[0] for g in groups for place in facility.groups[g].places if place.axis == "rack"}


def _place_state(nodes: tuple[int, ...], fates: _Fates, own: State) -> State:
    """Return the state of a rack that itself stands, by the nodes in it."""
    lost = sum(node in fates.lost for node in nodes)
    strict = sum(node in fates.strict or node in fates.lost for node in nodes)
    if lost == len(nodes):
        return "emptied"
    if strict == len(nodes):
        return "strict-lost"
    if strict:
        return "partial"
    if own == "safe" and any(node in fates.degraded for node in nodes):
        return "degraded"
    return own


def _machine_vertices(ground: Ground, position: dict[int, int], fates: _Fates) -> list[Vertex]:
    """Return a vertex per group of nodes outside racks, and one per node that failed by name."""
    facility = ground.facility
    vertices = []
    for g, ups in ground.loose:
        nodes = tuple(node for node in facility.groups[g].nodes if node not in fates.failed)
        if nodes:
            place = tuple(sorted(position[u] for u in ups))
            state = _machine_state(nodes[0], fates)
            vertices.append(Vertex(facility.node_ids[nodes[0]], NODES, state, -1, place, nodes))
    loose = dict(ground.loose)
    for node in sorted(fates.failed):
        g = facility.node_group[node]
        rack = [place.domains[0] for place in facility.groups[g].places if place.axis == "rack"]
        place = tuple(sorted(position[u] for u in rack or loose[g]))
        vertices.append(Vertex(facility.node_ids[node], NODES, "failed", -1, place, (node,)))
    return vertices


def _machine_state(node: int, fates: _Fates) -> State:
    if node in fates.lost:
        return "lost"
    if node in fates.strict:
        return "strict-lost"
    return "degraded" if node in fates.degraded else "safe"
