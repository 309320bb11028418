"""What an addition passes on its way up, in one round of the strict check of one failure."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf
from typing import NamedTuple

from closure.bounded import bounded_flows
from closure.flow import behind, onward, passed
from closure.groups import Place
from closure.strict_events import EventDriven
from closure.strict_scenario import Scenario
from topology.kinds import POWER


class Way(NamedTuple):
    """All that a flow which enters at a domain passes.

    `floor_kw` [kW] is the least that any of it has left: an addition has at least that much room, for no
    share of it exceeds 1. `unrated` has no rating; `bounded`: of some flow only a lower bound is known.
    """

    floor_kw: float
    unrated: frozenset[int]
    bounded: bool


_NO_WAY = Way(inf, frozenset(), bounded=False)


class Moment:
    """One round: what is dead, what flows [kW], and the ways that this changes, by domain."""

    def __init__(self, start: EventDriven, scenario: Scenario, before: "Moment | None") -> None:
        self.facility, self._start = start.facility, start
        self.unpowered: Collection[int] = scenario.unpowered
        self.lost: Collection[int] = scenario.lost
        self._flow_kw: Mapping[int, float] = scenario.flow_kw
        self.bounded = bounded_flows(self.facility, self.unpowered, self.lost)
        self.ways: dict[int, Way] = {}
        self._before = {} if before is None else before.ways
        changed = range(len(self.facility.domain_ids)) if before is None else self._changed(before)
        for d in sorted(behind(self.facility, changed)):
            if self.facility.commodity[d] is not None and d not in self.dead(d):
                self.ways[d] = self._way(d)

    def dead(self, d: int) -> Collection[int]:
        """Return what is dead for a domain's commodity."""
        return self.unpowered if self.facility.commodity[d] == POWER else self.lost

    def kw(self, d: int) -> float:
        """Return what flows through a domain [kW]."""
        return self._flow_kw.get(d, self._start.flows_kw[d])

    def upwards(self, entering: Mapping[int, float]) -> Iterator[tuple[int, float]]:
        """Return what a flow of one commodity passes, dependents first, with the share of it that does."""
        return passed(self.facility, entering, self.dead(next(iter(entering))))

    def entering(self, place: Place) -> dict[int, float]:
        """Return the shares of a flow that enters at a place, by the live domains there; empty: none."""
        live = [d for d in place.domains if d not in self.dead(d)]
        return dict.fromkeys(live, 1 / (len(place.domains) if place.mode == "all" else len(live) or 1))

    def joint(self, entering: Iterable[int]) -> Way:
        """Return all that a flow passes which enters at some live domains."""
        ways = [self.ways.get(d) or self._before[d] for d in entering]
        return Way(
            min(way.floor_kw for way in ways),
            frozenset().union(*(way.unrated for way in ways)),
            any(way.bounded for way in ways),
        )

    def newly_lost(self) -> Iterator[int]:
        """Yield the domains that were not lost with what is out alone."""
        return (d for d in self.lost if d not in self._start.lost)

    def _changed(self, before: "Moment") -> set[int]:
        """Return what loses a target, gets heavier, or is known otherwise than before anything failed.

        Where flows only fell and every feed still stands, the state with nothing failed is the tighter one.
        """
        start = self._start
        newly = set(self.newly_lost())
        newly.update(d for d in self.unpowered if d not in start.unpowered)
        changed = {dependent for d in newly for dependent in self.facility.dependents[d]}
        changed.update(d for d, kw in self._flow_kw.items() if kw > start.flows_kw[d])
        return changed.union(self.bounded ^ before.bounded)

    def _way(self, d: int) -> Way:
        rated_kw = self.facility.rated_kw[d]
        floor_kw = inf if rated_kw is None else rated_kw - self.kw(d)
        unrated = frozenset((d,)) if rated_kw is None else _NO_WAY.unrated
        bounded = d in self.bounded
        for target in onward(self.facility, d, self.dead(d)):
            further = self.ways.get(target) or self._before[target]
            floor_kw = min(floor_kw, further.floor_kw)
            bounded = bounded or further.bounded
            if not further.unrated <= unrated:
                unrated = further.unrated if unrated <= further.unrated else unrated | further.unrated
        return Way(floor_kw, unrated, bounded)
