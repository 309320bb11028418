"""Casualties that hold no GPU: nodes with roles, and the quorum of etcd (spec 4, beyond)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from findings.index import EstateIndex
from topology.model import Node

QUORUM_ROLES: Final = frozenset({"etcd"})
"""Roles whose members vote: more than half of them must live."""


@dataclass(frozen=True, slots=True)
class RoleLoss:
    """How many nodes of a role a cluster loses, of how many; no quorum where they do not vote."""

    cluster: str
    role: str
    lost: int
    total: int
    quorum_lost: bool | None


def role_losses(index: EstateIndex, lost_nodes: Iterable[str]) -> tuple[RoleLoss, ...]:
    """Return every role that loses a node, by cluster and role."""
    lost = count_roles(index, (index.nodes[node_id] for node_id in lost_nodes))
    if not lost:
        return ()
    everywhere = count_roles(index, index.estate.nodes)
    return tuple(role_loss(key, lost[key], everywhere[key]) for key in sorted(lost))


def count_roles(index: EstateIndex, nodes: Iterable[Node]) -> Counter[tuple[str, str]]:
    """Return the number of nodes per (cluster, role): a node is one, however often it names a role."""
    return Counter((node.cluster or index.estate.cluster, role) for node in nodes for role in set(node.roles))


def role_loss(key: tuple[str, str], lost: int, total: int) -> RoleLoss:
    """Return one role's loss: quorum is lost when no more than half of the members are left."""
    cluster, role = key
    quorum_lost = (total - lost) * 2 <= total if role in QUORUM_ROLES else None
    return RoleLoss(cluster, role, lost, total, quorum_lost)
