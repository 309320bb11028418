"""Which clusters meet, and that none is there twice (methodology: merge, the same-cluster defense)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from topology.merge.inputs import Input
from topology.merge.refusal import Refusal
from topology.model import Node
from topology.quoting import quoted

SAME_CLUSTER_SHARE: Final = 0.8
"""Share [-] of node ids in common from which two estates are one cluster twice (methodology: merge)."""

NOTED_SHARE: Final = 0.2
"""Share [-] of node ids in common from which the merge says so (methodology: merge)."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster of one file: its nodes under the names that the cluster itself gives them."""

    place: int
    file: str
    name: str
    nodes: Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Machines that two clusters have in common; `proven` of them by what the hardware says of itself."""

    first: Cluster
    second: Cluster
    common: int
    proven: int

    @property
    def smaller(self) -> int:
        """Nodes of the smaller cluster."""
        return min(len(self.first.nodes), len(self.second.nodes))

    @property
    def share(self) -> float:
        """common / smaller [-]."""
        return self.common / self.smaller

    def said(self) -> str:
        """Return the overlap in words."""
        by_name = self.common - self.proven
        how = [f"{self.proven:,} by machine identity"] if self.proven else []
        how += [f"{by_name:,} by name"] if by_name else []
        return (
            f"{self.first.file} (cluster {quoted(self.first.name)}, {len(self.first.nodes):,} nodes) and "
            f"{self.second.file} (cluster {quoted(self.second.name)}, {len(self.second.nodes):,} nodes) "
            f"share {self.common:,} nodes ({', '.join(how)}): {self.share:.0%} of the smaller"
        )


def clusters_of(inputs: Sequence[Input]) -> list[Cluster]:
    """Return every cluster of every file."""
    found = []
    for each in inputs:
        nodes: dict[str, dict[str, Node]] = {terms.id: {} for terms in each.clusters}
        for node in each.estate.nodes:
            nodes.setdefault(each.cluster_of(node), {})[each.name_of(node)] = node
        found += [Cluster(each.place, each.file, name, members) for name, members in sorted(nodes.items())]
    return found


def overlaps(clusters: Sequence[Cluster]) -> list[Overlap]:
    """Return the pairs of clusters from different files that have a machine in common."""
    pairs = (pair for pair in combinations(clusters, 2) if pair[0].place != pair[1].place)
    found = (_overlap(first, second) for first, second in pairs)
    return [overlap for overlap in found if overlap.common]


def _overlap(first: Cluster, second: Cluster) -> Overlap:
    """Match machines: the hardware's own identity decides where both sides have it, else the name."""
    matched: tuple[set[str], set[str]] = (set(), set())
    by_uuid = {uuid: name for name, node in second.nodes.items() if (uuid := _uuid(node)) is not None}
    by_provider = {
        node.provider_id: name for name, node in second.nodes.items() if node.provider_id is not None
    }
    for name, node in first.nodes.items():
        candidates = {by_uuid.get(_uuid(node) or ""), by_provider.get(node.provider_id or "")}
        for other in candidates - {None}:
            if other is not None and _identical(node, second.nodes[other]):
                matched[0].add(name)
                matched[1].add(other)
    proven = min(map(len, matched))
    for name, node in first.nodes.items():
        other_node = second.nodes.get(name)
        if other_node is not None and _identical(node, other_node) is None:
            matched[0].add(name)
            matched[1].add(name)
    return Overlap(first, second, min(map(len, matched)), proven)


def _uuid(node: Node) -> str | None:
    return None if node.system_uuid is None else node.system_uuid.casefold()


def _identical(one: Node, other: Node) -> bool | None:
    """Return whether two nodes are one machine; None where no identity that both carry can tell."""
    if one.system_uuid is not None and other.system_uuid is not None:
        return _uuid(one) == _uuid(other)
    if one.provider_id is not None and other.provider_id is not None:
        return one.provider_id == other.provider_id
    return None


def refused_clusters(inputs: Sequence[Input], clusters: Sequence[Cluster]) -> Iterator[Refusal]:
    """Yield the reasons why these clusters cannot stand in one ledger."""
    yield from _units(inputs)
    yield from _twice(clusters)
    for overlap in overlaps(clusters):
        if overlap.share >= SAME_CLUSTER_SHARE:
            yield Refusal(
                "same-cluster",
                overlap.first.name,
                (overlap.first.file, overlap.second.file),
                (overlap.first.name, overlap.second.name),
                f"the same cluster twice: {overlap.said()}",
                "Leave one of the two files out: its load would count twice in every shared domain.",
            )


def overlap_notes(clusters: Sequence[Cluster]) -> Iterator[str]:
    """Yield what must be said about clusters that have some machines in common."""
    for overlap in overlaps(clusters):
        if overlap.share >= NOTED_SHARE or overlap.proven:
            yield (
                f"Possible double counting: {overlap.said()}. Below {SAME_CLUSTER_SHARE:.0%} this is not "
                "refused; check that these are different machines."
            )


def _units(inputs: Sequence[Input]) -> Iterator[Refusal]:
    units = {each.estate.unit for each in inputs}
    if len(units) > 1:
        said = [(each.file, each.estate.unit) for each in inputs]
        words = ", ".join(f"{file} counts {unit} units" for file, unit in said)
        yield Refusal(
            "unit-mix",
            "unit",
            tuple(file for file, _ in said),
            tuple(unit for _, unit in said),
            f"a GPU estate and a CPU estate do not go into one ledger: {words}",
            "Merge estates of one unit only.",
        )


def _twice(clusters: Sequence[Cluster]) -> Iterator[Refusal]:
    files: dict[str, list[str]] = {}
    for cluster in clusters:
        files.setdefault(cluster.name, []).append(cluster.file)
    for name, where in sorted(files.items()):
        if len(where) > 1:
            yield Refusal(
                "cluster-twice",
                name,
                tuple(where),
                (name,) * len(where),
                f"the cluster name {quoted(name)} is there twice: {' and '.join(where)} both say cluster "
                f"{quoted(name)}",
                "Cluster names are the namespace of nodes and workloads: rename one, or leave one file out.",
            )
