"""How much may be added at a domain before one of its feeds is overloaded, whatever fails alone (beyond).

One more kW that enters at a domain D follows D's own live feeds upwards, in the strict check's shares. Under
a failure F it adds `share` kW to each domain that it passes, so a rated one bounds it by

    (ratedKw − flow under F) / share

and a domain whose surviving feeds are all rated, and on which D stands, by Σ ratedKw(survivors) − load, for
its load counts all of it (spec 4 rule 4). The least bound over nothing failed and every single failure that D
survives is the headroom.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from closure.cascade import feed_gate
from closure.compiled import Facility
from closure.flow import onward
from closure.strict_events import Scenario
from closure.tolerance import RELATIVE_TOLERANCE
from topology.kinds import POWER


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds the kW to add: under `failed` (None: nothing failed) `domain` reaches its rating.

    `load_kw` [kW] is what it carries then without the addition, of `rated_kw`; `demoted`: the rating is that
    of its surviving feeds together. `share` [-] of the addition reaches it.
    """

    failed: int | None
    domain: int
    load_kw: float
    rated_kw: float
    share: float
    demoted: bool = False

    @property
    def room_kw(self) -> float:
        """How much can be added before it is over [kW]; 0 where it is already, within the tolerance."""
        free_kw = self.rated_kw - self.load_kw
        return 0.0 if free_kw <= self.rated_kw * RELATIVE_TOLERANCE else free_kw / self.share


class Limits:
    """The tightest limit of every rated domain, tightened failure by failure."""

    def __init__(self, facility: Facility) -> None:
        self.facility = facility
        self.start = facility.strict_start
        self.tightest: dict[int, Limit] = {}
        rated = (d for d, rated_kw in enumerate(facility.rated_kw) if rated_kw is not None)
        self.live = [d for d in rated if d not in self._dead(d, self.start.unpowered, self.start.lost)]
        for d in self.live:
            self._tighten(d, self._passed(d, None, {}, self.start.unpowered, self.start.lost))

    def consider(self, failed: int) -> None:
        """Take the failure of one domain into account."""
        first = Scenario(self.start)
        first.advance([failed])
        newly_lost = set(first.lost).difference(self.start.lost).union((failed,))
        rerouted = {dependent for d in newly_lost for dependent in self.facility.dependents[d]}
        heavier = {d for d, kw in first.flow_kw.items() if kw > self.start.flows_kw[d]}
        # Where flows only fell and every feed still stands, the state with nothing failed is the tighter one.
        for d in self._behind(rerouted | heavier):
            if d not in self._dead(d, first.unpowered, first.lost):
                passed = self._passed(d, failed, first.flow_kw, first.unpowered, first.lost)
                self._tighten(d, passed)
        self._consider_gates(failed, rerouted.difference(first.lost), first.lost)

    def _consider_gates(self, failed: int, touched: Iterable[int], lost: Collection[int]) -> None:
        facility = self.facility
        for d in touched:
            if facility.feeds_commodity[d] != facility.commodity[d] or not facility.feeds[d]:
                continue
            gate = feed_gate(facility, d, lost)
            draw_kw = facility.draws_kw[d]
            if gate.lost and gate.surviving_rated_kw is not None and draw_kw is not None:
                limit = Limit(failed, d, draw_kw, gate.surviving_rated_kw, 1.0, demoted=True)
                for behind in self._behind((d,)):
                    self._tighten(behind, (limit,))

    def _tighten(self, d: int, limits: Iterable[Limit]) -> None:
        known = self.tightest.get(d)
        for limit in limits:
            if known is None or limit.room_kw < known.room_kw or self._likelier(limit, known):
                known = limit
        if known is not None:
            self.tightest[d] = known

    def _likelier(self, limit: Limit, known: Limit) -> bool:
        """Of failures that leave equal room, name that of what carries flow now, not of an idle standby."""
        if limit.failed is None or known.failed is None or limit.room_kw != known.room_kw:
            return False
        flows_kw = self.start.flows_kw
        return not flows_kw[known.failed] and bool(flows_kw[limit.failed])

    def _dead(self, d: int, unpowered: Collection[int], lost: Collection[int]) -> Collection[int]:
        return unpowered if self.facility.commodity[d] == POWER else lost

    def _behind(self, seeds: Iterable[int]) -> list[int]:
        """Return the live rated domains whose flow can pass a seed: seeds, and what hangs from them."""
        facility = self.facility
        found, waiting = set(seeds), list(seeds)
        while waiting:
            d = waiting.pop()
            for dependent in facility.dependents[d]:
                if dependent not in found and facility.commodity[dependent] == facility.commodity[d]:
                    found.add(dependent)
                    waiting.append(dependent)
        return [d for d in self.live if d in found]

    def _passed(
        self,
        d: int,
        failed: int | None,
        flow_kw: Mapping[int, float],
        unpowered: Collection[int],
        lost: Collection[int],
    ) -> Iterator[Limit]:
        """Yield the limits of the rated domains that an addition at `d` passes, itself first."""
        dead = self._dead(d, unpowered, lost)
        for passed, share in upwards(self.facility, d, dead):
            rated_kw = self.facility.rated_kw[passed]
            if rated_kw is not None:
                load_kw = flow_kw.get(passed, self.start.flows_kw[passed])
                yield Limit(failed, passed, load_kw, rated_kw, share)


def upwards(facility: Facility, start: int, dead: Collection[int]) -> Iterator[tuple[int, float]]:
    """Yield what a flow that enters at `start` passes, dependents first, with the share of it that does."""
    shares = {start: 1.0}
    waiting = [-start]
    while waiting:
        d = -heappop(waiting)
        share = shares[d]
        yield d, share
        targets = onward(facility, d, dead)
        for target in targets:
            if target not in shares:
                heappush(waiting, -target)
            shares[target] = shares.get(target, 0.0) + share / len(targets)
