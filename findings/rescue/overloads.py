"""What a failure overloads before anything gives way, and how long that carries (beyond the methodology)."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from closure.cascade import feed_gate, id_tuple
from closure.compiled import Facility
from closure.strict import Round, overloaded
from closure.tolerance import exceeds
from findings import constants
from findings.curtail.shares import group_shares
from topology.kinds import POWER
from topology.model import Domain, Number


@dataclass(frozen=True, slots=True)
class Overloaded:
    """A survivor over its rating: a feed by the strict check, or a domain that the closure would demote.

    `load_kw` [kW] against `rated_kw` [kW] (of a demotion: what its surviving feeds are rated together).
    `carry_seconds` [s] is how long that is carried before it trips; None where nobody says. Not `exact` where
    units of unknown kW stand behind it: the load is then a lower bound.
    """

    id: str
    by: Literal["strict", "demotion"]
    load_kw: float
    rated_kw: float
    carry_seconds: Number | None
    exact: bool
    survivors: tuple[str, ...] = ()

    @property
    def percent(self) -> float:
        """The load in per cent of the rating [%]."""
        return 100 * self.load_kw / self.rated_kw

    @property
    def excess_kw(self) -> float:
        """What has to go [kW]."""
        return self.load_kw - self.rated_kw

    @property
    def needed_kw(self) -> float:
        """What has to go at least [kW], for equality (within the tolerance) survives."""
        return self.load_kw - self.rated_kw * (1 + constants.RELATIVE_TOLERANCE / 2)


def carry_seconds(domain: Domain, percent: float) -> Number | None:
    """Return how long equipment carries a load of `percent` of its rating [s]; None where it does not say.

    The answer is that of the smallest listed overload that is at least as large, so it is never too long; a
    load above the largest listed one is carried for 0 s. Files say each percentage once; of two times that a
    program gives for one, the shorter holds.
    """
    if not domain.overload:
        return None
    listed = sorted(domain.overload, key=lambda each: (each.percent, each.seconds))
    return next((each.seconds for each in listed if not exceeds(percent, each.percent)), 0)


def weakest(carries: Sequence[Number | None]) -> Number | None:
    """Return the shortest of some times [s]; None where one that nobody says may be shorter: not than 0."""
    known = [carry for carry in carries if carry is not None]
    return min(known) if len(known) == len(carries) or 0 in known else None


def first_overloads(facility: Facility, first: Round) -> list[Overloaded]:
    """Return what the first round overloads: nothing has tripped and nothing is demoted yet."""
    strict = [strict_overload(facility, first, d) for d in overloaded(facility, first)]
    return sorted([*strict, *demotions(facility, first.lost)], key=lambda each: (each.id, each.by))


def strict_overload(facility: Facility, first: Round, d: int) -> Overloaded:
    """Return a rated domain whose flow in a round is over its rating."""
    name, rated_kw, load_kw = facility.domain_ids[d], facility.rated_kw[d], first.flows_kw[d]
    assert rated_kw is not None
    carry = carry_seconds(facility.estate.domains[name], 100 * load_kw / rated_kw)
    return Overloaded(name, "strict", load_kw, rated_kw, carry, facility.loads_kw[d] is not None)


def demotions(facility: Facility, lost: Collection[int]) -> Iterator[Overloaded]:
    """Yield the domains that rule 4 would demote on top of what is lost by rules 1 to 3."""
    touched = {dependent for d in lost for dependent in facility.dependents[d]}
    for d in touched.difference(lost):
        if any(feed in lost for feed in facility.feeds[d]):
            gate = feed_gate(facility, d, lost)
            if gate.verdict == "demoted":
                yield demotion(facility, d, gate.alive)


def demotion(facility: Facility, d: int, alive: Iterable[int]) -> Overloaded:
    """Return a domain that draws more than its surviving feeds are rated."""
    survivors = id_tuple(facility, alive)
    domains = [facility.estate.domains[survivor] for survivor in survivors]
    rated_kw = math.fsum(domain.rated_kw or 0 for domain in domains)
    load_kw = facility.draws_kw[d] or 0.0
    carry = weakest([carry_seconds(domain, 100 * load_kw / rated_kw) for domain in domains])
    return Overloaded(facility.domain_ids[d], "demotion", load_kw, rated_kw, carry, True, survivors)


def shares_behind(facility: Facility, over: Overloaded, first: Round) -> list[float]:
    """Return, per node group, the share of its kW that a pause takes off an overloaded survivor.

    Of a strict overload that is its share of the flow; of a demotion all or nothing (spec 3: load). A draw
    that is equipment's own (pumps on two panels) is nothing that a pause could reduce.
    """
    d = facility.domain_index[over.id]
    if over.by == "strict":
        return group_shares(facility, d, first)
    if facility.feeds_commodity[d] != facility.commodity[d]:
        return [0.0] * len(facility.groups)
    return [1.0 if stands else 0.0 for stands in standing_groups(facility, d)]


def standing_groups(facility: Facility, through: int) -> list[bool]:
    """Return, per node group, whether its kW are part of a domain's static load (spec 3: load)."""
    commodity = facility.commodity[through]
    behind = {through}
    for d in range(through + 1, len(facility.domain_ids)):
        if facility.commodity[d] == commodity and not behind.isdisjoint(_upstream(facility, d)):
            behind.add(d)
    if commodity == POWER:
        return [
            any(d in behind for place in group.places for d in place.domains) for group in facility.groups
        ]
    entries = (group.heat_entry for group in facility.groups)
    return [entry is not None and not behind.isdisjoint(entry.domains) for entry in entries]


def _upstream(facility: Facility, d: int) -> tuple[int, ...]:
    feeds = facility.feeds[d] if facility.feeds_commodity[d] == facility.commodity[d] else ()
    return feeds if facility.parent[d] < 0 else (facility.parent[d], *feeds)
