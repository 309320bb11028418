"""How much may be added at a domain before one of its feeds is overloaded, whatever fails alone (beyond).

One more kW that enters at a domain D follows D's own live feeds upwards, in the strict check's shares. In
every round of the strict check of a failure F it adds `share` kW to each domain that it passes, so a rated
one bounds it by

    (ratedKw − flow in that round) / share

for then nothing trips that does not trip without it, and every round is what it was. A domain whose surviving
feeds are all rated, and on which D stands, bounds it by Σ ratedKw(survivors) − load, for its load counts all
of it (spec 4 rule 4). The least bound over nothing failed and every single failure is the headroom. What
trips or is demoted without it has no room behind it, and neither has what is lost with nothing more failed.

The heat of a machine enters where it says on its cooling axis: such a place has limits as a domain has.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from closure.cascade import feed_gate, settle
from closure.compiled import Facility
from closure.flow import behind
from closure.groups import Place
from closure.strict import downstream
from closure.strict_runs import fork, rounds
from closure.strict_scenario import Scenario
from closure.tolerance import RELATIVE_TOLERANCE
from findings.headroom.paths import Moment, Way


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds the kW to add: under `failed` (None: nothing failed) `domain` reaches its rating.

    `load_kw` [kW] is what it carries then without the addition, a lower bound unless `exact`, of `rated_kw`;
    `demoted`: the rating is that of its surviving feeds together. `share` [-] of the addition reaches it.
    """

    failed: int | None
    domain: int
    load_kw: float
    rated_kw: float
    share: float
    demoted: bool = False
    exact: bool = True

    @property
    def room_kw(self) -> float:
        """How much can be added before it is over [kW]; 0 where it is already, within the tolerance."""
        free_kw = self.rated_kw - self.load_kw
        return 0.0 if free_kw <= self.rated_kw * RELATIVE_TOLERANCE else free_kw / self.share


Spot = int | Place
"""Where something can be added: a domain, by index, or where the heat of machines enters."""


class Limits:
    """The tightest limit of every rated domain, and of wherever heat enters, whatever fails alone.

    No limit: nothing that an addition there passes has a rating.

    `inexact` are those of which some limit is only an upper bound, for kW are unknown, or where machines hang
    (`blind`: some of unknown supply may hang there); `unrated` is what has
    no rating and so no limit, of what an addition passes under some failure, and of the surviving feeds of
    what it stands on.
    """

    def __init__(self, facility: Facility) -> None:
        self.facility = facility
        self.start = facility.strict_start
        self.tightest: dict[Spot, Limit] = {}
        self.unrated: dict[Spot, frozenset[int]] = {}
        self.inexact: set[Spot] = set()
        self._applied: dict[tuple[int, tuple[int, ...]], bool] = {}
        self.before = Moment(self.start, Scenario(self.start), None)
        # What is lost with what is out has no use for more, though its power may still be on.
        self.live = [
            d for d in self.before.ways if facility.rated_kw[d] is not None and d not in self.start.lost
        ]
        self._rated = frozenset(self.live)
        # Nodes of unknown supply may draw here: what flows is at least what is known to.
        self.blind = frozenset(facility.unplaced.behind)
        self.inexact.update(self.blind.intersection(self.live))
        self._entries = _heat_entries(facility)
        self._follow(None, self.before)
        self._tripped = self._nothing_failed()
        for failed in sorted(facility.domain_index.values(), key=facility.domain_ids.__getitem__):
            if failed not in facility.out:
                self._consider(failed)

    def _nothing_failed(self) -> Scenario | None:
        """Take into account what is out alone; return what its trips lead to, None where nothing trips."""
        trips: list[Limit] = []
        settled = None
        for scenario, over in rounds(self.start, ()):
            now = Moment(self.start, scenario, self.before)
            self._follow(None, now)
            for d in over:
                rated_kw = self.facility.rated_kw[d]
                assert rated_kw is not None
                trips.append(Limit(None, d, now.kw(d), rated_kw, 1.0))
            settled = fork(scenario) if trips and not over else None
        self._lost_already(trips)
        self._lost_already(self._gates(None))
        return settled

    def _consider(self, failed: int) -> None:
        """Take the failure of one domain into account, in every round that it leads to.

        Beside what is out, and, where that trips something with nothing more failed, after those trips.
        """
        for begin in (None,) if self._tripped is None else (None, self._tripped):
            for scenario, _ in rounds(self.start, (failed,), begin):
                self._follow(failed, Moment(self.start, scenario, self.before))
        self._gates(failed)

    def _follow(self, failed: int | None, now: Moment) -> None:
        """Tighten by one round the limits of what finds another way, or a fuller one, in it."""
        for d, way in now.ways.items():
            if d in self._rated:
                self._pass(d, {d: 1.0}, way, failed, now)
        for place in self._places((*now.ways, *now.newly_lost())):
            entering = now.entering(place)
            if entering:
                self._pass(place, entering, now.joint(entering), failed, now)

    def _pass(
        self, spot: Spot, entering: Mapping[int, float], way: Way, failed: int | None, now: Moment
    ) -> None:
        if way.bounded:
            self.inexact.add(spot)
        if not way.unrated <= self.unrated.setdefault(spot, frozenset()):
            self.unrated[spot] |= way.unrated
        known = self.tightest.get(spot)
        # No walk where it could not find anything tighter.
        if known is None or way.floor_kw * (1 - RELATIVE_TOLERANCE) <= known.room_kw:
            self._tighten(spot, self._passed(entering, failed, now))

    def _places(self, domains: Iterable[int]) -> Iterable[Place]:
        """Return the places of which some member is among these domains, each once."""
        return dict.fromkeys(place for d in domains for place in self._entries.get(d, ()))

    def _spots(self, domains: Collection[int]) -> Iterator[Spot]:
        """Yield everything among these domains that has limits."""
        yield from self._rated.intersection(domains)
        yield from self._places(domains)

    def _passed(self, entering: Mapping[int, float], failed: int | None, now: Moment) -> Iterator[Limit]:
        """Yield the limits of the rated domains that an addition passes, where it enters first."""
        for passed, share in now.upwards(entering):
            rated_kw = self.facility.rated_kw[passed]
            if rated_kw is not None:
                exact = passed not in now.bounded
                yield Limit(failed, passed, now.kw(passed), rated_kw, share, exact=exact)

    def _gates(self, failed: int | None) -> list[Limit]:
        """Tighten behind what has lost a feed (spec 4 rule 4); return the limits of what is demoted.

        Its load counts the addition wherever it stands on it, whether or not that lives: loads are static.
        """
        facility = self.facility
        settled = settle(facility, () if failed is None else (failed,))
        demoted = [d for d, loss in settled.lost.items() if loss.cause == "demoted"]
        overloaded = []
        for d in (*settled.held, *demoted):
            gate = feed_gate(facility, d, settled.lost)
            if facility.feeds_commodity[d] != facility.commodity[d]:
                continue
            if gate.surviving_rated_kw is None:
                self._unjudged(d, gate.alive)
                continue
            draw_kw = facility.draws_kw[d]
            if draw_kw is None:
                self.inexact.update(self._spots(behind(facility, (d,))))
                continue
            limit = Limit(failed, d, draw_kw, gate.surviving_rated_kw, 1.0, demoted=True)
            overloaded += [limit] if d in settled.lost else []
            likely = failed is None or bool(self.start.flows_kw[failed])
            if self._applied.get((d, gate.alive), False) < likely or (d, gate.alive) not in self._applied:
                self._applied[d, gate.alive] = likely
                for each in self._spots(behind(facility, (d,))):
                    self._tighten(each, (limit,))
        return overloaded

    def _unjudged(self, d: int, alive: tuple[int, ...]) -> None:
        """Remember the surviving feeds without a rating: with one they might bound all that stands on `d`."""
        if (d, alive) not in self._applied:
            self._applied[d, alive] = True
            unrated = frozenset(feed for feed in alive if self.facility.rated_kw[feed] is None)
            for each in self._spots(behind(self.facility, (d,))):
                self.unrated[each] = self.unrated.get(each, frozenset()) | unrated

    def _lost_already(self, limits: Iterable[Limit]) -> None:
        """Leave no room at what goes with what is overloaded with nothing failed."""
        dead = set(self.facility.out)
        for limit in limits:
            dead.add(limit.domain)
            for spot in self._spots(downstream(self.facility, dead, power_only=False)):
                self._tighten(spot, (limit,))

    def _tighten(self, spot: Spot, limits: Iterable[Limit]) -> None:
        known = self.tightest.get(spot)
        for limit in limits:
            if known is None or limit.room_kw < known.room_kw or self._likelier(limit, known):
                known = limit
        if known is not None:
            self.tightest[spot] = known

    def _likelier(self, limit: Limit, known: Limit) -> bool:
        """Of failures that leave equal room, name that of what carries flow now, not of an idle standby."""
        if limit.failed is None or known.failed is None or limit.room_kw != known.room_kw:
            return False
        flows_kw = self.start.flows_kw
        return not flows_kw[known.failed] and bool(flows_kw[limit.failed])


def _heat_entries(facility: Facility) -> dict[int, list[Place]]:
    """Return the places where the heat of the machines of some rack enters, by each of their domains."""
    entries: dict[int, list[Place]] = {}
    for place in dict.fromkeys(group.heat_entry for group in facility.groups if group.heat_entry is not None):
        for d in place.domains:
            entries.setdefault(d, []).append(place)
    return entries
