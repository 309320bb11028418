"""Every single-domain failure: `python -m benchmarks.sweep --nodes 100000`.

Ours against general graph libraries in one run, on the same estate, checked for equal results: lost domains,
lost nodes, units and critical units of every failure. CPU seconds; memory is what a run adds to the estate.
"""

import argparse
import gc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks import rivals
from benchmarks.generate import generate
from benchmarks.measure import cpu_seconds, peak_mb, progress, seconds, table, whole
from benchmarks.rivals import Dependents, Outcome, Problem
from closure.compiled import Facility, compile_facility
from closure.sweep import sweep
from topology.model import Estate

Answers = dict[str, Outcome]
"""What is lost, by failed domain."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A library, and whether nodes that say the same are one vertex of its graph."""

    name: str
    library: Callable[[Problem], tuple[Any, Dependents]]
    grouped: bool = False


RIVALS = (
    Rival("networkx worklist", rivals.with_networkx),
    Rival("rustworkx worklist", rivals.with_rustworkx),
    Rival("igraph worklist", rivals.with_igraph),
    Rival("igraph worklist, grouped nodes", rivals.with_igraph, grouped=True),
)
SAMPLE = 50_000
"""Beyond this many failures the rivals answer an even sample of them, and their time is scaled up."""
MEMORY_FAILURES = 1000
"""How many failures a rival solves where only its memory is wanted: its answers are small."""


@dataclass(frozen=True, slots=True)
class Row:
    """One method: preparing and solving [s], memory [MB], and whether its answers equal ours.

    `equal` is None for reachability, which knows no rules.
    """

    method: str
    prepare_s: float
    solve_s: float
    peak_mb: float | None
    equal: bool | None


class Different(Exception):
    """A rival's answer that is not ours."""


def compare(
    nodes: int,
    against: Sequence[Rival] = RIVALS,
    *,
    chain: bool = False,
    repeat: int = 1,
    sample: int = SAMPLE,
    memory: bool = True,
) -> list[Row]:
    """Measure ours, then every rival that is installed. Raises `Different` where answers differ."""
    estate = generate(nodes, chain=chain)
    gc.collect()
    gc.freeze()
    made = partial(generate, nodes, chain=chain) if memory else None
    rows, answers = _ours(estate, repeat, made)
    for rival in against:
        progress(rival.name)
        try:
            rival.library(rivals.state(generate(1)))  # imports what it needs
            rows += _measure(rival, estate, answers, _Effort(repeat, sample, made))
        except ImportError:
            progress(f"{rival.name}: not installed")
    return rows


def _ours(estate: Estate, repeat: int, made: Callable[[], Estate] | None) -> tuple[list[Row], Answers]:
    """Measure the closure alone, and with the strict check of every failure beside it."""
    rows = []
    answers: Answers = {}
    prepare_s, facility = cpu_seconds(partial(compile_facility, estate), repeat)
    for method, strict in (("topo", False), ("topo, with strict check", True)):
        progress(method)
        # A facility keeps what it derives: time a fresh one, derivations included.
        solve_s = min(
            cpu_seconds(partial(solve, compile_facility(estate), strict=strict))[0] for _ in range(repeat)
        )
        peak = None if made is None else peak_mb(made, partial(_prepare_and_solve, strict=strict))
        rows.append(Row(method, prepare_s, solve_s, peak, equal=True))
    answers = solve(facility, strict=False)
    return rows, answers


def _prepare_and_solve(estate: Estate, *, strict: bool) -> None:
    solve(compile_facility(estate), strict=strict)


def solve(facility: Facility, *, strict: bool) -> Answers:
    """Return what every single failure loses, by our sweep."""
    allocated = [node.allocated or 0 for node in facility.estate.nodes]
    members = [group.nodes for group in facility.groups]
    group_of, index_of = facility.node_group, facility.node_index
    at_risk = [0.0] * len(members)
    for workload in facility.estate.workloads:
        if workload.critical:
            for node_id, units in workload.placements.items():
                at_risk[group_of[index_of[node_id]]] += units
    count_of = list(map(len, members)).__getitem__
    units_of = [sum(map(allocated.__getitem__, nodes)) for nodes in members].__getitem__
    risk_of = at_risk.__getitem__
    ids = facility.domain_ids
    return {
        ids[failed]: (
            len(domains),
            sum(map(count_of, lost)),
            sum(map(units_of, lost)),
            sum(map(risk_of, lost)),
        )
        if lost
        else (len(domains), 0, 0, 0)
        for failed, domains, lost, _, _ in sweep(facility, strict=strict)
    }


@dataclass(frozen=True, slots=True)
class _Effort:
    """How often to run, how many failures at most, and how to make the estate anew (None: no memory)."""

    repeat: int
    sample: int
    made: Callable[[], Estate] | None


def _measure(rival: Rival, estate: Estate, answers: Answers, effort: _Effort) -> list[Row]:
    """Measure a rival; for networkx also plain reachability, which knows no feeds and no ratings."""
    repeat, made = effort.repeat, effort.made
    stated_s, problem = cpu_seconds(partial(rivals.state, estate, grouped=rival.grouped), repeat)
    built_s, (graph, dependents) = cpu_seconds(partial(rival.library, problem), repeat)
    step = -(-problem.domains // effort.sample)
    failures = range(0, problem.domains, step)
    solve_s, found = cpu_seconds(partial(_walk, problem, dependents, failures), repeat)
    if any(answers[domain_id] != outcome for domain_id, outcome in found.items()):
        raise Different(rival.name)
    peak = None if made is None else peak_mb(made, partial(_remember, rival))
    rows = [Row(rival.name, stated_s + built_s, solve_s * step, peak, equal=True)]
    if rival.library is rivals.with_networkx:
        progress("networkx descendants")
        solve_s = cpu_seconds(partial(_descendants, graph, failures), repeat)[0]
        rows.append(Row("networkx descendants", built_s, solve_s * step, peak, equal=None))
    return rows


def _remember(rival: Rival, estate: Estate) -> None:
    problem = rivals.state(estate, grouped=rival.grouped)
    _, dependents = rival.library(problem)
    _walk(problem, dependents, range(min(MEMORY_FAILURES, problem.domains)))


def _walk(problem: Problem, dependents: Dependents, failures: Iterable[int]) -> Answers:
    return {
        problem.ids[failure]: problem.outcome(problem.lost([failure], dependents)) for failure in failures
    }


def _descendants(graph: Any, failures: Iterable[int]) -> int:
    import networkx

    return sum(len(networkx.descendants(graph, failure)) for failure in failures)


def report(rows: list[Row]) -> str:
    """Return the table: × is preparing and solving against ours."""
    ours = rows[0].prepare_s + rows[0].solve_s
    header = ["method", "prepare s", "solve s", "× topo", "peak MB", "equal"]
    equal = {True: "yes", None: "no: ignores feeds"}
    return table(
        header,
        [
            [
                row.method,
                seconds(row.prepare_s),
                seconds(row.solve_s),
                f"{(row.prepare_s + row.solve_s) / ours:.1f}",
                whole(row.peak_mb),
                equal[row.equal],
            ]
            for row in rows
        ],
    )


def main() -> None:
    """Print the table."""
    names = [rival.name for rival in RIVALS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--chain", action="store_true", help="single parents instead of redundant feeds")
    parser.add_argument("--repeat", type=int, default=3, help="runs, the best of which counts")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="failures that the others answer")
    parser.add_argument("--against", choices=names, action="append", help="only this rival (may be repeated)")
    args = parser.parse_args()
    chosen = [rival for rival in RIVALS if not args.against or rival.name in args.against]
    print(report(compare(args.nodes, chosen, chain=args.chain, repeat=args.repeat, sample=args.sample)))


if __name__ == "__main__":
    main()
