"""Nodes with roles that the work takes: control plane, storage, and the votes of a quorum (beyond)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.roles import QUORUM_ROLES, count_roles, role_loss

Key: TypeAlias = tuple[str, str]
"""A cluster and a role."""
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
    already: Iterable[str],
    engines: Iterable[Iterable[str]],
) -> tuple[RoleAtStake, ...]:
    """Return every role that loses a node, by cluster and role, by the engine that loses more of it.

    `totals` counts the nodes of every role, `already` are the nodes lost before the work, and `engines` has
    the nodes that each of the two engines loses beyond them.
    """
    lost: Counter[Key] = Counter()
    for nodes in engines:
        lost |= _count(index, nodes)
    before = _count(index, already) if lost else Counter[Key]()
    return tuple(_at_stake(key, lost[key], before[key], totals[key]) for key in sorted(lost))


def _count(index: EstateIndex, nodes: Iterable[str]) -> Counter[Key]:
    return count_roles(index, (index.nodes[node] for node in nodes))


def _at_stake(key: Key, lost: int, already: int, total: int) -> RoleAtStake:
    before, after = role_loss(key, already, total), role_loss(key, already + lost, total)
    return RoleAtStake(*key, lost, already, total, after.quorum_lost, before.quorum_lost)


class Votes:
    """The members of voting roles by node group, with some nodes (`out`) and groups (`gone`) lost before."""

    def __init__(
        self, facility: Facility, index: EstateIndex, out: Collection[int] = (), gone: Iterable[int] = ()
    ) -> None:
        self._by_group: dict[int, Counter[Key]] = {}
        self._lost: Counter[Key] = Counter()
        self._totals: Counter[Key] = Counter()
        for position, node in enumerate(facility.estate.nodes):
            if not QUORUM_ROLES.isdisjoint(node.roles):
                votes = Counter({key: 1 for key in count_roles(index, [node]) if key[1] in QUORUM_ROLES})
                group = self._by_group.setdefault(facility.node_group[position], Counter())
                (self._lost if position in out else group).update(votes)
                self._totals.update(votes)
        for group_id in gone:
            self._lost.update(self._by_group.pop(group_id, Counter()))

    @property
    def reported(self) -> bool:
        """Whether any node has a voting role."""
        return bool(self._totals)

    def lost_with(self, groups: Collection[int]) -> frozenset[Key]:
        """Return the roles that have no majority when these groups are lost too."""
        lost = Counter(self._lost)
        for group, votes in self._by_group.items():
            if group in groups:
                lost.update(votes)
        return frozenset(
            key for key, members in lost.items() if role_loss(key, members, self._totals[key]).quorum_lost
        )


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
