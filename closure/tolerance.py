"""The one comparison of kilowatts: equality survives (spec 4 rule 4)."""

from typing import Final

RELATIVE_TOLERANCE: Final = 1e-9
"""[-] Two loads closer than this are equal, so that float noise never decides an outage (spec 4 rule 4)."""


def highest_kept(limit_kw: float) -> float:
    """Return the largest load [kW] that `limit_kw` [kW] still carries."""
    return limit_kw * (1.0 + RELATIVE_TOLERANCE)


def exceeds(load_kw: float, limit_kw: float) -> bool:
    """Return whether `load_kw` [kW] is over `limit_kw` [kW] by more than the relative tolerance.

    >>> exceeds(8.0, 8.0), exceeds(0.1 + 0.2, 0.3), exceeds(8.001, 8.0)
    (False, False, True)
    """
    return load_kw > highest_kept(limit_kw)
