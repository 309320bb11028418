"""What goes into a merge: files, and the clusters in them (an already merged file brings several)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topology.model import ClusterTerms, Estate, Loop, Node, Workload

SEPARATOR = "/"


@dataclass(frozen=True, slots=True)
class Input:
    """One estate, what messages call its file, and the place of the file among the others."""

    place: int
    file: str
    estate: Estate

    @property
    def merged(self) -> bool:
        """Whether it is the result of a merge: its ids are namespaced already."""
        return bool(self.estate.clusters)

    @property
    def clusters(self) -> tuple[ClusterTerms, ...]:
        """The clusters in it, with their snapshots."""
        estate = self.estate
        return estate.clusters or (ClusterTerms(estate.cluster, estate.snapshot_at),)

    def cluster_of(self, thing: Node | Workload | Loop) -> str:
        """Return the cluster that a node, workload or loop of this file belongs to."""
        return thing.cluster or self.estate.cluster

    def name_of(self, node: Node) -> str:
        """Return what the node's own cluster calls it."""
        return node.id.removeprefix(self.cluster_of(node) + SEPARATOR) if self.merged else node.id

    def full_id(self, thing: Node | Workload | Loop) -> str:
        """Return the id that a node, workload or loop has in a merged estate: `cluster/id`."""
        return thing.id if self.merged else self.cluster_of(thing) + SEPARATOR + thing.id


def by_cluster(inputs: Iterable[Input]) -> list[Input]:
    """Return the inputs in the order of their clusters' names, whatever the order of the files."""
    return sorted(inputs, key=lambda each: (tuple(sorted(terms.id for terms in each.clusters)), each.file))


def listed(names: Sequence[str], limit: int = 5) -> str:
    """Return `a, b, c`, and how many more there are."""
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more:,} more" if more > 0 else "")
