"""One input file as text, and where in it a route of keys stands (line and column, both from 1)."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from topology import json_text, yaml_lines
from topology.diagnostics import Diagnostic, Fault, Route
from topology.limits import WHOLE_INDEX_CHARACTERS
from topology.parsed import Index, Parsed
from topology.quoting import quoted
from topology.unreadable import Unreadable

At = Literal["key", "value"]
Dialect = Literal["yaml", "json"]
Place = tuple[int, int]
"""Line and column, both counted from 1."""

_LINE_END = re.compile(r"\r\n?|\n")


class Source:
    """The text of one file. Positions are found on demand: reading a large file records none.

    Lines end at LF, CR or CRLF; columns count characters. `path` is what the user called the file.
    """

    __slots__ = ("_ends", "_index", "_starts", "_usual", "_whole", "dialect", "path", "text")

    def __init__(self, path: str, text: str, dialect: Dialect) -> None:
        self.path = path
        self.text = text
        self.dialect: Dialect = dialect
        self._starts: array[int] | None = None
        self._ends: Mapping[int, int] = {}
        self._index = Index()
        self._whole = False
        self._usual: bool | None = None
        """Whether `yaml_lines` reads the text; None where nobody tried."""

    def parse(self) -> Parsed:
        """Return the values as written. Raises `Unreadable` where the text is not of its dialect."""
        if self.dialect == "json":
            read = json_text.parse(self.text)
            self._ends = read.ends
            return read
        parsed = yaml_lines.parse(self.text)
        self._usual = parsed is not None
        if parsed is None:
            from topology import yaml_events

            parsed = yaml_events.parse(self.text)
        return parsed

    def position(self, route: Route, at: At = "value") -> Place:
        """Return where the value (or the key) at `route` starts; what is missing is placed at its parent.

        In a large file every new route reads the file again: ask for many at once with `positions`.
        """
        return self.place(self.offset(route, at))

    def positions(self, wanted: Iterable[tuple[Route, At]]) -> list[Place]:
        """Return the place of every route of `wanted`, in order, reading the file at most once."""
        asked = list(wanted)
        self._locate({route for route, _ in asked})
        return [self.place(self._offset(route, at)) for route, at in asked]

    def offset(self, route: Route, at: At = "value") -> int:
        """Return the offset in the text of the value (or the key) at `route`."""
        self._locate({route})
        return self._offset(route, at)

    def place(self, offset: int) -> Place:
        """Return line and column of the character at `offset`."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return a line without its end, or an empty text beyond the last."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def diagnostics(self, faults: Sequence[Fault]) -> tuple[Diagnostic, ...]:
        """Return the faults at their places, in file order."""
        wanted: list[tuple[Route, At]] = []
        for fault in faults:
            wanted.append((fault.route, fault.at))
            wanted.extend((route, "key") for route, _ in fault.related)
        places = iter(self.positions(wanted))
        found = []
        for fault in faults:
            line, column = next(places)
            related = tuple((*next(places), word) for _, word in fault.related)
            found.append(
                Diagnostic(
                    self.path,
                    line,
                    column,
                    fault.severity,
                    fault.rule,
                    fault.message,
                    fault.ids,
                    fault.hint,
                    related,
                )
            )
        return tuple(sorted(found))

    def repeats(self, repeats: Sequence[tuple[Route, int]]) -> tuple[Diagnostic, ...]:
        """Return what is said about keys that a mapping repeats: the repeat's place, and the first one's."""
        firsts = self.positions((route, "key") for route, _ in repeats)
        return tuple(
            self._repeat(route, self.place(offset), first)
            for (route, offset), first in zip(repeats, firsts, strict=True)
        )

    def _repeat(self, route: Route, place: Place, first: Place) -> Diagnostic:
        key = str(route[-1])
        where = f"in {quoted(_path(route[:-1]))}" if len(route) > 1 else "at the top"
        message = f"the key {quoted(key)} is there twice {where}: on line {first[0]} and on line {place[0]}"
        hint = "Remove one of the two, or rename it: only the first would count."
        related = ((*first, "first here"),)
        return Diagnostic(self.path, *place, "error", "duplicate-key", message, (key,), hint, related)

    def unreadable(self, trouble: Unreadable) -> Diagnostic:
        """Return why the text cannot be parsed, at its place."""
        line, column = self.place(trouble.offset)
        related = tuple((*self.place(offset), word) for offset, word in trouble.related)
        return Diagnostic(
            self.path,
            line,
            column,
            "error",
            trouble.rule,
            trouble.message,
            trouble.ids,
            trouble.hint,
            related,
        )

    def _locate(self, routes: set[Route]) -> None:
        if self._whole or routes <= self._index.offsets.keys():
            return
        self._whole = len(self.text) <= WHOLE_INDEX_CHARACTERS
        found = self._find(None if self._whole else routes)
        self._index.offsets.update(found.offsets)
        self._index.links.update(found.links)

    def _find(self, routes: set[Route] | None) -> Index:
        if self.dialect == "json":
            return json_text.locate(self.text, routes, self._ends)
        if self._usual is None:
            self._usual = yaml_lines.parse(self.text) is not None
        if self._usual:
            return yaml_lines.locate(self.text, routes)
        from topology import yaml_places

        return yaml_places.locate(self.text, routes)

    def _offset(self, route: Route, at: At) -> int:
        """Return the offset of `route`, or of the key of its longest part that the file has."""
        for length in range(len(route), -1, -1):
            known = self._linked(route[:length])
            if known is not None:
                return known[1] if at == "value" and length == len(route) else known[0]
        return 0

    def _linked(self, route: Route) -> tuple[int, int] | None:
        """Return the offsets of a route as written, or of what YAML aliases and merges put there."""
        offsets, links = self._index.offsets, self._index.links
        todo, followed = [route], set[tuple[Route, Route]]()
        while todo:
            route = todo.pop()
            known = offsets.get(route)
            if known is not None or not links:
                return known
            behind = []
            for length in range(len(route) - 1, -1, -1):
                if route[length] == "<<":
                    continue
                for target in links.get(route[:length], ()):
                    # Once each: a mapping may merge what stands inside itself, or one thing many times over.
                    if (route[:length], target) not in followed:
                        followed.add((route[:length], target))
                        behind.append((*target, *route[length:]))
            todo.extend(reversed(behind))
        return None

    def _line_starts(self) -> "array[int]":
        if self._starts is None:
            ends = _newlines(self.text)
            if "\r" in self.text:
                ends = (match.end() for match in _LINE_END.finditer(self.text))
            self._starts = array("Q", (0, *ends))
        return self._starts


def _newlines(text: str) -> Iterator[int]:
    """Yield the offset behind every newline; much faster than a pattern where lines are long."""
    end = text.find("\n") + 1
    while end:
        yield end
        end = text.find("\n", end) + 1


def _path(route: Route) -> str:
    """Return a route as people write it.

    >>> _path(("nodes", 3, "domains"))
    'nodes[3].domains'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in route).removeprefix(".")
