"""Where in a file a node's axis or a domain's key stands, as a route of keys (spec 1 and 2).

Rules speak of nodes, axes and domains; a topology file and an estate file keep them in different places.
An `index` counts the ids of the decoded value (`Standing.ids`, `Domain.feeds`), whatever the file's form
(one id, a list, `{any: [..]}`), and skips entries that are no ids, as decoding does. A domain whose kind the
file does not say, or says wrongly, is decoded with the kind "" (its fault is reported already): rules about
kinds pass over it.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from topology.diagnostics import Route


class Routes(Protocol):
    """Routes of the things that graph rules talk about."""

    def node(self, node_id: str) -> Route:
        """Return the route of a node."""

    def node_axis(self, node_id: str, axis: str, index: int | None = None) -> Route:
        """Return the route of what a node says on `axis`, or of the id at `index` there."""

    def domain(self, domain_id: str, key: str | None = None, index: int | None = None) -> Route:
        """Return the route of a declared domain, of its file `key` ("parent", "ratedKw"), or of one feed."""


def is_id(value: object) -> bool:
    """Return whether a raw value can be an id: text that is not empty."""
    return isinstance(value, str) and value != ""


def _into(value: object, index: int | None) -> Route:
    """Return the rest of the route to the id at `index` inside the raw form of a standing or of feeds."""
    if index is None or isinstance(value, str):
        return ()
    if isinstance(value, Mapping):
        mode = next((mode for mode in ("any", "all") if isinstance(value.get(mode), list)), None)
        return () if mode is None else (mode, *_into(value[mode], index))
    if isinstance(value, Sequence):
        places = [place for place, item in enumerate(value) if is_id(item)]
        return (places[index],) if index < len(places) else ()
    return (index,)


def _member(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, Mapping) else None


class TopologyRoutes:
    """Routes in a topology file, `raw` being the file's values (without it, every list is taken as plain)."""

    def __init__(self, raw: object = None) -> None:
        self._nodes = _member(raw, "nodes")
        self._domains = _member(raw, "domains")

    def node(self, node_id: str) -> Route:
        """Return the route of a node."""
        return ("nodes", node_id)

    def node_axis(self, node_id: str, axis: str, index: int | None = None) -> Route:
        """Return the route of what a node says on `axis`, or of the id at `index` there."""
        value = _member(_member(self._nodes, node_id), axis)
        return (*self.node(node_id), axis, *_into(value, index))

    def domain(self, domain_id: str, key: str | None = None, index: int | None = None) -> Route:
        """Return the route of a domain, of its file `key`, or of the feed at `index`."""
        return _domain_route(self._domains, domain_id, key, index)


class EstateRoutes:
    """Routes in an estate file, `raw` being the file's values."""

    def __init__(self, raw: object) -> None:
        self._raw = raw
        self._domains = _member(raw, "domains")
        self._places: dict[str, int] | None = None

    def node(self, node_id: str) -> Route:
        """Return the route of a node: the first of that id."""
        place = self._index().get(node_id)
        return ("nodes",) if place is None else ("nodes", place)

    def node_axis(self, node_id: str, axis: str, index: int | None = None) -> Route:
        """Return the route of what a node says on `axis`, or of the id at `index` there."""
        place = self._index().get(node_id)
        if place is None:
            return ("nodes",)
        nodes = _member(self._raw, "nodes")
        node = nodes[place] if isinstance(nodes, list) else None
        value = _member(_member(node, "domains"), axis)
        return ("nodes", place, "domains", axis, *_into(value, index))

    def domain(self, domain_id: str, key: str | None = None, index: int | None = None) -> Route:
        """Return the route of a domain, of its file `key`, or of the feed at `index`."""
        return _domain_route(self._domains, domain_id, key, index)

    def _index(self) -> dict[str, int]:
        """Return the place of every node id in the file's list, found once."""
        if self._places is None:
            nodes = _member(self._raw, "nodes")
            self._places = {}
            for place, node in enumerate(nodes if isinstance(nodes, list) else ()):
                node_id = _member(node, "id")
                if isinstance(node_id, str):
                    self._places.setdefault(node_id, place)
        return self._places


def _domain_route(domains: object, domain_id: str, key: str | None, index: int | None) -> Route:
    if key is None:
        return ("domains", domain_id)
    value = _member(_member(domains, domain_id), key)
    return ("domains", domain_id, key, *_into(value, index))
