"""Readers of numbers: finite, in range, decimal, and never guessed from text (spec 1 and 2)."""

import math
import re
from typing import Any, Final

from topology.limits import LONGEST_INTEGER, MAX_ID_LENGTH, NUMBER_LIMIT
from topology.list_readers import mapping_of
from topology.model import Number
from topology.number_hints import DECIMAL, number_hint
from topology.parsed import Plain
from topology.quoting import found
from topology.readers import Problem, Reader, Wrong, refuse

_WHOLE: Final = re.compile(r"[-+]?[0-9]+")
_LEFT_OUT: Final = ", or leave the key out where it is unknown."


def written_number(spelling: str) -> Number | None:
    """Return the number that a YAML scalar without quotes spells in decimal, or None.

    >>> written_number("40"), written_number("1e3"), written_number("012"), written_number("1_000")
    (40, 1000.0, None, None)
    """
    if not DECIMAL.fullmatch(spelling):
        return None
    whole = len(spelling) <= LONGEST_INTEGER and _WHOLE.fullmatch(spelling)
    return int(spelling) if whole else float(spelling)


def number(
    low: Number = 0,
    high: Number = NUMBER_LIMIT,
    *,
    unit: str = "",
    above: bool = False,
    smallest: float | None = None,
    whole: bool = False,
    optional: bool = True,
) -> Reader:
    """Return a reader of a finite number from `low` (`above`: beyond it, from `smallest` on) to `high`.

    Where the key is `optional`, the fix of what is no number says that it may be left out. `unit` is what
    the key's name says (kW, minutes, hours, seconds): typed units are converted to it in the fix.
    """
    least = smallest or (math.nextafter(low, math.inf) if above else low)

    def read(value: Any) -> Number:
        kind = type(value)
        if kind is int and least <= value <= high:
            usual: int = value
            return usual
        if kind is Plain:
            value = _spelt(value, unit, optional=optional)
        elif kind is not int and kind is not float:
            refuse(_named(whole=whole), value, number_hint(value, unit, optional=optional))
        if not least <= value <= high:
            beyond = above and not low < value < least
            raise Wrong(
                (_out_of_range(value, low if beyond else least, high, above=beyond, optional=optional),)
            )
        if whole and not float(value).is_integer():
            refuse(_named(whole=True), value, "Write a whole number.")
        result: Number = int(value) if whole else value + 0  # -0.0 is 0.0
        return result

    return read


def amounts(*, whole: bool = False) -> Reader:
    """Return a reader of a mapping from ids to numbers from 0."""
    carefully = mapping_of(number(whole=whole, optional=False))

    def read(value: Any) -> dict[str, Number]:
        if type(value) is not dict:
            return carefully(value)  # type: ignore[no-any-return]
        for key, item in value.items():
            usual = type(item) is int and 0 <= item <= NUMBER_LIMIT
            if not (usual and key and key.isascii() and len(key) <= MAX_ID_LENGTH):
                return carefully(value)  # type: ignore[no-any-return]
        return value

    return read


def _named(*, whole: bool) -> str:
    return "a whole number" if whole else "a number"


def _spelt(value: Plain, unit: str, *, optional: bool) -> Number:
    parsed = written_number(value)
    if parsed is None:
        refuse("a number", str(value), number_hint(value, unit, optional=optional))
    return parsed


def _plain(bound: Number) -> str:
    """Return a bound as people read it: 0.000000001 or 1,000,000, without an exponent.

    >>> _plain(1e-9), _plain(10**15), _plain(0.5)
    ('0.000000001', '1,000,000,000,000,000', '0.5')
    """
    return f"{bound:,}" if bound >= 1 or bound == 0 else f"{bound:.12f}".rstrip("0")


def _out_of_range(value: Number, low: Number, high: Number, *, above: bool, optional: bool) -> Problem:
    if value != value or value in (float("inf"), float("-inf")):
        return Problem("the number is not finite", "Leave the key out where the number is unknown.")
    if low == high:
        return Problem(f"{found(value)} is out of range: it must be {low}", f"Write {low}.")
    bound = f"above {low}" if above else f"at least {_plain(low)}"
    upper = "" if high == NUMBER_LIMIT and value <= low else f" and at most {_plain(high)}"
    fix = f"Write a number {bound}{upper}" + (_LEFT_OUT if optional and above and value == low else ".")
    return Problem(f"{found(value)} is out of range: it must be {bound}{upper}", fix)
