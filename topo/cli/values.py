"""Values of the command line: read strictly, refused with what would be right."""

import argparse
import os
import re
import sys
from typing import Final

from topology.quoting import quoted

_SIZE: Final = re.compile(r"([0-9]+)(?:([KMGT])(?:i?B)?)?", re.IGNORECASE | re.ASCII)
_LONGEST: Final = 40
"""Longest whole number [characters] that is read at all: the limit of every number is far below."""

_POWERS: Final = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


def number(text: str, unit: str = "") -> int | float:
    """Read a number as files write it, from 0 to the limit of every number, in `unit`.

    The refusal converts what has another unit behind it.

    >>> number("1e3"), number("-0.0")
    (1000.0, 0)
    """
    from topology.limits import NUMBER_LIMIT
    from topology.number_readers import written_number

    value = written_number(text)
    if value is None:
        raise _refused(f"{quoted(text)} is not a number", _in_unit(text, unit))
    if not 0 <= value <= NUMBER_LIMIT:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a finite number >= 0 and <= {NUMBER_LIMIT:,}"
        )
    return value or 0


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
        raise argparse.ArgumentTypeError(f"{quoted(text)} is more than 100 percent")
    return value


def _refused(message: str, fix: str) -> argparse.ArgumentTypeError:
    """Return a refusal whose second line is what to write instead (`Parser` prints it as help)."""
    return argparse.ArgumentTypeError(f"{message}\n{fix}")


def _in_unit(text: str, unit: str) -> str:
    from topology.number_hints import number_hint

    fix = number_hint(text.strip(), unit, optional=False)
    fix = fix.replace("Leave the key out", "Leave the option out")
    return fix.replace(" alone: the unit is in the key's name.", f": the number is in {unit}.")


def positive(text: str) -> int:
    """Read a whole number >= 1."""
    return whole(text, 1)


WORKERS: Final = 64
"""So many processes may always be asked for; more only where there are cores for them."""


def workers(text: str) -> int:
    """Read how many processes are to be started: each needs memory of its own, used or not."""
    count = whole(text, 1)
    most = max(WORKERS, 4 * (os.cpu_count() or 1))
    if count > most:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is more than {most}: one for each core of the machine is best"
        )
    return count


def rows(text: str) -> int:
    """Read how many rows a table may have: a whole number >= 0, where 0 stands for all of them."""
    return whole(text) or sys.maxsize


def size(text: str) -> int:
    """Read a size in bytes, plain or with a binary unit.

    >>> size("64M"), size("1GiB"), size("1000")
    (67108864, 1073741824, 1000)
    """
    from topology.limits import NUMBER_LIMIT

    found = _SIZE.fullmatch(text) if len(text) <= _LONGEST else None
    value = int(found[1]) * 1024 ** _POWERS[(found[2] or "").upper()] if found else 0
    if not 1 <= value <= NUMBER_LIMIT:
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is not a size >= 1 in bytes, like 1000, 64M or 1G"
            + (f", and <= {NUMBER_LIMIT:,}" if found and value else "")
        )
    return value


def timestamp(text: str) -> str:
    """Read an RFC 3339 time with offset."""
    from topology.timestamps import parse_timestamp

    if parse_timestamp(text) is None:
        from topology.slips import corrected_time

        message = f"{quoted(text)} is not an RFC 3339 time with offset, like 2026-12-01T00:00:00Z"
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


def whole(text: str, least: int = 0) -> int:
    """Read a whole number from `least` to the limit of every number.

    >>> whole("12")
    12
    """
    from topology.limits import NUMBER_LIMIT

    value = int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else -1
    if not least <= value <= NUMBER_LIMIT:
        beyond = f" and <= {NUMBER_LIMIT:,}" if value > least or len(text) > _LONGEST else ""
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number >= {least}{beyond}")
    return value
