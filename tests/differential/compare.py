"""One estate through both engines: every single failure, some pairs, and what they disagree on.

The naive engine is tests/naive_engine.py and tests/naive_strict.py: dicts, sets and repetition, written
from the words of the specification alone. Compared are the closure, the sweep, the strict check, its
event-driven form, and the minimal losing sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from closure.cascade import close
from closure.compiled import Load, compile_facility
from closure.losing_sets import losing_sets
from closure.results import Closure
from closure.strict import strict_check
from closure.strict_events import EventDriven
from closure.sweep import Row, sweep
from tests import naive_engine, naive_strict
from tests.generator import Choices, Size, estate_from
from topology.model import Estate

PAIRS = 20
"""How many random pairs fail in each estate, beside every single thing."""
ORDER = 2
"""Up to how many failures the losing sets hold: as many as fail together here."""
CLOSE_KW = 1e-9
"""How far two flows [kW] may differ, relative and absolute: the engines add in different orders."""

SIZES = (
    Size(9, 6, 0, rated=4, kw_known=True),
    Size(9, 6, 0),
    Size(14, 8, 0, rated=4, kw_known=True),
    Size(14, 8, 0),
)
"""Small and dense; every other one is rated and measured throughout, where the electrical rules bite."""

Failed = tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """What was compared, and every disagreement."""

    estates: int = 0
    scenarios: int = 0
    demotions: int = 0
    trips: int = 0
    disagreements: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.estates += other.estates
        self.scenarios += other.scenarios
        self.demotions += other.demotions
        self.trips += other.trips
        self.disagreements += other.disagreements


def compare_seed(seed: int) -> Tally:
    """Compare both engines on the estate of a seed."""
    dice = Random(seed)
    estate = estate_from(Choices(dice.randrange), SIZES[seed % len(SIZES)])
    tally = Tally(estates=1)
    comparison = Comparison(estate, "installed" if seed % 5 == 4 else "allocated", tally)
    for complaint in comparison.run(dice):
        tally.disagreements.append(f"seed {seed}: {complaint}")
    return tally


def pairs_of(estate: Estate, dice: Random) -> list[Failed]:
    """Distinct pairs of domains and nodes; all of them where there are few."""
    names = [*estate.domains, *(node.id for node in estate.nodes)]
    everything: list[Failed] = list(combinations(names, 2))
    return everything if len(everything) <= PAIRS else dice.sample(everything, PAIRS)


class Comparison:
    """One estate under one kind of load."""

    def __init__(self, estate: Estate, load: Load, tally: Tally) -> None:
        self.estate = estate
        self.load = load
        self.tally = tally
        self.facility = compile_facility(estate, load)
        self.checks = EventDriven(self.facility)
        self.rows = {self.facility.domain_ids[row.failed]: row for row in sweep(self.facility)}
        self.losing = losing_sets(self.facility, ORDER)
        self.baseline = naive_engine.close(estate, (), load)

    def run(self, dice: Random) -> Iterator[str]:
        """Yield every disagreement."""
        yield from self._loads()
        if list(self.rows) != list(self.facility.domain_ids):
            yield "the sweep has other rows than there are domains"
        singles = [(name,) for name in (*self.estate.domains, *(node.id for node in self.estate.nodes))]
        for failed in ((), *singles, *pairs_of(self.estate, dice)):
            self.tally.scenarios += 1
            for what, ours, theirs in self._scenario(failed):
                if not equal(ours, theirs):
                    yield f"--fail {' '.join(failed)} ({self.load}): {what} {ours!r}, naively {theirs!r}"

    def _loads(self) -> Iterator[str]:
        for name in self.estate.domains:
            ours = self.facility.load_kw(name)
            theirs = naive_engine.load_kw(self.estate, name, self.load)
            if not equal(ours, theirs):
                yield f"load of {name} ({self.load}) {ours!r}, naively {theirs!r}"

    def _scenario(self, failed: Failed) -> Iterator[tuple[str, object, object]]:
        closure = close(self.facility, failed)
        naive = naive_engine.close(self.estate, failed, self.load)
        strict = naive_strict.strict(self.estate, failed, self.load)
        self.tally.demotions += sum(cause == "demoted" for cause in naive.causes.values())
        self.tally.trips += len(strict.tripped)
        yield from self._closure(closure, naive)
        yield from self._strict(failed, closure, naive, strict)
        if len(failed) == 1 and failed[0] in self.rows:
            yield from self._row(self.rows[failed[0]], closure, naive, strict)
        if all(name in self.estate.domains for name in failed):
            yield from self._events(failed, strict)
            yield from self._losing(failed, naive)

    def _closure(
        self, closure: Closure, naive: naive_engine.NaiveClosure
    ) -> Iterator[tuple[str, object, object]]:
        degraded = {kind: {d.id for d in closure.degraded if d.type == kind} for kind in ("domain", "node")}
        unverified = {one.id: set(one.unrated_feeds) for one in closure.electrically_unverified}
        yield "lost domains and causes", {d.id: d.cause for d in closure.domains}, naive.causes
        yield "lost nodes", {node.id for node in closure.nodes}, naive.nodes
        yield "degraded domains", degraded["domain"], naive.degraded_domains
        yield "degraded nodes", degraded["node"], naive.degraded_nodes
        yield "electrically unverified", unverified, naive.unverified
        yield "baseline domains", set(closure.baseline_domains), self.baseline.domains
        yield "baseline nodes", set(closure.baseline_nodes), self.baseline.nodes

    def _strict(
        self,
        failed: Failed,
        closure: Closure,
        naive: naive_engine.NaiveClosure,
        expected: naive_strict.NaiveStrict,
    ) -> Iterator[tuple[str, object, object]]:
        check = strict_check(self.facility, failed, closure)
        trips, left = check.tripped, check.survivors
        yield "strict domains", set(check.domains), expected.domains
        yield "strict nodes", set(check.nodes), expected.nodes
        yield "rounds of trips", {t.id: t.round for t in trips}, _part(expected.tripped, 0)
        yield "flows that trip", {t.id: t.after_kw for t in trips}, _part(expected.tripped, 1)
        yield "flows of survivors", {s.id: s.after_kw for s in left}, _part(expected.survivors, 0)
        yield "peaks of survivors", {s.id: s.peak_kw for s in left}, _part(expected.survivors, 1)
        yield "rounds", check.rounds, expected.rounds
        yield "agreement", check.agrees, naive_strict.agrees(naive, expected)

    def _row(
        self,
        row: Row,
        closure: Closure,
        naive: naive_engine.NaiveClosure,
        expected: naive_strict.NaiveStrict,
    ) -> Iterator[tuple[str, object, object]]:
        yield "domains of the sweep", self._ids(row.domains), naive.domains
        yield "nodes of the sweep", self._nodes(row.groups), naive.nodes
        yield "basis of the sweep", row.basis, closure.basis
        if row.strict is None:
            yield "strict part of the sweep", None, "there"
            return
        yield "strict domains of the sweep", self._ids(row.strict.domains), expected.domains
        yield "strict nodes of the sweep", self._nodes(row.strict.groups), expected.nodes
        yield "trips of the sweep", self._ids(row.strict.tripped), set(expected.tripped)
        yield "agreement of the sweep", row.strict.agrees, naive_strict.agrees(naive, expected)

    def _events(
        self, failed: Failed, expected: naive_strict.NaiveStrict
    ) -> Iterator[tuple[str, object, object]]:
        ids = self.facility.domain_ids
        outcome = self.checks.run([self.facility.domain_index[name] for name in failed])
        yield "event-driven domains", self._ids(outcome.domains), expected.domains
        yield "event-driven nodes", self._nodes(outcome.groups), expected.nodes
        yield (
            "event-driven trips",
            {ids[d]: n for d, n in outcome.tripped.items()},
            _part(expected.tripped, 0),
        )
        last = expected.flows[-1]
        touched = {ids[d]: kw for d, kw in outcome.flow_kw.items() if ids[d] in last}
        yield "event-driven flows", touched, {name: last[name] for name in touched}

    def _losing(
        self, failed: Failed, naive: naive_engine.NaiveClosure
    ) -> Iterator[tuple[str, object, object]]:
        """A thing is lost exactly where one of its losing sets fails."""
        indices = {self.facility.domain_index[name] for name in failed}
        domains, groups = (
            [number for number, sets in families.items() if any(indices.issuperset(one) for one in sets)]
            for families in (self.losing.domains, self.losing.groups)
        )
        yield "domains by losing sets", self._ids(domains), naive.domains
        yield "nodes by losing sets", self._nodes(groups), naive.nodes

    def _ids(self, domains: Iterable[int]) -> set[str]:
        return {self.facility.domain_ids[d] for d in domains}

    def _nodes(self, groups: Iterable[int]) -> set[str]:
        return {self.facility.node_ids[node] for g in groups for node in self.facility.groups[g].nodes}


def _part(pairs: Mapping[str, tuple[float, ...]], which: int) -> dict[str, float]:
    return {name: pair[which] for name, pair in pairs.items()}


def equal(ours: object, theirs: object) -> bool:
    """Return whether two answers are equal, with a tolerance for flows."""
    if ours == theirs:
        return True
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(equal(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, float) or isinstance(theirs, float):
        if not isinstance(ours, float | int) or not isinstance(theirs, float | int):
            return False
        return math.isclose(ours, theirs, rel_tol=CLOSE_KW, abs_tol=CLOSE_KW)
    return False
