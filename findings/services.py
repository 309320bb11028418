"""Replicated services: replicas left against `minAvailable` (spec 4, beyond)."""

from collections.abc import Collection
from dataclasses import dataclass

from findings.index import EstateIndex
from topology.model import Workload


@dataclass(frozen=True, slots=True)
class Service:
    """A service that loses replicas. Counts are None where the workload does not report all of them.

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
    running, silent = _replicas(workload, ())
    left, silent_left = _replicas(workload, lost_nodes)
    return Service(
        workload,
        None if silent else running,
        None if silent_left else left,
        needed,
        _below(left, silent_left, needed),
        _below(*_replicas(workload, lost_before), needed),
    )


def silent_nodes(workload: Workload) -> tuple[str, ...]:
    """Return the nodes that it has units on without saying how many of its replicas run there."""
    said = workload.replicas or {}
    return tuple([node for node, units in workload.placements.items() if units > 0 and node not in said])


def counted(workload: Workload) -> bool:
    """Return whether replicas can be held against `minAvailable`: both are known, on every node."""
    return workload.min_available is not None and workload.replicas is not None and not silent_nodes(workload)


def _replicas(workload: Workload, lost_nodes: Collection[str]) -> tuple[int, int]:
    """Return the replicas that are said elsewhere than on some nodes, and how many nodes there do not say."""
    said = (workload.replicas or {}).items()
    left = sum(count for node_id, count in said if node_id not in lost_nodes)
    return left, sum(node_id not in lost_nodes for node_id in silent_nodes(workload))


def _below(left: int, silent: int, needed: int | None) -> bool | None:
    """Return whether too few are left: certain where those that are said are enough, or are all."""
    return None if needed is None or (silent and left < needed) else left < needed
