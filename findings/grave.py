"""What failures cost beyond units: quorums, and services below `minAvailable` (beyond).

The same figures as `findings.impact.assess` (property-tested), fast enough for every single failure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.votes import Key, Votes


@dataclass(frozen=True, slots=True)
class Grave:
    """What a failure costs by either engine.

    `quorums`: the voting roles that have no majority left; None: no node with a voting role was reported.
    `services_below`: how many services that lose something are left with too few replicas; None: none of
    those that need some says how many it has.
    """

    quorums: tuple[Key, ...] | None
    services_below: int | None


class Graves:
    """Answers for sets of lost node groups of one facility. What was asked once is kept."""

    def __init__(self, facility: Facility, index: EstateIndex) -> None:
        needing = {p: w for p, w in enumerate(index.estate.workloads) if w.min_available is not None}
        self._spare = {
            position: sum((each.replicas or {}).values()) - (each.min_available or 0)
            for position, each in needing.items()
        }
        self._votes = Votes(facility, index)
        self._replicas = _replicas(facility, index)
        self._telling = self._votes.groups.union(self._replicas)
        silent = needing and all(each.replicas is None for each in needing.values())
        self._services_known = not (index.estate.bare or silent)
        self._known: dict[tuple[frozenset[int], ...], Grave] = {}

    def of(self, engines: Iterable[Iterable[int]]) -> Grave:
        """Return what is lost with the groups that each engine loses."""
        lost = tuple(self._telling.intersection(groups) for groups in engines)
        if lost not in self._known:
            self._known[lost] = self._grave(lost)
        return self._known[lost]

    def _grave(self, engines: tuple[frozenset[int], ...]) -> Grave:
        quorums = sorted(frozenset[Key]().union(*map(self._votes.lost_with, engines)))
        below = frozenset[int]().union(*map(self._below, engines))
        return Grave(
            tuple(quorums) if self._votes.reported else None, len(below) if self._services_known else None
        )

    def _below(self, groups: frozenset[int]) -> frozenset[int]:
        """The positions of the workloads that lose something there and are left with too few replicas."""
        lost: dict[int, int] = {}
        for group in groups:
            for position, replicas in self._replicas.get(group, {}).items():
                lost[position] = lost.get(position, 0) + replicas
        spare = self._spare
        return frozenset(position for position, replicas in lost.items() if replicas > spare[position])


def _replicas(facility: Facility, index: EstateIndex) -> dict[int, dict[int, int]]:
    """Return, by node group, the replicas of every service there that says how many it needs and has.

    A service that only has units there loses no replica, and counts as hit.
    """
    found: dict[int, dict[int, int]] = {}
    for position, workload in enumerate(index.estate.workloads):
        if workload.min_available is None or workload.replicas is None:
            continue
        here = {**dict.fromkeys(workload.placements, 0), **workload.replicas}
        for node_id, replicas in here.items():
            group = found.setdefault(facility.node_group[facility.node_index[node_id]], {})
            group[position] = group.get(position, 0) + replicas
    return found
