"""Random valid estates, from any source of choices: hypothesis (which shrinks) or a seed (which is fast).

Numbers are small and often equal, so that loads meet ratings exactly; structures are dense, so that a handful
of domains already has reconvergent feeds, demotions and trips. Index 0 is always the simplest choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import TypeVar, cast

from topology.kinds import ANY_ALL_AXES, AXES, commodity_of
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
KINDS = (
    *("power", "power", "ups", "rack", "cooling") * 4,
    *("transformer", "ats", "switchgear", "generator", "utility", "network", "nvlink", "zone"),
)
_RATINGS: tuple[Number, ...] = (4, 6, 8, 12, 16, 2, 1, 2.5, 0.3, 24)
_LOOPS = (Loop("hpa", (None, *(9,) * 23)), Loop("karpenter", (8,) * 24))


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices out of one source: `index(n)` gives a number from 0 to n - 1."""

    index: Callable[[int], int]

    def pick(self, values: Sequence[T]) -> T:
        return values[self.index(len(values))]

    def chance(self, hits: int, of: int) -> bool:
        """True in `hits` of `of` cases; the simplest is False."""
        return self.index(of) >= of - hits

    def maybe(self, hits: int, values: Sequence[T]) -> T | None:
        """One of the values in `hits` of 4 cases, else None."""
        return self.pick(values) if self.chance(hits, 4) else None

    def several(self, values: Sequence[T], least: int, most: int) -> tuple[T, ...]:
        """Between `least` and `most` distinct values, as far as there are that many."""
        left = list(values)
        most = min(most, len(left))
        least = min(least, most)
        return tuple(left.pop(self.index(len(left))) for _ in range(least + self.index(most - least + 1)))


@dataclass(frozen=True, slots=True)
class Size:
    """How large and how well known an estate is. `rated`: in how many of 4 cases what can be rated is."""

    domains: int = 11
    nodes: int = 7
    workloads: int = 3
    rated: int = 3
    kw_known: bool | None = None
    """True gives every unit a draw; False leaves some unknown; None does either."""


def seeded_scenario(seed: int) -> tuple[Estate, tuple[str, ...]]:
    """Return the estate of a seed, and up to three ids that fail in it.

    Every other estate is rated and measured throughout, where the electrical rules bite most often.
    """
    choices = Choices(Random(seed).randrange)
    size = Size(30, 16, 0, rated=4, kw_known=True) if seed % 2 else Size(24, 12, 0)
    estate = estate_from(choices, size)
    return estate, failures_from(choices, estate, 1, 3)


def may_hang_from(kind: str, upstream: str) -> bool:
    """Whether a domain of `kind` may have one of kind `upstream` above it (spec 1: upside-down)."""
    if commodity_of(kind) is None:
        return True
    return upstream != "rack" and commodity_of(upstream) is not None


def domains_from(choices: Choices, size: Size, kinds: Sequence[str] = KINDS) -> Mapping[str, Domain]:
    """Valid domains: chains, feeds of one commodity, minFeeds, ratings, transfer, loadKw, out of service."""
    domains: dict[str, Domain] = {}
    for number in range(1 + choices.index(size.domains)):
        kind = choices.pick(kinds)
        above = [domain for domain in domains.values() if may_hang_from(kind, domain.kind)]
        parent = choices.pick(above).id if above and choices.chance(1, 4) else None
        feeds, min_feeds = _feeds(choices, above)
        carries = commodity_of(kind)
        name = f"{kind}-{number}"
        domains[name] = Domain(
            name,
            kind,
            parent=parent,
            feeds=feeds,
            min_feeds=min_feeds,
            rated_kw=None if carries is None else choices.maybe(size.rated, _RATINGS),
            ride_through_minutes=choices.maybe(2, (0, 3, 5, 15, 20)) if carries == "heat" else None,
            own_load_kw=choices.maybe(1, (1, 3, 0.5, 0)),
            transfer=choices.pick((None, None, "share", "preferred")) if feeds else None,
            overload=(Overload(125, 60),) if carries is not None and choices.chance(1, 10) else (),
            failures_per_year=choices.maybe(1, (0.1, 1)),
            repair_hours=choices.maybe(1, (4, 24)),
            out=choices.chance(1, 16),
        )
    return MappingProxyType(domains)


def _feeds(choices: Choices, above: Sequence[Domain]) -> tuple[tuple[str, ...], int | None]:
    if not above or not choices.chance(3, 4):
        return (), None
    carried = commodity_of(choices.pick(above).kind)
    candidates = [domain.id for domain in above if commodity_of(domain.kind) == carried]
    feeds = choices.several(candidates, choices.pick((2, 1, 2)), 4)
    return feeds, choices.pick((None, None, None, *range(1, len(feeds) + 1)))


def standings_from(choices: Choices, domains: Mapping[str, Domain]) -> tuple[Standing, ...]:
    """Where one node stands: any axis for which there is a domain, in every mode that the axis allows."""
    places = []
    for axis, kind in AXES.items():
        candidates = sorted(domain.id for domain in domains.values() if domain.kind == kind)
        if candidates and choices.chance(3, 4):
            mode: Mode = choices.pick(("one", "any", "all")) if axis in ANY_ALL_AXES else "one"
            places.append(Standing(axis, mode, choices.several(candidates, 1, 1 if mode == "one" else 3)))
    return tuple(places)


def node_from(choices: Choices, name: str, places: tuple[Standing, ...], *, kw_known: bool) -> Node:
    """One machine; installed, history and utilization may be unknown, and so its draw unless `kw_known`."""
    allocated = choices.pick((8, 8, 6, 4, 1, 0))
    return Node(
        name,
        allocated,
        installed=choices.maybe(3, (8, min(allocated + 2, 8), allocated)),
        standings=places,
        utilization=choices.maybe(3, (0.6, 0.1, 0.15, 0.0, 1.0)),
        utilization_basis=choices.pick((None, "dcgm", "requests")),
        ecc_errors_90d=choices.maybe(3, (0, 1, 8, 40)),
        job_failures_90d=choices.maybe(3, (0, 1, 5)),
        xid_events_90d=choices.maybe(3, (0, 1, 5)),
        ready=choices.pick((None, True, True, False)),
        schedulable=choices.pick((None, True, True, False)),
        kw_per_unit=choices.pick((1, 0.5, 2, 0.1)) if kw_known and choices.chance(1, 4) else None,
        price_per_unit_hour=choices.maybe(1, (1, 2.5)),
        roles=choices.pick(((), (), (), ("etcd",), ("control-plane", "etcd"))),
    )


def workload_from(choices: Choices, name: str, free: dict[str, int]) -> Workload:
    """One workload that takes its units out of `free` (node id -> units not yet placed)."""
    placements: dict[str, Number] = {}
    for node_id, units in list(free.items()):
        taken = choices.index(units + 1) if units else 0
        if taken:
            placements[node_id] = taken
            free[node_id] -= taken
    return Workload(
        name,
        choices.pick(WORKLOAD_KINDS),
        MappingProxyType(placements),
        critical=choices.pick((None, True, False)),
        checkpoint_minutes=choices.maybe(3, (30, 5, 60)),
        restart_minutes=choices.maybe(2, (10, 20)),
        gang=choices.pick((None, True, False)),
        namespace=choices.pick((None, "ml", "web")),
        owner=choices.pick((None, "team-a")),
    )


def estate_from(choices: Choices, size: Size, kinds: Sequence[str] = KINDS) -> Estate:
    """A valid estate."""
    domains = domains_from(choices, size, kinds)
    shapes = [standings_from(choices, domains) for _ in range(1 + choices.index(4))]
    known = not choices.chance(1, 4) if size.kw_known is None else size.kw_known
    machines = tuple(
        node_from(choices, f"n{number}", choices.pick(shapes), kw_known=known or choices.chance(1, 2))
        for number in range(1 + choices.index(size.nodes))
    )
    free = {node.id: cast("int", node.allocated) for node in machines}
    jobs = [workload_from(choices, f"ml/job/w{n}", free) for n in range(choices.index(size.workloads + 1))]
    return Estate(
        cluster="lab",
        unit=cast("Unit", choices.pick(("gpu", "gpu", "cpu"))),
        snapshot_at=SNAPSHOT_AT,
        nodes=machines,
        domains=domains,
        workloads=tuple(jobs),
        loops=choices.pick(((), _LOOPS)),
        price_per_unit_hour=choices.maybe(3, (2, 2.5)),
        watts_per_unit_kw=choices.pick((1, 0.5, 0.7)) if known else choices.maybe(1, (1,)),
        default_restart_minutes=choices.maybe(2, (45,)),
    )


def topology_from(choices: Choices, size: Size) -> Topology:
    """A valid facility map, without any snapshot."""
    domains = domains_from(choices, size)
    names = [f"n{number}" for number in range(choices.index(size.nodes + 1))]
    nodes = MappingProxyType({name: standings_from(choices, domains) for name in names})
    return Topology(nodes, domains, version=2)


def failures_from(choices: Choices, estate: Estate, least: int, most: int) -> tuple[str, ...]:
    """Distinct ids to fail: what feeds something above all, any domain, sometimes a node."""
    feeding = sorted({feed for domain in estate.domains.values() for feed in domain.feeds})
    failed: dict[str, None] = {}
    for _ in range(least + choices.index(most - least + 1)):
        pools = (feeding or [*estate.domains], [*estate.domains], [node.id for node in estate.nodes])
        failed[choices.pick(choices.pick((pools[0], pools[0], pools[1], pools[2])))] = None
    return tuple(failed)
