"""The class quotient: vertices of one kind, fate and place become one box, from finest to coarsest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from topo.diagram.kindwords import BELOW
from topo.diagram.model import NODES
from topo.diagram.states import LOOKS
from topo.diagram.survey import Vertex

Signature = tuple[object, ...]
_MACHINES: Final = frozenset({"rack", NODES})
_SINGLE_FAILURES: Final = 4
"""As many failed things stay boxes of their own where boxes no longer tell whom they hang from."""


@dataclass(frozen=True, slots=True)
class Level:
    """One way to group. `name` says in words what the boxes of such a picture are."""

    name: str
    group: Callable[[tuple[Vertex, ...], list[int], frozenset[int]], dict[int, Signature]]


def _each(_: tuple[Vertex, ...], order: list[int], __: frozenset[int]) -> dict[int, Signature]:
    return {v: (v,) for v in order}


def _by_feeds(
    *, roots_apart: bool, exact: bool
) -> Callable[[tuple[Vertex, ...], list[int], frozenset[int]], dict[int, Signature]]:
    """Group by kind, state and the classes that feed them. `exact` counts feeds and minds cooling too."""

    def group(vertices: tuple[Vertex, ...], order: list[int], apart: frozenset[int]) -> dict[int, Signature]:
        numbers: dict[Signature, int] = {}
        of: dict[int, int] = {}
        signatures: dict[int, Signature] = {}
        for v in order:
            vertex = vertices[v]
            ups = [u for u in vertex.ups if u in of]
            single = (
                v in apart or vertex.state == "failed" or (roots_apart and not ups and vertex.kind != NODES)
            )
            if not exact and vertex.kind in _MACHINES:
                ups = [u for u in ups if vertices[u].kind not in BELOW]
            feeds = sorted(of[u] for u in ups)
            signature: Signature = (
                (v,) if single else (vertex.kind, vertex.state, tuple(feeds if exact else sorted(set(feeds))))
            )
            of[v] = numbers.setdefault(signature, len(numbers))
            signatures[v] = signature
        return signatures

    return group


def _coarse(
    outcome: Callable[[Vertex], str],
) -> Callable[[tuple[Vertex, ...], list[int], frozenset[int]], dict[int, Signature]]:
    """Group by kind and outcome; what failed is never put together with what did not."""

    def group(vertices: tuple[Vertex, ...], order: list[int], apart: frozenset[int]) -> dict[int, Signature]:
        failed = [v for v in order if vertices[v].state == "failed"]
        single = apart.union(failed if len(failed) <= _SINGLE_FAILURES else ())
        signatures: dict[int, Signature] = {}
        for v in order:
            vertex = vertices[v]
            fate = "failed" if vertex.state == "failed" else outcome(vertex)
            signatures[v] = (v,) if v in single else (vertex.kind, fate)
        return signatures

    return group


LEVELS: Final[tuple[Level, ...]] = (
    Level("every domain", _each),
    Level("twins", _by_feeds(roots_apart=True, exact=True)),
    Level("twins, cooling aside", _by_feeds(roots_apart=True, exact=False)),
    Level("classes of feeds", _by_feeds(roots_apart=False, exact=True)),
    Level("classes of feeds, cooling aside", _by_feeds(roots_apart=False, exact=False)),
    Level("kind and state", _coarse(lambda vertex: vertex.state)),
    Level("kind and outcome", _coarse(lambda vertex: LOOKS[vertex.state].band)),
)
"""Finest first. The last has at most three boxes a kind, so that a limit always holds."""
