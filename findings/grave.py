"""What failures cost beyond units: quorums, and services below `minAvailable` (beyond).

The same figures as `findings.impact.assess` (property-tested), fast enough for every single failure.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from closure.compiled import Facility
from findings.index import EstateIndex
from findings.services import counted, silent_nodes
from findings.votes import Key, Votes


@dataclass(frozen=True, slots=True)
class Grave:
    """What a failure costs by either engine.

    `quorums`: the voting roles that have no majority left; None: no node with a voting role was reported.
    `services_below`: how many services that lose something are sure to be left with too few replicas; None:
    none is, and none of those that need some says how many it has.
    """

    quorums: tuple[Key, ...] | None
    services_below: int | None


class Graves:
    """Answers for sets of lost node groups of one facility. What was asked once is kept."""

    def __init__(self, facility: Facility, index: EstateIndex) -> None:
        needing = {p: w for p, w in enumerate(index.estate.workloads) if w.min_available is not None}
        self._spare = {
            position: (
                sum((each.replicas or {}).values()) - (each.min_available or 0),
                len(silent_nodes(each)),
            )
            for position, each in needing.items()
        }
        self._votes = Votes(facility, index)
        self._replicas = _replicas(facility, index)
        self._telling = self._votes.groups.union(self._replicas)
        silent = needing and not any(map(counted, needing.values()))
        self._services_known = not (index.estate.bare or silent or index.unlisted)
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
            tuple(quorums) if self._votes.reported else None,
            len(below) if below or self._services_known else None,
        )

    def _below(self, groups: frozenset[int]) -> frozenset[int]:
        """The positions of the workloads that lose something there and are left with too few replicas."""
        lost: dict[int, tuple[int, int]] = {}
        for group in groups:
            for position, (replicas, silent) in self._replicas.get(group, {}).items():
                before, silent_before = lost.get(position, (0, 0))
                lost[position] = before + replicas, silent_before + silent
        found = ((position, *here, *self._spare[position]) for position, here in lost.items())
        return frozenset(
            p for p, replicas, gone, spare, silent in found if replicas > spare and gone == silent
        )


def _replicas(facility: Facility, index: EstateIndex) -> dict[int, dict[int, tuple[int, int]]]:
    """Return, by node group, the replicas of every service there that says how many it needs and has.

    Beside them the number of nodes there that do not say. A service that only has units there loses no known
    replica, and counts as hit.
    """
    found: dict[int, dict[int, tuple[int, int]]] = {}
    for position, workload in enumerate(index.estate.workloads):
        if workload.min_available is None or workload.replicas is None:
            continue
        here = {**dict.fromkeys(workload.placements, 0), **workload.replicas}
        silent = frozenset(silent_nodes(workload))
        for node_id, replicas in here.items():
            group = found.setdefault(facility.node_group[facility.node_index[node_id]], {})
            before, silent_before = group.get(position, (0, 0))
            group[position] = before + replicas, silent_before + (node_id in silent)
    return found
