"""Nodes with roles that the work takes: control plane, storage, and the votes of a quorum (beyond)."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from findings.index import EstateIndex
from findings.roles import count_roles, role_loss
from findings.votes import Key, Votes

Groups: TypeAlias = frozenset[int]
"""Node groups of a facility."""


@dataclass(frozen=True, slots=True)
class RoleAtStake:
    """How many nodes of a role the work loses of `total`, beyond the `lost_already` by the closure.

    `quorum_lost` is after the work, `quorum_lost_already` before it; None where members do not vote.
    """

    cluster: str
    role: str
    lost: int
    lost_already: int
    total: int
    quorum_lost: bool | None
    quorum_lost_already: bool | None

    @property
    def takes_quorum(self) -> bool:
        """Whether it is the work that costs the role its majority."""
        return bool(self.quorum_lost) and not self.quorum_lost_already


@dataclass(frozen=True, slots=True)
class QuorumRisk:
    """A voting role that keeps its majority during the work, and the second failures that would take it.

    `failures`, by id: those alone that do not take it without the work.
    """

    cluster: str
    role: str
    failures: tuple[str, ...]


def roles_at_stake(
    index: EstateIndex,
    totals: Mapping[Key, int],
    engines: Iterable[tuple[Iterable[str], Iterable[str]]],
) -> tuple[RoleAtStake, ...]:
    """Return every role that loses a node, by cluster and role, by the engine that loses more of it.

    `totals` counts the nodes of every role; `engines` has, for each of the two, the nodes lost before the
    work, and those that it loses beyond them. The one by which the work takes the majority comes first.
    """
    found: dict[Key, list[RoleAtStake]] = {}
    for already, nodes in engines:
        lost = _count(index, nodes)
        before = _count(index, already) if lost else lost
        for key in lost:
            found.setdefault(key, []).append(_at_stake(key, lost[key], before[key], totals[key]))
    return tuple(max(found[key], key=_gravity) for key in sorted(found))


def _gravity(role: RoleAtStake) -> tuple[bool, int, int]:
    return (role.takes_quorum, role.lost, role.lost_already)


def _count(index: EstateIndex, nodes: Iterable[str]) -> Counter[Key]:
    return count_roles(index, (index.nodes[node] for node in nodes))


def _at_stake(key: Key, lost: int, already: int, total: int) -> RoleAtStake:
    before, after = role_loss(key, already, total), role_loss(key, already + lost, total)
    return RoleAtStake(*key, lost, already, total, after.quorum_lost, before.quorum_lost)


class Risks:
    """Collects, failure by failure, what a second failure costs a voting role because of the work."""

    def __init__(self, during: Votes, before: Votes) -> None:
        self._during, self._before = during, before
        self._lost_by_work = during.lost_with(())
        self._found: dict[Key, list[str]] = {}

    @property
    def needed(self) -> bool:
        """Whether a role has votes to lose at all."""
        return self._during.reported

    def add(self, failed: str, engines: Iterable[Groups], without: Iterable[Groups]) -> None:
        """Take in one failure: the groups that each engine loses with the work, and without it."""
        lost = frozenset[Key]().union(*map(self._during.lost_with, engines)) - self._lost_by_work
        if lost:
            for key in lost.difference(*map(self._before.lost_with, without)):
                self._found.setdefault(key, []).append(failed)

    def risks(self) -> tuple[QuorumRisk, ...]:
        """Return the roles at risk, by cluster and role."""
        return tuple(QuorumRisk(*key, tuple(sorted(self._found[key]))) for key in sorted(self._found))
