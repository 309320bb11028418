"""An estate indexed once for the findings: who runs where, who stands on what, at which price."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from closure.compiled import parents_first
from closure.tolerance import exceeds
from findings.amounts import Partial, partial_sum, total
from findings.lemon import Lemon, lemon
from topology.chains import hangs_from
from topology.kinds import is_facility
from topology.model import Estate, Node, Number, Standing, Workload

Hosted = tuple[int, Number]
"""A workload (position in the estate) and its units on one node."""

PricedUnits = Mapping[Number | None, Number]
"""Units by their price [USD/h]; the price None is unknown."""


@dataclass(frozen=True, eq=False)
class EstateIndex:
    """Look-ups over one estate. Not slotted: each is computed when first asked for, and kept."""

    estate: Estate

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """Node id -> node."""
        return {node.id: node for node in self.estate.nodes}

    @cached_property
    def workloads(self) -> Mapping[str, Workload]:
        """Workload id -> workload."""
        return {workload.id: workload for workload in self.estate.workloads}

    @cached_property
    def hosted(self) -> Mapping[str, tuple[Hosted, ...]]:
        """Node id -> the workloads with units on it. Nodes that host nothing are absent."""
        found: dict[str, list[Hosted]] = {}
        for position, workload in enumerate(self.estate.workloads):
            for node_id, units in workload.placements.items():
                if units > 0:
                    found.setdefault(node_id, []).append((position, units))
        return {node_id: tuple(hosted) for node_id, hosted in found.items()}

    @cached_property
    def unclaimed(self) -> Mapping[str, Number]:
        """Node id -> allocated units there that no workload's placements claim (spec 2: invariants)."""
        found = {}
        for node in self.estate.nodes:
            claimed = total(units for _, units in self.hosted.get(node.id, ()))
            if node.allocated is not None and exceeds(node.allocated, claimed):
                found[node.id] = node.allocated - claimed
        return found

    @cached_property
    def unlisted(self) -> Mapping[str, Number]:
        """Node id -> allocated units there, where no workload at all is listed: anything may run on them."""
        return {} if self.estate.workloads else self.unclaimed

    @cached_property
    def replicated(self) -> Mapping[str, tuple[int, ...]]:
        """Node id -> positions of the workloads that say how many of their replicas run on it."""
        found: dict[str, list[int]] = {}
        for position, workload in enumerate(self.estate.workloads):
            for node_id, count in (workload.replicas or {}).items():
                if count > 0:
                    found.setdefault(node_id, []).append(position)
        return {node_id: tuple(positions) for node_id, positions in found.items()}

    @cached_property
    def units_of(self) -> tuple[Number, ...]:
        """Units of each workload, by position."""
        return tuple(total(w.placements.values()) for w in self.estate.workloads)

    @cached_property
    def running(self) -> tuple[Workload, ...]:
        """The workloads with units: what holds none draws nothing that a pause could shed."""
        return tuple(w for w, units in zip(self.estate.workloads, self.units_of, strict=True) if units)

    @cached_property
    def critical_total(self) -> Partial:
        """Units of all critical workloads.

        A workload of unknown criticality is an unknown term, and so is a node with units that none claims.
        """
        pairs = zip(self.estate.workloads, self.units_of, strict=True)
        terms = [critical_units(workload, units) for workload, units in pairs if units > 0]
        return partial_sum([*terms, *(None for _ in self.unclaimed)])

    @cached_property
    def _stands_on(self) -> dict[int, frozenset[str]]:
        return {}

    @cached_property
    def groups(self) -> tuple[tuple[Node, ...], ...]:
        """Nodes that say the same on every axis, together: they stand on the same domains."""
        by_shape: dict[tuple[Standing, ...], list[Node]] = {}
        # Loaders share equal tuples, and comparing identities is far cheaper than hashing the values again.
        by_identity: dict[int, list[Node]] = {}
        for node in self.estate.nodes:
            members = by_identity.get(id(node.standings))
            if members is None:
                members = by_identity[id(node.standings)] = by_shape.setdefault(node.standings, [])
            members.append(node)
        return tuple(map(tuple, by_shape.values()))

    @cached_property
    def lemons(self) -> Mapping[str, Lemon]:
        """Node id -> its lemon score, in id order."""
        return {node.id: lemon(node) for node in sorted(self.estate.nodes, key=attrgetter("id"))}

    def price(self, node: Node) -> Number | None:
        """Price of one unit on `node` [USD/h]: its own, else the estate's (spec 2)."""
        own = node.price_per_unit_hour
        return self.estate.price_per_unit_hour if own is None else own

    def kw_per_unit(self, node: Node) -> Number | None:
        """What one unit on `node` draws [kW]: its own figure, else the estate's (spec 2)."""
        return self.estate.watts_per_unit_kw if node.kw_per_unit is None else node.kw_per_unit

    def stands_on(self, node: Node) -> frozenset[str]:
        """Every domain reachable from `node` (spec 3: stands on)."""
        known = self._stands_on.get(id(node.standings))
        if known is None:
            waiting = [domain_id for standing in node.standings for domain_id in standing.ids]
            reached = set(waiting)
            for domain_id in waiting:
                fresh = [up for up in hangs_from(self.estate.domains[domain_id]) if up not in reached]
                reached.update(fresh)
                waiting += fresh
            known = self._stands_on[id(node.standings)] = frozenset(reached)
        return known

    @cached_property
    def parents_first(self) -> tuple[str, ...]:
        """The domain ids so that every parent and feed comes before what hangs from it."""
        return tuple(parents_first(self.estate.domains))

    @cached_property
    def _facility(self) -> frozenset[str]:
        """The domains that are facility, or reach one upstream."""
        found: set[str] = set()
        for domain_id in self.parents_first:
            domain = self.estate.domains[domain_id]
            if is_facility(domain.kind) or not found.isdisjoint(hangs_from(domain)):
                found.add(domain_id)
        return frozenset(found)

    def covered(self, node: Node) -> bool:
        """Whether `node` reaches a facility domain (methodology: facility coverage)."""
        return any(not self._facility.isdisjoint(standing.ids) for standing in node.standings)

    @cached_property
    def mapped(self) -> bool:
        """Whether any node reaches a facility domain; without one, physical findings degrade."""
        return any(self.covered(group[0]) for group in self.groups)

    @cached_property
    def hosts_only(self) -> bool:
        """Whether a snapshot has neither a facility map nor a zone: only hosts can be told apart."""
        zoned = any(domain.kind == "zone" for domain in self.estate.domains.values())
        return not (self.mapped or zoned or self.estate.bare)

    def priced_units(self, workload: Workload, nodes: Iterable[str]) -> PricedUnits:
        """Units of `workload` on `nodes`, by price [USD/h]."""
        by_price: dict[Number | None, list[Number]] = {}
        for node_id in nodes:
            units = workload.placements.get(node_id, 0)
            if units > 0:
                by_price.setdefault(self.price(self.nodes[node_id]), []).append(units)
        return {price: total(units) for price, units in by_price.items()}


def critical_units(workload: Workload, units: Number) -> Number | None:
    """Return how many of `units` are critical: all, none, or unknown."""
    if workload.critical is None:
        return None
    return units if workload.critical else 0


def stalls_whole(workload: Workload) -> bool:
    """Whether losing one node stops the whole job (spec 4: gang; absent on training means true)."""
    return workload.kind == "training" and workload.gang is not False
