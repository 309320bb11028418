"""JSON text to values with the standard library: repeated keys are found, nesting is bounded."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Final

from topology.diagnostics import Route
from topology.limits import LONGEST_INTEGER, MAX_DEPTH
from topology.parsed import Index, Parsed, with_prefixes
from topology.unreadable import Unreadable

_RULE: Final = "json-syntax"
_STEPPED_LEVELS: Final = 7
_STRING: Final = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_TOKEN: Final = re.compile(rf'{_STRING}|[{{}}\[\]]|[^\s{{}}\[\],:"]+', re.DOTALL)
_BRACKET: Final = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_SPACE: Final = r"[ \t\r\n]*"
_FIRST: Final = re.compile(rf"{_SPACE}\{{{_SPACE}")
_COLON: Final = re.compile(rf"{_SPACE}:{_SPACE}")
_NEXT: Final = re.compile(rf"{_SPACE}(?:,{_SPACE}|(\}}{_SPACE}\Z))")

_ObjectOf = Callable[[list[tuple[str, object]]], dict[str, object]]


def parse(text: str) -> Parsed:
    """Return the value in `text`. Raises `Unreadable` with the first thing wrong."""
    repeated: set[str] = set()

    def object_of(pairs: list[tuple[str, object]]) -> dict[str, object]:
        result = dict(pairs)
        if len(result) != len(pairs):
            result = {}
            for key, value in pairs:
                if key in result:
                    repeated.add(key)
                result.setdefault(key, value)
        return result

    value, ends = _by_member(text, object_of) or (_loads(text, object_of), {})
    return Parsed(value, _repeats(text, repeated) if repeated else (), ends)


def _by_member(text: str, object_of: _ObjectOf) -> tuple[dict[str, object], dict[int, int]] | None:
    """Return an object, and for the start of every value right in it the offset behind that value.

    None where the text is anything else, or wrong in any way: `_loads` says what it is.
    """
    decoder = json.JSONDecoder(object_pairs_hook=object_of)
    pairs: list[tuple[str, object]] = []
    ends: dict[int, int] = {}
    step = _FIRST.match(text)
    try:
        while step is not None:
            key, offset = decoder.raw_decode(text, step.end())
            colon = _COLON.match(text, offset)
            if type(key) is not str or colon is None:
                return None
            value, end = decoder.raw_decode(text, colon.end())
            pairs.append((key, value))
            ends[colon.end()] = end
            step = _NEXT.match(text, end)
            if step is not None and step.group(1):
                return object_of(pairs), ends
    except (ValueError, RecursionError):
        pass
    return None


def _loads(text: str, object_of: _ObjectOf, parse_int: Callable[[str], object] | None = None) -> object:
    try:
        return json.loads(text, object_pairs_hook=object_of, parse_int=parse_int)
    except json.JSONDecodeError as error:
        raise _syntax(text, error) from None
    except RecursionError:
        hint = f"Flatten it: a valid file needs 7 levels, {MAX_DEPTH} are read."
        raise Unreadable(_RULE, _too_deep(text), f"nested deeper than {MAX_DEPTH} levels", hint) from None
    except ValueError:  # more digits than int() takes
        return _loads(text, object_of, _integer)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_INTEGER else float(digits)


def _syntax(text: str, error: json.JSONDecodeError) -> Unreadable:
    if not text.strip(" \t\r\n"):
        return Unreadable(
            _RULE, 0, "the file is empty", "Write an estate (`topo collect` does) or a topology."
        )
    message = f"cannot be parsed as JSON: {error.msg[0].lower()}{error.msg[1:].removesuffix(' starting at')}"
    if error.msg == "Extra data":
        message = "cannot be parsed as JSON: something follows the end of the value"
    hint = (
        "Check commas, colons and quotes here and just before; JSON knows no comments and no trailing commas."
    )
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
        hint = "The text ends too early: was the file cut off while it was written?"
    comma = _trailing_comma(text, error.pos)
    if comma is not None:
        return Unreadable(_RULE, comma, "cannot be parsed as JSON: a trailing comma", hint)
    return Unreadable(_RULE, min(error.pos, len(text)), message, hint)


def _trailing_comma(text: str, position: int) -> int | None:
    """Return the offset of a comma before a closing bracket: Python 3.13 points at it, 3.12 behind it."""
    if text[position : position + 1] == ",":
        return position if text[position + 1 :].lstrip(" \t\r\n")[:1] in ("]", "}") else None
    before = text[:position].rstrip(" \t\r\n")
    return len(before) - 1 if text[position : position + 1] in ("]", "}") and before.endswith(",") else None


def _too_deep(text: str) -> int:
    """Return the offset of the first bracket beyond the deepest level."""
    depth = 0
    for match in _BRACKET.finditer(text):
        sign = match.group()
        if sign in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                return match.start()
        elif sign in "}]":
            depth -= 1
    return 0


def locate(text: str, routes: set[Route] | None, ends: Mapping[int, int] | None = None) -> Index:
    """Return where `routes` and everything on the way to them (None: all routes) stand in `text`.

    `ends` says of some objects and arrays, by their offsets, where they end (see `Parsed`).
    """
    scan = _Scan(routes, frozenset(), ends or {})
    scan.run(text)
    return scan.index


def _repeats(text: str, keys: set[str]) -> tuple[tuple[Route, int], ...]:
    """Return every repeat of one of `keys` within one object."""
    scan = _Scan(set(), frozenset(keys), {})
    scan.run(text)
    return tuple(scan.repeats)


class _Scan:
    """One pass over the tokens of valid JSON: notes offsets by route, and repeats of the watched keys."""

    def __init__(self, wanted: set[Route] | None, watched: frozenset[str], ends: Mapping[int, int]) -> None:
        self.index = Index()
        self.repeats: list[tuple[Route, int]] = []
        self._wanted = None if wanted is None else with_prefixes(wanted)
        self._wanted_steps: dict[Route, set[str | int]] = {}
        for route in self._wanted or ():
            self._wanted_steps.setdefault(route[:-1], set()).add(route[-1] if route else "")
        self._watched = watched
        self._ends = ends
        self._stack: list[_Frame] = []

    def run(self, text: str) -> None:
        """Read to the end, or until all that is wanted has its place: the first of equal keys counts."""
        offset = 0
        found, enough = self.index.offsets, len(self._wanted or ()) or -1
        while len(found) != enough and (match := _TOKEN.search(text, offset)):
            token = match.group()
            offset = match.end()
            if token in ("}", "]"):
                self._stack.pop()
            elif token[0] == '"' and self._stack and self._stack[-1].expects_key:
                self._stack[-1].take_key(_key(token), match.start())
                self._watch(match.start())
            else:
                route = self._next(match.start())
                if token not in ("{", "["):
                    continue
                if route is None and not self._watched:
                    offset = self._ends.get(match.start()) or _after(text, match.start())
                else:
                    self._stack.append(_Frame(route, is_map=token == "{"))
            if self._wanted is not None and not self._watched and self._stack:
                offset = self._skip(text, offset, self._stack[-1])

    def _skip(self, text: str, offset: int, frame: "_Frame") -> int:
        """Return the offset behind what stands next in an object or array and nobody asked for."""
        if frame.is_map is not frame.expects_key or not frame.route:
            return offset  # the few entries at the top are looked at one by one: `ends` knows where they end
        wanted: Collection[str | int] = self._wanted_steps.get(frame.route, ())
        _, item, entry = _steps()
        if frame.is_map:
            while (match := entry.match(text, offset)) and match.group(1) not in wanted:
                offset = match.end()
        else:
            while frame.length not in wanted and (match := item.match(text, offset)):
                offset = match.end()
                frame.length += 1
        return offset

    def _next(self, offset: int) -> Route | None:
        """Return the route of the value at `offset`, and note its place where it is asked for."""
        if not self._stack:
            return self._note((), offset, offset)
        frame = self._stack[-1]
        step: str | int = frame.key if frame.is_map else frame.length
        frame.length += 1
        frame.expects_key = frame.is_map
        if frame.route is None:
            return None
        return self._note((*frame.route, step), frame.key_offset if frame.is_map else offset, offset)

    def _note(self, route: Route, key_offset: int, offset: int) -> Route | None:
        if self._watched:
            return route
        if self._wanted is not None and route not in self._wanted:
            return None
        self.index.offsets.setdefault(route, (key_offset, offset))
        return route

    def _watch(self, offset: int) -> None:
        frame = self._stack[-1]
        if frame.key not in self._watched or frame.route is None:
            return
        if frame.key in frame.seen:
            self.repeats.append(((*frame.route, frame.key), offset))
        frame.seen.add(frame.key)


class _Frame:
    """One open object or array."""

    __slots__ = ("expects_key", "is_map", "key", "key_offset", "length", "route", "seen")

    def __init__(self, route: Route | None, *, is_map: bool) -> None:
        self.route = route
        self.is_map = is_map
        self.expects_key = is_map
        self.key = ""
        self.key_offset = 0
        self.length = 0
        self.seen: set[str] = set()

    def take_key(self, key: str, offset: int) -> None:
        """Remember the key of the value that comes next."""
        self.key = key
        self.key_offset = offset
        self.expects_key = False


def _key(token: str) -> str:
    return str(json.loads(token)) if "\\" in token else token[1:-1]


@cache
def _steps() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what steps over an object or array, over an item of an array, and over an entry of an object.

    The latter two take separators before them. Deeper nesting than any valid file needs is not stepped over.
    """
    whole = _nested(_STEPPED_LEVELS)
    item = rf"[\s,]*+{whole}"
    entry = rf'[\s,]*+"([^"\\]*+)"\s*+:\s*+{whole}'
    return re.compile(whole, re.DOTALL), re.compile(item, re.DOTALL), re.compile(entry, re.DOTALL)


def _nested(levels: int) -> str:
    inner = f"|{_nested(levels - 1)}" if levels > 1 else ""
    string = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    return rf'[{{\[][^{{}}\[\]"]*+(?:(?:{string}{inner})[^{{}}\[\]"]*+)*+[}}\]]'


def _after(text: str, offset: int) -> int:
    """Return the offset after the object or array that starts at `offset`."""
    stepped = _steps()[0].match(text, offset)
    return _after_brackets(text, offset) if stepped is None else stepped.end()


def _after_brackets(text: str, offset: int) -> int:
    """Return the offset after the object or array that starts at `offset`."""
    depth = 0
    for match in _BRACKET.finditer(text, offset):
        sign = match.group()
        if sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    return len(text)
