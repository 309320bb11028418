"""What a set of lost node groups adds up to, fast enough for every single failure of a large facility.

The same figures as `findings.impact.assess` (property-tested), from sums made once per group of nodes
that stand in the same places.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from closure.compiled import Facility
from findings.amounts import Partial, partial_sum, total
from findings.exposure import critical_share
from findings.index import EstateIndex, PricedUnits, critical_units, stalls_whole
from findings.progress import loss_usd, lost_minutes, restart_of
from topology.model import Node, Number, Workload


@dataclass(frozen=True, slots=True)
class GroupTally:
    """One group of nodes. `critical` is known where `critical_known` workloads say; `training` by position.

    `silent` are the workloads that do not say (by position), `unclaimed` counts nodes with units of none,
    `kindless` are the workloads of unknown kind (by position): they may be training.

    `placed` are the workloads' units, `stalled` those whose loss stalls no more than themselves, `gangs`
    the jobs that stop whole.
    """

    nodes: int
    units: Number | None
    critical: Number
    critical_known: int
    silent: tuple[int, ...]
    unclaimed: int
    kindless: tuple[int, ...]
    placed: Number
    stalled: Number
    gangs: tuple[int, ...]
    training: tuple[tuple[int, PricedUnits], ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """A set of lost nodes: the figures of a sweep row (spec: topo sweep). None where unknown."""

    nodes: int
    units: Number | None
    critical_units: Number | None
    critical_share: float | None
    units_placed: Number | None
    units_stalled: Number | None
    usd: float | None
    gang_usd: float | None
    unpriced_workloads: int
    unknown: int
    gang_unknown: int
    """Terms that `usd`, and those that `gang_usd`, leave out: training of unknown loss, what may be some."""
    unknown_criticality: int = 0
    """Workloads there that do not say whether they are critical, and nodes with units that none claims."""

    @property
    def criticality_unknown(self) -> bool:
        """Whether the critical units leave some units out: they are a lower bound."""
        return self.unknown_criticality > 0

    @property
    def amplification(self) -> float | None:
        """Units stalled per workload unit standing (spec 4: gang accounting); None where nothing stands."""
        if self.units_stalled is None or not self.units_placed:
            return None
        return self.units_stalled / self.units_placed


@dataclass(frozen=True, eq=False)
class Tallies:
    """The group sums of one facility. Not slotted: made when first asked for, and kept."""

    facility: Facility
    index: EstateIndex

    @cached_property
    def groups(self) -> tuple[GroupTally, ...]:
        """One tally per node group of the facility."""
        nodes = self.index.estate.nodes
        return tuple(self._group([nodes[n].id for n in group.nodes]) for group in self.facility.groups)

    def _group(self, node_ids: Iterable[str]) -> GroupTally:
        index, workloads = self.index, self.index.estate.workloads
        members = [index.nodes[node_id] for node_id in node_ids]
        standing: dict[int, list[Number]] = {}
        for node in members:
            for position, units in index.hosted.get(node.id, ()):
                standing.setdefault(position, []).append(units)
        sums = {position: total(units) for position, units in standing.items()}
        critical = {position: critical_units(workloads[position], units) for position, units in sums.items()}
        known = [units for units in critical.values() if units is not None]
        whole = {position for position in sums if stalls_whole(workloads[position])}
        return GroupTally(
            nodes=len(members),
            units=partial_sum([node.allocated for node in members]).value,
            critical=total(known),
            critical_known=len(known),
            silent=tuple([position for position, units in critical.items() if units is None]),
            unclaimed=sum([node.id in index.unclaimed for node in members]),
            kindless=tuple([position for position in sums if workloads[position].kind == "unknown"]),
            placed=total(sums.values()),
            stalled=total([units for position, units in sums.items() if position not in whole]),
            gangs=tuple(whole),
            training=self._training(members, sums),
        )

    def _training(
        self, members: Sequence[Node], sums: Mapping[int, Number]
    ) -> tuple[tuple[int, PricedUnits], ...]:
        """Return the units of every training workload by price, of which most groups know one only."""
        index, workloads = self.index, self.index.estate.workloads
        training = [position for position in sums if workloads[position].kind == "training"]
        prices = {index.price(node) for node in members}
        if len(prices) == 1:
            (price,) = prices
            return tuple([(position, {price: sums[position]}) for position in training])
        names = [node.id for node in members]
        return tuple([(position, index.priced_units(workloads[position], names)) for position in training])

    @cached_property
    def _single(self) -> dict[tuple[int, ...], Tally]:
        return {}

    @cached_property
    def _minutes(self) -> Mapping[int, Number | None]:
        estate = self.index.estate
        return {
            position: lost_minutes(workload.checkpoint_minutes, restart_of(workload, estate).minutes)
            for position, workload in enumerate(estate.workloads)
            if workload.kind == "training"
        }

    @cached_property
    def _whole_usd(self) -> dict[int, float | None]:
        return {}

    def _gang_usd(self, position: int, workload: Workload) -> float | None:
        if position not in self._whole_usd:
            priced = self.index.priced_units(workload, workload.placements)
            self._whole_usd[position] = loss_usd(priced, self._minutes[position])
        return self._whole_usd[position]

    def tally(self, groups: Iterable[int]) -> Tally:
        """Return what these groups of nodes add up to when all of their nodes are lost."""
        lost = tuple(groups)
        if len(lost) > 1:
            return self._tally(lost)
        # Most failures lose no group or one, and many the same.
        known = self._single.get(lost)
        if known is None:
            known = self._single[lost] = self._tally(lost)
        return known

    def _tally(self, groups: Iterable[int]) -> Tally:
        members = [self.groups[g] for g in groups]
        units, critical = _units(members), _critical(members)
        usd, gang_usd, unpriced = self._dollars(members)
        bare = self.index.estate.bare
        # Where no workload at all is listed, training may run, and stall, on whatever is allocated.
        unlisted = sum([member.unclaimed for member in members]) if self.index.unlisted else 0
        return Tally(
            nodes=sum([member.nodes for member in members]),
            units=units,
            critical_units=None if bare else critical.value,
            critical_share=None if bare else critical_share(critical, self.index.critical_total),
            units_placed=None if bare else total([member.placed for member in members]),
            units_stalled=None if bare or unlisted else self._stalled(members),
            usd=None if bare or unlisted else usd.value,
            gang_usd=None if bare or unlisted else gang_usd.value,
            unpriced_workloads=unpriced,
            unknown=usd.unknown,
            gang_unknown=gang_usd.unknown,
            unknown_criticality=0 if bare else critical.unknown,
        )

    def nodes(self, groups: Iterable[int]) -> int:
        """Return how many nodes these groups hold."""
        return sum(self.groups[g].nodes for g in groups)

    def units(self, groups: Iterable[int]) -> tuple[Number | None, Number | None]:
        """Return the allocated and the critical units on these groups; None where unknown."""
        members = [self.groups[g] for g in groups]
        return _units(members), None if self.index.estate.bare else _critical(members).value

    def criticality_unknown(self, groups: Iterable[int]) -> bool:
        """Return whether nobody says of some units on these groups if they are critical."""
        return not self.index.estate.bare and _critical([self.groups[g] for g in groups]).unknown > 0

    def _stalled(self, members: Iterable[GroupTally]) -> Number:
        gangs: set[int] = set()
        terms: list[Number] = []
        for member in members:
            gangs.update(member.gangs)
            terms.append(member.stalled)
        return total([*terms, *(self.index.units_of[position] for position in gangs)])

    def _dollars(self, members: Sequence[GroupTally]) -> tuple[Partial, Partial, int]:
        standing: dict[int, list[PricedUnits]] = {}
        for member in members:
            for position, priced in member.training:
                standing.setdefault(position, []).append(priced)
        usd: list[float | None] = []
        gang_usd: list[float | None] = []
        unpriced = 0
        for position, parts in standing.items():
            workload, minutes = self.index.estate.workloads[position], self._minutes[position]
            loss = loss_usd(_merged(parts), minutes)
            usd.append(loss)
            gang_usd.append(self._gang_usd(position, workload) if stalls_whole(workload) else loss)
            unpriced += minutes is None
        # What nobody names, and what is of unknown kind, may be training.
        kindless = {position for member in members for position in member.kindless}
        unsaid = len(kindless) + sum([member.unclaimed for member in members])
        known, gang = partial_sum(usd), partial_sum(gang_usd)
        return (
            Partial(known.value, known.unknown + unsaid),
            Partial(gang.value, gang.unknown + unsaid),
            unpriced,
        )


def _merged(parts: list[PricedUnits]) -> PricedUnits:
    if len(parts) == 1:
        return parts[0]
    by_price: dict[Number | None, list[Number]] = {}
    for part in parts:
        for price, units in part.items():
            by_price.setdefault(price, []).append(units)
    return {price: total(units) for price, units in by_price.items()}


def _units(members: Iterable[GroupTally]) -> Number | None:
    return partial_sum([member.units for member in members]).value


def _critical(members: Sequence[GroupTally]) -> Partial:
    unknown = sum([member.unclaimed for member in members])
    unknown += len({position for member in members for position in member.silent})
    if unknown and not any(member.critical_known for member in members):
        return Partial(None, unknown)
    return Partial(total([member.critical for member in members]), unknown)
