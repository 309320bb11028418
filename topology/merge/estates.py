"""Estates into one estate, or every reason why not (methodology: Multi-cluster merge)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from topology.apply import faults_together
from topology.limits import MAX_ID_LENGTH
from topology.merge.clusters import Cluster, clusters_of, overlap_notes, refused_clusters
from topology.merge.facility import common_ground, joined, joined_notes, refused_domains, told
from topology.merge.inputs import Input, by_cluster, listed
from topology.merge.refusal import MergeRefused, Refusal
from topology.merge.shared_map import lay_over
from topology.merge.stamps import freshness, merged_provenance
from topology.merge.terms import Terms, merged_terms
from topology.model import Domain, Estate, Loop, Node, Number, Topology, Workload
from topology.quoting import quoted
from topology.timestamps import parse_timestamp

SIDE_BY_SIDE: Final = (
    "No domain carries nodes of more than one cluster: this is a side-by-side ledger, not a "
    "shared-facility analysis."
)
"""Said where the merge joins nothing (methodology: Multi-cluster merge)."""

_SNAPSHOTS_DIFFER: Final = (
    "The snapshots were taken at different times: the merged estate is as old as the oldest, and the hours "
    "of a control loop end at its own cluster's snapshot."
)


def merge_estates(
    files: Sequence[tuple[str, Estate]], *, topology: tuple[str, Topology] | None = None
) -> Estate:
    """Return the merged estate of (file name, estate) pairs, under a (file name, map) if one is given.

    Domain ids are the join key; node, workload and loop ids become `cluster/id`. The order of the files
    decides which of several prices and assumptions applies, and nothing else; `Estate.notes` says where.

    Raises:
        MergeRefused: the files contradict each other; every reason, with the files and what they say.
        ValueError: no file, or a bare topology in place of an estate.
    """
    if not files or any(estate.bare for _, estate in files):
        raise ValueError("a merge takes one estate or more, and no bare topology")
    inputs: Sequence[Input] = [Input(place, *each) for place, each in enumerate(files)]
    map_notes: tuple[str, ...] = ()
    if topology is not None:
        inputs, map_notes = lay_over(inputs, *topology)
    clusters = clusters_of(inputs)
    facility = told(inputs)
    refusals = [*refused_clusters(inputs, clusters), *_clashes(inputs, facility), *refused_domains(facility)]
    if refusals:
        raise MergeRefused(tuple(refusals))
    domains, domain_notes = joined(facility)
    terms = merged_terms(inputs)
    ordered = by_cluster(inputs)
    notes = [
        *(note for each in ordered for note in each.estate.notes),
        *map_notes,
        *terms.notes,
        *domain_notes,
        *overlap_notes(clusters_of(ordered)),
        *_ground_notes(inputs, clusters, facility, domains),
    ]
    estate = _assembled(ordered, domains, terms, tuple(dict.fromkeys(notes)))
    return _sound(estate, facility)


def _assembled(
    ordered: Sequence[Input], domains: Mapping[str, Domain], terms: Terms, notes: tuple[str, ...]
) -> Estate:
    clusters = sorted((terms for each in ordered for terms in each.clusters), key=lambda each: each.id)
    name = "+".join(each.id for each in clusters)
    nodes = (_node(each, node, terms.pins[each.place]) for each in ordered for node in each.estate.nodes)
    workloads = (_workload(each, workload) for each in ordered for workload in each.estate.workloads)
    loops = (_loop(each, loop) for each in ordered for loop in each.estate.loops)
    return Estate(
        cluster=name if len(name) <= MAX_ID_LENGTH else f"{len(clusters)} clusters",
        unit=ordered[0].estate.unit,
        nodes=tuple(sorted(nodes, key=_cluster)),
        domains=domains,
        workloads=tuple(sorted(workloads, key=_cluster)),
        loops=tuple(sorted(loops, key=_cluster)),
        sample=any(each.estate.sample for each in ordered),
        provenance=merged_provenance(ordered),
        bases=terms.bases,
        clusters=tuple(clusters),
        notes=notes,
        **freshness(ordered),
        **terms.estate,
    )


def _cluster(thing: Node | Workload | Loop) -> str:
    """Sort by cluster; each cluster keeps its own order."""
    return thing.cluster or ""


def _node(each: Input, node: Node, pins: Mapping[str, Number]) -> Node:
    values: dict[str, Any] = {
        attribute: value for attribute, value in pins.items() if getattr(node, attribute) is None
    }
    return replace(node, id=each.full_id(node), cluster=each.cluster_of(node), **values)


def _workload(each: Input, workload: Workload) -> Workload:
    cluster = each.cluster_of(workload)
    if each.merged:
        return replace(workload, cluster=cluster)
    replicas = None if workload.replicas is None else _prefixed(cluster, workload.replicas)
    return replace(
        workload,
        id=each.full_id(workload),
        cluster=cluster,
        placements=_prefixed(cluster, workload.placements),
        replicas=replicas,
    )


def _loop(each: Input, loop: Loop) -> Loop:
    return replace(loop, id=each.full_id(loop), cluster=each.cluster_of(loop))


def _prefixed(cluster: str, by_node: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{cluster}/{node_id}": value for node_id, value in by_node.items()}


def _clashes(inputs: Sequence[Input], facility: Mapping[str, object]) -> Iterator[Refusal]:
    """Yield ids that would be one after namespacing: `a` with `b/c` and `a/b` with `c`, or a domain's id."""
    if len({terms.id for each in inputs for terms in each.clusters}) < sum(len(i.clusters) for i in inputs):
        return  # a cluster that is there twice clashes with itself, and is refused for that
    kinds: tuple[tuple[str, Iterable[tuple[str, str]]], ...] = (
        ("node", ((each.file, each.full_id(node)) for each in inputs for node in each.estate.nodes)),
        ("workload", ((each.file, each.full_id(w)) for each in inputs for w in each.estate.workloads)),
        ("loop", ((each.file, each.full_id(loop)) for each in inputs for loop in each.estate.loops)),
    )
    for kind, named in kinds:
        first: dict[str, str] = {}
        for file, full_id in named:
            other = first.setdefault(full_id, file)
            if other != file:
                yield _clash(
                    full_id, (other, file), f"{other} and {file} both have a {kind} {quoted(full_id)}"
                )
            elif kind == "node" and full_id in facility:
                yield _clash(full_id, (file,), f"node {quoted(full_id)} of {file} has the id of a domain")


def _clash(subject: str, files: tuple[str, ...], message: str) -> Refusal:
    hint = "Ids become cluster/id and must stay apart: rename the cluster or the thing."
    return Refusal("id-clash", subject, files, (subject,) * len(files), message, hint)


def _ground_notes(
    inputs: Sequence[Input],
    clusters: Sequence[Cluster],
    facility: Mapping[str, list[tuple[str, Domain]]],
    domains: Mapping[str, Domain],
) -> Iterator[str]:
    if len({parse_timestamp(each.estate.snapshot_at) for each in inputs}) > 1:
        yield _SNAPSHOTS_DIFFER
    yield from joined_notes(facility)
    named = [
        (
            cluster.name,
            {domain for node in cluster.nodes.values() for said in node.standings for domain in said.ids},
        )
        for cluster in clusters
    ]
    if len(named) > 1 and not common_ground(named, domains):
        yield SIDE_BY_SIDE


def _sound(estate: Estate, facility: Mapping[str, list[tuple[str, Domain]]]) -> Estate:
    """Return the estate if its facility is valid: files that are valid alone can form a cycle together."""
    refusals = []
    for fault in faults_together(estate):
        said = {file: None for domain_id in fault.ids for file, _ in facility.get(domain_id, ())}
        names = listed(tuple(said))
        refusals.append(
            Refusal(
                "invalid-together",
                fault.ids[0] if fault.ids else "",
                tuple(said),
                (),
                f"together {names} make no valid facility: {fault.message}",
                fault.hint,
            )
        )
    if refusals:
        raise MergeRefused(tuple(refusals))
    return estate
