"""Which vertices are drawn: kinds that matter, a focus and what is near it, and what folds away."""

from collections.abc import Callable, Iterable
from typing import Final

from topo.diagram.kindwords import BELOW
from topo.diagram.model import NODES, Options
from topo.diagram.survey import Survey, Vertex
from topology.kinds import Commodity, commodity_of

Steps = list[list[int]]


class Hood:
    """The links of a survey in both directions."""

    def __init__(self, vertices: tuple[Vertex, ...]) -> None:
        self.ups: Steps = [list(vertex.ups) for vertex in vertices]
        self.downs: Steps = [[] for _ in vertices]
        for v, ups in enumerate(self.ups):
            for u in ups:
                self.downs[u].append(v)

    def reach(self, starts: Iterable[int], steps: Steps, depth: int | None) -> set[int]:
        """Return the vertices at most `depth` steps from `starts` (any number: None), starts included."""
        seen = set(starts)
        front = sorted(seen)
        while front and depth != 0:
            front = sorted({w for v in front for w in steps[v]} - seen)
            seen.update(front)
            depth = None if depth is None else depth - 1
        return seen


def relevant(survey: Survey, options: Options, focus: frozenset[int]) -> set[int]:
    """Return the vertices whose kind is drawn at all: power, cooling, machines; others where they matter."""
    return {
        v
        for v, vertex in enumerate(survey.vertices)
        if options.all_kinds
        or vertex.kind == NODES
        or commodity_of(vertex.kind) is not None
        or vertex.affected
        or v in focus
    }


def focus_vertices(survey: Survey, ids: tuple[str, ...]) -> frozenset[int]:
    """Return the vertices of the ids in focus; a node in a rack stands for its rack."""
    facility = survey.ground.facility
    domains = {facility.domain_index[name] for name in ids if name in facility.domain_index}
    nodes = {facility.node_index[name] for name in ids if name in facility.node_index}
    return frozenset(
        v
        for v, vertex in enumerate(survey.vertices)
        if vertex.domain in domains or (nodes and not nodes.isdisjoint(vertex.nodes))
    )


def neighbourhood(survey: Survey, hood: Hood, options: Options, focus: frozenset[int]) -> set[int]:
    """Return what `--focus` and `--depth` leave: everything that the centre hangs from or carries.

    The centre is the focus, else what failed, else what hangs from nothing. Without a depth, the other
    feeds of what the centre carries are drawn too, so that redundancy can be seen.
    """
    everything = set(range(len(survey.vertices)))
    if not options.focus and options.depth is None:
        return everything
    centre = focus or {v for v, vertex in enumerate(survey.vertices) if vertex.state == "failed"}
    centre = centre or {v for v in everything if not hood.ups[v]}
    above = hood.reach(centre, hood.ups, options.depth)
    below = hood.reach(centre, hood.downs, options.depth)
    beside = {u for v in below for u in hood.ups[v]} if options.depth is None else set()
    return above | below | beside


Fold = Callable[[tuple[Vertex, ...], Hood, set[int]], set[int]]


def _nothing(_: tuple[Vertex, ...], __: Hood, drawn: set[int]) -> set[int]:
    return drawn


def _far(vertices: tuple[Vertex, ...], hood: Hood, drawn: set[int]) -> set[int]:
    affected = _affected(vertices, drawn)
    fed = {w for v in affected for w in hood.downs[v]}
    return drawn & _supplies(vertices, hood, affected | fed)


def _unaffected(vertices: tuple[Vertex, ...], hood: Hood, drawn: set[int]) -> set[int]:
    return drawn & _supplies(vertices, hood, _affected(vertices, drawn))


def _below(vertices: tuple[Vertex, ...], hood: Hood, drawn: set[int]) -> set[int]:
    kept = _unaffected(vertices, hood, drawn)
    return {v for v in kept if vertices[v].affected or vertices[v].kind not in BELOW}


def _affected(vertices: tuple[Vertex, ...], drawn: set[int]) -> set[int]:
    return {v for v in drawn if vertices[v].affected}


def _supplies(vertices: tuple[Vertex, ...], hood: Hood, starts: set[int]) -> set[int]:
    """Return the starts, what they hang from, and what that hangs from in turn.

    Beyond the starts, supplies are followed within one commodity only: the pumps' own power is another story,
    and so is that of a loop whose nodes are lost.
    """
    own = {v for v in starts if vertices[v].state != "emptied" or vertices[v].kind in {"rack", NODES}}
    seen = set(starts)
    waiting = sorted(starts)
    while waiting:
        v = waiting.pop()
        for u in hood.ups[v]:
            if u not in seen and (v in own or _commodity(vertices[u]) == _commodity(vertices[v])):
                seen.add(u)
                waiting.append(u)
    return seen


def _commodity(vertex: Vertex) -> Commodity | None:
    return None if vertex.kind == NODES else commodity_of(vertex.kind)


FOLDS: Final[tuple[Fold, ...]] = (_nothing, _far, _unaffected, _below)
"""From nothing folded to only what is affected and the power above it. Used where something is affected."""
