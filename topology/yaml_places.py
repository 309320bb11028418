"""Where keys and values stand in a YAML text: a second reading, done only when somebody asks."""

from contextlib import suppress
from typing import Any

from topology.diagnostics import Route
from topology.parsed import Index, with_prefixes
from topology.unreadable import Unreadable
from topology.yaml_events import events
from topology.yaml_refusals import Event, explained


def locate(text: str, routes: set[Route] | None) -> Index:
    """Return where `routes` and everything on the way to them (None: all routes) stand in `text`.

    What stands behind an alias is placed where it is written. With aliases in it, everything is indexed.
    """
    locator = _Locator(None if routes is None else with_prefixes(routes))
    # What stands before a fault is placed.
    with suppress(Unreadable), explained(text):
        for event in events(text):
            locator.take(event)
    if routes is not None and locator.index.links:
        return locate(text, None)
    return locator.index


class _Locator:
    """Follows the events with the route of what comes next; `None` as a route means: nobody asked for it."""

    def __init__(self, wanted: set[Route] | None) -> None:
        self.index = Index()
        self._wanted = wanted
        self._stack: list[_Frame] = []
        self._anchors: dict[str, Route] = {}

    def take(self, event: Event) -> None:
        """Place one event."""
        name = type(event).__name__
        if name in ("ScalarEvent", "AliasEvent"):
            self._leaf(event, alias=name == "AliasEvent")
        elif name in ("MappingStartEvent", "SequenceStartEvent"):
            route = self._next(event)
            if route is not None and event.anchor is not None:
                self._anchors[event.anchor] = route
            if route is not None and "<<" in route[-2:]:
                self._link(route, route)
            self._stack.append(_Frame(route, is_map=name == "MappingStartEvent"))
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            self._stack.pop()

    def _leaf(self, event: Event, *, alias: bool) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.is_map and not frame.has_key:
            frame.has_key = True
            frame.key = event.value if not alias else None
            frame.key_offset = event.start_mark.index
            return
        route = self._next(event)
        if not alias:
            if event.anchor is not None and route is not None:
                self._anchors[event.anchor] = route
            return
        target = self._anchors.get(event.anchor, ())
        # An alias where nobody looked still makes a link: everything is then indexed.
        self._link(route if route is not None else (), target)

    def _next(self, event: Event) -> Route | None:
        """Return the route of the value that starts with `event`, and note its place where asked for."""
        offset = event.start_mark.index
        if not self._stack:
            return self._note((), offset, offset)
        frame = self._stack[-1]
        step: Any = frame.key if frame.is_map else frame.length
        key_offset = frame.key_offset if frame.is_map else offset
        frame.has_key = False
        frame.length += 1
        if frame.route is None or step is None:
            return None
        return self._note((*frame.route, step), key_offset, offset)

    def _link(self, route: Route, target: Route) -> None:
        """Remember that what stands at `route`, or is merged around it, is written at `target`."""
        if route[-1:] == ("<<",):
            route = route[:-1]
        elif route[-2:-1] == ("<<",):
            route = route[:-2]
        if route != target:
            self.index.links.setdefault(route, []).append(target)

    def _note(self, route: Route, key_offset: int, offset: int) -> Route | None:
        if self._wanted is not None and route not in self._wanted:
            return None
        self.index.offsets.setdefault(route, (key_offset, offset))
        return route


class _Frame:
    """One open mapping or list."""

    __slots__ = ("has_key", "is_map", "key", "key_offset", "length", "route")

    def __init__(self, route: Route | None, *, is_map: bool) -> None:
        self.route = route
        self.is_map = is_map
        self.has_key = False
        self.key: str | None = None
        self.key_offset = 0
        self.length = 0
