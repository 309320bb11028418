"""Replicated services: replicas left against `minAvailable` (spec 4, beyond)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from findings.index import EstateIndex
from topology.model import Workload


@dataclass(frozen=True, slots=True)
class Service:
    """A service that loses replicas. Counts are None where the workload does not report them.

    `below` says whether fewer than `min_available` are left; `was_below` whether that is so with nothing
    failed, for what is out already takes replicas too.
    """

    workload: Workload
    replicas: int | None
    replicas_left: int | None
    min_available: int | None
    below: bool | None
    was_below: bool | None


def services(
    index: EstateIndex, lost_nodes: Collection[str], lost_before: Collection[str] = ()
) -> tuple[Service, ...]:
    """Return every workload with a `minAvailable` or replicas that loses something on `lost_nodes`, by id.

    `lost_before` are those of them that are lost with nothing failed.
    """
    before = frozenset(lost_before)
    lost = lost_nodes if isinstance(lost_nodes, (set, frozenset)) else set(lost_nodes)
    positions = {p for node_id in lost for p in index.replicated.get(node_id, ())}
    workloads = index.estate.workloads
    for node_id in lost:
        positions |= {p for p, _ in index.hosted.get(node_id, ()) if workloads[p].min_available is not None}
    found = (service(workloads[position], lost, before) for position in positions)
    return tuple(sorted(found, key=lambda each: each.workload.id))


def service(workload: Workload, lost_nodes: Collection[str], lost_before: Collection[str] = ()) -> Service:
    """Return what is left of one workload without `lost_nodes`, some of which were `lost_before`."""
    needed = workload.min_available
    if workload.replicas is None:
        return Service(workload, None, None, needed, None, None)
    running = sum(workload.replicas.values())
    left = _replicas(workload.replicas, lost_nodes)
    if needed is None:
        return Service(workload, running, left, None, None, None)
    was_below = _replicas(workload.replicas, lost_before) < needed
    return Service(workload, running, left, needed, left < needed, was_below)


def _replicas(replicas: Mapping[str, int], lost_nodes: Collection[str]) -> int:
    return sum(count for node_id, count in replicas.items() if node_id not in lost_nodes)
