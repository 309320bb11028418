"""Values of the command line: read strictly, refused with what would be right."""

import argparse
import os
import re
import sys
from typing import Final

_SIZE: Final = re.compile(r"([0-9]+)(?:([KMGT])(?:i?B)?)?", re.IGNORECASE | re.ASCII)
_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def number(text: str, unit: str = "") -> int | float:
    """Read a finite number >= 0, in `unit`; the refusal converts what has another unit behind it."""
    try:
        value = int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        raise _refused(f"{text!r} is not a number", _in_unit(text, unit)) from None
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number >= 0")
    return value


def kw(text: str) -> int | float:
    """Read an amount of kW."""
    return number(text, "kW")


def minutes(text: str) -> int | float:
    """Read an amount of minutes."""
    return number(text, "minutes")


def percentage(text: str) -> int | float:
    """Read a percentage from 0 to 100."""
    value = number(text, "percent")
    if value > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is more than 100 percent")
    return value


def _refused(message: str, fix: str) -> argparse.ArgumentTypeError:
    """Return a refusal whose second line is what to write instead (`Parser` prints it as help)."""
    return argparse.ArgumentTypeError(f"{message}\n{fix}")


def _in_unit(text: str, unit: str) -> str:
    from topology.number_hints import number_hint

    fix = number_hint(text.strip(), unit, optional=False)
    return fix.replace(" alone: the unit is in the key's name.", f": the number is in {unit}.")


def positive(text: str) -> int:
    """Read a whole number >= 1."""
    return _whole(text, 1)


WORKERS: Final = 64
"""So many processes may always be asked for; more only where there are cores for them."""


def workers(text: str) -> int:
    """Read how many processes are to be started: each needs memory of its own, used or not."""
    count = _whole(text, 1)
    most = max(WORKERS, 4 * (os.cpu_count() or 1))
    if count > most:
        raise argparse.ArgumentTypeError(
            f"{text} is more than {most}: one for each core of the machine is best"
        )
    return count


def rows(text: str) -> int:
    """Read how many rows a table may have: a whole number >= 0, where 0 stands for all of them."""
    return _whole(text, 0) or sys.maxsize


def size(text: str) -> int:
    """Read a size in bytes, plain or with a binary unit.

    >>> size("64M"), size("1GiB"), size("1000")
    (67108864, 1073741824, 1000)
    """
    found = _SIZE.fullmatch(text)
    value = int(found[1]) * 1024 ** _POWERS[(found[2] or "").upper()] if found else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size >= 1 in bytes, like 1000, 64M or 1G")
    return value


def timestamp(text: str) -> str:
    """Read an RFC 3339 time with offset."""
    from topology.timestamps import parse_timestamp

    if parse_timestamp(text) is None:
        from topology.slips import corrected_time

        message = f"{text!r} is not an RFC 3339 time with offset, like 2026-12-01T00:00:00Z"
        raise _refused(message, corrected_time(text))
    return text


def identifier(text: str) -> str:
    """Read an id: files are UTF-8, whatever the locale made of the same bytes on the command line."""
    if not text:
        raise argparse.ArgumentTypeError("an id is not empty")
    if text.isascii():
        return text
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def _whole(text: str, least: int) -> int:
    value = int(text) if text.isascii() and text.isdigit() else -1
    if value < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number >= {least}")
    return value
