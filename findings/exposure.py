"""Exposure and critical share: what stands in a blast (methodology: Exposure and critical share)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from findings.amounts import NOTHING, Partial, partial_sum, total
from findings.index import EstateIndex, critical_units, stalls_whole
from topology.model import Number, Workload


@dataclass(frozen=True, slots=True)
class Hit:
    """A workload with units on lost nodes. `nodes` are those, sorted.

    `units_standing` are its units there; `units_stalled` all that stop with them (spec 4: gang accounting).
    """

    workload: Workload
    nodes: tuple[str, ...]
    units_standing: Number
    units_stalled: Number


@dataclass(frozen=True, slots=True)
class Exposure:
    """Allocated and critical units on lost nodes; unknown parts are None or counted.

    `unknown_criticality` counts the workloads there that do not say whether they are critical, and the
    `unclaimed_nodes`: those with units that no workload claims. `critical_everywhere`: what the share is of.
    """

    nodes: int
    units: Number | None
    critical_units: Number | None
    critical_share: float | None
    unknown_criticality: int = 0
    unclaimed_nodes: int = 0
    critical_everywhere: Partial = NOTHING


def hits(index: EstateIndex, lost_nodes: Iterable[str]) -> tuple[Hit, ...]:
    """Return every workload with units on `lost_nodes`, by id."""
    found: dict[int, list[str]] = {}
    for node_id in sorted(set(lost_nodes)):
        for position, _ in index.hosted.get(node_id, ()):
            found.setdefault(position, []).append(node_id)
    result = []
    for position, nodes in found.items():
        workload = index.estate.workloads[position]
        standing = total(workload.placements[node_id] for node_id in nodes)
        stalled = index.units_of[position] if stalls_whole(workload) else standing
        result.append(Hit(workload, tuple(nodes), standing, stalled))
    return tuple(sorted(result, key=lambda hit: hit.workload.id))


def exposure(index: EstateIndex, lost_nodes: Collection[str], hit: Iterable[Hit]) -> Exposure:
    """Return what stands on `lost_nodes`, of which `hit` are the workloads.

    Methodology: critical_share = critical_gpus_standing / max(1, total_critical_gpus). Unknown in a bare
    topology, and where units stand there and nobody says of any whether they are critical.
    """
    if index.estate.bare:
        return Exposure(len(lost_nodes), None, None, None)
    units = partial_sum(index.nodes[node_id].allocated for node_id in lost_nodes)
    unclaimed = sum(node_id in index.unclaimed for node_id in lost_nodes)
    said = [critical_units(h.workload, h.units_standing) for h in hit]
    critical = partial_sum([*said, *(None for _ in range(unclaimed))])
    everywhere = index.critical_total
    share = critical_share(critical, everywhere)
    return Exposure(
        len(lost_nodes), units.value, critical.value, share, critical.unknown, unclaimed, everywhere
    )


def critical_share(critical: Partial, all_critical: Partial) -> float | None:
    """Return the share of all critical units, of those whose criticality is known; None where none is.

    Where nothing stands in the blast it is 0 of whatever there is elsewhere.
    """
    if critical == NOTHING:
        return 0.0
    if critical.value is None or all_critical.value is None:
        return None
    return critical.value / max(1, all_critical.value)
