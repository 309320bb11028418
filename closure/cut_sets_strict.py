"""What the strict check says about a goal and its cut sets (spec 4: it may lose more, or less).

Cut sets are those of the closure, which is monotone. The strict check is not: a dead feed relieves what
stands above it. So it is run failure by failure; what it says stands beside the cut sets, never among them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from closure.blocks import Workers, in_blocks
from closure.cut_sets import CutSet, Goal
from closure.strict_events import EventDriven

Progress = Callable[[int, int], None]
"""Called with the failures done and the failures in all."""


@dataclass(frozen=True, slots=True)
class StrictView:
    """Whether the strict check takes the goal down with a cut set, and the smaller parts that do so too.

    `fewer`: the proper subsets that contain no other such one; the empty one where nothing has to fail.
    """

    down: bool
    fewer: tuple[CutSet, ...]


class StrictGoal:
    """The strict check of one goal, each failure simulated once."""

    def __init__(self, checks: EventDriven, goal: Goal) -> None:
        self._checks = checks
        self._goal = goal
        self._known: dict[CutSet, bool] = {}

    def down(self, failed: CutSet) -> bool:
        """Return whether these domains, failing together, take the goal down."""
        known = self._known.get(failed)
        if known is None:
            outcome = self._checks.run(failed, flows=False)
            known = self._known[failed] = self._goal.reached(outcome.domains, outcome.groups)
        return known

    def view(self, cut: CutSet) -> StrictView:
        """Return what the strict check says about one cut set."""
        fewer: list[CutSet] = []
        for size in range(len(cut)):
            for part in combinations(cut, size):
                if not any(set(smaller) <= set(part) for smaller in fewer) and self.down(part):
                    fewer.append(part)
        return StrictView(self.down(cut), tuple(fewer))

    def only(
        self,
        domains: Iterable[int],
        singles: Collection[CutSet],
        *,
        progress: Progress | None = None,
        workers: Workers | None = None,
    ) -> tuple[int, ...]:
        """Return the domains whose failure alone takes the goal down although the closure says otherwise.

        Nothing where the strict check has the goal down with nothing failed.
        """
        if self.down(()):
            return ()
        asked = [d for d in domains if (d,) not in singles]
        found: list[int] = []
        done = 0
        for block in in_blocks(_each_down, self, asked, workers=workers):
            found += [d for d, down in zip(asked[done:], block, strict=False) if down]
            done += len(block)
            if progress is not None:
                progress(done, len(asked))
        return tuple(found)


def _each_down(goal: StrictGoal, domains: Sequence[int]) -> list[bool]:
    return [goal.down((d,)) for d in domains]
