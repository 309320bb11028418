"""python3 dev.py differential [--estates N] [--seed S] [--workers W]: both engines on N random estates."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.differential.compare import Tally, compare_seed

BLOCK = 100
SHOWN = 20
REPORT_SECONDS = 30


def compare_block(seeds: range) -> Tally:
    """Compare the engines on the estates of some seeds."""
    tally = Tally()
    for seed in seeds:
        tally.add(compare_seed(seed))
    return tally


def summary(total: Tally, seconds: float) -> str:
    """Return what was compared so far."""
    return (
        f"{total.estates:,} estates, {total.scenarios:,} failures compared ({total.demotions:,} demotions, "
        f"{total.trips:,} trips) in {seconds:,.0f} s: {len(total.disagreements):,} disagreements"
    )


def main() -> int:
    """Run, report, and return 1 where the engines disagree."""
    parser = argparse.ArgumentParser(prog="dev.py differential", description=__doc__)
    parser.add_argument("--estates", type=int, default=5000, metavar="N", help="default: 5000")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the first estate")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes; default: 1")
    args = parser.parse_args()
    end = args.seed + args.estates
    blocks = [range(start, min(start + BLOCK, end)) for start in range(args.seed, end, BLOCK)]
    total = Tally()
    started = said = time.monotonic()
    with ProcessPoolExecutor(args.workers) as workers:
        for tally in workers.map(compare_block, blocks):
            total.add(tally)
            if time.monotonic() - said > REPORT_SECONDS:
                said = time.monotonic()
                print(summary(total, said - started), file=sys.stderr, flush=True)
    for disagreement in total.disagreements[:SHOWN]:
        print(disagreement)
    print(summary(total, time.monotonic() - started))
    return 1 if total.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
