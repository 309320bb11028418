"""python3 dev.py fuzz [--seconds N] [--inputs N] [--seed S] [--target NAME]: hostile input to every reader.

Every input is accepted and holds, or is refused at a place inside the file. What breaks a law is written,
made short, below .cache/fuzz; a fixed one belongs into tests/fuzz/regressions.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from tests.fuzz.search import Outcome, Search
from tests.fuzz.targets import TARGETS

BROKEN = Path(__file__).resolve().parents[2] / ".cache" / "fuzz"
FOREVER = 10**12


def main() -> int:
    """Run, report, and return 1 where a law was broken."""
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description=__doc__)
    parser.add_argument("--target", choices=(*TARGETS, "all"), default="all", help="default: all, one by one")
    parser.add_argument(
        "--seconds", type=float, metavar="N", help="time in all; default: 60 without --inputs"
    )
    parser.add_argument("--inputs", type=int, default=FOREVER, metavar="N", help="inputs in all")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default: 0")
    args = parser.parse_args()
    names = list(TARGETS) if args.target == "all" else [args.target]
    seconds = args.seconds or (60.0 if args.inputs == FOREVER else float(FOREVER))
    weights = {name: TARGETS[name].weight for name in names}
    outcomes = []
    for name, weight in weights.items():
        share = weight / sum(weights.values())
        search = Search(TARGETS[name], args.seed)
        outcomes.append(search.run(math.ceil(args.inputs * share), seconds * share, say))
        report(outcomes[-1])
    inputs, broken = sum(one.inputs for one in outcomes), sum(len(one.found) for one in outcomes)
    print(f"{inputs:,} inputs in {sum(one.seconds for one in outcomes):,.0f} s: {broken} broken laws")
    return 1 if broken else 0


def say(text: str) -> None:
    """Print progress."""
    print(text, file=sys.stderr, flush=True)


def report(outcome: Outcome) -> None:
    """Print what a search did, and write what broke a law."""
    print(outcome)
    for found in outcome.found:
        BROKEN.mkdir(parents=True, exist_ok=True)
        path = BROKEN / found.name
        path.write_bytes(found.text)
        print(f"  {found.law}\n    seed {found.seed}, input in {path.relative_to(BROKEN.parents[1])}")


if __name__ == "__main__":
    sys.exit(main())
