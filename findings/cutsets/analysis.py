"""The cut sets of one target on an estate: ranked, with what they lose and cost, and the strict check."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from closure.blocks import Workers
from closure.cascade import settle
from closure.compiled import Facility, Load
from closure.cut_sets import CutSet, cut_sets
from closure.cut_sets_strict import Progress, StrictGoal, StrictView
from closure.effects import is_lost
from closure.losing_sets import losing_sets
from findings.cutsets.importance import (
    Names,
    TopEvent,
    downs_per_year,
    probability_of,
    set_downs_per_year,
    top_event,
)
from findings.cutsets.rates import Rate, rate_of
from findings.cutsets.targets import Target, find_target
from findings.index import EstateIndex
from findings.tally import Tallies, Tally
from topology.model import Estate

ASSESSED: Final = 200
"""How many cut sets of each size, by rank, are closed for what they lose and checked strictly [sets]."""


@dataclass(frozen=True, slots=True)
class StrictFigures:
    """The strict check of a cut set: whether it takes the target down, and which parts of it already do."""

    down: bool
    fewer: tuple[Names, ...]


@dataclass(frozen=True, slots=True)
class CutRow:
    """One minimal cut set, by ids. What it loses is None beyond the first ASSESSED of its size.

    `blast` is what the closure loses with it, `strict_blast` what the strict check does.

    `probability` [-] and `downs_per_year` [1/year], how often it is completed: None where a rate is unknown.
    """

    domains: Names
    probability: float | None
    downs_per_year: float | None
    blast: Tally | None
    strict: StrictFigures | None
    strict_blast: Tally | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """What a year costs, modelled [USD]: how often the target goes down × what a cut set loses on average.

    `usd` is for the units that stand in the blast, `gang_usd` for whole gangs; `unpriced` cut sets of known
    frequency are missing from both, wholly or in part. None where no set is priced.
    """

    usd: float | None
    gang_usd: float | None
    mean_usd: float | None
    mean_gang_usd: float | None
    unpriced: int


@dataclass(frozen=True, slots=True)
class CutSets:
    """Every minimal cut set of up to `order` domains of a target, ranked: size, probability, ids.

    `strict_only`: the domains whose failure alone takes the target down in the strict check, but not in the
    closure; `strict_down`: it has the target down with nothing failed. `out`: what is lost in the baseline.
    """

    estate: Estate
    load: Load
    order: int
    target: Target
    rows: tuple[CutRow, ...]
    out: tuple[str, ...]
    strict_only: Names
    strict_down: bool
    rates: Mapping[str, Rate]
    top: TopEvent
    downs_per_year: float | None
    expected: Expected

    @property
    def already_down(self) -> bool:
        """Whether the closure has the target down with nothing failed."""
        return any(not row.domains for row in self.rows)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cut sets there are of each size, from 1 to `order`."""
        return tuple(sum(len(row.domains) == size for row in self.rows) for size in range(1, self.order + 1))


def cut_sets_report(
    facility: Facility,
    target: str,
    order: int = 3,
    *,
    index: EstateIndex | None = None,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> CutSets:
    """Return the minimal cut sets of a target with everything that is known about them.

    Raises:
        TargetRefused: the target means nothing here.
        TooManyLosingSets, TooManyCutSets: too many for this order; a smaller one may do.
    """
    index = EstateIndex(facility.estate) if index is None else index
    found = find_target(facility, index, target)
    goal = found.goal
    losing = losing_sets(facility, order, domains=goal.domains, groups=goal.groups)
    cuts = cut_sets(goal, losing, order, workers=workers)
    ids, domains = facility.domain_ids, facility.estate.domains
    rates = {ids[d]: rate_of(domains[ids[d]]) for d in {d for cut in cuts for d in cut}}
    checks = StrictGoal(facility.strict_start, goal)
    rows = _rows(cuts, rates, _Assessment(facility, index, checks))
    # What is down already is down for good: it has no rate of its own.
    top = top_event(
        [row.domains for row in rows if row.domains],
        {name: rate.unavailability for name, rate in rates.items()},
    )
    per_year = downs_per_year(top, {name: rate.downs_per_year for name, rate in rates.items()})
    return CutSets(
        estate=facility.estate,
        load=facility.load,
        order=order,
        target=found,
        rows=rows,
        out=names_of(facility, settle(facility, ()).lost),
        strict_only=_strict_only(facility, checks, cuts, progress, workers),
        strict_down=checks.down(()),
        rates=rates,
        top=top,
        downs_per_year=per_year,
        expected=_expected(rows, per_year),
    )


def _rows(cuts: Collection[CutSet], rates: Mapping[str, Rate], assess: "_Assessment") -> tuple[CutRow, ...]:
    down = {name: rate.unavailability for name, rate in rates.items()}
    downs = {name: rate.downs_per_year for name, rate in rates.items()}
    named = {names_of(assess.facility, cut): cut for cut in cuts}
    rows = []
    places: Counter[int] = Counter()
    for names in sorted(named, key=lambda names: _rank(names, down)):
        places[len(names)] += 1
        assessed = assess(named[names]) if places[len(names)] <= ASSESSED else (None, None, None)
        frequency = set_downs_per_year(names, down, downs)
        rows.append(CutRow(names, probability_of(names, down), frequency, *assessed))
    return tuple(rows)


def names_of(facility: Facility, cut: Iterable[int]) -> Names:
    """Return the ids of some domains, sorted."""
    return tuple(sorted(facility.domain_ids[d] for d in cut))


def _rank(names: Names, down: Mapping[str, float | None]) -> tuple[int, bool, float, Names]:
    probability = probability_of(names, down)
    return (len(names), probability is None, -(probability or 0.0), names)


class _Assessment:
    """What a cut set loses, and what the strict check says about it."""

    def __init__(self, facility: Facility, index: EstateIndex, checks: StrictGoal) -> None:
        self.facility = facility
        self._tallies = Tallies(facility, index)
        self._checks = checks

    def __call__(self, cut: CutSet) -> tuple[Tally, StrictFigures, Tally]:
        figures = self._named(self._checks.view(cut))
        strict = self.facility.strict_start.run(cut, flows=False)
        tally = self._tallies.tally
        return tally(lost_groups(self.facility, cut)), figures, tally(sorted(strict.groups))

    def _named(self, view: StrictView) -> StrictFigures:
        return StrictFigures(view.down, tuple(sorted(names_of(self.facility, part) for part in view.fewer)))


def lost_groups(facility: Facility, failed: Collection[int]) -> list[int]:
    """Return the node groups that the closure of some domains' failure loses, ascending."""
    lost = settle(facility, failed).lost
    touched = {g for d in lost for g in facility.groups_on[d]}
    return sorted(g for g in touched if is_lost(facility.groups[g], lost))


def _strict_only(
    facility: Facility,
    checks: StrictGoal,
    cuts: Collection[CutSet],
    progress: Progress | None,
    workers: Workers | None,
) -> Names:
    if () in cuts:
        return ()
    every = range(len(facility.domain_ids))
    return names_of(facility, checks.only(every, set(cuts), progress=progress, workers=workers))


def _expected(rows: Sequence[CutRow], per_year: float | None) -> Expected:
    known = [(row, often) for row in rows if (often := row.downs_per_year) is not None and row.domains]
    unpriced = sum(row.blast is None or row.blast.usd is None or row.blast.unknown > 0 for row, _ in known)
    mean_usd = _mean([(often, None if row.blast is None else row.blast.usd) for row, often in known])
    mean_gang = _mean([(often, None if row.blast is None else row.blast.gang_usd) for row, often in known])
    return Expected(
        usd=_product(per_year, mean_usd),
        gang_usd=_product(per_year, mean_gang),
        mean_usd=mean_usd,
        mean_gang_usd=mean_gang,
        unpriced=unpriced,
    )


def _mean(weighted: Sequence[tuple[float, float | None]]) -> float | None:
    """Return the known part of the mean, weighted by frequency; None where nothing is known or happens."""
    whole = math.fsum(often for often, _ in weighted)
    terms = [often * value for often, value in weighted if value is not None]
    return math.fsum(terms) / whole if terms and whole else None


def _product(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first * second
