"""The facility as integer-indexed arrays, compiled once from an estate (spec 3).

Domains are numbered parents first, so that one pass upwards through the numbers settles whatever flows
from the utility down, and one pass downwards whatever flows from the machines up.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Literal

from closure.flow import all_in_flows
from closure.groups import Group, Place, group_nodes
from closure.loads import static_loads
from topology.kinds import KINDS, POWER, Commodity
from topology.model import Domain, Estate, Node
from topology.pause import collector_paused

if TYPE_CHECKING:
    from closure.strict_events import EventDriven
    from closure.unplaced import Reach

__all__ = ["NONE", "Facility", "Group", "Load", "Place", "compile_facility", "parents_first"]

Load = Literal["allocated", "installed"]
"""Which units draw: those that are allocated now, or everything installed."""

NONE = -1
"""The index that stands for "no domain"."""


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
        return dict(zip(self.node_ids, range(len(self.node_ids)), strict=True))

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
        if not any(self.feeds_commodity):
            return (None,) * len(self.domain_ids)
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
        from closure.bounded import bounded_flows

        return bounded_flows(self)

    @cached_property
    def unsure_groups(self) -> tuple[Group, ...]:
        """The node groups of which some node's kW is unknown."""
        return tuple(group for group in self.groups if not group.kw_known)

    @cached_property
    def unsure_places(self) -> tuple[frozenset[int], ...]:
        """The domains that each of those groups names, on any axis."""
        return tuple(
            frozenset(d for place in group.places for d in place.domains) for group in self.unsure_groups
        )

    @cached_property
    def unsure_ways(self) -> tuple[frozenset[int], ...]:
        """The domains that the power or the heat of each of those groups may pass."""
        from closure.unsure_shifts import ways_of

        return tuple(ways_of(self, group) for group in self.unsure_groups)

    @cached_property
    def unsure_behind(self) -> Mapping[int, Sequence[int]]:
        """Domain -> which of those ways it is on, by their place in `unsure_ways`; without others."""
        from closure.unsure_shifts import numbered

        return numbered(self.unsure_ways)

    @cached_property
    def unplaced(self) -> "Reach":
        """The nodes of unknown supply, and what may take them."""
        from closure.unplaced import reach_of

        return reach_of(self)

    @cached_property
    def strict_start(self) -> "EventDriven":
        """What all strict checks start from, prepared once and kept, in whatever process they run."""
        from closure.strict_events import EventDriven

        return EventDriven(self)

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

    def with_upstream(self, domains: Iterable[int]) -> set[int]:
        """Return some domains and everything that they hang from."""
        found = set(domains)
        queue = list(found)
        for d in queue:
            for above in (self.parent[d], *self.feeds[d]):
                if above != NONE and above not in found:
                    found.add(above)
                    queue.append(above)
        return found

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
    # By id: what a file names first decides no tie and no rounding.
    index = parents_first({name: estate.domains[name] for name in sorted(estate.domains)})
    domains = list(map(estate.domains.__getitem__, index))
    node_kw = _draws_kw(estate.nodes, load, estate.watts_per_unit_kw)
    node_group, groups = group_nodes(estate.nodes, node_kw, index)
    # Lists are made before they become tuples: a generator would be resumed for every single item.
    return Facility(
        estate=estate,
        load=load,
        domain_ids=tuple(index),
        node_ids=tuple([node.id for node in estate.nodes]),
        domain_index=index,
        commodity=tuple([KINDS[domain.kind].commodity for domain in domains]),
        parent=tuple([NONE if domain.parent is None else index[domain.parent] for domain in domains]),
        feeds=tuple(_feeds(domains, index)),
        needed=tuple([domain.feeds_needed for domain in domains]),
        rated_kw=tuple([domain.rated_kw for domain in domains]),
        own_load_kw=tuple([domain.own_load_kw for domain in domains]),
        preferred=tuple([domain.transfer == "preferred" for domain in domains]),
        out=frozenset([d for d, domain in enumerate(domains) if domain.out]),
        node_kw=tuple(node_kw),
        node_group=tuple(node_group),
        groups=groups,
    )


def parents_first(domains: Mapping[str, Domain]) -> dict[str, int]:
    """Number the domains so that every parent and feed has a smaller number than what hangs from it.

    Raises ValueError naming an id on a cycle. Chains of any depth: no recursion.
    """
    placed: dict[str, int] = {}
    is_placed = placed.__contains__
    for start, domain in domains.items():
        if start in placed:
            continue
        # Most maps name first what others hang from.
        parent, feeds = domain.parent, domain.feeds
        if (parent is None or parent in placed) and (not feeds or all(map(is_placed, feeds))):
            placed[start] = len(placed)
        else:
            _place_with_upstream(start, domains, placed)
    return placed


def _place_with_upstream(start: str, domains: Mapping[str, Domain], placed: dict[str, int]) -> None:
    entered: set[str] = set()
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
        missing.sort(reverse=True)
        # What has been entered and is not placed yet hangs, through the stack, from this very domain.
        entered.add(domain_id)
        if not entered.isdisjoint(missing):
            raise ValueError(f"the domains form a cycle through {domain_id!r}")
        stack.extend(missing)


def _feeds(domains: Sequence[Domain], index: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    """Yield the feeds of every domain by index, in its order where that is a preference, else sorted."""
    preferred: dict[tuple[str, ...], tuple[int, ...]] = {(): ()}
    sharing: dict[tuple[str, ...], tuple[int, ...]] = {(): ()}
    for domain in domains:
        in_order = domain.transfer == "preferred"
        known = preferred if in_order else sharing
        feeds = known.get(domain.feeds)
        if feeds is None:
            said = domain.feeds if in_order else sorted(domain.feeds)
            feeds = known[domain.feeds] = tuple([index[feed] for feed in said])
        yield feeds


def _upstream(domain: Domain) -> tuple[str, ...]:
    return domain.feeds if domain.parent is None else (domain.parent, *domain.feeds)


def _draws_kw(nodes: Sequence[Node], load: Load, kw_per_unit: float | None) -> list[float | None]:
    """Return what each node draws [kW]: units × kW per unit; None: unknown, and the units are not 0."""
    # Few combinations occur.
    made = cache(partial(_draw_kw, estate_kw=kw_per_unit))
    if load == "allocated":
        return [made(node.allocated, node.kw_per_unit) for node in nodes]
    return [made(node.installed, node.kw_per_unit) for node in nodes]


def _draw_kw(units: float | None, own_kw: float | None, estate_kw: float | None) -> float | None:
    kw_per_unit = estate_kw if own_kw is None else own_kw
    if units == 0:
        return 0.0
    return None if units is None or kw_per_unit is None else float(units * kw_per_unit)
