"""Every pair of failures: `python -m benchmarks.pairs --nodes 10000`.

Ours answers all pairs, top 100 and counts included; the alternatives close one pair at a time, so they answer
an even sample and their time is scaled up. Checked in the same run: lost domains, lost nodes, units and
critical units of every sampled pair are equal, and so are the nodes that the strict check loses.
"""

import argparse
import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks import rivals
from benchmarks.generate import generate
from benchmarks.measure import cpu_seconds, peak_mb, progress, seconds, table, whole
from benchmarks.rivals import Dependents, Outcome, Problem
from closure.compiled import Facility, compile_facility
from closure.pair_sums import PairSums, closure_sums
from closure.pairs import Pair, Pairs, every_pair, ordered
from closure.strict_events import EventDriven
from closure.strict_pairs import StrictPairs, every_strict_pair, strict_singles
from topology.model import Estate

TOP = 100
SAMPLE = 2000
THRESHOLD_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Row:
    """One method: its seconds for all pairs, how many it answered to tell, and memory [MB]."""

    method: str
    seconds: float
    answered: int
    peak_mb: float | None


class Different(Exception):
    """Another answer than ours."""


def compare(nodes: int, *, sample: int = SAMPLE, strict: bool = True, memory: bool = True) -> list[Row]:
    """Measure ours, then one pair at a time. Raises `Different` where answers differ."""
    estate = generate(nodes)
    gc.collect()
    gc.freeze()
    facility = compile_facility(estate)
    progress("closure of all pairs")
    spent, (pairs, _) = cpu_seconds(partial(_closures, facility))
    peak = peak_mb(partial(_compiled, nodes), _closures) if memory else None
    rows = [Row("topo, closure", spent, pairs.count, peak)]
    chosen = list(_sample(pairs.count, len(facility.domain_ids), sample))
    for name, library in (("lists", _with_lists), ("networkx", rivals.with_networkx)):
        progress(name)
        rows.append(_one_at_a_time(name, library, estate, pairs, chosen))
    if strict:
        rows += _strict(facility, pairs, chosen)
    return rows


def _compiled(nodes: int) -> Facility:
    return compile_facility(generate(nodes))


def _closures(facility: Facility) -> tuple[Pairs, PairSums]:
    """Answer all pairs by the closure: the largest, and how many are large."""
    pairs = every_pair(facility)
    weights = [len(group.nodes) for group in facility.groups]
    sums = closure_sums(pairs, weights)
    sums.top(TOP, range(len(facility.domain_ids)))
    sums.at_least(int(THRESHOLD_SHARE * sum(weights)))
    return pairs, sums


def _sample(pairs: int, domains: int, size: int) -> Iterator[Pair]:
    """Yield about `size` pairs, evenly over all of them."""
    step = max(1, pairs // size)
    for number in range(0, domains * domains, 2 * step + 1):
        first, second = divmod(number, domains)
        if first != second:
            yield ordered(first, second)


def _with_lists(problem: Problem) -> tuple[list[list[int]], Dependents]:
    """Return dependents in plain lists: the fastest that a loop over pairs can be fed."""
    below: list[list[int]] = [[] for _ in problem.vertices]
    for upstream, dependent in problem.edges():
        below[upstream].append(dependent)
    return below, below.__getitem__


def _one_at_a_time(
    name: str,
    library: Callable[[Problem], tuple[object, Dependents]],
    estate: Estate,
    pairs: Pairs,
    chosen: Sequence[Pair],
) -> Row:
    """Close the sampled pairs with a worklist, nodes that say the same as one vertex."""
    prepare_s, (problem, dependents) = cpu_seconds(partial(_stated, library, estate))
    number = {domain_id: index for index, domain_id in enumerate(problem.ids)}
    ids = pairs.facility.domain_ids
    asked = [(number[ids[x]], number[ids[y]]) for x, y in chosen]
    solve_s, found = cpu_seconds(partial(_walk, problem, dependents, asked))
    if found != [_outcome(pairs, pair, problem) for pair in chosen]:
        raise Different(name)
    return Row(
        f"{name}, a worklist per pair", prepare_s + solve_s * pairs.count / len(chosen), len(chosen), None
    )


def _stated(
    library: Callable[[Problem], tuple[object, Dependents]], estate: Estate
) -> tuple[Problem, Dependents]:
    problem = rivals.state(estate, grouped=True)
    return problem, library(problem)[1]


def _walk(problem: Problem, dependents: Dependents, asked: Sequence[Pair]) -> list[Outcome]:
    return [problem.outcome(problem.lost(pair, dependents)) for pair in asked]


def _outcome(pairs: Pairs, pair: Pair, problem: Problem) -> Outcome:
    """Return ours in the rival's figures: it numbers groups in the order of appearance, as we do."""
    groups = pairs.groups.by(pair)
    return (
        len(pairs.domains.by(pair)),
        sum(len(problem.members[g]) for g in groups),
        sum(problem.units[g] for g in groups),
        sum(problem.critical[g] for g in groups),
    )


def _strict(facility: Facility, pairs: Pairs, chosen: Sequence[Pair]) -> Iterator[Row]:
    """Measure the strict check of all pairs, and of the sampled ones one at a time."""
    progress("strict check of all pairs")
    weights = [len(group.nodes) for group in facility.groups]
    spent, found = cpu_seconds(partial(_strict_pairs, pairs, weights))
    yield Row(f"topo, strict check ({found.run:,} pairs simulated)", spent, pairs.count, None)
    checks = EventDriven(facility)
    spent, losses = cpu_seconds(partial(_simulate, checks, weights, chosen))
    if losses != [found.sums.loss(pair) for pair in chosen]:
        raise Different("strict check of each pair")
    yield Row("strict check, every pair simulated", spent * pairs.count / len(chosen), len(chosen), None)


def _strict_pairs(pairs: Pairs, weights: Sequence[int]) -> StrictPairs:
    return every_strict_pair(strict_singles(pairs, weights))


def _simulate(checks: EventDriven, weights: Sequence[int], chosen: Sequence[Pair]) -> list[int]:
    return [sum(weights[g] for g in checks.run(pair).groups) for pair in chosen]


def report(rows: list[Row]) -> str:
    """Return the table: × is against our closure."""
    header = ["method", "pairs answered", "all pairs s", "× topo", "peak MB"]
    return table(
        header,
        [
            [
                row.method,
                whole(row.answered),
                seconds(row.seconds),
                f"{row.seconds / rows[0].seconds:,.1f}",
                whole(row.peak_mb),
            ]
            for row in rows
        ],
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--sample", type=int, default=SAMPLE, help="pairs that are answered one at a time")
    parser.add_argument("--no-strict", action="store_true", help="closures alone")
    args = parser.parse_args()
    print(report(compare(args.nodes, sample=args.sample, strict=not args.no_strict)))


if __name__ == "__main__":
    main()
