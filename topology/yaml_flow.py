"""Braces and brackets of YAML as maps usually write them: scalars without escapes, nothing clever."""

import re
from collections.abc import Iterator
from typing import Any, Final

from topology.diagnostics import Route
from topology.parsed import NULLS, Plain

START: Final = r"(?:[\w/$~+(]|[-.](?=\w))"
INSIDE: Final = r"[\w./+@()=;~$%*-]"
"""What a scalar without quotes starts with, and goes on with. YAML allows more."""
QUOTED: Final = r""""[^"\\\r\n]*+"(?!")|'[^'\r\n]*+'(?!')"""
_LINE_BREAK: Final = r"(?:[ ]*\r?\n)?"
_PLAIN: Final = rf"{START}{INSIDE}*+(?:[ ]++{INSIDE}++)*+"
_TOKEN: Final = re.compile(rf"[\[{{]{_LINE_BREAK}[ ]*|[ ]*[\]}}]|,{_LINE_BREAK}[ ]+|:[ ]+|{QUOTED}|{_PLAIN}")
_LONGEST_KEY: Final = 250
"""YAML takes no keys beyond 1,024 characters."""
_SIGNS: Final = ",:]} "
"""What the tokens that are no values start with."""


class Unusual(Exception):
    """Something that is left to the parser of all YAML."""


def braces(depth: int) -> str:
    """Return the pattern of a collection in braces or brackets that is nested at most `depth` times."""
    inner = f"|{braces(depth - 1)}" if depth else ""
    return rf"""[\[{{](?:[^\[\]{{}}"'\#]++|{QUOTED}{inner})*+[\]}}]"""


class Flows:
    """Reads collections and scalars; what is written alike is read once, and shared."""

    def __init__(self) -> None:
        self._collections: dict[str, object] = {}
        self._scalars: dict[str, object] = {}
        self._keys: dict[str, str] = {}

    def value(self, written: str) -> object:
        """Return the value of a scalar or a collection. Raises `Unusual`."""
        if written[0] not in "[{":
            return self._scalar(written)
        known = self._collections.get(written)
        if known is None:
            tokens = _TOKEN.findall(written)
            if sum(map(len, tokens)) != len(written):
                raise Unusual
            rest = iter(tokens)
            known = self._collections[written] = self._value(next(rest), rest)
            if next(rest, None) is not None:
                raise Unusual
        return known

    def key(self, token: str) -> str:
        """Return the text of a key. Raises `Unusual`."""
        try:
            return self._keys[token]
        except KeyError:
            pass
        if token[0] in "[{" or token[0] in _SIGNS or len(token) > _LONGEST_KEY:
            raise Unusual
        text = self._keys[token] = _bare(token)
        return text

    def _scalar(self, token: str) -> object:
        try:
            return self._scalars[token]
        except KeyError:
            pass
        if token[0] in _SIGNS:
            raise Unusual
        text = _bare(token)
        value: str | None = text
        if text is token:
            value = None if token in NULLS else Plain(token)
        self._scalars[token] = value
        return value

    def _value(self, token: str, tokens: Iterator[str]) -> object:
        """Return the value that starts with `token`."""
        if token[0] == "{":
            return self._mapping(tokens)
        if token[0] == "[":
            return self._list(tokens)
        return self._scalar(token)

    def _list(self, tokens: Iterator[str]) -> list[object]:
        items: list[object] = []
        token = next(tokens, ",")
        if token[-1] == "]":
            return items
        scalars = self._scalars
        while True:
            items.append(scalars[token] if token in scalars else self._value(token, tokens))
            sign = next(tokens, " ")
            if sign[-1] == "]":
                return items
            if sign[0] != ",":
                raise Unusual
            token = next(tokens, ",")

    def _mapping(self, tokens: Iterator[str]) -> dict[str, object]:
        result: dict[str, object] = {}
        token = next(tokens, ",")
        if token[-1] == "}":
            return result
        keys, scalars = self._keys, self._scalars
        while True:
            key = keys[token] if token in keys else self.key(token)
            if key in result or next(tokens, " ")[0] != ":":
                raise Unusual
            token = next(tokens, ",")
            result[key] = scalars[token] if token in scalars else self._value(token, tokens)
            sign = next(tokens, " ")
            if sign[-1] == "}":
                return result
            if sign[0] != ",":
                raise Unusual
            token = next(tokens, ",")


def _bare(token: str) -> str:
    return token[1:-1] if token[0] in "\"'" else token


def places(written: str, offset: int, route: Route) -> Iterator[tuple[Route, int, int]]:
    """Yield the route of everything in a collection at `route`, with the offsets of its key and its value."""
    frames: list[_Frame] = []
    for token in _TOKEN.findall(written):
        sign = token.strip()[0]
        if sign in "]}":
            frames.pop()
        elif sign not in ",:":
            frame = frames[-1] if frames else None
            if frame is not None and frame.step is None:
                frame.step, frame.key_offset = _bare(token), offset
            else:
                here = route
                if frame is not None:
                    here = (*frame.route, frame.step)
                    yield here, frame.key_offset if frame.is_map else offset, offset
                    frame.step = None if frame.is_map else frame.step + 1
                if sign in "[{":
                    frames.append(_Frame(here, is_map=sign == "{"))
        offset += len(token)


class _Frame:
    """One open collection: `step` is the key or the index of what comes next, None where a key comes next."""

    __slots__ = ("is_map", "key_offset", "route", "step")

    def __init__(self, route: Route, *, is_map: bool) -> None:
        self.route = route
        self.is_map = is_map
        self.step: Any = None if is_map else 0
        self.key_offset = 0
