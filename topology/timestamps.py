"""RFC 3339 times, the only form of time that files carry (spec 2)."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

_RFC3339: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", re.ASCII
)
_LEAP_SECOND: Final = 60


def parse_timestamp(text: str) -> datetime | None:
    """Return an RFC 3339 time with its offset, or None where `text` is none (or has no offset).

    A leap second is read as the second after the one before it; beyond microseconds digits are cut.

    >>> parse_timestamp("2026-10-01T08:00:00Z").isoformat()
    '2026-10-01T08:00:00+00:00'
    >>> parse_timestamp("2026-02-30T08:00:00Z") is None
    True
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, hours, minutes = match.groups()[6:]
    if minutes is not None and (int(hours) > 23 or int(minutes) > 59):
        return None
    offset = timedelta() if sign is None else timedelta(hours=int(hours), minutes=int(minutes))
    leap = second == _LEAP_SECOND
    try:
        time = datetime(
            year,
            month,
            day,
            hour,
            minute,
            second - leap,
            int((fraction or "")[:6].ljust(6, "0")),
            tzinfo=timezone(-offset if sign == "-" else offset),
        )
        # Comparable with every other time: near the ends of the calendar UTC may not exist.
        (time + timedelta(seconds=int(leap))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return time + timedelta(seconds=int(leap))
