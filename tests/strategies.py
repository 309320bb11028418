"""Hypothesis strategies for valid estates, shared by every test.

Numbers are small and often equal, so that loads meet ratings exactly; structures are dense, so that a handful
of domains already has reconvergent feeds, demotions and trips.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar, cast

from hypothesis import strategies as st

from topology.kinds import ANY_ALL_AXES, AXES, KINDS, commodity_of
from topology.model import (
    Domain,
    Estate,
    Loop,
    Mode,
    Node,
    Number,
    Overload,
    Standing,
    Topology,
    Unit,
    Workload,
)

T = TypeVar("T")

SNAPSHOT_AT = "2026-11-30T12:00:00Z"
WORKLOAD_KINDS = ("training", "inference", "batch", "interactive", "system", "unknown")

_POWER_KINDS = ("power", "ups", "transformer", "ats", "switchgear", "generator", "utility")
_KIND_WEIGHTS = (
    *_POWER_KINDS[:3] * 3,
    *_POWER_KINDS[3:],
    *("cooling",) * 4,
    *("rack",) * 4,
    "network",
    "nvlink",
    "zone",
)
_KILOWATTS: tuple[Number, ...] = (1, 2, 2.5, 3, 4, 6, 8, 0.1, 0.3, 12, 20)
_HOSTILE = (
    "<b>",
    "&amp;",
    "\x1b[31m",
    '"',
    "'",
    "\n",
    "\u202e",
    "\ud800",
    "]]>",
    "%s",
    "{}",
    "é",
    "\u0000",
    "x" * 320,
)


@functools.cache
def _among(values: tuple[T, ...]) -> st.SearchStrategy[T]:
    # Building a strategy costs more than drawing from it: the generator keeps those it uses often.
    return st.sampled_from(values)


def _pick(draw: st.DrawFn, values: Sequence[T]) -> T:
    return values[draw(st.integers(0, len(values) - 1))]


def _maybe(draw: st.DrawFn, chance: int, values: tuple[Number, ...]) -> Number | None:
    """Draw one of the numbers in `chance` of 4 cases, else None."""
    drawn: Number | None = draw(_among((None,) * (len(values) * (4 - chance)) + values * chance))
    return drawn


def may_hang_from(kind: str, upstream: str) -> bool:
    """Whether a domain of `kind` may have one of kind `upstream` above it (spec 1: upside-down)."""
    if commodity_of(kind) is None:
        return True
    return upstream != "rack" and commodity_of(upstream) is not None


@st.composite
def domain_maps(
    draw: st.DrawFn, *, max_domains: int = 11, rated: int = 3, kinds: Sequence[str] = _KIND_WEIGHTS
) -> Mapping[str, Domain]:
    """Valid domains of every kind: chains, feeds of one commodity, minFeeds, ratings, transfer, loadKw, out.

    `rated`: in how many of 4 cases a domain that may carry a rating does.
    """
    domains: dict[str, Domain] = {}
    for number in range(draw(st.integers(1, max_domains))):
        kind = _pick(draw, kinds)
        above = [d for d in domains.values() if may_hang_from(kind, d.kind)]
        parent = _pick(draw, above).id if above and draw(st.integers(0, 3)) == 3 else None
        feeds, min_feeds = _feeds(draw, above)
        carries = commodity_of(kind)
        domain_id = f"{kind}-{number}"
        domains[domain_id] = Domain(
            domain_id,
            kind,
            parent=parent,
            feeds=feeds,
            min_feeds=min_feeds,
            rated_kw=None if carries is None else _maybe(draw, rated, _KILOWATTS),
            ride_through_minutes=_maybe(draw, 2, (0, 3, 5, 15, 20)) if carries == "heat" else None,
            own_load_kw=_maybe(draw, 1, (0, 0.5, 1, 3)),
            transfer=draw(_among((None, None, "share", "preferred"))) if feeds else None,
            overload=(Overload(125, 60),) if carries and draw(st.integers(0, 9)) == 9 else (),
            failures_per_year=_maybe(draw, 1, (0.1, 1)),
            repair_hours=_maybe(draw, 1, (4, 24)),
            out=draw(st.integers(0, 14)) == 14,
        )
    return MappingProxyType(domains)


def _feeds(draw: st.DrawFn, above: Sequence[Domain]) -> tuple[tuple[str, ...], int | None]:
    if not above or draw(st.integers(0, 2)) == 0:
        return (), None
    carried = commodity_of(_pick(draw, above).kind)
    candidates = [d.id for d in above if commodity_of(d.kind) == carried]
    feeds = tuple(draw(st.lists(st.sampled_from(candidates), min_size=1, max_size=4, unique=True)))
    return feeds, draw(st.none() | st.integers(1, len(feeds)))


@st.composite
def standings(draw: st.DrawFn, domains: Mapping[str, Domain]) -> tuple[Standing, ...]:
    """Where one node stands: any axis for which there is a domain, in every mode that the axis allows."""
    places = []
    for axis, kind in AXES.items():
        candidates = sorted(d.id for d in domains.values() if d.kind == kind)
        if not candidates or draw(st.integers(0, 3)) == 0:
            continue
        mode: Mode = draw(_among(("one", "any", "all"))) if axis in ANY_ALL_AXES else "one"
        most = 1 if mode == "one" else 3
        ids = draw(st.lists(st.sampled_from(candidates), min_size=1, max_size=most, unique=True))
        places.append(Standing(axis, mode, tuple(ids)))
    return tuple(places)


@st.composite
def nodes(draw: st.DrawFn, node_id: str, places: tuple[Standing, ...]) -> Node:
    """One machine; installed, draw, history and utilization may be unknown."""
    allocated = draw(_among((0, 1, 2, 4, 6, 8)))
    return Node(
        node_id,
        allocated,
        installed=_maybe(draw, 3, (allocated, min(allocated + 2, 8), 8)),
        standings=places,
        utilization=_maybe(draw, 3, (0.0, 0.1, 0.15, 0.6, 1.0)),
        utilization_basis=draw(_among((None, "dcgm", "requests"))),
        ecc_errors_90d=_maybe(draw, 3, (0, 1, 8, 40)),
        job_failures_90d=_maybe(draw, 3, (0, 1, 5)),
        xid_events_90d=_maybe(draw, 3, (0, 1, 5)),
        ready=draw(_among((None, True, True, False))),
        schedulable=draw(_among((None, True, True, False))),
        kw_per_unit=_maybe(draw, 1, (0.1, 0.5, 1, 2)),
        price_per_unit_hour=_maybe(draw, 1, (1, 2.5)),
        roles=draw(_among(((), (), (), ("etcd",), ("control-plane", "etcd")))),
    )


@st.composite
def workloads(draw: st.DrawFn, workload_id: str, free: dict[str, int]) -> Workload:
    """One workload that takes its units out of `free` (node id -> units not yet placed)."""
    placements: dict[str, Number] = {}
    for node_id, units in list(free.items()):
        taken = draw(st.integers(0, units)) if units else 0
        if taken:
            placements[node_id] = taken
            free[node_id] -= taken
    return Workload(
        workload_id,
        draw(_among(WORKLOAD_KINDS)),
        MappingProxyType(placements),
        critical=draw(_among((None, True, False))),
        checkpoint_minutes=_maybe(draw, 3, (5, 30, 60)),
        restart_minutes=_maybe(draw, 2, (10, 20)),
        gang=draw(_among((None, True, False))),
        namespace=draw(_among((None, "ml", "web"))),
        owner=draw(_among((None, "team-a"))),
    )


@st.composite
def estates(
    draw: st.DrawFn,
    *,
    max_domains: int = 11,
    max_nodes: int = 7,
    max_workloads: int = 3,
    rated: int = 3,
    kw_known: bool | None = None,
    kinds: Sequence[str] = _KIND_WEIGHTS,
) -> Estate:
    """A valid estate. `kw_known`: True gives every unit a draw, False may not, None does both."""
    domains = draw(domain_maps(max_domains=max_domains, rated=rated, kinds=kinds))
    shapes = draw(st.lists(standings(domains), min_size=1, max_size=4))
    machines = tuple(
        draw(nodes(f"n{number}", _pick(draw, shapes))) for number in range(draw(st.integers(1, max_nodes)))
    )
    known = draw(st.booleans()) if kw_known is None else kw_known
    free = {node.id: cast("int", node.allocated) for node in machines}
    jobs = tuple(draw(workloads(f"ml/job/w{n}", free)) for n in range(draw(st.integers(0, max_workloads))))
    return Estate(
        cluster="lab",
        unit=cast("Unit", draw(_among(("gpu", "gpu", "cpu")))),
        snapshot_at=SNAPSHOT_AT,
        nodes=machines,
        domains=domains,
        workloads=jobs,
        loops=draw(_among(((), (Loop("hpa", (None, *(9,) * 23)), Loop("karpenter", (8,) * 24))))),
        price_per_unit_hour=_maybe(draw, 3, (2, 2.5)),
        watts_per_unit_kw=draw(_among((1, 0.5, 0.7))) if known else _maybe(draw, 2, (1,)),
        default_restart_minutes=_maybe(draw, 2, (45,)),
    )


@st.composite
def topologies(draw: st.DrawFn, *, max_domains: int = 11, max_nodes: int = 7) -> Topology:
    """A valid facility map, without any snapshot."""
    domains = draw(domain_maps(max_domains=max_domains))
    names = [f"n{number}" for number in range(draw(st.integers(0, max_nodes)))]
    return Topology(MappingProxyType({name: draw(standings(domains)) for name in names}), domains, version=2)


def failures(estate: Estate, *, min_size: int = 0, max_size: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    """Sets of ids to fail: domains mostly, nodes sometimes."""
    ids = [*estate.domains, *estate.domains, *(node.id for node in estate.nodes)]
    return st.lists(st.sampled_from(ids), min_size=min_size, max_size=max_size, unique=True).map(tuple)


@st.composite
def scenarios(
    draw: st.DrawFn, /, *, max_failed: int = 2, **options: object
) -> tuple[Estate, tuple[str, ...]]:
    """An estate and what fails in it."""
    estate = draw(cast("Callable[..., st.SearchStrategy[Estate]]", estates)(**options))
    return estate, draw(failures(estate, max_size=max_failed))


def hostile_ids() -> st.SearchStrategy[str]:
    """Ids as hostile as a file can hold: markup, control characters, surrogates, 300 and more characters."""
    return st.tuples(st.sampled_from(_HOSTILE), st.text(max_size=5)).map("".join)


def renamed(estate: Estate, rename: Callable[[str], str]) -> Estate:
    """Return the estate with every domain and node id (not the workloads') replaced by `rename(id)`."""
    return dataclasses.replace(
        estate,
        nodes=tuple(
            dataclasses.replace(
                node,
                id=rename(node.id),
                standings=tuple(Standing(s.axis, s.mode, tuple(map(rename, s.ids))) for s in node.standings),
            )
            for node in estate.nodes
        ),
        domains={
            rename(domain_id): dataclasses.replace(
                domain,
                id=rename(domain_id),
                parent=None if domain.parent is None else rename(domain.parent),
                feeds=tuple(map(rename, domain.feeds)),
            )
            for domain_id, domain in estate.domains.items()
        },
        workloads=tuple(
            dataclasses.replace(
                job, placements={rename(node): units for node, units in job.placements.items()}
            )
            for job in estate.workloads
        ),
    )


def ladder(depth: int) -> Estate:
    """A chain of `depth` power domains, each hanging from the one before, with one node at its end."""
    names = [f"p{number:05}" for number in range(depth)]
    parents = (None, *names)
    domains = {
        name: Domain(name, "power", parent=parent) for name, parent in zip(names, parents, strict=False)
    }
    node = Node("n", 8, 8, (Standing("pdu", "one", (names[-1],)),), kw_per_unit=1)
    return Estate("lab", "gpu", SNAPSHOT_AT, (node,), domains)


assert set(_KIND_WEIGHTS) <= set(KINDS)
