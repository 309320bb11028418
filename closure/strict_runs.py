"""The strict check followed on: round by round, and of one failure together with each of many others."""

from collections.abc import Iterable, Iterator
from copy import copy

from closure.footprints import StrictLoss
from closure.strict_events import EventDriven
from closure.strict_scenario import Scenario


class Run:
    """What a failure alone has led to before anything trips: where its pairs start."""

    def __init__(self, checks: EventDriven, failed: int) -> None:
        self._checks = checks
        self._scenario = Scenario(checks)
        self._over = self._scenario.advance([failed])

    def joined_by(self, failed: int) -> StrictLoss:
        """Return everything that is lost, and tripped, when another failure joins the first."""
        checks, scenario = self._checks, fork(self._scenario)
        over = scenario.advance([failed])
        # The dead carry nothing, so what is still over its limit is live.
        over += [d for d in self._over if d not in over and scenario.flow_kw[d] > checks.limit_kw[d]]
        over += [d for d in checks.overloaded if d not in scenario.flow_kw]
        tripped: set[int] = set()
        while over:
            tripped.update(over)
            over = scenario.advance(over)
        return StrictLoss(frozenset(scenario.lost), frozenset(scenario.lost_groups), frozenset(tripped))


def rounds(
    checks: EventDriven, failed: Iterable[int], begin: Scenario | None = None
) -> Iterator[tuple[Scenario, list[int]]]:
    """Yield every round of a strict check and what trips in it, the last one stable: nothing does.

    It is one scenario, brought up to date between the rounds. It starts from what is out, or goes on from a
    scenario that has settled, which is left alone.
    """
    scenario = Scenario(checks) if begin is None else fork(begin)
    tripping = scenario.advance(list(failed))
    tripping += [d for d in checks.overloaded if d not in scenario.flow_kw]
    while True:
        yield scenario, tripping
        if not tripping:
            return
        tripping = scenario.advance(tripping)


def fork(scenario: Scenario) -> Scenario:
    """Return a scenario that goes its own way from here."""
    twin = copy(scenario)
    for name in Scenario.__slots__:
        value = getattr(twin, name)
        if isinstance(value, set | dict):
            setattr(twin, name, value.copy())
    return twin
