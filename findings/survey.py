"""Every single-domain failure of a facility, with what it takes down."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from closure.cascade import close, lost_members
from closure.compiled import Facility
from closure.sweep import Row, sweep
from findings.index import EstateIndex
from findings.race import Race, race
from findings.stoppers import stopped_by, stoppers
from findings.tally import Tallies, Tally
from topology.model import Node, Number


@dataclass(frozen=True, slots=True)
class Single:
    """The failure of one domain alone: how many domains it loses, which node groups, what they add up to.

    `race` is that of a cooling domain with the training behind it.
    """

    domain: str
    domains: int
    groups: tuple[int, ...]
    tally: Tally
    race: Race | None


@dataclass(frozen=True, eq=False)
class Survey:
    """Single failures of one facility at its load. Not slotted: computed when first asked for, and kept."""

    facility: Facility
    index: EstateIndex
    like: "Survey | None" = None
    """Another survey of the same nodes in the same places: what they add up to is the same there."""

    @cached_property
    def tallies(self) -> Tallies:
        """The group sums."""
        return Tallies(self.facility, self.index) if self.like is None else self.like.tallies

    @cached_property
    def singles(self) -> dict[str, Single]:
        """Domain id -> its failure alone, in id order."""
        ids = self.facility.domain_ids
        rows = sorted(sweep(self.facility, strict=False), key=lambda row: ids[row.failed])
        return {ids[row.failed]: self._single(ids[row.failed], row) for row in rows}

    def _single(self, domain_id: str, row: Row) -> Single:
        cooling = self.index.estate.domains[domain_id].kind == "cooling"
        its_race = self._race(domain_id, row) if cooling else None
        return Single(domain_id, len(row.domains), row.groups, self.tallies.tally(row.groups), its_race)

    def _race(self, domain_id: str, row: Row) -> Race:
        lost, workloads = frozenset(row.domains), self.index.estate.workloads
        behind: set[int] = set()
        racing: set[int] = set()
        unlisted = False
        for g in row.groups:
            if self.index.unlisted and self.tallies.groups[g].unclaimed:
                unlisted |= domain_id in self.index.stands_on(self._any_node(g))
            training = {position for position, _ in self.tallies.groups[g].training}
            if training and domain_id in self.index.stands_on(self._any_node(g)):
                behind |= training
                places = self.facility.groups[g].places
                if {place.axis for place in places if lost_members(place, lost)} == {"cooling"}:
                    racing |= training
        return race(
            domain_id,
            self.index.estate.domains[domain_id].ride_through_minutes,
            [workloads[position] for position in racing],
            any_training=bool(behind),
            bare=self.index.estate.bare or unlisted,
        )

    @cached_property
    def ranking(self) -> tuple[Single, ...]:
        """The failures by critical units in the blast, then units, then id (spec 5: exposure)."""
        return tuple(
            sorted(
                self.singles.values(),
                key=lambda one: (-(one.tally.critical_units or 0), -(one.tally.units or 0), one.domain),
            )
        )

    @cached_property
    def _checked(self) -> dict[str, Tally]:
        return {}

    def checked(self, domain_id: str) -> Tally:
        """Return what one domain's failure takes down by the strict check."""
        if domain_id not in self._checked:
            self._checked[domain_id] = self.tallies.tally(self.strict_groups(domain_id))
        return self._checked[domain_id]

    @cached_property
    def _strict_groups(self) -> dict[str, tuple[int, ...]]:
        return {}

    def strict_groups(self, domain_id: str) -> tuple[int, ...]:
        """Return the node groups that one domain's failure loses by the strict check, ascending."""
        if domain_id not in self._strict_groups:
            failed = self.facility.domain_index[domain_id]
            lost = self.facility.strict_start.run((failed,), flows=False).groups
            self._strict_groups[domain_id] = tuple(sorted(lost))
        return self._strict_groups[domain_id]

    def same_nodes(self, one: Single) -> bool:
        """Return whether the strict check of a failure loses the same nodes as the closure."""
        return set(one.groups) == set(self.strict_groups(one.domain))

    @cached_property
    def stoppers(self) -> Mapping[int, tuple[str, ...]]:
        """Critical workload (by position) -> the domains whose failure alone stops it."""
        failures = ((one.domain, one.groups) for one in self.singles.values())
        return stoppers(self.index, self.facility, failures, self.baseline_groups)

    @cached_property
    def baseline_groups(self) -> frozenset[int]:
        """The node groups that are lost with nothing failed: by what is out of service (spec 4 rule 1)."""
        if not self.facility.out:
            return frozenset()
        node_index, node_group = self.facility.node_index, self.facility.node_group
        lost = close(self.facility, ()).nodes
        return frozenset(node_group[node_index[node.id]] for node in lost)

    @cached_property
    def strict_baseline_groups(self) -> frozenset[int]:
        """The same by the strict check."""
        if not self.facility.out:
            return frozenset()
        return frozenset(self.facility.strict_start.run((), flows=False).groups)

    @cached_property
    def stopped_before(self) -> frozenset[int]:
        """Critical workloads (by position) that are stopped with nothing failed."""
        return stopped_by(self.index, self.facility, self.baseline_groups)

    @cached_property
    def races(self) -> tuple[Race, ...]:
        """One race per cooling domain, for its own failure, by id."""
        return tuple(one.race for one in self.singles.values() if one.race is not None)

    def _any_node(self, group: int) -> Node:
        return self.index.estate.nodes[self.facility.groups[group].nodes[0]]

    @cached_property
    def groups_standing(self) -> dict[str, list[int]]:
        """Domain id -> the node groups that stand on it, redundancy ignored."""
        found: dict[str, list[int]] = {domain_id: [] for domain_id in self.facility.domain_ids}
        for g in range(len(self.facility.groups)):
            for domain_id in self.index.stands_on(self._any_node(g)):
                found[domain_id].append(g)
        return found

    def standing(self, domain_id: str) -> tuple[Number | None, Number | None]:
        """Return the units and critical units that stand on a domain, redundancy ignored; None: unknown."""
        return self.tallies.units(self.groups_standing[domain_id])

    def criticality_unknown_on(self, domain_id: str) -> bool:
        """Return whether the critical units that stand on a domain are a lower bound."""
        return self.tallies.criticality_unknown(self.groups_standing[domain_id])

    def node_ids(self, groups: Iterable[int]) -> list[str]:
        """Return the ids of the nodes of some groups, sorted."""
        facility = self.facility
        return sorted(facility.node_ids[n] for g in groups for n in facility.groups[g].nodes)
