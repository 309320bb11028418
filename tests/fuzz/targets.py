"""What is fuzzed: each target's valid documents, how they are written, and what must hold of any input."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.collector.direct import NOW, DirectKubectl, options
from tests.collector.stub_server import Answer, Cluster, ok
from tests.fuzz.corpus import (
    Corpus,
    clusters,
    estate,
    estate_files,
    expositions,
    lists,
    samples,
    topology,
    topology_files,
)
from tests.fuzz.invariants import violations
from tests.fuzz.oracles import ACCEPTED, judge, require
from tests.fuzz.writing import json_text, yaml_text
from topo import collect
from topology.load import load_estate_text, load_text, load_topology_text

REGRESSIONS = Path(__file__).with_name("regressions")
SEPARATOR = b"\x1e"
HOSTS: dict[str, str | None] = {"n1": "n1", "node-2": "node-2", "twice": None}
FLAGS = (
    ("--dcgm", "gpu/dcgm:9400"),
    ("--prometheus", "mon/prom:9090", "--dcgm", "off"),
    ("--dra", "on"),
    ("--unit", "cpu"),
    ("--redact",),
    (),
)


@dataclass(frozen=True, slots=True)
class Document:
    """One input, and the values it was written from where it came from values."""

    text: bytes
    value: Any = None


@dataclass(frozen=True, slots=True)
class Target:
    """`fresh` makes another valid document's values. `check` raises where a law is broken, and returns what
    was remarkable: `ACCEPTED`, for one.

    Of all inputs, `weight` in ten are for this target: the slower ones have fewer.
    """

    name: str
    weight: int
    corpus: Callable[[], list[Document]]
    fresh: Callable[[Random], Any]
    write: Callable[[Any, Random], bytes]
    check: Callable[[bytes, Random], set[str]]


def check_topology(data: bytes, dice: Random) -> set[str]:
    """A topology file, by any of its names."""
    name = dice.choice(("topology.yaml", "topology.yaml", "topology.json", "<stdin>"))
    return judge(load_text(data, name) if name == "<stdin>" else load_topology_text(data, name), dice)


def check_estate(data: bytes, dice: Random) -> set[str]:
    """An estate file, or whatever it turns out to be."""
    if dice.random() < 0.1:
        return judge(load_text(data, dice.choice(("estate.json", "estate.yaml", "<stdin>"))), dice)
    return judge(load_estate_text(data, "estate.json"), dice)


def check_dcgm(data: bytes, _dice: Random) -> set[str]:
    """An exporter's answer: readings of known nodes between 0 and 1, and nothing else."""
    text = data.decode("utf-8", "replace")
    readings = collect.Readings(HOSTS)
    readings.add_scrape(text)
    require(readings.by_node.keys() <= {name for name in HOSTS.values() if name}, "a reading of no node")
    require(readings.malformed <= len(text.splitlines()), "more malformed lines than lines")
    features = {f"malformed {min(readings.malformed, 3)}", f"sentinels {min(readings.sentinels, 3)}"}
    for rows in readings.by_node.values():
        require(all(0 <= row.value <= 1 for row in rows), "a reading outside 0 to 1")
        for mig in (False, True):
            found = collect.node_utilization(rows, mig=mig)
            require(found is None or 0 <= found[0] <= 1, f"a utilization of {found}")
            features.add(f"{mig} {found and found[1]} {len(rows) > 1}")
            features |= {ACCEPTED} if found else set()
    return features


def check_kubernetes(data: bytes, dice: Random) -> set[str]:
    """What an API server answers: a valid estate, or a refusal in one printable line."""
    cluster = _Cluster()
    for section in data.split(SEPARATOR)[1:]:
        path, _, body = section.partition(b"\n")
        cluster.answers[path.decode("utf-8", "replace")] = ok(body)
    flags = dice.choice(FLAGS)
    try:
        collected, _ = collect.collect(_options(flags), DirectKubectl(cluster), None, _silent(), NOW)
    except collect.Refusal as refusal:
        require(refusal.message.isprintable() and refusal.code in (2, 4), f"refused with {refusal.message!r}")
        return {f"refused {refusal.message[:30]}"}
    text = json.dumps(collected, allow_nan=False)
    result = load_estate_text(text, "estate.json")
    require(result.estate is not None, f"an invalid estate: {[str(one) for one in result.diagnostics][:1]}")
    assert result.estate is not None
    broken = next(violations(result.estate), None)
    require(broken is None, f"collected although {broken}")
    caveats = {"".join(filter(str.isalpha, said))[:40] for said in collected["provenance"]["caveats"]}
    jobs = {f"{job['kind']} {job.get('criticalBasis')}" for job in collected["workloads"]}
    return {ACCEPTED} | caveats | jobs


class _Cluster(Cluster):
    """A stub that never waits."""

    def answer(self, target: str) -> Answer:
        """Answer as the stub does, the first page of every list."""
        known = self.answers.get(target.partition("?")[0])
        return known if isinstance(known, tuple) else super().answer(target)


@cache
def _options(flags: tuple[str, ...]) -> collect.Options:
    return options(*flags)


def _silent() -> collect.Progress:
    return collect.Progress(io.StringIO(), quiet=True)


def write_lists(value: Any, dice: Random) -> bytes:
    """Return the lists of a cluster as one text: each path, then its body."""
    lists = value if isinstance(value, dict) else {}
    return b"".join(
        SEPARATOR + str(path).encode("utf-8", "replace") + b"\n" + json_text(body, dice)
        for path, body in lists.items()
    )


def write_exposition(value: Any, dice: Random) -> bytes:
    """Return samples as an exporter prints them."""
    lines = []
    for sample in value if isinstance(value, list) else []:
        if not isinstance(sample, dict):
            lines.append(f"# {sample}")
            continue
        labels = sample.get("labels")
        pairs = labels.items() if isinstance(labels, dict) else ()
        inside = dice.choice((",", ",", ", ")).join(f"{key}={json.dumps(str(text))}" for key, text in pairs)
        stamp = dice.choice(("", "", " 1700000000000"))
        lines.append(f"{sample.get('metric')}{{{inside}}} {sample.get('value')}{stamp}")
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _documents(corpus: Corpus, write: Callable[[Any, Random], bytes]) -> list[Document]:
    dice = Random(0)
    return [
        *(Document(write(value, dice), value) for value in corpus.values),
        *(Document(text) for text in corpus.texts),
    ]


def _target(
    name: str,
    weight: int,
    corpus: Callable[[], Corpus],
    fresh: Callable[[Random], Any],
    write: Callable[[Any, Random], bytes],
    check: Callable[[bytes, Random], set[str]],
) -> Target:
    return Target(name, weight, lambda: _documents(corpus(), write), fresh, write, check)


TARGETS = {
    target.name: target
    for target in (
        _target("topology", 3, topology_files, topology, yaml_text, check_topology),
        _target("estate", 2, estate_files, estate, json_text, check_estate),
        _target("dcgm", 4, expositions, samples, write_exposition, check_dcgm),
        _target("kubernetes", 1, clusters, lists, write_lists, check_kubernetes),
    )
}
