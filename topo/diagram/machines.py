"""What stands on the ground: units of machines, group by group, added up once per estate."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from closure.compiled import Facility
from findings.index import EstateIndex, critical_units
from topo.diagram.model import Amount


@dataclass(slots=True)
class Total:
    """A sum that does not depend on the order of its terms: integers stay integers, floats come last."""

    whole: int = 0
    parts: list[float] = field(default_factory=list)
    known: int = 0
    unknown: int = 0

    def add(self, value: float | None) -> None:
        """Add a term; None is an unknown one."""
        if value is None:
            self.unknown += 1
            return
        self.known += 1
        if isinstance(value, int):
            self.whole += value
        else:
            self.parts.append(value)

    def merge(self, other: "Total") -> None:
        """Add all terms of another sum."""
        self.whole += other.whole
        self.parts += other.parts
        self.known += other.known
        self.unknown += other.unknown

    def amount(self) -> Amount:
        """Return the known part; None where there are terms and none is known."""
        if self.unknown and not self.known:
            return Amount(None, self.unknown)
        return Amount(math.fsum([self.whole, *self.parts]) if self.parts else self.whole, self.unknown)


@dataclass(slots=True)
class Stock:
    """Machines, their allocated units and the critical ones among them."""

    nodes: int = 0
    units: Total = field(default_factory=Total)
    critical: Total = field(default_factory=Total)

    def merge(self, other: "Stock") -> None:
        """Add other machines."""
        self.nodes += other.nodes
        self.units.merge(other.units)
        self.critical.merge(other.critical)

    def critical_amount(self) -> Amount:
        """Return the critical units; unknown where the units are: nobody says what runs there."""
        units = self.units.amount()
        return Amount(None, units.unknown) if units.known is None else self.critical.amount()


@dataclass(frozen=True, slots=True)
class Machines:
    """The stock of every node group by index, and of single nodes when asked."""

    facility: Facility
    groups: tuple[Stock, ...]
    _critical: Mapping[str, list[float | None]]

    def node(self, index: int) -> Stock:
        """Return the stock of one node."""
        return _stock(self.facility, (index,), self._critical)


def machines(facility: Facility) -> Machines:
    """Add up every node group."""
    index = EstateIndex(facility.estate)
    critical: dict[str, list[float | None]] = {}
    for node, hosted in index.hosted.items():
        critical[node] = [critical_units(facility.estate.workloads[p], units) for p, units in hosted]
    for node in index.unclaimed:  # nobody says of these units whether they are critical
        critical.setdefault(node, []).append(None)
    groups = tuple(_stock(facility, group.nodes, critical) for group in facility.groups)
    return Machines(facility, groups, critical)


def _stock(facility: Facility, nodes: Iterable[int], critical: Mapping[str, list[float | None]]) -> Stock:
    stock = Stock()
    for index in nodes:
        node = facility.estate.nodes[index]
        stock.nodes += 1
        stock.units.add(node.allocated)
        for units in critical.get(node.id, ()):
            stock.critical.add(units)
    return stock
