"""Where in the input files the thing that a hop speaks of is written."""

from collections.abc import Sequence
from dataclasses import dataclass

from closure.proof import Hop
from topology.diagnostics import Route
from topology.model import Estate
from topology.routes import EstateRoutes, Routes, TopologyRoutes
from topology.source import Source

_KEY = {
    "parent-lost": "parent",
    "feeds-lost": "feeds",
    "demoted": "feeds",
    "out": "status",
    "tripped": "ratedKw",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A line and column (both from 1) of a file."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Files:
    """The files an estate was read from: the snapshot, and the map that was laid over it (None: none was)."""

    def __init__(self, estate: Estate, source: Source, overlay: Source | None) -> None:
        self._estate = estate
        self._sources = [each for each in (overlay, source) if each is not None]
        self._raw: list[tuple[Source, Routes, object]] | None = None

    def places(self, hops: Sequence[Hop]) -> list[Place | None]:
        """Return where each hop's rule is written; None for what no file says."""
        wanted = [self._route(hop) for hop in hops]
        found: dict[int, Place] = {}
        for source, _, _ in self._parsed():
            here = [(i, hit[1]) for i, hit in enumerate(wanted) if hit is not None and hit[0] is source]
            positions = source.positions([(route, "value") for _, route in here])
            for (i, _), (line, column) in zip(here, positions, strict=True):
                found[i] = Place(source.path, line, column)
        return [found.get(i) for i in range(len(hops))]

    def _route(self, hop: Hop) -> tuple[Source, Route] | None:
        for source, routes, raw in self._parsed():
            route = self._route_in(routes, hop)
            if route is not None and _reaches(raw, route):
                return source, route
        return None

    def _route_in(self, routes: Routes, hop: Hop) -> Route | None:
        if hop.type == "node":
            return routes.node(hop.id) if hop.axis is None else routes.node_axis(hop.id, hop.axis)
        domain = self._estate.domains.get(hop.id)
        if domain is None or not domain.declared:
            return None
        return routes.domain(hop.id, _KEY.get(hop.rule))

    def _parsed(self) -> list[tuple[Source, Routes, object]]:
        if self._raw is None:
            self._raw = []
            for source in self._sources:
                raw = source.parse().value
                estate = isinstance(raw, dict) and isinstance(raw.get("nodes"), list)
                self._raw.append((source, EstateRoutes(raw) if estate else TopologyRoutes(raw), raw))
        return self._raw


def _reaches(raw: object, route: Route) -> bool:
    """Return whether the file says anything at a route: another file may be the one that does."""
    for step in route:
        inside = (isinstance(raw, dict) and step in raw) or (
            isinstance(raw, list) and isinstance(step, int) and step < len(raw)
        )
        if not inside:
            return False
        raw = raw[step]  # type: ignore[index]
    return True
