"""The closure of one scenario: what is lost, why, and what held (spec 4)."""

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from closure.compiled import Facility, Group, Place
from closure.results import Basis, Closure, Degraded, LostDomain, LostNode, Unverified
from closure.tolerance import exceeds
from topology.unknown_id import unknown_id


@dataclass(frozen=True, slots=True)
class FeedGate:
    """A domain's feeds in one scenario, and what follows (spec 4 rules 3 and 4).

    `surviving_rated_kw` is the survivors' combined rating [kW]; None where one of them has none.
    """

    lost: tuple[int, ...]
    alive: tuple[int, ...]
    surviving_rated_kw: float | None
    verdict: Literal["holds", "feeds-lost", "demoted"]


@dataclass(frozen=True, slots=True)
class Settled:
    """The least fixpoint over the domains: the lost ones, and the gates that held with a feed gone."""

    lost: Mapping[int, LostDomain]
    held: Mapping[int, FeedGate]


def close(facility: Facility, failed: Iterable[str]) -> Closure:
    """Return everything that the failed ids (domains or nodes) take down, with causes (spec 4).

    Raises UnknownId for ids that are neither.
    """
    names = tuple(sorted(set(failed)))
    failed_domains, failed_nodes = split_ids(facility, names)
    settled = settle(facility, failed_domains)
    degraded = sorted(
        [*_degraded_domains(facility, settled), *_degraded_nodes(facility, settled, failed_nodes)], key=_id
    )
    unverified = sorted(_unverified(facility, settled), key=_id)
    baseline = settle(facility, ())
    return Closure(
        failed=names,
        baseline_domains=id_tuple(facility, baseline.lost),
        baseline_nodes=tuple(sorted(node.id for node in _lost_nodes(facility, baseline, frozenset()))),
        domains=tuple(sorted(settled.lost.values(), key=_id)),
        nodes=tuple(sorted(_lost_nodes(facility, settled, failed_nodes), key=_id)),
        degraded=tuple(degraded),
        electrically_unverified=tuple(unverified),
        basis=_basis(settled, degraded, unverified),
    )


def split_ids(facility: Facility, names: Iterable[str]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the domain indices and the node indices among `names`. Raises UnknownId for any other name."""
    domains, nodes, unknown = set(), set(), []
    for name in names:
        if (domain := facility.domain_index.get(name)) is not None:
            domains.add(domain)
        elif (node := facility.node_index.get(name)) is not None:
            nodes.add(node)
        else:
            unknown.append(name)
    if unknown:
        workloads = {workload.id for workload in facility.estate.workloads}
        known = facility.domain_ids + facility.node_ids
        raise unknown_id(unknown, known, workloads=workloads, domains=bool(facility.domain_ids))
    return frozenset(domains), frozenset(nodes)


def settle(facility: Facility, failed: Collection[int]) -> Settled:
    """Return the domains that are lost when those with the `failed` indices fail (spec 4 rules 1 to 4).

    Loads are static, so a domain that is judged after all its upstream domains is judged once and for all:
    the queue holds domains by index, parents first. Only what hangs from a loss is looked at.
    """
    lost: dict[int, LostDomain] = {}
    held: dict[int, FeedGate] = {}
    queue = sorted({*failed, *facility.out})
    judged = -1
    while queue:
        d = heapq.heappop(queue)
        if d == judged:
            continue
        judged = d
        loss = _judge(facility, d, failed, lost, held)
        if loss is not None:
            lost[d] = loss
            for dependent in facility.dependents[d]:
                heapq.heappush(queue, dependent)
    return Settled(lost, held)


def feed_gate(facility: Facility, d: int, lost: Collection[int]) -> FeedGate:
    """Judge the feeds of a domain that lost at least one of them (spec 4 rules 3 and 4)."""
    gone = tuple(feed for feed in facility.feeds[d] if feed in lost)
    alive = tuple(feed for feed in facility.feeds[d] if feed not in lost)
    rated_kw = facility.combined_rating(alive)
    draw_kw = facility.draws_kw[d]
    if len(alive) < facility.needed[d]:
        return FeedGate(gone, alive, rated_kw, "feeds-lost")
    if rated_kw is not None and draw_kw is not None and exceeds(draw_kw, rated_kw):
        return FeedGate(gone, alive, rated_kw, "demoted")
    return FeedGate(gone, alive, rated_kw, "holds")


def lost_members(place: Place, lost: Collection[int]) -> tuple[int, ...]:
    """Return the lost domains of a place if they lose the node there, else nothing (spec 4 rule 5)."""
    gone = tuple(d for d in place.domains if d in lost)
    return () if place.mode == "any" and len(gone) < len(place.domains) else gone


def id_tuple(facility: Facility, domains: Iterable[int]) -> tuple[str, ...]:
    """Return the ids of domain indices, sorted."""
    return tuple(sorted(facility.domain_ids[d] for d in domains))


def touched_groups(
    facility: Facility, lost: Iterable[int], failed_nodes: Iterable[int] = ()
) -> Iterator[Group]:
    """Yield the groups that stand on a lost domain or hold a failed node, in index order."""
    touched = {g for d in lost for g in facility.groups_on[d]}
    touched.update(facility.node_group[node] for node in failed_nodes)
    for g in sorted(touched):
        yield facility.groups[g]


def _judge(
    facility: Facility,
    d: int,
    failed: Collection[int],
    lost: Mapping[int, LostDomain],
    held: dict[int, FeedGate],
) -> LostDomain | None:
    name = facility.domain_ids[d]
    if d in failed:
        return LostDomain(name, "failed", (), (name,))
    if d in facility.out:
        return LostDomain(name, "out", (), (name,))
    if (parent := facility.parent[d]) in lost:
        return LostDomain(name, "parent-lost", (facility.domain_ids[parent],), lost[parent].sources)
    gate = feed_gate(facility, d, lost)
    if gate.verdict == "holds":
        held[d] = gate
        return None
    by, sources = id_tuple(facility, gate.lost), _sources(gate.lost, lost)
    if gate.verdict == "feeds-lost":
        return LostDomain(name, "feeds-lost", by, sources)
    survivors = id_tuple(facility, gate.alive)
    return LostDomain(name, "demoted", by, sources, facility.draws_kw[d], gate.surviving_rated_kw, survivors)


def _lost_nodes(facility: Facility, settled: Settled, failed: frozenset[int]) -> Iterator[LostNode]:
    for group in touched_groups(facility, settled.lost, failed):
        gone = [
            (place.axis, members) for place in group.places if (members := lost_members(place, settled.lost))
        ]
        axes = tuple(axis for axis, _ in gone)
        by = id_tuple(facility, gone[0][1]) if gone else ()
        sources = _sources(gone[0][1], settled.lost) if gone else ()
        for node in group.nodes:
            name = facility.node_ids[node]
            if node in failed:
                yield LostNode(name, "failed", (), (name,), None, axes)
            elif gone:
                yield LostNode(name, "standing-lost", by, sources, axes[0], axes)


def _degraded_domains(facility: Facility, settled: Settled) -> Iterator[Degraded]:
    for d, gate in settled.held.items():
        lost, alive = id_tuple(facility, gate.lost), id_tuple(facility, gate.alive)
        yield Degraded(facility.domain_ids[d], "domain", lost, alive, len(alive) - facility.needed[d])


def _degraded_nodes(facility: Facility, settled: Settled, failed: frozenset[int]) -> Iterator[Degraded]:
    lost = settled.lost
    for group in touched_groups(facility, lost):
        partly = [p for p in group.places if p.mode == "any" and any(d in lost for d in p.domains)]
        if not partly or any(lost_members(place, lost) for place in group.places):
            continue
        gone = id_tuple(facility, {d for place in partly for d in place.domains if d in lost})
        alive = id_tuple(facility, {d for place in partly for d in place.domains if d not in lost})
        spare = min(sum(d not in lost for d in place.domains) for place in partly) - 1
        axes = tuple(place.axis for place in partly)
        for node in group.nodes:
            if node not in failed:
                yield Degraded(facility.node_ids[node], "node", gone, alive, spare, axes)


def _unverified(facility: Facility, settled: Settled) -> Iterator[Unverified]:
    for d, gate in settled.held.items():
        if facility.feeds_commodity[d] is None:
            continue
        unrated = id_tuple(facility, (feed for feed in gate.alive if facility.rated_kw[feed] is None))
        draw_known = facility.draws_kw[d] is not None
        if unrated or not draw_known:
            yield Unverified(facility.domain_ids[d], unrated, draw_known)


def _basis(
    settled: Settled, degraded: Collection[Degraded], unverified: Collection[Unverified]
) -> tuple[Basis, ...]:
    labels: list[Basis] = []
    if unverified:
        labels.append("electrically-unverified")
    if degraded:
        labels.append("redundant")
    if any(loss.cause == "parent-lost" for loss in settled.lost.values()):
        labels.append("worst-credible")
    return tuple(labels)


def _sources(domains: Iterable[int], lost: Mapping[int, LostDomain]) -> tuple[str, ...]:
    return tuple(sorted({source for d in domains for source in lost[d].sources}))


def _id(thing: LostDomain | LostNode | Degraded | Unverified) -> str:
    return thing.id
