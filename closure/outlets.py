"""Where a flow leaves to, while some domains are dead: the pieces that the strict check moves about."""

from collections.abc import Collection

from closure.compiled import Facility, Place
from closure.flow import power_targets

Outlet = tuple[tuple[int, ...], float]
"""Where a flow goes, and how much of it each target gets [kW]."""

CLOSED: Outlet = ((), 0.0)
"""A flow that goes nowhere."""


def own_outlet(facility: Facility, d: int, unpowered: Collection[int]) -> Outlet:
    """Return where the loadKw of a domain that carries no power enters the power domains."""
    kw = facility.own_load_kw[d]
    targets = () if d in unpowered or not kw else power_targets(facility, d, unpowered)
    return (targets, kw / len(targets)) if targets and kw else CLOSED


def entry_outlet(entry: Place | None, kw: float, dead: Collection[int]) -> Outlet:
    """Return where nodes' flow enters a place: equal shares, fixed ones on an `all` axis."""
    if entry is None or not kw:
        return CLOSED
    live = tuple([d for d in entry.domains if d not in dead])
    return (live, kw / (len(entry.domains) if entry.mode == "all" else len(live))) if live else CLOSED


def can_reroute(facility: Facility, d: int) -> bool:
    """Return whether a flow takes another way when a domain loses a feed: its own, or that of its loadKw."""
    carried = facility.feeds_commodity[d]
    return carried is not None and (carried == facility.commodity[d] or bool(facility.own_load_kw[d]))
