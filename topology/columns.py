"""Many records of one shape at once: key by key, not record by record, and each distinct value once."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar, cast

from topology.fields import Shape
from topology.frozen import many_of
from topology.parsed import Plain
from topology.readers import Reader, Wrong

T = TypeVar("T")

FEW: Final = 16
"""So few records with the same keys are not worth the trouble."""

CHUNK: Final = 1_000
"""So many records stay in the processor's cache while they are read key by key."""

_NOTHING: Final = type(None)
_READ_ONCE: Final = ({str}, {Plain}, {int}, {bool})
"""Types whose equal values are the same (0.0 and -0.0 are not), so that a reader does the same with them."""


def records(
    shape: Shape, kind: type[T], raw: Sequence[object], known: Mapping[str, Sequence[Any]]
) -> list[T | None]:
    """Return what each mapping of `raw` is read into; None where it has to be read alone.

    That is where something in it is wrong, or in another that has the same keys, or where few have the same.
    `known` are attributes that are read already, one value for each of `raw` (None: has to be read alone).
    """
    found: list[T | None] = []
    for start in range(0, len(raw), CHUNK):
        part = raw[start : start + CHUNK]
        found += _part(shape, kind, part, {name: known[name][start : start + CHUNK] for name in known})
    return found


def _part(
    shape: Shape, kind: type[T], raw: Sequence[object], known: Mapping[str, Sequence[Any]]
) -> list[T | None]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, item in enumerate(raw):
        if type(item) is dict:
            groups.setdefault(tuple(item), []).append(place)
    found: list[T | None] = [None] * len(raw)
    for keys, places in groups.items():
        if len(places) < FEW:
            continue
        rows = cast(list[dict[str, Any]], [raw[place] for place in places])
        ready = {name: [values[place] for place in places] for name, values in known.items()}
        for place, thing in zip(places, _alike(shape, kind, keys, rows, ready), strict=False):
            found[place] = thing
    return found


def _alike(
    shape: Shape,
    kind: type[T],
    keys: tuple[str, ...],
    rows: list[dict[str, Any]],
    ready: dict[str, list[Any]],
) -> list[T]:
    """Return what mappings with the same keys are read into; nothing where one of them is wrong."""
    defaults = {each.name: each.default for each in dataclasses.fields(cast(Any, kind))}
    if not shape.fields.keys() >= set(keys) >= set(shape.required) or any(None in v for v in ready.values()):
        return []
    columns = dict(ready)
    try:
        for key in keys:
            field = shape.fields[key]
            if field.attribute not in ready:
                column = [row[key] for row in rows]
                if field.required and None in column:
                    return []
                columns[field.attribute] = _column(field.read, column, defaults[field.attribute])
    except Wrong:
        return []
    return many_of(kind, columns)


def _column(read: Reader, values: list[Any], default: Any) -> list[Any]:
    """Return the values as `read` reads them, null being absent."""
    if set(map(type, values)) - {_NOTHING} in _READ_ONCE:
        table = {value: read(value) for value in set(values) if value is not None}
        table[None] = default
        return [table[value] for value in values]
    return [default if value is None else read(value) for value in values]
