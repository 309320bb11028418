"""What a command costs beside `python -c pass`: `python -m benchmarks.startup`.

CPU seconds of the whole process (user and system), best of several; needs a POSIX machine.
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.measure import seconds, table

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "topo --help": ["-m", "topo", "--help"],
    "topo validate (small file)": ["-m", "topo", "validate", "examples/lab/topology.yaml"],
    "topo whatif (2,528 GPUs)": [
        "-m",
        "topo",
        "whatif",
        "--fail",
        "h1-ups-a",
        "examples/two-halls/estate.json",
    ],
}


def process_seconds(arguments: list[str], repeat: int) -> float:
    """Return the least CPU time of `repeat` runs of this Python with the arguments [s]."""
    # As installed: with compiled bytecode beside the sources.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, *arguments]
    best = float("inf")
    for _ in range(repeat):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def report(repeat: int) -> str:
    """Return the table of all commands."""
    times = {name: process_seconds(arguments, repeat) for name, arguments in COMMANDS.items()}
    floor = times["python -c pass"]
    rows = [[name, seconds(time), f"{time / floor:.1f}"] for name, time in times.items()]
    return table(["command", "CPU s", "× python -c pass"], rows)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=10)
    print(report(parser.parse_args().repeat))


if __name__ == "__main__":
    main()
