"""Everyday slips of YAML that give another value than was meant, and what was meant: for hints alone."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from topology.diagnostics import Fault, Route
from topology.number_hints import thousands
from topology.parsed import Plain
from topology.quoting import flow, quoted
from topology.timestamps import parse_timestamp

_SHOWN: Final = 100
"""Longer values [characters] are not written out in a hint."""

_NAME: Final = re.compile(r"\w[\w./+-]*")
_GLUED: Final = re.compile(r"[\s{,-]*([\w.-]+):(?=[^\s:/])")
"""A key at the start of a line whose colon has no space behind it."""

_GLUED_BRACE: Final = re.compile(r"([\w.-]+):[{\[]")
_TOP_KEYS: Final = ("nodes", "domains", "verifiedAt", "version")


def listed(value: str) -> str:
    """Return ids between commas as the list that was meant; empty for a value without a comma.

    >>> listed(Plain("pdu-a, pdu-b")), listed("pdu-a, pdu-b")
    ('[pdu-a, pdu-b]', '["pdu-a", "pdu-b"]')
    """
    ids = [part.strip() for part in value.split(",")] if "," in value and len(value) <= _SHOWN else []
    if not ids or not all(map(_NAME.fullmatch, ids)):
        return ""
    between = ids if isinstance(value, Plain) else [f'"{each}"' for each in ids]
    return f"[{', '.join(between)}]"


def cut_by_commas(
    raw: Mapping[str, object], known: Collection[str], lists: Collection[str]
) -> dict[str, str]:
    """Return, by key, the fix where a comma in braces cut a value in two: `{feeds: a, b}`, `{x: 2,500}`.

    What is behind such a comma is a key without a value, which `known` does not have.
    """
    hints: dict[str, str] = {}
    last, strays = "", list[str]()
    for key in (*raw, None):
        if key is not None and key not in known and raw[key] is None:
            strays.append(key)
            continue
        value = raw.get(last)
        if strays and isinstance(value, Plain):
            hints |= _cut(last, value, strays, lists)
        last, strays = key or "", []
    return hints


def _cut(key: str, value: Plain, strays: list[str], lists: Collection[str]) -> dict[str, str]:
    whole = thousands(value, ",".join(strays))
    if whole:
        return dict.fromkeys(strays, whole)
    meant = listed(Plain(", ".join((value, *strays)))) if key in lists else ""
    return dict.fromkeys((key, *strays), f"Write {key}: {meant}.") if meant else {}


def glued(key: str, known: Collection[str]) -> tuple[str, str] | None:
    """Return the known key and the value that a key without a space behind its colon stands for, or None.

    >>> glued("kind:rack", ("kind",))
    ('kind', 'rack')
    """
    name, _, value = key.partition(":")
    return (name, value) if value and name in known else None


def spaced(faults: Iterable[Fault], name: str) -> list[Fault]:
    """Return what is said about an entry, with the fix where its name has swallowed what it should hold."""
    match = _GLUED_BRACE.match(name)
    hint = _space(match[1]) if match else ""
    return [replace(fault, hint=hint or fault.hint) for fault in faults]


def _space(name: str) -> str:
    return f"A space is missing after the colon of `{name[:_SHOWN]}:`."


def glued_line(text: str, offset: int) -> str:
    """Return the fix where the line at `offset`, or the one above, lacks a space behind its colon."""
    start = text.rfind("\n", 0, offset) + 1
    above = text.rfind("\n", 0, max(start - 1, 0)) + 1
    end = text.find("\n", offset)
    for line in (text[start : end if end >= 0 else len(text)], text[above : max(start - 1, 0)]):
        match = _GLUED.match(line[:_SHOWN])
        if match:
            return _space(match[1])
    return ""


def indented_too_far(route: Route, value: object, known: Collection[str]) -> Fault | None:
    """Return the fault of a key of the top that stands under another (`nodes`, `domains`), or None.

    A node or domain may have such a name: it then has at least one of the keys that are `known` there.
    """
    under, name = str(route[0]), str(route[1])
    if name not in _TOP_KEYS or (isinstance(value, Mapping) and any(key in known for key in value)):
        return None
    message = f"`{name}:` is indented too far: it is read as one of the {under}"
    return Fault(
        "schema", "error", message, route, f"Start `{name}:` in the first column.", (name,), at="key"
    )


def stray_keys(raw: Mapping[str, object], known: Iterable[str]) -> list[str]:
    """Return the keys of a node or domain that stand beside it, among the nodes or domains."""
    return [key for key in known if isinstance(raw.get(key), str | int | float | list)]


def indented_too_little(under: str, name: str, raw: Mapping[str, object], strays: Collection[str]) -> Fault:
    """Return the fault of one of the stray keys. What it left empty is no fault of its own."""
    message = f"`{name}:` is not indented far enough: it is read as one of the {under}"
    names = list(raw)
    above = next((each for each in reversed(names[: names.index(name)]) if each not in strays), None)
    below = f"below '{above}'" if above else f"below the one of the {under} that it belongs to"
    hint = f"Move `{name}: {flow(raw[name])}` further in, {below}."
    return Fault("schema", "error", message, (under, name), hint, (name,), at="key")


def domains_among_nodes(names: Iterable[str], raw: Mapping[str, object]) -> list[Fault]:
    """Return the faults of domains under `nodes:`: one where `domains:` stands there too, without a value."""
    hint = "Move it under `domains:`, which starts in the first column."
    faults = [
        Fault(
            "schema",
            "error",
            f"{quoted(name)} has a kind: it is a domain, and stands under `nodes:`",
            ("nodes", name),
            hint,
            (name,),
            at="key",
        )
        for name in names
    ]
    if not faults or raw.get("domains", "") is not None:
        return faults
    message = "`domains:` is indented too far: it, and what follows it, is read as nodes"
    hint = "Start `domains:` in the first column, and leave its domains further in."
    return [Fault("schema", "error", message, ("nodes", "domains"), hint, ("domains",), at="key")]


def corrected_time(value: str) -> str:
    """Return the fix for a time that lacks a part (its time of day, seconds, T or offset); or empty.

    >>> corrected_time("2026-11-15")
    'Write 2026-11-15T00:00:00Z: a date needs a time of day, and Z (UTC) or an offset.'
    """
    plain = value.strip().replace(" ", "T", 1) if len(value) <= _SHOWN else ""
    for ending in ("", "Z", ":00Z", "T00:00:00Z"):
        if parse_timestamp(plain + ending) is not None:
            return f"Write {plain}{ending}: a date needs a time of day, and Z (UTC) or an offset."
    return ""
