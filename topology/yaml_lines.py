"""YAML as maps are usually written, read line by line: many times faster than through the parser's events.

One key a line, in blocks or in braces and brackets; scalars on one line, without escapes; comments. Whatever
looks different in any way (anchors, tags, block scalars, repeated keys, faults) is not read here at all:
`parse` then returns None, and `yaml_events` and `yaml_places` decide. What is read here is read exactly as
they read it.
"""

import re
from typing import Any, Final

from topology.diagnostics import Route
from topology.parsed import Index, Parsed, with_prefixes
from topology.yaml_flow import INSIDE, QUOTED, START, Flows, Unusual, braces, places

_KEY: Final = rf"""{START}{INSIDE}*+|"{INSIDE}++"|'{INSIDE}++'"""
_SENTENCE: Final = rf"""{START}(?:[\w./+@()=;~$%*,?'"-]|:(?=[^\s])|[ ]++(?=[\w./+@()=;~$%*,'"-]))*+"""
"""Text behind a block's key may hold more than text in braces."""
_LINE_END: Final = r"(?:[ ]++\#[^\r\n]*+|[ ]*+)(?:\r?\n|\Z)"
_NOTHING: Final = r"(?:[ ]*+(?:\#[^\r\n]*+)?\r?\n)*+(?:[ ]*+(?:\#[^\r\n]*+)?\Z)?"
"""Blank lines and comments."""
_HEAD: Final = re.compile(rf"{_NOTHING}(?:---{_LINE_END}{_NOTHING})?")
_LINE: Final = re.compile(
    rf"([ ]*+)(-[ ]++)?(?:({_KEY}):(?=[ \r\n]|\Z)(?:[ ]++(?=[^ \#\r\n]))?+)?"
    rf"({braces(3)}|{QUOTED}|{_SENTENCE})?{_LINE_END}{_NOTHING}"
)
"""One line, or more where braces or brackets go on: indentation, dash, key, value."""
_VALUE: Final = 4
_DEEPEST: Final = 50


def parse(text: str) -> Parsed | None:
    """Return the values of the one document in `text`; None where it is not all of the usual form."""
    try:
        return Parsed(_Lines(text, None).read())
    except Unusual:
        return None


def locate(text: str, routes: set[Route] | None) -> Index:
    """Return where `routes` and everything on the way to them (None: all routes) stand.

    Only for a text that `parse` has read.
    """
    noted = _Places(None if routes is None else with_prefixes(routes))
    _Lines(text, noted).read()
    return noted.index


class _Frame:
    """One open block: where its lines start, what they fill, and its route where somebody asked for it."""

    __slots__ = ("column", "container", "is_list", "route")

    def __init__(self, column: int, container: Any, route: Route | None) -> None:
        self.column = column
        self.container = container
        self.is_list = type(container) is list
        self.route = route


class _Lines:
    """Reads a text from its first line to its last.

    With `noted` it notes places instead of values, in a text whose values have been read before.
    """

    def __init__(self, text: str, noted: "_Places | None") -> None:
        self._text = text
        self._noted = noted
        self._flows = Flows()
        self._frames: list[_Frame] = []
        self._pending: str | None = None

    def read(self) -> object:
        """Return the value. Raises `Unusual`."""
        text, end, match_line = self._text, len(self._text), _LINE.match
        at = self._start()
        frames, flows, noted = self._frames, self._flows, self._noted
        while at < end:
            match = match_line(text, at)
            if match is None:
                raise Unusual
            at = match.end()
            indent, dash, key, value = match.groups()
            frame = frames[-1]
            if self._pending is not None or dash is not None or len(indent) != frame.column or frame.is_list:
                frame = self._frame_of(len(indent), match, is_item=dash is not None)
                if dash is not None:
                    frame = self._item(frame, match, key)
            if frame.is_list:
                step: str | int = len(frame.container)
                frame.container.append(None)
            elif key is not None:
                step = flows.key(key)
                if step in frame.container:
                    raise Unusual
                if value is None:
                    self._pending = step
            else:
                raise Unusual
            if noted is None:
                frame.container[step] = None if value is None else flows.value(value)
            else:
                frame.container[step] = None
                if frame.route is not None:
                    noted.entry((*frame.route, step), match)
        return frames[0].container

    def _start(self) -> int:
        """Open the block of the whole text, and return the offset of its first line."""
        text = self._text
        if self._noted is None and not text.replace("\r\n", "").replace("\n", "").isprintable():
            raise Unusual
        head = _HEAD.match(text)
        at = head.end() if head else 0
        first = _LINE.match(text, at)
        if first is None or first.group(3) is None or first.group(2) is not None:
            raise Unusual
        route = None if self._noted is None else self._noted.note((), first.start(3), first.start(3))
        self._frames.append(_Frame(len(first.group(1)), {}, route))
        return at

    def _item(self, frame: _Frame, match: re.Match[str], key: str | None) -> _Frame:
        """Return the block that what stands behind a dash belongs to: the list's, or a mapping of its own."""
        if key is None:
            if match.group(_VALUE) is None:
                raise Unusual
            return frame
        frame.container.append(None)
        return self._open(frame, len(frame.container) - 1, match.end(2) - match.start(), {}, match.end(2))

    def _frame_of(self, column: int, match: re.Match[str], *, is_item: bool) -> _Frame:
        """Return the block of a line; blocks that end before it are closed, one that it starts is opened."""
        frames = self._frames
        frame = frames[-1]
        pending, self._pending = self._pending, None
        if pending is not None and (column > frame.column or (is_item and column == frame.column)):
            return self._open(frame, pending, column, [] if is_item else {}, match.end(1))
        while column < frame.column or (column == frame.column and frame.is_list and not is_item):
            frames.pop()
            if not frames:
                raise Unusual
            frame = frames[-1]
        if column != frame.column or is_item is not frame.is_list:
            raise Unusual
        return frame

    def _open(self, frame: _Frame, step: str | int, column: int, container: Any, offset: int) -> _Frame:
        """Open a block as the value at `step` of the one around it."""
        if len(self._frames) > _DEEPEST:
            raise Unusual
        frame.container[step] = container
        route = None
        if self._noted is not None and frame.route is not None:
            route = self._noted.block((*frame.route, step), offset)
        opened = _Frame(column, container, route)
        self._frames.append(opened)
        return opened


class _Places:
    """Notes where keys and values stand: the `wanted` routes (None: every route)."""

    def __init__(self, wanted: set[Route] | None) -> None:
        self.index = Index()
        self._wanted = wanted

    def note(self, route: Route, key_offset: int, offset: int) -> Route | None:
        """Note one place; the route is returned where somebody asked for it."""
        if self._wanted is not None and route not in self._wanted:
            return None
        self.index.offsets[route] = (key_offset, offset)
        return route

    def block(self, route: Route, offset: int) -> Route | None:
        """Note that the value at `route`, whose key was noted before, is a block that starts at `offset`."""
        key_offset, _ = self.index.offsets.get(route, (offset, offset))
        return self.note(route, key_offset, offset)

    def entry(self, route: Route, match: re.Match[str]) -> None:
        """Note what a line says at `route`: nothing stands right behind the colon."""
        written = match.group(_VALUE)
        offset = match.end(3) + 1 if written is None else match.start(_VALUE)
        key_offset = offset if match.group(3) is None else match.start(3)
        if self.note(route, key_offset, offset) is not None and written and written[0] in "[{":
            for inner in places(written, offset, route):
                self.note(*inner)
