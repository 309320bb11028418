"""One scenario on the ground: the state of every domain, and of the machines that stand in each place."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from closure.results import Closure, LostDomain, Strict
from closure.unplaced import Unplaced
from findings.unproven import unplaced_by_id, unsure_survivors
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

    @property
    def affected(self) -> bool:
        """Whether the damage reaches the thing itself; that some nodes below are lost is not enough.

        Else everything above a failure would crowd the picture.
        """
        return self.state not in {"safe", "stands"}


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
    unsure: tuple[str, ...]
    """Survivors that carry more, of unknown rating or unknown load."""
    unplaced: tuple[Unplaced, ...]
    """Nodes that may be lost too: the map does not say where what is lost reaches them."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of the nodes that stand on each domain are lost by the closure, by either engine, degraded.

    `unplaced`: alive by the map, which does not say where some of what is lost reaches them.
    """

    lost: Mapping[int, int]
    either: Mapping[int, int]
    degraded: Mapping[int, int]
    unplaced: Mapping[int, int]


def survey(ground: Ground, closure: Closure, strict: Strict | None) -> Survey:
    """Place a scenario's results on the ground."""
    index = ground.facility.node_index
    unplaced = () if strict is None else unplaced_by_id(ground.facility, closure, strict)
    fates = _Fates(
        lost=frozenset(index[node.id] for node in closure.nodes),
        failed=frozenset(index[node.id] for node in closure.nodes if node.cause == "failed"),
        strict=frozenset() if strict is None else frozenset(index[node_id] for node_id in strict.nodes),
        degraded=frozenset(index[entry.id] for entry in closure.degraded if entry.type == "node"),
        unplaced=frozenset(index[each.id] for each in unplaced),
    )
    counts = _counts(ground, fates)
    position = {d: v for v, d in enumerate(ground.order)}
    unsure = () if strict is None else unsure_survivors(ground.facility, strict)
    states = domain_states(closure, strict, unsure)
    vertices = [
        _domain_vertex(ground, d, position, states.get(ground.facility.domain_ids[d], "safe"), counts)
        for d in ground.order
    ]
    vertices += _machine_vertices(ground, position, fates)
    return Survey(
        ground, closure, strict, tuple(vertices), fates.lost, fates.strict, fates.failed, unsure, unplaced
    )


@dataclass(frozen=True, slots=True)
class _Fates:
    """What became of the nodes, by index. `lost` includes the failed ones."""

    lost: frozenset[int]
    failed: frozenset[int]
    strict: frozenset[int]
    degraded: frozenset[int]
    unplaced: frozenset[int]


def domain_states(closure: Closure, strict: Strict | None, unsure: Iterable[str] = ()) -> dict[str, State]:
    """Return the state of every domain that is not safe, by id; the closure's word goes first.

    `unsure`: the survivors that carry more, of unknown rating or unknown load.
    """
    states: dict[str, State] = {entry.id: "degraded" for entry in closure.degraded if entry.type == "domain"}
    states |= {entry.id: "unverified" for entry in closure.electrically_unverified}
    states |= dict.fromkeys(unsure, "unverified")
    if strict is not None:
        states |= dict.fromkeys(strict.domains, "strict-lost")
        states |= {trip.id: "tripped" for trip in strict.tripped}
    return states | {domain.id: _lost_state(domain) for domain in closure.domains}


def _lost_state(domain: LostDomain) -> State:
    return _CAUSES[domain.cause]


def _domain_vertex(ground: Ground, d: int, position: dict[int, int], own: State, counts: Counts) -> Vertex:
    if own in {"safe", "degraded", "unverified"}:
        own = place_state(ground, d, own, counts)
    ups = tuple(sorted(position[u] for u in ground.ups[d]))
    return Vertex(ground.facility.domain_ids[d], ground.kinds[d], own, d, ups, ground.rack_nodes.get(d, ()))


def _counts(ground: Ground, fates: "_Fates") -> Counts:
    groups = ground.facility.node_group

    def counted(nodes: frozenset[int]) -> dict[int, int]:
        return ground.standing.counted(Counter(groups[node] for node in nodes))

    return Counts(
        lost=counted(fates.lost),
        either=counted(fates.lost | fates.strict),
        degraded=counted(fates.degraded),
        unplaced=counted(fates.unplaced),
    )


def place_state(ground: Ground, d: int, own: State, counts: Counts) -> State:
    """Return the state of a domain that itself stands, by the nodes that stand on it.

    Only a rack is gone with its nodes in the strict check: anything else still feeds what hangs from it.
    """
    rack = ground.kinds[d] == "rack"
    lost, either, everyone = counts.lost.get(d, 0), counts.either.get(d, 0), ground.standing.nodes.get(d, 0)
    if lost and lost == everyone:
        return "emptied"
    if rack and either and either == everyone:
        return "strict-lost"
    if either and rack:
        return "partial"
    if either and own == "safe":
        # Above the damage: a utility that feeds what failed is not at fault, and must not look so.
        return "stands"
    if rack and own == "safe" and counts.unplaced.get(d, 0):
        return "unverified"
    return "degraded" if rack and own == "safe" and counts.degraded.get(d, 0) else own


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
    if node in fates.unplaced:
        return "unverified"
    return "degraded" if node in fates.degraded else "safe"
