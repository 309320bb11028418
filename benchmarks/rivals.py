"""What the sweep is measured against: the same rules over general graph libraries, one failure at a time.

Every rival walks a graph whose edges point from what is depended on to its dependents, vertices numbered
domains first, and judges each vertex by the rules of the closure with static loads computed beforehand.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from topology.kinds import HEAT, POWER, commodity_of
from topology.model import Domain, Estate, Node, Standing

Dependents = Callable[[int], Iterable[int]]
Outcome = tuple[int, int, float, float]
"""Lost domains, lost nodes, units on them, critical units on them."""

TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Vertex:
    """What one vertex depends on, by number. `gates`: per axis of a node, how it is lost, and the domains."""

    parent: int
    feeds: tuple[int, ...]
    needed: int
    draw_kw: float | None
    gates: tuple[tuple[str, tuple[int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """An estate as numbered vertices: the first `domains` are domains, the others nodes (or groups of them).

    `members` are the nodes of every vertex behind the domains; `units` and `critical` are theirs together.
    """

    ids: list[str]
    domains: int
    vertices: list[Vertex]
    rated_kw: list[float | None]
    members: list[tuple[str, ...]]
    units: list[float]
    critical: list[float]

    def edges(self) -> list[tuple[int, int]]:
        """Every (upstream, dependent) pair once."""
        pairs = []
        for number, vertex in enumerate(self.vertices):
            above = {vertex.parent, *vertex.feeds, *(d for _, ids in vertex.gates for d in ids)} - {-1}
            pairs += [(upstream, number) for upstream in sorted(above)]
        return pairs

    def lost(self, failures: Iterable[int], dependents: Dependents) -> set[int]:
        """Return every vertex that the failures take down together."""
        queue = list(failures)
        lost = set(queue)
        for settled in queue:
            for vertex in dependents(settled):
                if vertex not in lost and self._is_lost(vertex, lost):
                    lost.add(vertex)
                    queue.append(vertex)
        return lost

    def outcome(self, lost: Iterable[int]) -> Outcome:
        """Aggregate what is lost."""
        behind = [v - self.domains for v in lost if v >= self.domains]
        domains = sum(1 for v in lost if v < self.domains)
        nodes = sum(len(self.members[v]) for v in behind)
        return domains, nodes, sum(self.units[v] for v in behind), sum(self.critical[v] for v in behind)

    def _is_lost(self, number: int, lost: set[int]) -> bool:
        vertex = self.vertices[number]
        if vertex.gates:
            return any(_gate_lost(mode, ids, lost) for mode, ids in vertex.gates)
        if vertex.parent in lost:
            return True
        alive = [feed for feed in vertex.feeds if feed not in lost]
        if len(alive) == len(vertex.feeds):
            return False
        if len(alive) < vertex.needed:
            return True
        if vertex.draw_kw is None:
            return False
        ratings = [self.rated_kw[feed] for feed in alive]
        known = [rating for rating in ratings if rating is not None]
        return len(known) == len(ratings) and vertex.draw_kw > sum(known) * (1 + TOLERANCE)


def _gate_lost(mode: str, ids: tuple[int, ...], lost: set[int]) -> bool:
    return any(d in lost for d in ids) if mode == "all" else all(d in lost for d in ids)


def state(estate: Estate, *, grouped: bool = False) -> Problem:
    """Number an estate and compute its static loads, the plain way; `grouped`: equal nodes are one vertex."""
    domains = list(estate.domains.values())
    number = {domain.id: index for index, domain in enumerate(domains)}
    loads = _loads(estate)
    vertices = [
        Vertex(
            parent=-1 if domain.parent is None else number[domain.parent],
            feeds=tuple(number[feed] for feed in domain.feeds),
            needed=domain.feeds_needed,
            draw_kw=_draw(domain, estate, loads),
        )
        for domain in domains
    ]
    groups: dict[object, list[Node]] = {}
    for node in estate.nodes:
        groups.setdefault(node.standings if grouped else node.id, []).append(node)
    for nodes in groups.values():
        gates = tuple((s.mode, tuple(number[i] for i in s.ids)) for s in nodes[0].standings)
        vertices.append(Vertex(-1, (), 0, None, gates))
    critical = critical_units(estate)
    return Problem(
        ids=list(number),
        domains=len(domains),
        vertices=vertices,
        rated_kw=[domain.rated_kw for domain in domains],
        members=[tuple(node.id for node in nodes) for nodes in groups.values()],
        units=[sum(node.allocated or 0 for node in nodes) for nodes in groups.values()],
        critical=[sum(critical.get(node.id, 0) for node in nodes) for nodes in groups.values()],
    )


def critical_units(estate: Estate) -> dict[str, float]:
    """Return the units of critical workloads by node."""
    critical: dict[str, float] = {}
    for workload in estate.workloads:
        if workload.critical:
            for node_id, units in workload.placements.items():
                critical[node_id] = critical.get(node_id, 0) + units
    return critical


def _draw(domain: Domain, estate: Estate, loads: dict[str, float]) -> float | None:
    """What a domain draws in its feeds' commodity [kW]; None where that is unknown."""
    if not domain.feeds:
        return None
    carried = commodity_of(estate.domains[domain.feeds[0]].kind)
    if carried is not None and carried == commodity_of(domain.kind):
        return loads.get(domain.id, 0.0)
    return domain.own_load_kw if carried == POWER else None


def _loads(estate: Estate) -> dict[str, float]:
    """Sum what stands on every domain in its own commodity, each machine once [kW]."""
    loads: dict[str, float] = {}
    shapes: dict[tuple[Standing, ...], float] = {}
    for node in estate.nodes:
        shapes[node.standings] = shapes.get(node.standings, 0.0) + _node_kw(node, estate)
    for standings, kw in shapes.items():
        stood_on = [i for standing in standings for i in standing.ids]
        for commodity in (POWER, HEAT):
            _add(loads, estate, [i for i in stood_on if _carries(estate, i) == commodity], kw)
    for domain in estate.domains.values():
        if domain.own_load_kw:
            above = [domain.id] if commodity_of(domain.kind) == POWER else _upstream(domain)
            _add(loads, estate, [i for i in above if _carries(estate, i) == POWER], domain.own_load_kw)
    return loads


def _add(loads: dict[str, float], estate: Estate, starts: list[str], kw: float) -> None:
    """Add a draw to every domain that it reaches through domains of one commodity."""
    reached = set(starts)
    queue = list(reached)
    for domain_id in queue:
        loads[domain_id] = loads.get(domain_id, 0.0) + kw
        for above in _upstream(estate.domains[domain_id]):
            if above not in reached and _carries(estate, above) == _carries(estate, domain_id):
                reached.add(above)
                queue.append(above)


def _node_kw(node: Node, estate: Estate) -> float:
    per_unit = estate.watts_per_unit_kw if node.kw_per_unit is None else node.kw_per_unit
    return (node.allocated or 0) * (per_unit or 0)


def _carries(estate: Estate, domain_id: str) -> str | None:
    return commodity_of(estate.domains[domain_id].kind)


def _upstream(domain: Domain) -> list[str]:
    return [*domain.feeds] if domain.parent is None else [domain.parent, *domain.feeds]


def with_networkx(problem: Problem) -> tuple[Any, Dependents]:
    """Return the graph and its neighbours as a networkx user reads them."""
    import networkx

    graph: networkx.DiGraph[int] = networkx.DiGraph()
    graph.add_nodes_from(range(len(problem.vertices)))
    graph.add_edges_from(problem.edges())
    return graph, graph.successors


def with_rustworkx(problem: Problem) -> tuple[Any, Dependents]:
    """Return the graph and its neighbours from rustworkx."""
    import rustworkx

    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(len(problem.vertices)))
    graph.add_edges_from_no_data(problem.edges())
    return graph, graph.successor_indices


def with_igraph(problem: Problem) -> tuple[Any, Dependents]:
    """Return the graph from igraph with its adjacency exported to lists."""
    import igraph

    graph = igraph.Graph(n=len(problem.vertices), edges=problem.edges(), directed=True)
    return graph, graph.get_adjlist(mode="out").__getitem__
