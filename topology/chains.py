"""The facility's chains as integers: who hangs from whom, and the tangles without an order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from topology.model import Domain

SEARCH_BUDGET: Final = 500_000
"""Edges that the search for a tangle's shortest cycle may follow; then the shortest found so far is said."""

Edges = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Chains:
    """`ids` in id order; `upstream[i]` what domain i hangs from (distinct, without itself, known ids only).

    `downstream[i]` is what hangs from it. `order` is parents first and holds what neither is on a cycle
    nor hangs from one.
    """

    ids: tuple[str, ...]
    upstream: list[tuple[int, ...]]
    downstream: list[list[int]]
    order: list[int]


def hangs_from(domain: Domain) -> Iterator[str]:
    """Yield the ids that a domain names upstream, parent first, as often as it names them."""
    if domain.parent is not None:
        yield domain.parent
    yield from domain.feeds


def chains_of(domains: Mapping[str, Domain]) -> Chains:
    """Return the chains; ids that nothing declares and no node names are left out."""
    ids = tuple(sorted(domains))
    index = {domain_id: i for i, domain_id in enumerate(ids)}
    upstream = []
    for i, domain_id in enumerate(ids):
        domain = domains[domain_id]
        ups = domain.feeds if domain.parent is None else (domain.parent, *domain.feeds)
        named = [index[up] for up in ups if up in index]
        if len(named) > 1:
            named = list(dict.fromkeys(named))
        if i in named:
            named.remove(i)
        upstream.append(tuple(named))
    downstream = _reversed(upstream)
    return Chains(ids, upstream, downstream, _parents_first(upstream, downstream))


def _reversed(edges: Edges) -> list[list[int]]:
    result: list[list[int]] = [[] for _ in edges]
    for i, targets in enumerate(edges):
        for target in targets:
            result[target].append(i)
    return result


def _parents_first(upstream: Edges, downstream: Edges) -> list[int]:
    missing = [len(ups) for ups in upstream]
    order = [i for i, count in enumerate(missing) if count == 0]
    for i in order:
        for down in downstream[i]:
            missing[down] -= 1
            if missing[down] == 0:
                order.append(down)
    return order


def shortest_cycles(chains: Chains) -> list[tuple[int, ...]]:
    """Return one shortest cycle per strongly connected component, each from its first id, in id order.

    Among equally short ones the search in id order decides, so the order of a file never does.
    """
    if len(chains.order) == len(chains.ids):
        return []
    return sorted(_shortest_cycle(chains.upstream, tangle) for tangle in _tangles(chains))


def _tangles(chains: Chains) -> list[list[int]]:
    """Return the strongly connected components of two and more (Kosaraju)."""
    taken = set(chains.order)
    found = []
    for vertex in reversed(_leaving_order(chains.upstream, taken)):
        if vertex in taken:
            continue
        taken.add(vertex)
        component = [vertex]
        for member in component:
            fresh = [v for v in chains.downstream[member] if v not in taken]
            taken.update(fresh)
            component += fresh
        if len(component) > 1:
            found.append(sorted(component))
    return found


def _leaving_order(edges: Edges, without: set[int]) -> list[int]:
    """Return the vertices in the order in which a depth-first walk leaves them."""
    seen = set(without)
    order = []
    for root in range(len(edges)):
        if root in seen:
            continue
        seen.add(root)
        walk = [(root, iter(edges[root]))]
        while walk:
            vertex, targets = walk[-1]
            fresh = next((target for target in targets if target not in seen), None)
            if fresh is None:
                order.append(vertex)
                walk.pop()
            else:
                seen.add(fresh)
                walk.append((fresh, iter(edges[fresh])))
    return order


class _Tangle:
    """A strongly connected component that its searched vertices leave one by one."""

    def __init__(self, edges: Edges, vertices: Sequence[int]) -> None:
        self.alive = set(vertices)
        self.forward = {v: sorted(t for t in edges[v] if t in self.alive) for v in vertices}
        self.backward: dict[int, list[int]] = {v: [] for v in vertices}
        for vertex, targets in self.forward.items():
            for target in targets:
                self.backward[target].append(vertex)
        self.leaving = {v: len(targets) for v, targets in self.forward.items()}
        self.entering = {v: len(sources) for v, sources in self.backward.items()}

    def remove(self, vertex: int) -> None:
        """Remove a vertex and, one after the other, whatever then has no way in or no way out."""
        self.alive.discard(vertex)
        gone = [vertex]
        for lost in gone:
            for neighbours, count in (
                (self.forward[lost], self.entering),
                (self.backward[lost], self.leaving),
            ):
                for neighbour in neighbours:
                    count[neighbour] -= 1
                    if count[neighbour] == 0 and neighbour in self.alive:
                        self.alive.discard(neighbour)
                        gone.append(neighbour)

    def cycle_through(self, start: int, shorter_than: int) -> tuple[tuple[int, ...], int]:
        """Return a shortest cycle through `start` of fewer hops, or (), and the edges followed."""
        came_from = {start: start}
        level, length, followed = [start], 1, 0
        while level and length < shorter_than:
            beyond = []
            for vertex in level:
                for target in self.forward[vertex]:
                    followed += 1
                    if target == start:
                        return _path(came_from, vertex), followed
                    if target in self.alive and target not in came_from:
                        came_from[target] = vertex
                        beyond.append(target)
            level, length = beyond, length + 1
        return (), followed


def _shortest_cycle(edges: Edges, vertices: Sequence[int]) -> tuple[int, ...]:
    """Return a shortest cycle of a component, from its smallest vertex.

    A breadth-first search from each vertex, never deeper than the best found; a searched vertex is
    removed with all that only it kept on a cycle, so a plain ring of thousands costs one search.
    """
    tangle = _Tangle(edges, vertices)
    best: tuple[int, ...] = ()
    budget = SEARCH_BUDGET
    for start in vertices:
        if start not in tangle.alive:
            continue
        found, followed = tangle.cycle_through(start, len(best) or len(vertices) + 1)
        best = found or best
        budget -= followed
        if budget < 0 or len(best) == 2:
            break
        tangle.remove(start)
    return best


def _path(came_from: Mapping[int, int], last: int) -> tuple[int, ...]:
    path = [last]
    while came_from[path[-1]] != path[-1]:
        path.append(came_from[path[-1]])
    return tuple(reversed(path))
