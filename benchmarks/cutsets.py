"""Minimal cut sets of every gang: `python -m benchmarks.cutsets --nodes 100000`.

Beside it every set of domains tried, on a small estate: the same cut sets, by closing each. CPU seconds.
"""

import argparse
import gc
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from benchmarks.generate import generate
from benchmarks.measure import cpu_seconds, progress, seconds, table, whole
from closure.cascade import settle
from closure.compiled import Facility, compile_facility
from closure.cut_sets import CutSet, Goal, cut_sets, cut_sets_of
from closure.effects import is_lost
from closure.losing_sets import losing_sets
from findings.cutsets.targets import find_target, workload_target
from findings.index import EstateIndex, stalls_whole

AMOUNTS = ("units:50%", "units:25%")
SMALL = 60
"""Nodes of the estate on which every set is tried."""


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work: its time [s] and how many sets came of it; `equal`: whether brute force agrees."""

    method: str
    targets: int
    spent_s: float
    sets: int
    equal: bool | None = None


class Different(Exception):
    """Brute force found other cut sets."""


def compare(nodes: int, *, order: int = 3, repeat: int = 1) -> list[Row]:
    """Measure losing sets, the cut sets of all gangs, and of amounts. Raises `Different`."""
    facility = compile_facility(generate(nodes))
    gc.collect()
    gc.freeze()
    progress("losing sets")
    spent_s, losing = cpu_seconds(partial(losing_sets, facility, order), repeat)
    made = sum(len(sets) for things in (losing.domains, losing.groups) for sets in things.values())
    rows = [Row("losing sets of everything", 0, spent_s, made)]
    goals = gang_goals(facility)
    progress("gangs")
    spent_s, found = cpu_seconds(lambda: list(cut_sets_of(goals, losing, order)), repeat)
    rows.append(Row("cut sets of every gang", len(goals), spent_s, sum(map(len, found))))
    progress("one gang")
    spent_s, sets = cpu_seconds(partial(_one_gang, facility, goals[0], order), repeat)
    rows.append(Row("cut sets of one gang, losing sets included", 1, spent_s, len(sets)))
    index = EstateIndex(facility.estate)
    for amount in AMOUNTS:
        progress(amount)
        goal = find_target(facility, index, amount).goal
        spent_s, sets = cpu_seconds(partial(cut_sets, goal, losing, order), repeat)
        rows.append(Row(f"cut sets of {amount}", 1, spent_s, len(sets)))
    return [*rows, *against_every_set(min(nodes, SMALL), order)]


def _one_gang(facility: Facility, goal: Goal, order: int) -> Sequence[CutSet]:
    losing = losing_sets(facility, order, domains=goal.domains, groups=goal.groups)
    return cut_sets(goal, losing, order)


def gang_goals(facility: Facility) -> list[Goal]:
    """Return the goal of every job that stops whole."""
    jobs = [job for job in facility.estate.workloads if stalls_whole(job) and any(job.placements.values())]
    return [workload_target(facility, job).goal for job in jobs]


def against_every_set(nodes: int, order: int) -> list[Row]:
    """Return the same on a small estate, and by trying every set for its first gang. Raises `Different`."""
    facility = compile_facility(generate(nodes))
    goal = gang_goals(facility)[0]
    progress(f"every set of up to {order} of {len(facility.domain_ids)} domains")
    spent_s, ours = cpu_seconds(lambda: cut_sets(goal, losing_sets(facility, order), order))
    tried_s, tried = cpu_seconds(partial(try_every_set, facility, goal, order))
    if list(ours) != tried:
        raise Different(nodes)
    name = f"one gang, {len(facility.domain_ids)} domains"
    return [
        Row(f"{name}: topo", 1, spent_s, len(ours), equal=True),
        Row(f"{name}: every set closed", 1, tried_s, len(tried), equal=True),
    ]


def try_every_set(facility: Facility, goal: Goal, order: int) -> list[CutSet]:
    """Return the minimal cut sets by closing every set of domains that contains none of them."""
    found: list[CutSet] = []
    parts: set[CutSet] = set()
    for size in range(order + 1):
        larger = (
            cut
            for cut in combinations(range(len(facility.domain_ids)), size)
            if not any(part in parts for smaller in range(size) for part in combinations(cut, smaller))
        )
        found += [cut for cut in larger if goal.reached(*_lost(facility, cut))]
        parts.update(found)
    return found


def _lost(facility: Facility, cut: CutSet) -> tuple[Collection[int], Collection[int]]:
    lost = settle(facility, cut).lost
    touched = {g for d in lost for g in facility.groups_on[d]}
    return lost, {g for g in touched if is_lost(facility.groups[g], lost)}


def report(rows: Sequence[Row]) -> str:
    """Return the table."""
    return table(
        ["work", "targets", "CPU s", "sets", "equal"],
        [
            [
                row.method,
                whole(row.targets or None),
                seconds(row.spent_s),
                whole(row.sets),
                "" if row.equal is None else "yes",
            ]
            for row in rows
        ],
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure the minimal cut sets of every gang.")
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--order", type=int, default=3, choices=(1, 2, 3))
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    print(report(compare(args.nodes, order=args.order, repeat=args.repeat)))


if __name__ == "__main__":
    main()
