"""Readers of single values: a raw value in, a typed value out, or `Wrong`: what was expected, what was found.

A reader never guesses: text is text, numbers are finite and in range, `true` is no number. What one entry of
a list has wrong does not hide the others: `Wrong` carries every problem, and the entries that are right.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, NoReturn

from topology.closest import normal_form
from topology.diagnostics import Fault, Route
from topology.limits import MAX_ID_LENGTH, MAX_TEXT_LENGTH
from topology.quoting import closest, found, quoted
from topology.slips import corrected_time
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


def text(value: Any, limit: int = MAX_TEXT_LENGTH) -> str:
    """Return a text of at most `limit` characters, all of them encodable."""
    if type(value) is str and len(value) <= limit and value.isascii():
        return value
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
    if type(value) is str and value and len(value) <= MAX_ID_LENGTH and value.isascii():
        return value
    if value == "":
        refuse("an id", value, "Leave the key out where nothing is known.")
    if not isinstance(value, str):
        hint = "Put it in quotes: ids are text." if isinstance(value, int | float) else "Write one id."
        refuse("an id", value, hint)
    return text(value, MAX_ID_LENGTH)


def located(wrong: Wrong, route: Route, what: str = "", thing: str | None = None) -> list[Fault]:
    """Return the problems of a refused value as faults at `route`, led by what it is: `node`, its id."""
    lead = f"{what} {quoted(thing)}: " if thing is not None else f"{what}: " if what else ""
    ids = () if thing is None else (thing,)
    return [
        Fault(p.rule, "error", f"{lead}{p.message}", (*route, *p.route), p.hint, ids, at=p.at)
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
        likely = corrected_time(value) if isinstance(value, str) else ""
        hint = likely or "Write RFC 3339: date, T, time, Z or an offset."
        refuse("a time such as 2026-10-01T08:00:00Z", value, hint)
    return str(value)


def choice(*names: str, meant: Mapping[str, str] = MappingProxyType({}), key: str = "") -> Reader:
    """Return a reader of one of `names`; a hint says which one other words probably mean.

    With `key`, what they are sure to mean is shown as it is written.
    """
    listed = ", ".join(names)
    known = {name: name for name in names}

    def read(value: Any) -> str:
        if isinstance(value, str) and value in known:
            return known[value]
        likely = None
        if key and isinstance(value, str | bool):
            sure = meant.get(normal_form(str(value)[:MAX_ID_LENGTH]))
            if sure is not None:
                raise Wrong(
                    (Problem(f"expected one of {listed}, found {found(value)}", f"Write {key}: {sure}."),)
                )
        if isinstance(value, str):
            likely = meant.get(normal_form(value[:MAX_ID_LENGTH])) or closest(value, names)
        message = f"expected one of {listed}, found {found(value)}"
        hint = f"Did you mean {likely}?" if likely else f"Write one of {listed}."
        raise Wrong((Problem(message, hint),))

    return read


def boolean(value: Any) -> bool:
    """Return true or false."""
    if isinstance(value, bool):
        return value
    refuse("true or false", value, "Write true or false, without quotes.")
