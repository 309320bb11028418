"""Readers of lists and mappings: what one entry has wrong does not hide the others."""

from typing import Any

from topology.quoting import quoted
from topology.readers import Problem, Reader, Wrong, ident, refuse
from topology.slips import listed


def list_of(read: Reader, *, least: int = 0, exactly: int | None = None, nulls: bool = False) -> Reader:
    """Return a reader of a list, as a tuple; `nulls`: an entry may be null."""

    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            meant = listed(value) if isinstance(value, str) and read is ident else ""
            one = f"[{quoted(value)}]" if isinstance(value, str) else "[..]"
            refuse("a list", value, f"Write {meant or one}.")
        problems: list[Problem] = []
        kept = []
        for place, item in enumerate(value):
            try:
                kept.append(None if nulls and item is None else read(item))
            except Wrong as wrong:
                problems += (problem.below(place) for problem in wrong.problems)
        if exactly is not None and len(value) != exactly:
            problems.append(Problem(f"expected {exactly} entries, found {len(value)}", "Oldest first."))
        elif len(value) < least:
            problems.append(Problem("the list is empty", "Leave the key out where nothing is known."))
        if problems:
            raise Wrong(tuple(problems), tuple(kept))
        return tuple(kept)

    return read_list


def mapping(value: Any) -> dict[str, Any]:
    """Return a mapping, its values unread."""
    if type(value) is not dict:
        refuse("a mapping", value, "Write {key: value}.")
    return value


def sequence(value: Any) -> list[Any]:
    """Return a list, its entries unread."""
    if type(value) is not list:
        refuse("a list", value, "Write [..].")
    return value


def mapping_of(read: Reader) -> Reader:
    """Return a reader of a mapping from ids; a null value is left out, as if the key were not there."""

    def read_mapping(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse("a mapping", value, "Write {key: value}.")
        problems: list[Problem] = []
        kept: dict[str, Any] = {}
        for key, item in value.items():
            try:
                ident(key)
                if item is not None:
                    kept[key] = read(item)
            except Wrong as wrong:
                problems += (problem.below(key, quoted(key)) for problem in wrong.problems)
        if problems:
            raise Wrong(tuple(problems), kept)
        return kept

    return read_mapping
