"""Members of voting roles by node group: whether a majority is left, fast enough for every failure."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import TypeAlias

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.roles import QUORUM_ROLES, count_roles, role_loss

Key: TypeAlias = tuple[str, str]
"""A cluster and a role."""


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
    def groups(self) -> frozenset[int]:
        """Return the groups that hold a member."""
        return frozenset(self._by_group)

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
