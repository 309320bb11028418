"""Which flows are only lower bounds, for power or heat of unknown kW is part of them (spec 4)."""

from collections.abc import Collection

from closure.compiled import Facility
from closure.effects import is_dark
from closure.flow import onward
from topology.kinds import POWER

_NOTHING: frozenset[int] = frozenset()


def bounded_flows(
    facility: Facility,
    unpowered: Collection[int] = _NOTHING,
    lost: Collection[int] = _NOTHING,
    failed_nodes: Collection[int] = _NOTHING,
) -> frozenset[int]:
    """Return the domains whose flow is only a lower bound, by default with nothing failed or out.

    Those that the power or the heat of a node of unknown kW enters at, and what that flow passes. Nodes
    without power, and failed ones, draw no power and make no heat: a known 0.
    """
    short: set[int] = set()
    for group, places in zip(facility.unsure_groups, facility.unsure_places, strict=True):
        touched = not places.isdisjoint(lost)  # by far the most are not; whatever is unpowered is lost
        if (touched and is_dark(group, unpowered)) or unknown_failed(facility, group.nodes, failed_nodes):
            continue
        for entry, dead in ((group.power_entry, unpowered), (group.heat_entry, lost)):
            if entry is not None:
                short.update([d for d in entry.domains if d not in dead] if touched else entry.domains)
    waiting = list(short)
    while waiting:
        d = waiting.pop()
        dead = unpowered if facility.commodity[d] == POWER else lost
        further = [target for target in onward(facility, d, dead) if target not in short]
        short.update(further)
        waiting.extend(further)
    return frozenset(short)


def unknown_failed(facility: Facility, nodes: Collection[int], failed: Collection[int]) -> bool:
    """Return whether every node of unknown kW in a group has failed: the rest of it is known."""
    return bool(failed) and all(node in failed for node in nodes if facility.node_kw[node] is None)


def known_part(kw: float, *, exact: bool) -> float | None:
    """Return a flow [kW], of which a lower bound of 0 says what it is: nothing is known."""
    return kw if exact or kw else None
