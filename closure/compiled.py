"""The facility as integer-indexed arrays, compiled once from an estate (spec 3).

Domains are numbered parents first, so that one pass upwards through the numbers settles whatever flows
from the utility down, and one pass downwards whatever flows from the machines up. Nodes that say the same
on every axis share every fate but their own failure: they form one group.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from closure.flow import all_in_flows, bounded_flows
from closure.loads import static_loads
from topology.kinds import AXES, POWER, POWER_ENTRY_AXES, Commodity, commodity_of
from topology.model import Domain, Estate, Mode, Node, Standing
from topology.pause import collector_paused

Load = Literal["allocated", "installed"]
"""Which units draw: those that are allocated now, or everything installed."""

NONE = -1
"""The index that stands for "no domain"."""


class Place(NamedTuple):
    """What a group of nodes says on one axis, by domain index."""

    axis: str
    mode: Mode
    domains: tuple[int, ...]


class Group(NamedTuple):
    """Nodes (by index) that stand in the same places.

    `kw` [kW] is the known part of what they draw together; `kw_known` says whether that is all of it.
    `power_entry` and `heat_entry` are where their power and heat enter the strict check, if anywhere.
    """

    places: tuple[Place, ...]
    nodes: tuple[int, ...]
    kw: float
    kw_known: bool
    power_entry: Place | None
    heat_entry: Place | None


@dataclass(frozen=True, eq=False)
class Facility:
    """An estate compiled for one kind of load. Tuples are indexed by domain, parents before dependents.

    Not slotted: the derived arrays below are computed when first asked for, and kept.
    """

    estate: Estate
    load: Load
    domain_ids: tuple[str, ...]
    node_ids: tuple[str, ...]
    domain_index: Mapping[str, int]
    commodity: tuple[Commodity | None, ...]
    parent: tuple[int, ...]
    feeds: tuple[tuple[int, ...], ...]
    needed: tuple[int, ...]
    rated_kw: tuple[float | None, ...]
    own_load_kw: tuple[float | None, ...]
    preferred: tuple[bool, ...]
    out: frozenset[int]
    node_kw: tuple[float | None, ...]
    node_group: tuple[int, ...]
    groups: tuple[Group, ...]

    @cached_property
    def node_index(self) -> Mapping[str, int]:
        """Node id -> index in `node_ids`."""
        return {node_id: index for index, node_id in enumerate(self.node_ids)}

    @cached_property
    def kw_known(self) -> bool:
        """Whether every node's draw is known; where it is not, flows are lower bounds (spec 4)."""
        return all(group.kw_known for group in self.groups)

    @cached_property
    def loads_kw(self) -> tuple[float | None, ...]:
        """Static load per domain [kW]; None where unknown, and for kinds that carry nothing (spec 3)."""
        return static_loads(self)

    @cached_property
    def feeds_commodity(self) -> tuple[Commodity | None, ...]:
        """What a domain's feeds carry; None without feeds, or where they carry nothing."""
        return tuple(self.commodity[feeds[0]] if feeds else None for feeds in self.feeds)

    @cached_property
    def draws_kw(self) -> tuple[float | None, ...]:
        """What each domain draws from its feeds, in their commodity [kW]; None: unknown (spec 4 rule 4)."""
        loads, own = self.loads_kw, self.own_load_kw
        return tuple(
            None
            if carried is None
            else loads[d]
            if carried == carries
            else own[d]
            if carried == POWER
            else None
            for d, (carried, carries) in enumerate(zip(self.feeds_commodity, self.commodity, strict=True))
        )

    @cached_property
    def flows_kw(self) -> tuple[float, ...]:
        """Strict flow per domain [kW] with nothing failed or out (spec 4, strict check)."""
        return tuple(all_in_flows(self))

    @cached_property
    def bounded_flows(self) -> frozenset[int]:
        """The domains whose strict flow is only a lower bound: power or heat of unknown kW passes them."""
        return bounded_flows(self)

    @cached_property
    def dependents(self) -> tuple[tuple[int, ...], ...]:
        """The domains that name each domain as parent or feed, in index order."""
        below: list[list[int]] = [[] for _ in self.domain_ids]
        for d, (parent, feeds) in enumerate(zip(self.parent, self.feeds, strict=True)):
            for upstream in {parent, *feeds} - {NONE}:
                below[upstream].append(d)
        return tuple(map(tuple, below))

    @cached_property
    def groups_on(self) -> tuple[tuple[int, ...], ...]:
        """The node groups that name each domain on any axis, in index order."""
        naming: list[list[int]] = [[] for _ in self.domain_ids]
        for g, group in enumerate(self.groups):
            for d in {d for place in group.places for d in place.domains}:
                naming[d].append(g)
        return tuple(map(tuple, naming))

    def combined_rating(self, domains: Iterable[int]) -> float | None:
        """Return what some domains are rated together [kW]; None where one of them has no rating."""
        known: list[float] = []
        for d in domains:
            rated_kw = self.rated_kw[d]
            if rated_kw is None:
                return None
            known.append(rated_kw)
        return math.fsum(known)

    def load_kw(self, domain_id: str) -> float | None:
        """Static load of a domain [kW] (spec 3: load); None: unknown, or a kind that carries nothing."""
        return self.loads_kw[self.domain_index[domain_id]]

    def strict_flow_kw(self, domain_id: str) -> float:
        """What passes through a domain [kW] with nothing failed or out; a lower bound unless `kw_known`."""
        return self.flows_kw[self.domain_index[domain_id]]


@collector_paused()
def compile_facility(estate: Estate, load: Load = "allocated") -> Facility:
    """Compile a valid estate: every domain that is named is in `estate.domains`.

    Raises ValueError on a cycle.
    """
    index = parents_first(estate.domains)
    domains = [estate.domains[domain_id] for domain_id in index]
    node_kw = tuple(_node_kw(node, load, estate.watts_per_unit_kw) for node in estate.nodes)
    node_group, shapes = _group_by_shape(estate.nodes)
    return Facility(
        estate=estate,
        load=load,
        domain_ids=tuple(index),
        node_ids=tuple(node.id for node in estate.nodes),
        domain_index=index,
        commodity=tuple([commodity_of(domain.kind) for domain in domains]),
        parent=tuple([NONE if domain.parent is None else index[domain.parent] for domain in domains]),
        feeds=tuple([tuple([index[feed] for feed in domain.feeds]) for domain in domains]),
        needed=tuple([domain.feeds_needed for domain in domains]),
        rated_kw=tuple([domain.rated_kw for domain in domains]),
        own_load_kw=tuple([domain.own_load_kw for domain in domains]),
        preferred=tuple([domain.transfer == "preferred" for domain in domains]),
        out=frozenset(d for d, domain in enumerate(domains) if domain.out),
        node_kw=node_kw,
        node_group=tuple(node_group),
        groups=_groups(shapes, node_group, node_kw, index),
    )


def parents_first(domains: Mapping[str, Domain]) -> dict[str, int]:
    """Number the domains so that every parent and feed has a smaller number than what hangs from it.

    Raises ValueError naming an id on a cycle. Chains of any depth: no recursion.
    """
    placed: dict[str, int] = {}
    entered: set[str] = set()
    for start in domains:
        stack = [start]
        while stack:
            domain_id = stack[-1]
            if domain_id in placed:
                stack.pop()
                continue
            missing = [above for above in _upstream(domains[domain_id]) if above not in placed]
            if not missing:
                placed[domain_id] = len(placed)
                stack.pop()
                continue
            # What has been entered and is not placed yet hangs, through the stack, from this very domain.
            entered.add(domain_id)
            if not entered.isdisjoint(missing):
                raise ValueError(f"the domains form a cycle through {domain_id!r}")
            stack.extend(missing)
    return placed


def _upstream(domain: Domain) -> tuple[str, ...]:
    return domain.feeds if domain.parent is None else (domain.parent, *domain.feeds)


def _node_kw(node: Node, load: Load, kw_per_unit: float | None) -> float | None:
    """What a node draws [kW]: units × kW per unit; None where either is unknown and the units are not 0."""
    units = node.allocated if load == "allocated" else node.installed
    if node.kw_per_unit is not None:
        kw_per_unit = node.kw_per_unit
    if units == 0:
        return 0.0
    return None if units is None or kw_per_unit is None else float(units * kw_per_unit)


def _group_by_shape(nodes: Sequence[Node]) -> tuple[list[int], list[tuple[Standing, ...]]]:
    """Number the distinct standings; return each node's number, and the standings by number."""
    by_shape: dict[tuple[Standing, ...], int] = {}
    # Loaders share equal tuples, and comparing identities is far cheaper than hashing the values again.
    by_identity: dict[int, int] = {}
    node_group = []
    for node in nodes:
        group = by_identity.get(id(node.standings))
        if group is None:
            group = by_shape.setdefault(node.standings, len(by_shape))
            by_identity[id(node.standings)] = group
        node_group.append(group)
    return node_group, list(by_shape)


def _groups(
    shapes: Sequence[tuple[Standing, ...]],
    node_group: Sequence[int],
    node_kw: Sequence[float | None],
    index: Mapping[str, int],
) -> tuple[Group, ...]:
    members: list[list[int]] = [[] for _ in shapes]
    for node, group in enumerate(node_group):
        members[group].append(node)
    # Loaders share equal standings, so many groups share places.
    shared: dict[int, Place] = {}
    groups = []
    for shape, nodes in zip(shapes, members, strict=True):
        places = []
        for said in shape:
            place = shared.get(id(said))
            if place is None:
                place = shared[id(said)] = Place(said.axis, said.mode, tuple([index[i] for i in said.ids]))
            places.append(place)
        places.sort(key=_axis_rank)
        by_axis = {place[0]: place for place in places}
        known = [kw for node in nodes if (kw := node_kw[node]) is not None]
        entries = [by_axis[axis] for axis in POWER_ENTRY_AXES if axis in by_axis]
        groups.append(
            Group(
                tuple(places),
                tuple(nodes),
                math.fsum(known),
                len(known) == len(nodes),
                entries[0] if entries else None,
                by_axis.get("cooling"),
            )
        )
    return tuple(groups)


_RANKS = {axis: rank for rank, axis in enumerate(AXES)}


def _axis_rank(place: Place) -> int:
    return _RANKS[place[0]]
