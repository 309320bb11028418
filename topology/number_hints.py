"""The fix for what was probably meant as a number: typed units are converted, never dropped (spec 1)."""

import re
from fractions import Fraction
from typing import Final

from topology.limits import LONGEST_INTEGER
from topology.parsed import Plain

DECIMAL: Final = re.compile(r"[-+]?(0|[1-9][0-9]*|(?=\.[0-9]))(\.[0-9]*)?([eE][-+]?[0-9]+)?")
"""How a number is written in a file."""

_LONGEST_AMOUNT: Final = 30
"""Longer amounts [characters] are not converted."""

_NOT_FINITE: Final = re.compile(r"[-+]?\.?(inf(inity)?|nan)", re.IGNORECASE)
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?")
_WITH_UNIT: Final = re.compile(r"([0-9][0-9_,]*(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-z%µ][A-Za-z%/ ]*)")
_LEFT_OUT: Final = ", or leave the key out where it is unknown."
_POWER_W: Final = {
    **dict.fromkeys(("W", "w", "watt", "watts", "Watt", "Watts"), 1),
    **dict.fromkeys(("kW", "kw", "KW", "Kw"), 1_000),
    "MW": 1_000_000,
    "GW": 1_000_000_000,
}
"""Unit as typed -> W. `mW` and `mw` are left out: milliwatts by their spelling, megawatts by their use."""

_TIME_S: Final = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3_600),
    **dict.fromkeys(("d", "day", "days"), 86_400),
}
"""Unit as typed, in lower case -> s."""

SHARE: Final = "parts of one"
"""The unit of a share."""

_APPARENT: Final = frozenset({"va", "kva", "mva"})
_SIZE: Final = {"kW": 1_000, "minutes": 60, "hours": 3_600, "seconds": 1, "percent": 1, SHARE: 100}
"""Unit of a key -> W, s or %."""


def number_hint(value: object, unit: str = "", *, optional: bool) -> str:
    """Return the fix for a value of a key that wants a number in `unit` (empty: one without a unit).

    >>> number_hint("1.2 MW", "kW", optional=True), number_hint("90s", "minutes", optional=True)
    ('Write 1200: the number is in kW.', 'Write 1.5: the number is in minutes.')
    """
    if not isinstance(value, str):
        return "Write a number."
    if _NOT_FINITE.fullmatch(value):
        return "Leave the key out where the number is unknown: unknown is not infinite."
    if type(value) is not Plain and DECIMAL.fullmatch(value):
        return f"Write {value[:LONGEST_INTEGER]} without quotes."
    if len(value) < LONGEST_INTEGER:
        if _THOUSANDS.fullmatch(value):
            return _thousands(value)
        plain = value.replace("_", "").replace(",", ".")
        stripped = plain.lstrip("0") or plain
        for candidate in (plain, stripped):
            if candidate != value and DECIMAL.fullmatch(candidate):
                return f"Write {candidate}."
        typed = _WITH_UNIT.fullmatch(value)
        if typed and not value.lower().startswith("0x"):
            return _without_unit(typed[1], typed[2].strip(), unit)
    return "Write a plain decimal number, such as 40 or 0.5" + (_LEFT_OUT if optional else ".")


def thousands(first: str, rest: str) -> str:
    """Return the fix for a number that its comma cut in two, `2` and `500`; empty for no such number."""
    typed = f"{first},{rest}"
    return _thousands(typed) if _THOUSANDS.fullmatch(typed) else ""


def _thousands(value: str) -> str:
    return f"A thousands separator? Write {value.replace(',', '')}. A decimal one is a point."


def _without_unit(amount: str, typed: str, unit: str) -> str:
    """Return the fix for a number with a unit behind it."""
    if not unit:
        return "Write the number alone, without a unit."
    if typed.lower() in _APPARENT and unit == "kW":
        return "kVA is not kW: multiply by the power factor, and write that number of kW."
    number = _converted(amount, typed, unit)
    if number is None:
        return f"Write the number in {unit}, without a unit."
    if number == exact_amount(amount):
        return f"Write {shown_amount(number)} alone: the unit is in the key's name."
    return f"Write {shown_amount(number)}: the number is in {unit}."


def _converted(amount: str, typed: str, unit: str) -> Fraction | None:
    """Return an amount of the unit `typed` in `unit`; None where either is not known for sure."""
    if unit == "kW":
        size = _POWER_W.get(typed)
    elif unit in ("percent", SHARE):
        size = 1 if typed == "%" else None
    else:
        size = None if typed == "M" else _TIME_S.get(typed.lower())
    exact = exact_amount(amount)
    return None if size is None or exact is None else exact * size / _SIZE[unit]


def exact_amount(amount: object) -> Fraction | None:
    """Return what an amount says; None where its comma may separate thousands, or it is no number."""
    if isinstance(amount, bool) or not isinstance(amount, str | int | float):
        return None
    amount = str(amount)
    plain = amount.replace("_", "").replace(",", ".").lstrip("0") or "0"
    clear = len(amount) <= _LONGEST_AMOUNT and not _THOUSANDS.fullmatch(amount) and DECIMAL.fullmatch(plain)
    return Fraction(plain) if clear else None


def shown_amount(number: Fraction) -> str:
    """Return an amount as a file would have it."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.10g}"
