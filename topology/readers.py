"""Readers of single values: a raw value in, a typed value out, or `Wrong`: what was expected, what was found.

A reader never guesses: text is text, numbers are finite and in range, `true` is no number. What one entry of
a list has wrong does not hide the others: `Wrong` carries every problem, and the entries that are right.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NoReturn

from topology.diagnostics import Fault, Route
from topology.limits import MAX_ID_LENGTH, MAX_TEXT_LENGTH, NUMBER_LIMIT
from topology.model import Number
from topology.parsed import Plain
from topology.quoting import closest, found, quoted
from topology.timestamps import parse_timestamp

Reader = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong inside a value, at `route` within it."""

    message: str
    hint: str
    route: Route = ()
    rule: str = "schema"
    at: Literal["key", "value"] = "value"

    def below(self, step: str | int, name: str = "") -> "Problem":
        """Return the problem as seen from one level further out, its message led by `name`."""
        message = f"{name}: {self.message}" if name else self.message
        return replace(self, message=message, route=(step, *self.route))


class Wrong(Exception):
    """A value that a reader refuses. `partial` is what of it can be used all the same (None: nothing)."""

    def __init__(self, problems: tuple[Problem, ...], partial: object = None) -> None:
        super().__init__(problems)
        self.problems = problems
        self.partial = partial


def refuse(expected: str, value: object, hint: str, *, rule: str = "schema") -> NoReturn:
    """Raise `Wrong` for a whole value."""
    raise Wrong((Problem(f"expected {expected}, found {found(value)}", hint, rule=rule),))


# --- text -----------------------------------------------------------------------------------------------


def text(value: Any, limit: int = MAX_TEXT_LENGTH) -> str:
    """Return a text of at most `limit` characters, all of them encodable."""
    if not isinstance(value, str):
        hint = "Put it in quotes." if isinstance(value, int | float) else "Write text."
        refuse("text", value, hint)
    if len(value) > limit:
        raise Wrong((Problem(f"{quoted(value)} is longer than {limit} characters", "Shorten it."),))
    if not value.isascii() and has_surrogate(value):
        raise Wrong((Problem("the text has half of a surrogate pair", "Correct the \\u escape."),))
    return str(value)


def ident(value: Any) -> str:
    """Return an id: text that is not empty."""
    if value == "":
        refuse("an id", value, "Leave the key out where nothing is known.")
    return text(value, MAX_ID_LENGTH)


def located(wrong: Wrong, what: str, route: Route) -> list[Fault]:
    """Return the problems of a refused value as faults at `route`, their messages led by `what`."""
    lead = f"{what}: " if what else ""
    return [
        Fault(p.rule, "error", f"{lead}{p.message}", (*route, *p.route), p.hint, at=p.at)
        for p in wrong.problems
    ]


def has_surrogate(value: str) -> bool:
    """Return whether a text cannot be written as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def timestamp(value: Any) -> str:
    """Return an RFC 3339 time with an offset, as written."""
    if not isinstance(value, str) or parse_timestamp(value) is None:
        refuse("a time such as 2026-10-01T08:00:00Z", value, "Write RFC 3339: date, T, time, Z or an offset.")
    return str(value)


def choice(*names: str) -> Reader:
    """Return a reader of one of `names`."""
    listed = ", ".join(names)
    known = {name: name for name in names}

    def read(value: Any) -> str:
        if isinstance(value, str) and value in known:
            return known[value]
        meant = closest(value, names) if isinstance(value, str) else None
        message = f"expected one of {listed}, found {found(value)}"
        hint = f"Did you mean {meant}?" if meant else f"Write one of {listed}."
        raise Wrong((Problem(message, hint),))

    return read


def boolean(value: Any) -> bool:
    """Return true or false."""
    if value is True or value is False:
        return bool(value)
    refuse("true or false", value, "Write true or false, without quotes.")


# --- numbers --------------------------------------------------------------------------------------------

_DECIMAL: Final = re.compile(r"[-+]?(0|[1-9][0-9]*|(?=\.[0-9]))(\.[0-9]*)?([eE][-+]?[0-9]+)?")
_WHOLE: Final = re.compile(r"[-+]?[0-9]+")
_NOT_FINITE: Final = re.compile(r"[-+]?\.?(inf(inity)?|nan)", re.IGNORECASE)
_LONGEST_NUMBER: Final = 400


def written_number(spelling: str) -> Number | None:
    """Return the number that a YAML scalar without quotes spells in decimal, or None.

    >>> written_number("40"), written_number("1e3"), written_number("012"), written_number("1_000")
    (40, 1000.0, None, None)
    """
    if len(spelling) > _LONGEST_NUMBER or not _DECIMAL.fullmatch(spelling):
        return None
    return int(spelling) if _WHOLE.fullmatch(spelling) else float(spelling)


def number(
    low: Number = 0, high: Number = NUMBER_LIMIT, *, above: bool = False, whole: bool = False
) -> Reader:
    """Return a reader of a finite number from `low` (`above`: beyond it) to `high`."""

    def read(value: Any) -> Number:
        kind = type(value)
        if kind is Plain:
            value = _spelt(value)
        elif kind is not int and kind is not float:
            refuse(_named(whole=whole), value, _number_hint(value))
        if not (low < value if above else low <= value) or not value <= high:
            raise Wrong((_out_of_range(value, low, high, above=above),))
        if whole and type(value) is float:
            if not value.is_integer():
                refuse(_named(whole=True), value, "Write a whole number.")
            return int(value)
        result: Number = value
        return result

    return read


def _named(*, whole: bool) -> str:
    return "a whole number" if whole else "a number"


def _spelt(value: Plain) -> Number:
    parsed = written_number(value)
    if parsed is None:
        refuse("a number", str(value), _number_hint(value))
    return parsed


def _number_hint(value: object) -> str:
    """Return the fix for something that was probably meant as a number."""
    if not isinstance(value, str):
        return "Write a number."
    if _NOT_FINITE.fullmatch(value):
        return "Leave the key out where the number is unknown: unknown is not infinite."
    if type(value) is not Plain and written_number(value) is not None:
        return f"Write {value[:_LONGEST_NUMBER]} without quotes."
    plain = value.replace("_", "").replace(",", ".") if len(value) < _LONGEST_NUMBER else ""
    stripped = plain.lstrip("0") or plain
    for candidate in (plain, stripped):
        if candidate != value and written_number(candidate) is not None:
            return f"Write {candidate}."
    leading = re.match(r"[0-9]+(\.[0-9]+)?(?=\s*[A-Za-z%]+$)", plain)
    if leading and not plain.lower().startswith("0x"):
        return f"Write {leading.group()} alone: the unit is in the key's name."
    return "Write a plain decimal number, such as 40 or 0.5."


def _out_of_range(value: Number, low: Number, high: Number, *, above: bool) -> Problem:
    if value != value or value in (float("inf"), float("-inf")):
        return Problem("the number is not finite", "Leave the key out where the number is unknown.")
    bound = f"above {low}" if above else f"at least {low}"
    upper = "" if high == NUMBER_LIMIT and value < low else f" and at most {high}"
    return Problem(f"{found(value)} is out of range: it must be {bound}{upper}", "Correct the number.")


# --- lists and mappings ---------------------------------------------------------------------------------


def list_of(read: Reader, *, least: int = 0, exactly: int | None = None, nulls: bool = False) -> Reader:
    """Return a reader of a list, as a tuple; `nulls`: an entry may be null."""

    def read_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            hint = (
                f"Write [{value}]."
                if isinstance(value, str) and len(value) < _LONGEST_NUMBER
                else "Write [..]."
            )
            refuse("a list", value, hint)
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
