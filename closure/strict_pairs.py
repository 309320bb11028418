"""The strict check of every pair of failures, of which few need to be run (spec 4; closure/meetings.py).

Made of parts that can be spread over workers: `strict_singles` once, `run_pairs` over any blocks of the pairs
that could meet, `strict_pairs` over all outcomes, in whatever order they come.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import NamedTuple

from closure.blocks import Workers, in_blocks
from closure.compiled import NONE
from closure.footprints import NO_LOSS, Footprint, StrictLoss, footprints, strict_baseline
from closure.meetings import meeting_pairs
from closure.pair_sums import PairSums, overlaps, pair_sums
from closure.pairs import Pair, Pairs, ordered
from closure.strict_events import EventDriven
from closure.strict_runs import Run
from closure.sweep import Progress
from topology.pause import collector_paused

PROGRESS_EVERY = 500
"""How many scenarios pass between two reports of progress."""


@dataclass(frozen=True, slots=True)
class StrictSingles:
    """Every failure alone by the strict check.

    `pairs` is the closure that pairs are compared with; `weights` are those of the node groups.
    """

    pairs: Pairs
    weights: Sequence[int]
    checks: EventDriven
    baseline: StrictLoss
    prints: Sequence[Footprint]

    def weight(self, groups: Iterable[int]) -> int:
        """Return what some node groups weigh together."""
        return sum([self.weights[g] for g in groups])

    def apart(self, *failures: Footprint) -> StrictLoss:
        """Return everything that failures lose which do not meet, the baseline included."""
        baseline = self.baseline
        for own in failures:
            if own.spared is not NO_LOSS:
                baseline = baseline.without(own.spared)
        return baseline.also(*[own.loss for own in failures])


class PairOutcome(NamedTuple):
    """A pair that was run. `agrees` with the closure (spec 4); `cascades`: loses what neither loses alone.

    `beyond` is what it loses that neither loses alone by either rule, by weight.
    """

    pair: Pair
    loss: int
    agrees: bool
    cascades: bool
    beyond: int


@dataclass(frozen=True, slots=True)
class StrictPairs:
    """All pairs by the strict check: what they lose, and how many disagree with the closure (spec 4).

    `cascading`: how many lose a domain or a node that neither failure loses alone; `run`: how many may meet.
    `beyond`: what pairs lose, by weight, that neither failure loses alone by either rule, where it is not 0.
    """

    sums: PairSums
    differing: int
    cascading: int
    run: int
    beyond: Mapping[Pair, int]


@collector_paused()
def strict_singles(
    pairs: Pairs, weights: Sequence[int], *, progress: Progress | None = None
) -> StrictSingles:
    """Run every failure alone, and keep what it looks at and changes."""
    checks = pairs.facility.strict_start
    baseline = strict_baseline(checks)
    prints: list[Footprint] = []
    count = len(pairs.facility.domain_ids)
    for found in footprints(checks, baseline):
        prints.append(found)
        report(progress, len(prints), count)
    return StrictSingles(pairs, weights, checks, baseline, prints)


def run_pairs(singles: StrictSingles, block: Iterable[Pair]) -> Iterator[PairOutcome]:
    """Run the check of some pairs: in an order of their own, and each outcome whatever the others are.

    Before anything trips, what is dead does not depend on the order of deaths: the partners of one failure
    all start from where it alone has led.
    """
    lead, start = NONE, None
    for x, y in sorted(_led(singles, pair) for pair in block):
        if y in singles.prints[x].dark:
            # What has no power any more may as well fail.
            both = singles.apart(singles.prints[x])
        else:
            if x != lead or start is None:
                lead, start = x, Run(singles.checks, x)
            both = start.joined_by(y)
        apart = singles.apart(singles.prints[x]), singles.apart(singles.prints[y])
        more = both.without(apart[0]).without(apart[1])
        pair = ordered(x, y)
        cascades = bool(more.groups or more.domains)
        beyond = singles.weight(_beyond(singles, pair, more.groups)) if more.groups else 0
        weight = singles.weight(both.groups)
        yield PairOutcome(pair, weight, agrees(singles.pairs, pair, both), cascades, beyond)


def _beyond(singles: StrictSingles, pair: Pair, groups: Iterable[int]) -> Iterator[int]:
    """Yield those of some node groups that the closure of neither failure alone loses either."""
    by_one = singles.pairs.groups.by_one
    first, second = by_one(pair[0]), by_one(pair[1])
    return (g for g in groups if g not in first and g not in second)


def _led(singles: StrictSingles, pair: Pair) -> Pair:
    """Return a pair with the failure first that has more to follow; or that takes the other's power."""
    first, second = singles.prints[pair[0]], singles.prints[pair[1]]
    if pair[1] in first.dark or (pair[0] not in second.dark and len(first.touched) >= len(second.touched)):
        return pair
    return pair[1], pair[0]


def every_strict_pair(
    singles: StrictSingles, *, progress: Progress | None = None, workers: Workers | None = None
) -> StrictPairs:
    """Run the pairs that could meet, and add up all pairs. Raises TooManyExceptions."""
    meeting = sorted(meeting_pairs(singles.checks, singles.prints), key=partial(_led, singles))
    outcomes: list[PairOutcome] = []
    for block in in_blocks(_run_block, singles, meeting, workers=workers):
        outcomes += block
        report(progress, len(outcomes), len(meeting))
    return strict_pairs(singles, outcomes)


def _run_block(singles: StrictSingles, block: Sequence[Pair]) -> list[PairOutcome]:
    return list(run_pairs(singles, block))


@collector_paused()
def strict_pairs(singles: StrictSingles, outcomes: Iterable[PairOutcome]) -> StrictPairs:
    """Add up all pairs, given the outcome of every one that could meet. Raises TooManyExceptions."""
    run = {outcome.pair: outcome for outcome in outcomes}
    losers: list[list[int]] = [[] for _ in singles.weights]
    for x, found in enumerate(singles.prints):
        for g in found.loss.groups:
            losers[g].append(x)
    alone = [singles.weight(own.loss.groups) - singles.weight(own.spared.groups) for own in singles.prints]
    apart = overlaps(zip(losers, singles.weights, strict=True))
    plain = pair_sums(singles.weight(singles.baseline.groups), alone, apart)
    exact = {**plain.exact, **{pair: outcome.loss for pair, outcome in run.items()}}
    return StrictPairs(
        PairSums(plain.base, alone, exact),
        _differing(singles, run),
        sum(outcome.cascades for outcome in run.values()),
        len(run),
        {pair: outcome.beyond for pair, outcome in run.items() if outcome.beyond},
    )


def agrees(pairs: Pairs, pair: Pair, strict: StrictLoss) -> bool:
    """Return whether the strict check of a pair agrees with its closure (spec 4: agrees)."""
    return (
        pairs.groups.by(pair) == strict.groups
        and pairs.domains.by(pair).symmetric_difference(strict.domains) <= strict.tripped
    )


def _differing(singles: StrictSingles, run: Mapping[Pair, PairOutcome]) -> int:
    """Return how many pairs do not agree.

    A pair that could not meet and loses nothing together differs where one of its failures does, unless
    the other failure happens to lose all that makes the difference: such pairs are looked at one by one.
    """
    pairs = singles.pairs
    differences = {x: found for x in range(len(singles.prints)) if (found := _difference(singles, x))}
    count = pairs.count - comb(len(singles.prints) - len(differences), 2)
    looked_at = pairs.coupled | _masking(singles, differences)
    for pair in looked_at.union(run):
        expected = pair[0] in differences or pair[1] in differences
        if pair in run:
            differs = not run[pair].agrees
        else:
            both = singles.apart(singles.prints[pair[0]], singles.prints[pair[1]])
            differs = not agrees(pairs, pair, both)
        count += differs - expected
    return count


class _Difference(NamedTuple):
    """One thing that a failure alone loses by one of the two rules and not by the other."""

    is_group: bool
    thing: int
    by_strict: bool


def _difference(singles: StrictSingles, x: int) -> _Difference | None:
    """Return something in which the strict check of one failure differs from its closure, if it does."""
    pairs, strict = singles.pairs, singles.apart(singles.prints[x])
    groups = pairs.groups.by_one(x).symmetric_difference(strict.groups)
    if groups:
        thing = min(groups)
        return _Difference(True, thing, thing in strict.groups)
    domains = pairs.domains.by_one(x).symmetric_difference(strict.domains) - strict.tripped
    if domains:
        thing = min(domains)
        return _Difference(False, thing, thing in strict.domains)
    return None


def _masking(singles: StrictSingles, differences: Mapping[int, _Difference]) -> set[Pair]:
    """Return the pairs in which one failure could lose, or spare, what makes the other differ or agree."""
    sensitive: dict[_Difference, list[int]] = {}
    for x, difference in differences.items():
        sensitive.setdefault(difference, []).append(x)
    for x, own in enumerate(singles.prints):
        for difference in _marked(own.spared, True):
            # Lost by the closure of the other, and no longer by the strict check of both.
            sensitive.setdefault(difference, []).append(x)
    found: set[Pair] = set()
    for y, own in enumerate(singles.prints):
        masks = [_Difference(True, g, True) for g in singles.pairs.groups.alone[y]]
        masks += [_Difference(False, d, True) for d in singles.pairs.domains.alone[y]]
        masks += [_Difference(False, d, True) for d in own.loss.tripped]
        for difference in (*masks, *_marked(own.loss, False), *_marked(own.spared, True)):
            found.update([ordered(x, y) for x in sensitive.get(difference, ()) if x != y])
    return found


def _marked(loss: StrictLoss, by_strict: bool) -> Iterator[_Difference]:
    for is_group, things in ((True, loss.groups), (False, loss.domains)):
        for thing in things:
            yield _Difference(is_group, thing, by_strict)


def report(progress: Progress | None, done: int, count: int) -> None:
    """Say how far a long run is, now and then."""
    if progress is not None and (done % PROGRESS_EVERY == 0 or done == count):
        progress(done, count)
