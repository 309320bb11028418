"""From opening the live page to its verdict: `python -m benchmarks.live` (2,528 GPUs, headless Chromium).

Wall-clock seconds in a fresh browser, nothing warm: the page starts Python, then takes the file. Beside them
stands the machine's load, which lengthens them: run it alone. The page needs what its tests need (.ci/run
installs it).
"""

import argparse
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import seconds, table
from tests.topo.live.browser import live_page, missing, visit

ROOT = Path(__file__).resolve().parent.parent
ESTATE = ROOT / "examples" / "two-halls" / "estate.json"


@dataclass(frozen=True, slots=True)
class Row:
    """One cold visit: Python ready [s], from the drop to the verdict [s], load average before [-]."""

    ready_s: float
    verdict_s: float
    load: float


def measure(page: Path, estate: Path) -> Row:
    """Return what one cold visit took."""
    load = os.getloadavg()[0]
    shown = {"inside": "document.querySelector('#verdict').innerText", "as": "verdict"}
    seen = visit(page, [{"drop": [str(estate)]}, shown])
    return Row(seen.milliseconds["ready"] / 1000, seen.milliseconds["drop"] / 1000, load)


def report(rows: list[Row]) -> str:
    """Return the table of all visits."""
    cells = [
        [
            seconds(row.ready_s),
            seconds(row.verdict_s),
            seconds(row.ready_s + row.verdict_s),
            seconds(row.load),
        ]
        for row in rows
    ]
    return table(["ready s", "drop to verdict s", "cold total s", "load before"], cells)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--estate", type=Path, default=ESTATE)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    if reason := missing():
        parser.error(reason)
    with tempfile.TemporaryDirectory() as folder:
        page = live_page(Path(folder))
        print(report([measure(page, arguments.estate.resolve()) for _ in range(arguments.repeat)]))


if __name__ == "__main__":
    main()
