"""Single points of failure of critical workloads (beyond the methodology)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from findings.index import EstateIndex, stalls_whole
from findings.survey import Survey
from topology.model import Workload


@dataclass(frozen=True, slots=True)
class SinglePoints:
    """The domains whose failure alone stops a workload, sorted: ratings honoured, and ignored."""

    workload: Workload
    honouring: tuple[str, ...]
    ignoring: tuple[str, ...]


def single_points(honouring: Survey, ignoring: Survey) -> tuple[SinglePoints, ...]:
    """Return the single points of every critical workload that runs, by id."""
    index = honouring.index
    with_ratings, without = stoppers(honouring), stoppers(ignoring)
    critical = [(p, w) for p, w in enumerate(index.estate.workloads) if w.critical and index.units_of[p]]
    found = (SinglePoints(w, with_ratings.get(p, ()), without.get(p, ())) for p, w in critical)
    return tuple(sorted(found, key=lambda each: each.workload.id))


def stoppers(survey: Survey) -> Mapping[int, tuple[str, ...]]:
    """Return, per critical workload (by position), the domains whose failure alone stops it."""
    on_group = _critical_by_group(survey)
    found: dict[int, list[str]] = {}
    # Many failures lose the same groups: a rack, and what hangs from it alone.
    stopped: dict[tuple[int, ...], list[int]] = {(): []}
    for single in survey.singles.values():
        positions = stopped.get(single.groups)
        if positions is None:
            positions = stopped[single.groups] = _stopped(survey.index, map(on_group.get, single.groups))
        for position in positions:
            found.setdefault(position, []).append(single.domain)
    return {position: tuple(domains) for position, domains in found.items()}


def _stopped(index: EstateIndex, lost_groups: Iterable[list[tuple[int, list[str]]] | None]) -> list[int]:
    """Return the critical workloads (by position) that stop when these groups of their nodes are lost."""
    lost: dict[int, list[str]] = {}
    for on_group in lost_groups:
        for position, nodes in on_group or ():
            lost.setdefault(position, []).extend(nodes)
    return [position for position, nodes in lost.items() if stops(index.estate.workloads[position], nodes)]


def stops(workload: Workload, lost: list[str]) -> bool:
    """Return whether losing these nodes stops a workload.

    A gang stops with its first unit; a service with a known `minAvailable` when fewer replicas are left;
    anything else with its last unit.
    """
    if stalls_whole(workload):
        return True
    if workload.min_available is not None and workload.replicas is not None:
        gone = set(lost)
        left = sum(count for node_id, count in workload.replicas.items() if node_id not in gone)
        return left < workload.min_available
    return len(set(lost)) == sum(units > 0 for units in workload.placements.values())


def _critical_by_group(survey: Survey) -> dict[int, list[tuple[int, list[str]]]]:
    facility, index = survey.facility, survey.index
    found: dict[int, dict[int, list[str]]] = {}
    for position, node_id in _critical_placements(index):
        group = facility.node_group[facility.node_index[node_id]]
        found.setdefault(group, {}).setdefault(position, []).append(node_id)
    return {group: list(by_position.items()) for group, by_position in found.items()}


def _critical_placements(index: EstateIndex) -> Iterator[tuple[int, str]]:
    for position, workload in enumerate(index.estate.workloads):
        if workload.critical:
            hosting = {node_id for node_id, units in workload.placements.items() if units > 0}
            yield from ((position, node_id) for node_id in sorted(hosting.union(workload.replicas or {})))
