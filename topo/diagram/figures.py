"""The figures of the boxes: unions over the machines that stand on a box, and spans over its domains."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from closure.compiled import Facility
from topo.diagram.model import Amount, Gauge, Span
from topo.diagram.survey import Survey
from topology.model import Node


@dataclass(slots=True)
class Tally:
    """Machines counted once: how many, how many of them lost, and their units."""

    nodes: int = 0
    lost: int = 0
    strict_lost: int = 0
    units: list[float] = field(default_factory=list)
    units_unknown: int = 0
    critical: list[float] = field(default_factory=list)
    critical_unknown: int = 0

    def units_amount(self) -> Amount:
        """Return the allocated units; unknown where no machine says."""
        return _amount(self.units, self.units_unknown)

    def critical_amount(self) -> Amount:
        """Return the critical units; unknown where the units are."""
        if self.units_unknown and not self.units:
            return Amount(None, self.units_unknown)
        return Amount(exact_sum(self.critical), self.critical_unknown)


def exact_sum(values: Sequence[float]) -> float:
    """Return a sum that does not depend on the order: integers stay integers."""
    return sum(values) if all(isinstance(value, int) for value in values) else math.fsum(values)


def _amount(values: Sequence[float], unknown: int) -> Amount:
    return Amount(exact_sum(values) if values or not unknown else None, unknown)


def tallies(survey: Survey, box_of: Mapping[int, int], boxes: int) -> tuple[list[Tally], Tally, Tally]:
    """Return a tally per box (`box_of`: vertex -> box), and one each over what closure and strict check lose.

    Each node is counted once in every box it stands on, however many of the box's domains feed it: the
    domains hand the set of boxes above them down as a bit mask, parents first.
    """
    facility = survey.ground.facility
    group_masks = _group_masks(facility, _domain_masks(survey, box_of))
    own = {
        node: 1 << box_of[v]
        for v, vertex in enumerate(survey.vertices)
        if vertex.domain < 0 and v in box_of
        for node in vertex.nodes
    }
    critical, unknown = _critical_units(facility)
    by_mask: dict[int, Tally] = {}
    lost, strict_lost = Tally(), Tally()
    for index, node in enumerate(facility.estate.nodes):
        mask = group_masks[facility.node_group[index]] | own.get(index, 0)
        if mask:
            _add(by_mask.setdefault(mask, Tally()), node, index, survey, critical, unknown)
        if index in survey.lost_nodes:
            _add(lost, node, index, survey, critical, unknown)
        if index in survey.strict_nodes:
            _add(strict_lost, node, index, survey, critical, unknown)
    result = [Tally() for _ in range(boxes)]
    for mask, tally in by_mask.items():
        for box in _bits(mask):
            _merge(result[box], tally)
    return result, lost, strict_lost


def _domain_masks(survey: Survey, box_of: Mapping[int, int]) -> list[int]:
    facility = survey.ground.facility
    masks = [0] * len(facility.domain_ids)
    for v, box in box_of.items():
        if (d := survey.vertices[v].domain) >= 0:
            masks[d] = 1 << box
    for d, (parent, feeds) in enumerate(zip(facility.parent, facility.feeds, strict=True)):
        if parent >= 0:
            masks[d] |= masks[parent]
        for feed in feeds:
            masks[d] |= masks[feed]
    return masks


def _group_masks(facility: Facility, masks: Sequence[int]) -> list[int]:
    result = []
    for group in facility.groups:
        mask = 0
        for place in group.places:
            for d in place.domains:
                mask |= masks[d]
        result.append(mask)
    return result


def _critical_units(facility: Facility) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the critical units by node, and the units whose criticality nobody knows."""
    critical: dict[str, list[float]] = {}
    unknown: dict[str, list[float]] = {}
    for workload in facility.estate.workloads:
        if workload.critical is not False:
            into = unknown if workload.critical is None else critical
            for node, units in workload.placements.items():
                into.setdefault(node, []).append(units)
    return critical, unknown


def _add(
    tally: Tally,
    node: Node,
    index: int,
    survey: Survey,
    critical: Mapping[str, list[float]],
    unknown: Mapping[str, list[float]],
) -> None:
    tally.nodes += 1
    tally.lost += index in survey.lost_nodes
    tally.strict_lost += index in survey.strict_nodes
    if node.allocated is None:
        tally.units_unknown += 1
    else:
        tally.units.append(node.allocated)
    tally.critical.extend(critical.get(node.id, ()))
    tally.critical_unknown += len(unknown.get(node.id, ()))


def _merge(into: Tally, tally: Tally) -> None:
    into.nodes += tally.nodes
    into.lost += tally.lost
    into.strict_lost += tally.strict_lost
    into.units += tally.units
    into.units_unknown += tally.units_unknown
    into.critical += tally.critical
    into.critical_unknown += tally.critical_unknown


def _bits(mask: int) -> Iterable[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def span(values: Iterable[float | None]) -> tuple[Span | None, int]:
    """Return the range of the known values, and how many are unknown."""
    known, unknown = [], 0
    for value in values:
        if value is None:
            unknown += 1
        else:
            known.append(value)
    return (Span(min(known), max(known), unknown) if known else None), unknown


class Strains:
    """How full rated domains are, before and after (strict flows; spec 4, strict check)."""

    def __init__(self, survey: Survey) -> None:
        self._facility = survey.ground.facility
        self._kinds = survey.ground.kinds
        strict = survey.strict
        self._lower_bound = strict is not None and strict.lower_bound
        self._after: dict[str, float] = {}
        if strict is not None:
            self._after = {survivor.id: survivor.after_kw for survivor in strict.survivors}
            self._after |= {trip.id: trip.after_kw for trip in strict.tripped}

    def gauge(self, domains: Sequence[int]) -> Gauge | None:
        """Return the gauge of the fullest rated domain; None where no draw or no rating is known."""
        gauges = [gauge for d in domains if (gauge := self._gauge(d)) is not None]
        return max(gauges, key=lambda g: (max(g.before, g.after or 0.0), g.before), default=None)

    def _gauge(self, d: int) -> Gauge | None:
        facility = self._facility
        rated, load = facility.rated_kw[d], facility.loads_kw[d]
        if rated is None or load is None:
            return None
        if self._kinds[d] == "rack":
            # A node's power enters the check at its PDU, beside its rack: the rack carries what it holds.
            return Gauge(load / rated)
        after = self._after.get(facility.domain_ids[d])
        lower = self._lower_bound and after is not None
        return Gauge(
            facility.flows_kw[d] / rated, None if after is None else after / rated, lower_bound=lower
        )

    def shift_kw(self, domains: Sequence[int]) -> float | None:
        """Return the largest extra flow [kW] of an unrated survivor; None where there is none."""
        facility = self._facility
        shifts = [
            self._after[facility.domain_ids[d]] - facility.flows_kw[d]
            for d in domains
            if facility.rated_kw[d] is None and facility.domain_ids[d] in self._after
        ]
        return max(shifts, default=None)
