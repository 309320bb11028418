"""What the readers of YAML and JSON text hand over: values, repeated keys, positions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from topology.diagnostics import Route

NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
"""YAML scalars without quotes that say nothing."""


class Plain(str):
    """A YAML scalar written without quotes: text, or a number where one is expected."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """Values of a file (mappings, lists, text, numbers, None), and every key that a mapping repeats.

    The first of two equal keys counts. Each repeat has the route of its key and its offset in the text.
    `ends` holds, for the offsets at which some of the values start, the offset behind each.
    """

    value: object
    repeats: tuple[tuple[Route, int], ...] = ()
    ends: Mapping[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Index:
    """Offsets of keys and values by route; `links`: what stands at a route is written at others (aliases)."""

    offsets: dict[Route, tuple[int, int]] = field(default_factory=dict)
    links: dict[Route, list[Route]] = field(default_factory=dict)


def with_prefixes(routes: set[Route]) -> set[Route]:
    """Return the routes together with everything on the way to them."""
    return {route[:length] for route in routes for length in range(len(route) + 1)}
