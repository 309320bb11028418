"""The old side of a difference with what only the new one knows: what grows by that was there before."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from closure.compiled import Facility, compile_facility
from findings.difference.standings import said_only_now
from topology.model import Domain, Estate, Node, Standing, Workload


def told(old: Facility, new: Facility) -> Facility | None:
    """Return the old side with the criticality, and the standings of its nodes, that only the new one knows.

    None where it knows no more of those. Domains that only these standings name come with what feeds them.
    """
    workloads = _labelled(old.estate, new.estate)
    nodes, named = _standing(old.estate, new.estate)
    labelled = old.estate if workloads is None else replace(old.estate, workloads=workloads)
    if nodes is None:
        return None if workloads is None else replace(old, estate=labelled)
    domains = _with_missing(old.estate, new.estate, named)
    return compile_facility(replace(labelled, nodes=nodes, domains=domains), old.load)


def informed(old: Facility, new: Facility) -> Facility | None:
    """Return a side with the ratings, loads and kW per unit that only the new one knows.

    None where it knows no more of those. What the new one does not have, it cannot tell.
    """
    domains = _rated(old.estate, new.estate)
    nodes = _drawing(old, new)
    if domains == old.estate.domains and nodes == old.estate.nodes:
        return None
    return compile_facility(replace(old.estate, domains=domains, nodes=nodes), old.load)


def _labelled(old: Estate, new: Estate) -> tuple[Workload, ...] | None:
    labels: Mapping[str, bool | None] = {each.id: each.critical for each in new.workloads}
    workloads = tuple(
        replace(each, critical=labels.get(each.id)) if each.critical is None else each
        for each in old.workloads
    )
    return None if workloads == old.workloads else workloads


def _standing(old: Estate, new: Estate) -> tuple[tuple[Node, ...] | None, set[str]]:
    """Return the nodes with what they say only now of where they stand (None: nothing), and what it names."""
    only_now: dict[str, list[Standing]] = {}
    for each in said_only_now(old, new):
        only_now.setdefault(each.node, []).append(each.standing)
    if not only_now:
        return None, set()
    nodes = tuple(
        replace(node, standings=(*node.standings, *only_now.get(node.id, ()))) for node in old.nodes
    )
    return nodes, {name for each in only_now.values() for standing in each for name in standing.ids}


def _with_missing(old: Estate, new: Estate, named: Iterable[str]) -> dict[str, Domain]:
    found, queue = dict(old.domains), list(named)
    for name in queue:
        if name not in found:
            domain = found[name] = new.domains[name]
            queue.extend(domain.feeds if domain.parent is None else (domain.parent, *domain.feeds))
    return found


def _rated(old: Estate, new: Estate) -> dict[str, Domain]:
    found = dict(old.domains)
    for name, domain in old.domains.items():
        other = new.domains.get(name)
        if other is None or (domain.rated_kw is not None and domain.own_load_kw is not None):
            continue
        rated_kw, load_kw = domain.rated_kw, domain.own_load_kw
        found[name] = replace(
            domain,
            rated_kw=other.rated_kw if rated_kw is None and domain.kind == other.kind else rated_kw,
            own_load_kw=other.own_load_kw if load_kw is None else load_kw,
        )
    return found


def _drawing(old: Facility, new: Facility) -> tuple[Node, ...]:
    """Return the nodes of the old side, those of unknown draw with what the new one says of a unit."""
    after = {node.id: node for node in new.estate.nodes}
    return tuple(
        _told(node, after[node.id], new.estate.watts_per_unit_kw)
        if old.node_kw[position] is None and node.id in after
        else node
        for position, node in enumerate(old.estate.nodes)
    )


def _told(node: Node, other: Node, estate_kw: float | None) -> Node:
    kw = other.kw_per_unit if other.kw_per_unit is not None else estate_kw
    installed = other.installed if node.installed is None else node.installed
    return replace(
        node, kw_per_unit=kw if node.kw_per_unit is None else node.kw_per_unit, installed=installed
    )
