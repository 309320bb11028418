"""Casualties that hold no units, in words: votes of a quorum, services below their `minAvailable`."""

from typing import Final

from findings.grave import Grave
from findings.impact import Impact
from topo.text.page import PageOptions, short
from topo.text.words import count, number, some
from topology.model import Estate

QUORUM_UNKNOWN: Final = "No node with a voting role was reported: whether a quorum holds is unknown."

_NAMED: Final = 3


def role_name(cluster: str, role: str, estate: Estate) -> str:
    """Return a role, with its cluster where the estate is not that cluster alone."""
    return short(role) if cluster == estate.cluster else f"{short(role)} of {short(cluster)}"


def members_lost(lost: int, total: int) -> str:
    """Return how many members of a role are lost, of how many."""
    return f"({number(lost)} of {number(total)} lost)"


def grave_losses(impact: Impact) -> frozenset[tuple[str, ...]]:
    """Return the roles without a quorum (cluster, role) and the services below `minAvailable` (id)."""
    quorums = {(role.cluster, role.role) for role in impact.roles if role.quorum_lost}
    return frozenset(quorums | {(service.workload.id,) for service in impact.below_min_available})


def grave_summary(grave: Grave, estate: Estate) -> str:
    """Return the same as `grave_words` of a failure of which no more is known; empty: neither."""
    quorums = [
        f"{role_name(cluster, role, estate)} loses its quorum" for cluster, role in grave.quorums or ()
    ]
    said = [some(quorums, _NAMED)] if quorums else []
    if grave.services_below:
        said.append(f"{count(grave.services_below, 'service')} below minAvailable")
    return f"{'; '.join(said)}." if said else ""


def grave_words(impact: Impact, estate: Estate, options: PageOptions) -> str:
    """Return what is worse than units: quorums lost and services below `minAvailable`; empty: neither."""
    quorums = [
        f"{role_name(role.cluster, role.role, estate)} loses its quorum {members_lost(role.lost, role.total)}"
        for role in impact.roles
        if role.quorum_lost
    ]
    below = len(impact.below_min_available)
    said = [options.some(quorums, _NAMED)] if quorums else []
    if below:
        said.append(f"{count(below, 'service')} below minAvailable")
    return f"{'; '.join(said)}." if said else ""
