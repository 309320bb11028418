"""Mutation testing: does a test fail when one small thing in closure/ or findings/ is changed?

    python3 dev.py mutate [--sample N] [--seed S] [--budget T] [--list] [PATH ...]

Each mutant runs in a forked process with the tests that run its line, the quickest first, until one fails.
Nothing is written into the tree. The outcomes are kept below .cache/mutation/, in a report for each choice of
paths, so that runs side by side do not meet. PATH: files or folders; default: both packages.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tests.mutation import coverage_map, equivalent, runner
from tests.mutation.operators import Mutant, described, mutants

ALLOWANCE = 5
"""How many times [-] its tests' own processor time a mutant may take, beside START_SECONDS."""

START_SECONDS = 20.0
"""For importing the product and its tests, and for the answers on record, which take half of it."""

UNCHANGED_RUNS = 1
"""How many modules are tried first without any change: their tests must pass."""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="dev.py mutate", description=(__doc__ or "").splitlines()[0])
    made.add_argument("paths", metavar="PATH", nargs="*", default=list(coverage_map.PACKAGES))
    made.add_argument(
        "--sample", metavar="N", type=int, help="this many mutants, drawn at random; default: all"
    )
    made.add_argument("--seed", metavar="S", type=int, default=1, help="of the draw (default: 1)")
    made.add_argument(
        "--budget", metavar="T", type=float, default=20, help="processor seconds of tests for a mutant (20)"
    )
    made.add_argument("--list", action="store_true", help="only list the mutants")
    return made


def chosen(paths: Sequence[str], sample: int | None, seed: int) -> tuple[list[Mutant], int]:
    """Return the mutants to run, and how many there are in all.

    A sample keeps the order of its draw: what an interrupted run has seen is a sample too.
    """
    files: set[Path] = set()
    for path in paths:
        whole = coverage_map.ROOT / path
        files |= set(whole.rglob("*.py")) if whole.is_dir() else {whole}
    found = [
        mutant
        for file in sorted(files)
        for mutant in mutants(
            file.relative_to(coverage_map.ROOT).as_posix(), file.read_text(encoding="utf-8")
        )
    ]
    if sample is None or sample >= len(found):
        return found, len(found)
    drawn = random.Random(seed).sample(range(len(found)), sample)
    return [found[number] for number in drawn], len(found)


def that_run(mutant: Mutant, coverage: coverage_map.Coverage) -> list[str]:
    """Return the tests that run a mutant's lines; for what runs on import alone, those of the module."""
    lines = range(mutant.line, mutant.last_line + 1)
    return coverage.tests_of(mutant.path, lines) or coverage.tests_of_module(mutant.path)


def judge(mutant: Mutant, coverage: coverage_map.Coverage, budget: float) -> str:
    """Return what became of a mutant that meets the quickest tests that fit into the budget [s].

    On a line that no test runs it meets the answers on record alone.
    """
    tests: list[str] = []
    seconds = 0.0
    for test in that_run(mutant, coverage):
        seconds += coverage.seconds[test]
        if tests and seconds > budget:
            break
        tests.append(test)
    outcome = runner.run(mutant, tests, START_SECONDS + ALLOWANCE * seconds)
    return "no-tests" if outcome == "survived" and not tests else outcome


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def judge_all(
    selected: Sequence[Mutant], sources: Mapping[str, str], coverage: coverage_map.Coverage, budget: float
) -> Iterator[tuple[Mutant, str]]:
    """Yield every mutant with its outcome; those on record as equivalent are not run.

    Raises:
        RuntimeError: the tests fail without any change, so that no outcome would mean anything.
    """
    runner.preload()
    known = equivalent.on_record()
    for package in coverage_map.PACKAGES:
        here = [mutant for mutant in selected if mutant.path.startswith(f"{package}/")]
        if not here:
            continue
        for path in {mutant.path: None for mutant in here[:UNCHANGED_RUNS]}:
            nothing = replace(here[0], path=path, index=runner.UNCHANGED, line=0, last_line=0)
            if judge(nothing, coverage, budget) not in ("survived", "no-tests"):
                raise RuntimeError(f"the tests of {path} fail without a mutant")
        for mutant in here:
            same = equivalent.key_of(mutant, sources[mutant.path]) in known
            yield mutant, "equivalent" if same else judge(mutant, coverage, budget)


def report_of(paths: Sequence[str]) -> Path:
    """Return where the outcomes of a run go."""
    name = "-".join(path.strip("/").removesuffix(".py").replace("/", ".") for path in paths)
    return coverage_map.FOLDER / f"report-{name[:100]}.jsonl"


def main(arguments: Sequence[str]) -> int:
    args = parser().parse_args(arguments)
    selected, total = chosen(args.paths, args.sample, args.seed)
    sources = {mutant.path: (coverage_map.ROOT / mutant.path).read_text("utf-8") for mutant in selected}
    if args.list:
        for mutant in selected:
            say(described(mutant, sources[mutant.path]))
        return 0
    coverage_map.register_profile()
    coverage = coverage_map.measured()
    counts: Counter[str] = Counter()
    started = time.monotonic()
    with report_of(args.paths).open("w", encoding="utf-8") as report:
        for mutant, outcome in judge_all(selected, sources, coverage, args.budget):
            counts[outcome] += 1
            said = described(mutant, sources[mutant.path])
            report.write(json.dumps({"outcome": outcome, "mutant": said, "index": mutant.index}) + "\n")
            report.flush()
            if outcome in ("survived", "no-tests"):
                say(f"{outcome}: {said}")
    for path, line, change in equivalent.stale(equivalent.on_record(), sources):
        say(f"on record, and no longer there: {path}: {line}: {change}")
    killed, same = counts["killed"] + counts["timeout"], counts["equivalent"]
    say(
        f"{len(selected)} of {total} mutants (seed {args.seed}) in {time.monotonic() - started:.0f} s: "
        f"{killed} killed ({counts['timeout']} by the time limit), {counts['survived']} survived, "
        f"{counts['no-tests']} on lines that no test runs, {same} on record as equivalent: "
        f"{killed / max(1, len(selected)):.1%} of all, "
        f"{killed / max(1, len(selected) - same):.1%} of the others"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
