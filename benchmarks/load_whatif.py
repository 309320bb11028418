"""One what-if from the file on: `python -m benchmarks.load_whatif --nodes 10000`.

Ours reads, checks every rule, compiles, closes and runs the strict check. The others parse with PyYAML or
the standard json module, check nothing, build a networkx graph and walk it for the closure alone.
"""

import argparse
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.generate import generate, write
from benchmarks.measure import cpu_seconds, peak_mb, progress, seconds, table, whole
from benchmarks.plain import estate_of
from benchmarks.rivals import state, with_networkx
from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from topology.bare import estate_of as bare_estate
from topology.load import load_text

FAILED = ("h0000-ups-0", "h0000-cdu-0")
SLOW_PARSER_NODES = 20_000
"""Beyond this size PyYAML's pure-Python parser takes minutes and is left out."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way to answer one file: how many nodes are lost, and at what cost."""

    file: str
    method: str
    load_s: float
    whatif_s: float
    peak_mb: float | None
    lost: frozenset[str]


def compare(directory: Path, nodes: int, *, repeat: int = 1, memory: bool = True) -> list[Row]:
    """Measure every method on both files of a generated estate. Raises ValueError where answers differ."""
    import yaml

    topology, snapshot = write(generate(nodes), directory)
    ways: list[tuple[Path, str, Callable[[Path], Any], Callable[[Any], frozenset[str]]]] = [
        (topology, "topo", _load, _whatif),
        (topology, "PyYAML CSafeLoader + networkx", partial(_parse_yaml, yaml.CSafeLoader), _walk),
        (snapshot, "topo", _load, _whatif),
        (snapshot, "json + networkx", _parse_json, _walk),
    ]
    if nodes <= SLOW_PARSER_NODES:
        slow = (
            topology,
            "PyYAML SafeLoader + networkx",
            partial(_parse_yaml, yaml.SafeLoader),
            _walk,
        )
        ways.insert(1, slow)
    rows = []
    for path, method, load, answer in ways:
        progress(f"{path.name}: {method}")
        load_s, loaded = cpu_seconds(partial(load, path), repeat)
        whatif_s, lost = cpu_seconds(partial(answer, loaded), repeat)
        del loaded
        peak = peak_mb(partial(Path, path), load) if memory else None
        rows.append(Row(path.name, method, load_s, whatif_s, peak, lost))
    for file in (topology.name, snapshot.name):
        if len({row.lost for row in rows if row.file == file}) != 1:
            raise ValueError(f"the methods disagree on what {' and '.join(FAILED)} take down in {file}")
    return rows


def _load(path: Path) -> Any:
    result = load_text(path.read_bytes(), path.name)
    if result.value is None:
        raise ValueError("\n".join(map(str, result.diagnostics)))
    return bare_estate(result.topology) if result.topology is not None else result.estate


def _whatif(estate: Any) -> frozenset[str]:
    facility = compile_facility(estate)
    closure = close(facility, FAILED)
    strict_check(facility, FAILED, closure)
    return frozenset(node.id for node in closure.nodes)


def _parse_yaml(loader: Any, path: Path) -> Any:
    import yaml

    with path.open("rb") as file:
        return estate_of(yaml.load(file, Loader=loader))


def _parse_json(path: Path) -> Any:
    return estate_of(json.loads(path.read_bytes()))


def _walk(estate: Any) -> frozenset[str]:
    problem = state(estate)
    _, dependents = with_networkx(problem)
    lost = problem.lost([problem.ids.index(domain_id) for domain_id in FAILED], dependents)
    behind = [problem.members[vertex - problem.domains] for vertex in lost if vertex >= problem.domains]
    return frozenset(node_id for members in behind for node_id in members)


def report(rows: list[Row]) -> str:
    """Return the table: × is against ours on the same file."""
    ours = {row.file: row.load_s + row.whatif_s for row in rows if row.method == "topo"}
    header = ["file", "method", "load s", "what-if s", "×", "load peak MB", "nodes lost"]
    return table(
        header,
        [
            [
                row.file,
                row.method,
                seconds(row.load_s),
                seconds(row.whatif_s),
                f"{(row.load_s + row.whatif_s) / ours[row.file]:.1f}",
                whole(row.peak_mb),
                str(len(row.lost)),
            ]
            for row in rows
        ],
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        print(report(compare(Path(directory), args.nodes, repeat=args.repeat)))


if __name__ == "__main__":
    main()
