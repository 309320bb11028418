"""What single failures do to services and to roles (beyond the methodology)."""

from collections import Counter
from dataclasses import dataclass

from findings.roles import RoleLoss, count_roles, role_loss
from findings.services import Service, counted, service, silent_nodes
from findings.survey import Survey


@dataclass(frozen=True, slots=True)
class Shortfalls:
    """A service with a `minAvailable`, and what each failure that takes it below leaves, by domain.

    `service` is what is left with nothing failed; where that is below already, no failure takes it there.
    Not `known` where some node does not say how many replicas it runs, and no failure surely takes it there.
    """

    service: Service
    failures: tuple[tuple[str, Service], ...]

    @property
    def known(self) -> bool:
        """Whether it is certain that some failure takes the service below, or that none does."""
        return bool(self.failures) or self.service.below is True or counted(self.service.workload)


@dataclass(frozen=True, slots=True)
class QuorumLosses:
    """A voting role of a cluster, and the failures that lose its quorum, by domain.

    `lost_before`: it is lost with nothing failed; then no failure loses it.
    """

    cluster: str
    role: str
    total: int
    lost_before: bool
    failures: tuple[tuple[str, RoleLoss], ...]


def shortfalls(survey: Survey) -> tuple[Shortfalls, ...]:
    """Return every service that says how many replicas it needs and has, by id."""
    index, facility = survey.index, survey.facility
    positions = [
        p
        for p, w in enumerate(index.estate.workloads)
        if w.min_available is not None and w.replicas is not None
    ]
    on_group: dict[int, set[int]] = {}
    for position in positions:
        workload = index.estate.workloads[position]
        for node_id in {*(workload.replicas or ()), *silent_nodes(workload)}:
            group = facility.node_group[facility.node_index[node_id]]
            on_group.setdefault(group, set()).add(position)
    found: dict[int, list[tuple[str, Service]]] = {position: [] for position in positions}
    out = frozenset(survey.node_ids(survey.baseline_groups))
    before = {position: service(index.estate.workloads[position], out) for position in positions}
    for single in survey.singles.values():
        touched = {position for g in single.groups for position in on_group.get(g, ())}
        lost = frozenset(survey.node_ids(single.groups)) if touched else frozenset()
        for position in touched:
            left = service(index.estate.workloads[position], lost)
            if left.below and before[position].below is False:
                found[position].append((single.domain, left))
    rows = (Shortfalls(before[position], tuple(failures)) for position, failures in found.items())
    return tuple(sorted(rows, key=lambda row: row.service.workload.id))


def quorum_losses(survey: Survey) -> tuple[QuorumLosses, ...]:
    """Return every voting role of every cluster, by cluster and role."""
    index, facility = survey.index, survey.facility
    nodes = index.estate.nodes
    everywhere = count_roles(index, nodes)
    by_group = [count_roles(index, (nodes[n] for n in group.nodes)) for group in facility.groups]
    voting = [key for key, total in everywhere.items() if role_loss(key, 0, total).quorum_lost is not None]
    found: dict[tuple[str, str], list[tuple[str, RoleLoss]]] = {key: [] for key in voting}
    out = sum((by_group[g] for g in survey.baseline_groups), Counter[tuple[str, str]]())
    gone = {key for key in voting if role_loss(key, out[key], everywhere[key]).quorum_lost}
    for single in survey.singles.values() if voting else ():
        lost: Counter[tuple[str, str]] = Counter()
        for g in single.groups:
            lost.update(by_group[g])
        for key in voting:
            loss = role_loss(key, lost[key], everywhere[key])
            if key not in gone and loss.quorum_lost:
                found[key].append((single.domain, loss))
    return tuple(
        QuorumLosses(*key, everywhere[key], key in gone, tuple(found[key])) for key in sorted(voting)
    )
