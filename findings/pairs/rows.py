"""Every pair of domain failures as `topo sweep --order 2` reports it: the largest, and what all come to."""

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from closure.blocks import Workers
from closure.compiled import Facility
from closure.pair_basis import basis_of
from closure.pair_sums import PairSums, closure_sums
from closure.pairs import Pair, Pairs, every_pair
from closure.results import Basis
from closure.strict_events import StrictOutcome
from closure.strict_pairs import StrictPairs, StrictSingles, every_strict_pair, strict_singles
from closure.sweep import Progress
from findings.grave import Grave, Graves
from findings.index import EstateIndex
from findings.pairs.weights import PairWeights, pair_weights
from findings.sweep_rows import StrictFigures
from findings.tally import Tallies, Tally
from findings.unproven import unproven
from topology.model import Number

LOSS_SHARES: Final = (0.01, 0.05, 0.1, 0.25, 0.5)
"""Shares [-] of all critical units: how many pairs lose at least so much."""

DEFAULT_TOP: Final = 100
"""How many pairs a list holds."""


Size = tuple[Number, Number, int]
"""Critical units, units, nodes: known parts."""


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a pair loses, by the closure, that neither failure loses alone. None: unknown.

    With `criticality_unknown` the critical units are a lower bound.
    """

    domains: int
    nodes: int
    units: Number | None
    critical_units: Number | None
    criticality_unknown: bool


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two domains that fail together, by id. `strict` is None where the check was not asked for."""

    failed: tuple[str, str]
    kinds: tuple[str, str]
    domains: int
    tally: Tally
    beyond: Beyond
    basis: tuple[Basis, ...]
    strict: StrictFigures | None
    grave: Grave
    unproven: bool

    @property
    def size(self) -> Size:
        """What rows are compared by, by the closure: critical units, units, nodes."""
        return (self.tally.critical_units or 0, self.tally.units or 0, self.tally.nodes)

    @property
    def strict_size(self) -> Size:
        """The same by the strict check; 0 where it was not run."""
        strict = self.strict
        return (0, 0, 0) if strict is None else (strict.critical_units or 0, strict.units or 0, strict.nodes)


@dataclass(frozen=True, slots=True)
class Together:
    """The pair that loses most, by either engine, of what neither failure loses alone by any engine.

    `nodes`, `units`, `critical_units` are that part alone, by the strict check if `by_strict`. None: unknown.
    With `criticality_unknown` the critical units are a lower bound.
    """

    row: PairRow
    by_strict: bool
    nodes: int
    units: Number | None
    critical_units: Number | None
    criticality_unknown: bool


@dataclass(frozen=True, slots=True)
class StrictTotals:
    """All pairs by the strict check, counted (see closure.strict_pairs.StrictPairs)."""

    differing: int
    cascading: int
    run: int


@dataclass(frozen=True, slots=True)
class PairSweep:
    """All pairs of `domains` domains, and the largest by critical units, units, nodes and ids.

    `rows` are those by the closure, `coupled_rows` those by what neither failure loses alone, `strict_rows`
    those by the strict check; `together` is the worst of those that lose more than both apart. `coupled`: how
    many pairs lose a domain or a node that neither failure loses alone. `reaching`: how many lose at least
    each of LOSS_SHARES of all critical units, by the closure; None where those are unknown.
    """

    domains: int
    pairs: int
    coupled: int
    reaching: tuple[int, ...] | None
    rows: tuple[PairRow, ...]
    coupled_rows: tuple[PairRow, ...]
    strict_rows: tuple[PairRow, ...] | None
    strict: StrictTotals | None
    together: Together | None

    @property
    def worst(self) -> PairRow | None:
        """The first pair of both lists, whichever is larger by its own engine; None without pairs."""
        if not self.rows:
            return None
        by_closure = self.rows[0]
        by_strict = self.strict_rows[0] if self.strict_rows else by_closure
        return by_strict if by_strict.strict_size > by_closure.size else by_closure


def pair_sweep(
    facility: Facility,
    *,
    index: EstateIndex | None = None,
    top: int = DEFAULT_TOP,
    strict: bool = True,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> PairSweep:
    """Return what all pairs of domain failures lose.

    Raises TooManyLosingSets or TooManyExceptions where the map is too large, or too tangled, for pairs.
    """
    search = _Search(facility, EstateIndex(facility.estate) if index is None else index, strict=strict)
    sums = closure_sums(search.pairs, search.weights.of_group)
    checked = search.check(progress, workers) if strict else None
    return PairSweep(
        domains=len(facility.domain_ids),
        pairs=search.pairs.count,
        coupled=len(search.pairs.coupled),
        reaching=search.reaching(sums),
        rows=search.rows(sums.top(top, search.ranks)),
        coupled_rows=search.rows(search.coupled(top)),
        strict_rows=None if checked is None else search.rows(checked.sums.top(top, search.ranks)),
        strict=None if checked is None else StrictTotals(checked.differing, checked.cascading, checked.run),
        together=search.together(checked),
    )


class _Search:
    """One facility's pairs, and the rows of those that are reported."""

    def __init__(self, facility: Facility, index: EstateIndex, *, strict: bool) -> None:
        self.facility = facility
        self.index = index
        self.tallies = Tallies(facility, index)
        self._graves = Graves(facility, index)
        self.pairs: Pairs = every_pair(facility)
        self.weights: PairWeights = pair_weights(self.tallies.groups)
        self.ranks = [0] * len(facility.domain_ids)
        for rank, (_, d) in enumerate(sorted((name, d) for d, name in enumerate(facility.domain_ids))):
            self.ranks[d] = rank
        self._checks = facility.strict_start if strict else None
        self._singles: StrictSingles | None = None
        self._rows: dict[Pair, PairRow] = {}
        self._lost_alone: dict[int, frozenset[int]] = {}

    def check(self, progress: Progress | None, workers: Workers | None) -> StrictPairs:
        """Run the strict check of all pairs."""
        self._singles = strict_singles(self.pairs, self.weights.of_group, progress=progress)
        return every_strict_pair(self._singles, progress=progress, workers=workers)

    def reaching(self, sums: PairSums) -> tuple[int, ...] | None:
        """Return how many pairs lose each share of all critical units (methodology: critical share)."""
        critical = self.index.critical_total.value
        if critical is None or self.facility.estate.bare:
            return None
        whole = max(Fraction(1), Fraction(critical))
        return tuple(sums.at_least(self.weights.reaching(Fraction(str(s)) * whole)) for s in LOSS_SHARES)

    def coupled(self, top: int) -> list[Pair]:
        """Return the pairs that lose most nodes' worth of what neither failure loses alone."""
        weights, ranks = self.weights.of_group, self.ranks
        found = (
            (-sum([weights[g] for g in groups]), sorted((ranks[pair[0]], ranks[pair[1]])), pair)
            for pair, groups in self.pairs.groups.together.items()
        )
        return [pair for *_, pair in heapq.nsmallest(top, found)]

    def together(self, checked: StrictPairs | None) -> Together | None:
        """Return the pair that loses most that neither failure loses alone; None: none loses such a node."""
        weigh, ranks = self.weights.of_group, self.ranks
        by_closure = {
            pair: sum([weigh[g] for g in self._new(pair, groups)])
            for pair, groups in self.pairs.groups.together.items()
        }
        by_strict = {} if checked is None else checked.beyond
        found = [
            (-weight, strict, sorted((ranks[pair[0]], ranks[pair[1]])), pair)
            for strict, weighed in ((False, by_closure), (True, by_strict))
            for pair, weight in weighed.items()
            if weight
        ]
        if not found:
            return None
        _, strict, _, pair = min(found)
        groups = self._lost_strictly(pair) if strict else self.pairs.groups.together[pair]
        own = tuple(self._new(pair, groups))
        units, critical_units = self.tallies.units(own)
        unsaid = self.tallies.criticality_unknown(own)
        return Together(self._row(pair), strict, self.tallies.nodes(own), units, critical_units, unsaid)

    def _lost_strictly(self, pair: Pair) -> Collection[int]:
        assert self._checks is not None
        return self._checks.run(pair).groups

    def _new(self, pair: Pair, groups: Iterable[int]) -> Iterator[int]:
        """Yield those of some node groups that neither failure loses alone, by either engine."""
        alone = [self._alone(d) for d in pair]
        return (g for g in sorted(groups) if not any(g in lost for lost in alone))

    def _alone(self, d: int) -> Collection[int]:
        """Return the node groups that one failure loses by the closure or by the strict check."""
        known = self._lost_alone.get(d)
        if known is None:
            known = frozenset(self.pairs.groups.by_one(d))
            if self._singles is not None:
                known |= self._singles.apart(self._singles.prints[d]).groups
            self._lost_alone[d] = known
        return known

    def rows(self, pairs: Iterable[Pair]) -> tuple[PairRow, ...]:
        """Return the rows of some pairs, in their order."""
        return tuple([self._row(pair) for pair in pairs])

    def _row(self, pair: Pair) -> PairRow:
        known = self._rows.get(pair)
        return self._rows.setdefault(pair, self._assess(pair)) if known is None else known

    def _assess(self, pair: Pair) -> PairRow:
        facility = self.facility
        domains, groups = self.pairs.domains.by(pair), self.pairs.groups.by(pair)
        in_order = sorted(groups)
        first, second = sorted(facility.domain_ids[d] for d in pair)
        known = facility.estate.domains
        basis = basis_of(facility, pair, domains, groups)
        checks = self._checks
        outcome = None if checks is None else checks.run(pair, doubts=True)
        lost, lost_groups = ((), ()) if outcome is None else (outcome.domains, outcome.groups)
        return PairRow(
            failed=(first, second),
            kinds=(known[first].kind, known[second].kind),
            domains=len(domains),
            tally=self.tallies.tally(in_order),
            beyond=self._beyond(pair),
            basis=basis,
            strict=None if outcome is None else self._strict(outcome, domains, in_order),
            grave=self._graves.of((in_order, lost_groups)),
            unproven=unproven(
                facility,
                basis,
                (domains, groups),
                ({*domains, *lost}, {*groups, *lost_groups}),
                None if outcome is None else outcome.unsure,
            ),
        )

    def _beyond(self, pair: Pair) -> Beyond:
        groups = self.pairs.groups.together.get(pair, ())
        units, critical = self.tallies.units(groups)
        domains = self.pairs.domains.together.get(pair, ())
        unsaid = self.tallies.criticality_unknown(groups)
        return Beyond(len(domains), self.tallies.nodes(groups), units, critical, unsaid)

    def _strict(
        self, outcome: StrictOutcome, domains: Collection[int], groups: Sequence[int]
    ) -> StrictFigures:
        lost = sorted(outcome.groups)
        agrees = (
            lost == list(groups)
            and set(domains).symmetric_difference(outcome.domains) <= outcome.tripped.keys()
        )
        return StrictFigures(agrees, len(outcome.domains), self.tallies.tally(lost))
