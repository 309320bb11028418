"""How often a domain fails and how long it stays down (spec 1: failuresPerYear, repairHours)."""

from dataclasses import dataclass
from typing import Final

from topology.model import Domain, Number

HOURS_PER_YEAR: Final = 8760
"""[h/year] 365 days."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What one domain's failures come to. Unknown parts are None.

    `failures_per_year` [1/year] while it works, `repair_hours` [h] each time, `unavailability` [-] the share
    of time in which it is down, `downs_per_year` [1/year] how often that happens in a calendar year.
    """

    failures_per_year: Number | None
    repair_hours: Number | None
    unavailability: float | None
    downs_per_year: float | None


def rate_of(domain: Domain) -> Rate:
    """Return a domain's rate.

    unavailability = repairHours / (8760 / failuresPerYear + repairHours), the steady state under repair.
    Unknown where one of the two is; what never fails is never down, however long a repair would take.
    """
    failures, hours = domain.failures_per_year, domain.repair_hours
    if failures == 0:
        return Rate(failures, hours, 0.0, 0.0)
    if failures is None or hours is None:
        return Rate(failures, hours, None, None)
    share = unavailability(failures, hours)
    return Rate(failures, hours, share, failures * (1.0 - share))


def unavailability(failures_per_year: Number, repair_hours: Number) -> float:
    """Return f × r / (8760 + f × r) [-]: repair time over time between failures plus repair time.

    >>> unavailability(1, 8760), unavailability(0, 40)
    (0.5, 0.0)
    """
    if failures_per_year == 0:
        return 0.0
    return repair_hours / (HOURS_PER_YEAR / failures_per_year + repair_hours)
