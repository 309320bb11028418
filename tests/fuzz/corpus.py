"""Documents to start from: fixtures, generated estates, the objects of the collector's tests."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.collector.exporter import GR, PROXY, QUERY, SM, UTIL, line
from tests.collector.stub_server import LISTS
from tests.collector.test_laws import CLAIMS, METRICS, OBJECTS
from tests.generator import Choices, Size, estate_from, topology_from
from topo import collect
from topology.dump import estate_to_json, topology_to_json

TESTS = Path(__file__).resolve().parent.parent
FIXTURES = TESTS / "fixtures"
GENERATED = 12


class Corpus(NamedTuple):
    """Documents as values, and as texts."""

    values: list[Any]
    texts: list[bytes]


def topology(dice: Random) -> Any:
    """Another facility map."""
    return topology_to_json(topology_from(Choices(dice.randrange), Size(9, 5)))


def topology_files() -> Corpus:
    """Facility maps: generated ones as values, the fixtures as texts."""
    return Corpus(
        [*(topology(Random(seed)) for seed in range(GENERATED)), _EVERY_KEY], _texts(".yaml", ".conf")
    )


def estate(dice: Random) -> Any:
    """Another estate."""
    return estate_to_json(estate_from(Choices(dice.randrange), Size(8, 4, 3)))


def estate_files() -> Corpus:
    """Estates: generated ones and the fixtures."""
    made = [estate(Random(seed)) for seed in range(GENERATED)]
    texts = [text for text in _texts(".json") if b'"schemaVersion"' in text]
    text = "nodes: {n0: {rack: r, pdu: [a, b]}}\ndomains: {a: {kind: power}}\n"
    carrying = {
        **made[0],
        "domains": {},
        "nodes": [{"id": "n0", "allocated": 1}],
        "workloads": [],
        "topology": {"sha256": "0" * 64, "text": text},
    }
    return Corpus([*made, carrying], texts)


def samples(dice: Random) -> Any:
    """Another exporter's answer: whole GPUs and MIG instances."""
    return [
        {
            "metric": dice.choice((UTIL, UTIL, SM, GR, f"{UTIL}_TOTAL")),
            "labels": {
                "gpu": str(number),
                dice.choice(("Hostname", "hostname", "node", "pod")): dice.choice(
                    ("n1", "node-2", "twice", "x")
                ),
                dice.choice(("pod", "UUID", "GPU_I_ID")): dice.choice(("", "3", "train-0")),
                "GPU_I_PROFILE": dice.choice(("", "", "1g.10gb", "1c.3g.40gb")),
            },
            "value": dice.choice((0, 0.5, 1, 87, 100, 4294967295, "NaN", 1e3)),
        }
        for number in range(dice.randrange(5))
    ]


def expositions() -> Corpus:
    """What exporters print: generated, and published answers."""
    published = [path.read_bytes() for path in sorted((TESTS / "collector" / "data" / "dcgm").glob("*.prom"))]
    return Corpus([*(samples(Random(seed)) for seed in range(GENERATED)), ["HELP nothing"]], published)


def lists(dice: Random) -> Any:
    """The lists of a small cluster with claims and metrics; sometimes one cannot be read."""
    answered: dict[str, Any] = {
        path: {"kind": f"{kind}List", "apiVersion": version, "metadata": {}, "items": []}
        for path, (kind, version) in LISTS.items()
    }
    paths = {kind: path for path, (kind, _) in LISTS.items()}
    for thing in OBJECTS:
        if dice.random() < 0.9:
            answered[paths[thing["kind"]]]["items"].append(thing)
    for name, body in CLAIMS.items():
        answered[collect.RESOURCES[name].path] = {"items": [body]}
    answered[collect.METRICS.path] = {"items": [METRICS]}
    row = {"metric": {"Hostname": "n1"}, "value": [0, "3"]}
    answered[QUERY] = {"status": "success", "data": {"resultType": "vector", "result": [row]}}
    if dice.random() < 0.1:
        answered[dice.choice([*answered])] = None
    return answered


def clusters() -> Corpus:
    """The lists of small clusters, and an exporter's answer."""
    scrape = line(UTIL, 87, gpu="0", Hostname="n1").encode()
    return Corpus([lists(Random(seed)) for seed in range(4)], [b"\x1e" + PROXY.encode() + b"\n" + scrape])


def _texts(*endings: str) -> list[bytes]:
    found = sorted(
        path for path in FIXTURES.glob("*/*") if path.suffix in endings and path.name != "expected.json"
    )
    return [text for text in (path.read_bytes() for path in found) if len(text) < 4000]


_EVERY_KEY: dict[str, Any] = {
    "$schema": "x",
    "version": 2,
    "verifiedAt": "2026-10-01T08:00:00Z",
    "nodes": {
        "n1": {
            "rack": "r1",
            "pdu": ["p1", "p2"],
            "cooling": {"all": ["c1", "c2"]},
            "network": {"any": ["s1", "s2"]},
        },
        "n2": {
            "rack": "r1",
            "ups": "u1",
            "nvlink": "v",
            "row": "w",
            "room": "x",
            "building": "b",
            "zone": "z",
        },
    },
    "domains": {
        "r1": {"kind": "rack", "feeds": ["p1", "p2"], "ratedKw": 30, "contact": "a", "description": "b"},
        "p1": {"kind": "power", "parent": "u1", "measuredKw": 3, "loadKw": 0.5},
        "p2": {"kind": "power", "feeds": ["u1", "g"], "minFeeds": 1, "transfer": "preferred"},
        "u1": {"kind": "ups", "ratedKw": 40, "overload": [{"percent": 125, "seconds": 60}], "status": "out"},
        "g": {"kind": "generator", "failuresPerYear": 0.1, "repairHours": 4, "status": "in"},
        "c1": {"kind": "cooling", "parent": "p1", "rideThroughMinutes": 3},
        "c2": {"kind": "cooling", "feeds": ["c1"], "ratedKw": 10},
        "s1": {"kind": "network", "parent": "p1", "loadKw": 2},
    },
}
