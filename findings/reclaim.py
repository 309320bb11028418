"""What a fleet can claim back from idle allocation (methodology: Fleet reclaim realization)."""

from collections.abc import Iterable
from dataclasses import dataclass

from findings import constants
from findings.amounts import partial_sum
from findings.idle import Idle, idle_of
from findings.index import EstateIndex
from topology.model import Node, Number


@dataclass(frozen=True, slots=True)
class ClusterReclaim:
    """One cluster's idle units and recoverable spend [USD/month]; None where unknown."""

    cluster: str
    idle: Idle
    usd_per_month: float | None

    @property
    def idle_units(self) -> Number | None:
        """The units that idle there."""
        return self.idle.units


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Recoverable spend [USD/month] over all clusters, by id; the known part where some are unknown."""

    usd_per_month: float | None
    unknown: int
    clusters: tuple[ClusterReclaim, ...]


def reclaim(index: EstateIndex) -> Reclaim:
    """Return Σ over clusters: idle_allocated × $/GPU-hour × 720 × 0.55."""
    members: dict[str, list[Node]] = {cluster.id: [] for cluster in index.estate.clusters}
    if not members:
        members[index.estate.cluster] = []
    for node in index.estate.nodes:
        if node.allocated != 0:
            members.setdefault(node.cluster or index.estate.cluster, []).append(node)
    clusters = tuple(cluster_reclaim(index, cluster, members[cluster]) for cluster in sorted(members))
    usd = partial_sum(cluster.usd_per_month for cluster in clusters)
    return Reclaim(None if usd.value is None else float(usd.value), usd.unknown, clusters)


def cluster_reclaim(index: EstateIndex, cluster: str, held: Iterable[Node]) -> ClusterReclaim:
    """Return one cluster's share: its idle spend, discounted."""
    idle = idle_of(index, held)
    usd = None if idle.usd_per_month is None else idle.usd_per_month * constants.RECLAIM_REALIZATION
    return ClusterReclaim(cluster, idle, usd)
