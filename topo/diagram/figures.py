"""The figures of the boxes: unions over the machines that stand on a box, and spans over its domains."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from closure.compiled import Facility
from topo.diagram.machines import Stock
from topo.diagram.model import Gauge, Span
from topo.diagram.survey import Survey


@dataclass(slots=True)
class Tally:
    """Machines counted once, and those of them that the closure and the strict check lose."""

    stock: Stock = field(default_factory=Stock)
    lost: Stock = field(default_factory=Stock)
    strict_lost: Stock = field(default_factory=Stock)

    def merge(self, other: "Tally") -> None:
        """Add the machines of another tally."""
        self.stock.merge(other.stock)
        self.lost.merge(other.lost)
        self.strict_lost.merge(other.strict_lost)

    def add(self, stock: Stock, *, lost: bool, strict_lost: bool) -> None:
        """Add machines of one fate."""
        self.stock.merge(stock)
        if lost:
            self.lost.merge(stock)
        if strict_lost:
            self.strict_lost.merge(stock)


@dataclass(frozen=True, slots=True)
class Tallies:
    """One tally per box, and all that the closure and the strict check lose."""

    boxes: tuple[Tally, ...]
    lost: Stock
    strict_lost: Stock


def tallies(survey: Survey, box_of: Mapping[int, int], boxes: int) -> Tallies:
    """Count for every box (`box_of`: vertex -> box).

    Each node is counted once in every box it stands on, however many of the box's domains feed it: the
    domains hand the set of boxes above them down as a bit mask, parents first.
    """
    group_masks = _group_masks(survey.ground.facility, _domain_masks(survey, box_of))
    own = {
        node: 1 << box_of[v]
        for v, vertex in enumerate(survey.vertices)
        if vertex.domain < 0 and v in box_of
        for node in vertex.nodes
    }
    by_mask: dict[int, Tally] = {}
    everything = Tally()
    for bundle in _bundles(survey):
        mask = group_masks[bundle.group] | own.get(bundle.node, 0)
        counted = [by_mask.setdefault(mask, Tally())] if mask else []
        for tally in (*counted, everything):
            tally.add(bundle.stock, lost=bundle.lost, strict_lost=bundle.strict_lost)
    result = tuple(Tally() for _ in range(boxes))
    for mask, tally in by_mask.items():
        for box in _bits(mask):
            result[box].merge(tally)
    return Tallies(result, everything.lost, everything.strict_lost)


@dataclass(frozen=True, slots=True)
class _Bundle:
    """Machines of one group and one fate; `node` is one of them."""

    group: int
    node: int
    stock: Stock
    lost: bool
    strict_lost: bool


def _bundles(survey: Survey) -> Iterator[_Bundle]:
    """Yield every machine once: groups whole, but machine by machine where one of them failed by name."""
    ground = survey.ground
    facility = ground.facility
    split = {facility.node_group[node] for node in survey.failed_nodes}
    for g, group in enumerate(facility.groups):
        nodes = group.nodes if g in split else group.nodes[:1]
        for node in nodes:
            stock = ground.machines.node(node) if g in split else ground.machines.groups[g]
            yield _Bundle(g, node, stock, node in survey.lost_nodes, node in survey.strict_nodes)


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
