"""What must hold of anything that was accepted, written from the specification alone (spec 1 and 2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from tests.naive_engine import carried, upstream
from topology.kinds import AXES
from topology.model import Domain, Estate, Node, Number, Standing, Topology, Workload
from topology.timestamps import parse_timestamp

SUM_TOLERANCE = 1e-9
NOT_ABOVE = {"rack", "network", "nvlink", "row", "room", "building", "zone", "region"}


def violations(value: Topology | Estate) -> Iterator[str]:
    """Yield every broken invariant."""
    standings = (
        dict(value.nodes)
        if isinstance(value, Topology)
        else {node.id: node.standings for node in value.nodes}
    )
    yield from _domains(value.domains)
    yield from _standings(standings, value.domains)
    if standings.keys() & value.domains.keys():
        yield "a node and a domain share an id"
    if isinstance(value, Estate):
        yield from _estate(value)


def _domains(domains: Mapping[str, Domain]) -> Iterator[str]:
    for name, domain in domains.items():
        if domain.id != name or not name:
            yield f"domain {name!r} is called {domain.id!r}"
        above = upstream(domain)
        if not above <= domains.keys():
            yield f"{name!r} hangs from something that is not there"
            continue
        yield from _feeds(domain, domains)
        # A rack may hang from a row or a room: it stands there.
        if carried(domain) and domain.kind != "rack" and any(domains[one].kind in NOT_ABOVE for one in above):
            yield f"{name!r} is upside down"
        yield from _finite(domain, domain.id, positive={"rated_kw"})
    yield from _acyclic(domains)


def _feeds(domain: Domain, domains: Mapping[str, Domain]) -> Iterator[str]:
    if len(set(domain.feeds)) != len(domain.feeds):
        yield f"{domain.id!r} repeats a feed"
    if len({carried(domains[feed]) for feed in domain.feeds}) > 1:
        yield f"{domain.id!r} has feeds of several commodities"
    if domain.min_feeds is not None and not 1 <= domain.min_feeds <= len(domain.feeds):
        yield f"{domain.id!r} needs more feeds than it has"
    if domain.rated_kw is not None and carried(domain) is None:
        yield f"{domain.id!r} is rated and carries nothing"


def _acyclic(domains: Mapping[str, Domain]) -> Iterator[str]:
    """Take away what hangs from nothing that is left, again and again: what stays is a cycle."""
    left = set(domains)
    while left:
        roots = {name for name in left if not upstream(domains[name]) & left}
        if not roots:
            yield f"a cycle among {sorted(left)[:3]}"
            return
        left -= roots


def _standings(nodes: Mapping[str, tuple[Standing, ...]], domains: Mapping[str, Domain]) -> Iterator[str]:
    for name, standings in nodes.items():
        if len({standing.axis for standing in standings}) != len(standings):
            yield f"{name!r} names an axis twice"
        for standing in standings:
            if not standing.ids or len(set(standing.ids)) != len(standing.ids):
                yield f"{name!r} names nothing, or one thing twice, on {standing.axis}"
            if any(one not in domains or domains[one].kind != AXES[standing.axis] for one in standing.ids):
                yield f"{name!r} names on {standing.axis} what is not there or of another kind"


def _estate(estate: Estate) -> Iterator[str]:
    if len({node.id for node in estate.nodes}) != len(estate.nodes):
        yield "two nodes share an id"
    for what, ids in (
        ("workloads", [job.id for job in estate.workloads]),
        ("loops", [loop.id for loop in estate.loops]),
    ):
        if len(set(ids)) != len(ids):
            yield f"two {what} share an id"
    for node in estate.nodes:
        yield from _node(node)
    yield from _placements(estate.nodes, estate.workloads)
    if any(len(loop.hourly_actions) != 24 for loop in estate.loops):
        yield "a loop without 24 buckets"
    if parse_timestamp(estate.snapshot_at) is None:
        yield "snapshotAt is no time"
    yield from _finite(estate, "the estate")


def _node(node: Node) -> Iterator[str]:
    yield from _finite(node, node.id)
    if node.allocated is None:
        yield f"{node.id!r}: allocated is unknown"
    elif node.installed is not None and node.allocated > node.installed:
        yield f"{node.id!r}: more allocated than installed"
    if node.utilization is not None and not 0 <= node.utilization <= 1:
        yield f"{node.id!r}: utilization {node.utilization}"


def _placements(nodes: Iterable[Node], workloads: Iterable[Workload]) -> Iterator[str]:
    allocated = {node.id: node.allocated or 0 for node in nodes}
    placed: dict[str, list[Number]] = {}
    for job in workloads:
        yield from _finite(job, job.id)
        for name, units in job.placements.items():
            if not 0 <= units < math.inf:
                yield f"{job.id!r}: {units} units"
            placed.setdefault(name, []).append(units)
    for name, units_of in placed.items():
        if name not in allocated:
            yield f"placed on {name!r}, which is not there"
        elif math.fsum(units_of) > allocated[name] * (1 + SUM_TOLERANCE):
            yield f"more placed on {name!r} than is allocated there"


def _finite(
    thing: Domain | Node | Workload | Estate, name: str, positive: Iterable[str] = ()
) -> Iterator[str]:
    for each in fields(thing):
        value = getattr(thing, each.name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            continue
        if not 0 <= value < math.inf or (each.name in positive and not value):
            yield f"{name!r}: {each.name} is {value}"
