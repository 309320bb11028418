"""What the loss of domains does to the groups of nodes that stand on them (spec 4 rule 5, who draws)."""

from collections.abc import Collection

from closure.cascade import lost_members
from closure.compiled import Facility, Group
from topology.kinds import POWER_ENTRY_AXES


def is_lost(group: Group, lost: Collection[int]) -> bool:
    """Return whether nodes are lost on any axis (spec 4 rule 5)."""
    return any(lost_members(place, lost) for place in group.places)


def is_dark(group: Group, unpowered: Collection[int]) -> bool:
    """Return whether nodes have lost their power: on any axis that brings it (spec 4, who draws)."""
    return any(place.axis in POWER_ENTRY_AXES and lost_members(place, unpowered) for place in group.places)


def groups_by_effect(facility: Facility) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Return, per domain, the groups that it loses alone, those it darkens alone, and those with a choice."""
    nothing: list[int] = []
    count = len(facility.domain_ids)
    fatal, darkening, shared = [nothing] * count, [nothing] * count, [nothing] * count
    for g, group in enumerate(facility.groups):
        for axis, mode, members in group.places:
            choice = mode == "any" and len(members) > 1
            effects = [shared if choice else fatal]
            if not choice and axis in POWER_ENTRY_AXES:
                effects.append(darkening)
            for effect in effects:
                for d in members:
                    if effect[d] is nothing:
                        effect[d] = []
                    effect[d].append(g)
    return fatal, darkening, shared
