"""Readers of lists and mappings: what one entry has wrong does not hide the others."""

from typing import Any, Final

from topology.quoting import flow, quoted
from topology.readers import Problem, Reader, Wrong, ident, refuse
from topology.slips import listed

_NAMES: Final = ("name", "id", "node", "host", "hostname")
"""What the name of an entry is called where entries are listed."""


def list_of(
    read: Reader, *, least: int = 0, exactly: int | None = None, nulls: bool = False, distinct: bool = False
) -> Reader:
    """Return a reader of a list, as a tuple; `nulls`: an entry may be null; `distinct`: none twice."""

    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            meant = listed(value) if isinstance(value, str) and read is ident else ""
            one = f"[{quoted(value)}]" if isinstance(value, str) else _one_entry(value)
            refuse("a list", value, f"Write {meant or one}.")
        problems: list[Problem] = []
        kept = []
        seen: set[Any] = set()
        for place, item in enumerate(value):
            try:
                thing = None if nulls and item is None else read(item)
                if distinct and thing in seen:
                    twice = f"{quoted(str(thing))} is there twice"
                    problems.append(Problem(twice, "Name it once.", (place,)))
                    continue
                if distinct:
                    seen.add(thing)
                kept.append(thing)
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


def _one_entry(value: Any) -> str:
    """Return a mapping where a list is read as the list of it alone: `[{percent: 125, seconds: 600}]`."""
    return f"[{flow(value)}]" if isinstance(value, dict) and value else "[..]"


def mapping(value: Any) -> dict[str, Any]:
    """Return a mapping, its values unread."""
    if type(value) is not dict:
        refuse("a mapping", value, _by_name(value))
    return value


def _by_name(value: Any) -> str:
    """Return the fix for a list of things with names where each name is a key."""
    first = value[0] if isinstance(value, list) and value else None
    if isinstance(first, str):
        return f"Names are keys: write {flow(first)}: {{..}}, without the dash."
    if not isinstance(first, dict):
        return "Write {key: value}."
    named = next((key for key in _NAMES if isinstance(first.get(key), str)), None)
    if named is None:
        return "Names are keys: write its name, a colon and {..}, without the dash."
    rest = {key: item for key, item in first.items() if key != named}
    return f"Names are keys: write {flow(first[named])}: {flow(rest)}, without the dash."


def sequence(value: Any) -> list[Any]:
    """Return a list, its entries unread."""
    if type(value) is not list:
        named = next(iter(value), None) if isinstance(value, dict) else None
        each = f'Write [{{"id": "{flow(named)}", ..}}]: each says its own id.' if named else "Write [..]."
        refuse("a list", value, each)
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
