"""Numbers and lists in words: one way to write each, `unknown` where there is none."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC

from topo.text.table import UNKNOWN, display_width
from topology.timestamps import parse_timestamp


def number(value: float | None, digits: int = 2) -> str:
    """Return a figure with at most `digits` decimals and thousands separators; `unknown` for None."""
    if value is None:
        return UNKNOWN
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}"
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def known(value: float | None, *, unsaid: bool, write: Callable[[float | None], str] = number) -> str:
    """Return a sum of what is known, for a sentence; `unsaid`: some of its terms are not."""
    return f"at least {write(value)}" if unsaid and value is not None else write(value)


def known_cell(value: float | None, *, unsaid: bool, write: Callable[[float | None], str] = number) -> str:
    """Return the same for a table."""
    return f">= {write(value)}" if unsaid and value is not None else write(value)


def usd(value: float | None) -> str:
    """Return dollars and cents; `unknown` for None."""
    return UNKNOWN if value is None else f"${value:,.2f}"


def narrow_usd_cell(value: float | None, *, unsaid: bool) -> str:
    """Return dollars for a narrow table: a lower bound loses its cents, and stays one."""
    if not unsaid or value is None:
        return usd(value)
    return known_cell(value, unsaid=True, write=lambda known: f"${math.floor(known or 0):,}")


def percent(share: float | None) -> str:
    """Return a share in [0, 1] as a percentage; `unknown` for None."""
    if share is None:
        return UNKNOWN
    return "< 0.1 %" if 0 < share < 0.0005 else f"{number(share * 100, 1)} %"


def minutes(value: float | None) -> str:
    """Return minutes; `unknown` for None."""
    return UNKNOWN if value is None else f"{number(value, 1)} min"


def utc(stamp: str) -> str:
    """Return a moment in UTC, as what is computed from it is; beyond the calendar as it was given."""
    moment = parse_timestamp(stamp)
    if moment is None:
        return stamp
    try:
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return stamp


def count(amount: float | None, noun: str, plural: str | None = None) -> str:
    """Return `1 node`, `2 nodes`, `unknown nodes`."""
    return f"{number(amount)} {noun if amount == 1 else plural or noun + 's'}"


def fitting(ids: Sequence[str], width: int) -> str:
    """Return as many whole ids as fit `width` cells (at least one), and how many more there are."""
    shown = 1
    while shown < len(ids) and display_width(some(ids, shown + 1)) <= width:
        shown += 1
    return some(ids, shown)


def some(ids: Sequence[str], limit: int) -> str:
    """Return the first `limit` ids and how many more there are."""
    more = len(ids) - limit
    shown = ", ".join(ids[:limit])
    return f"{shown} and {more:,} more" if more > 0 else shown
