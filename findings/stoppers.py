"""Which failures alone stop which critical workloads."""

from collections.abc import Iterable, Iterator, Mapping

from closure.compiled import Facility
from findings.index import EstateIndex, stalls_whole
from findings.services import counted, service
from topology.model import Workload


def stoppers(
    index: EstateIndex,
    facility: Facility,
    failures: Iterable[tuple[str, tuple[int, ...]]],
    before: Iterable[int] = (),
) -> Mapping[int, tuple[str, ...]]:
    """Return, per critical workload (by position), the failures that stop it, in their order.

    `failures`: the name of each, and the node groups that it loses. What is stopped with nothing failed, with
    the groups `before` lost, is stopped by none of them.
    """
    on_group = _critical_by_group(index, facility)
    already = frozenset(_stopped(index, map(on_group.get, before))).union(_short(index))
    found: dict[int, list[str]] = {}
    # Many failures lose the same groups: a rack, and what hangs from it alone.
    stopped: dict[tuple[int, ...], list[int]] = {(): []}
    for name, groups in failures:
        positions = stopped.get(groups)
        if positions is None:
            positions = _stopped(index, map(on_group.get, groups))
            positions = stopped[groups] = [each for each in positions if each not in already]
        for position in positions:
            found.setdefault(position, []).append(name)
    return {position: tuple(names) for position, names in found.items()}


def stopped_by(index: EstateIndex, facility: Facility, groups: Iterable[int]) -> frozenset[int]:
    """Return the critical workloads (by position) that are stopped with these node groups lost."""
    lost = map(_critical_by_group(index, facility).get, groups)
    return frozenset(_stopped(index, lost)).union(_short(index))


def _short(index: EstateIndex) -> Iterator[int]:
    """Yield the critical services (by position) that run too few replicas with nothing lost at all."""
    for position, workload in enumerate(index.estate.workloads):
        if workload.critical and counted(workload) and not stalls_whole(workload) and stops(workload, []):
            yield position


def _stopped(index: EstateIndex, lost_groups: Iterable[list[tuple[int, list[str]]] | None]) -> list[int]:
    """Return the critical workloads (by position) that stop when these groups of their nodes are lost."""
    lost: dict[int, list[str]] = {}
    for on_group in lost_groups:
        for position, nodes in on_group or ():
            lost.setdefault(position, []).extend(nodes)
    return [position for position, nodes in lost.items() if stops(index.estate.workloads[position], nodes)]


def stops(workload: Workload, lost: list[str]) -> bool:
    """Return whether losing these nodes stops a workload.

    A gang stops with its first unit; a service with known `minAvailable` and replicas when fewer are left;
    anything else with its last unit.
    """
    if stalls_whole(workload):
        return True
    if counted(workload):
        return bool(service(workload, frozenset(lost)).below)
    return len(set(lost)) == sum(units > 0 for units in workload.placements.values())


def _critical_by_group(index: EstateIndex, facility: Facility) -> dict[int, list[tuple[int, list[str]]]]:
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
