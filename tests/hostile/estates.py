"""One estate and one facility map in which every name is an attack, and their harmless twins."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

ATTACKS = (
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "<script>window.hurt=1</script>",
    "'\"><img src=x onerror=window.hurt=1>",
    '" onload=window.hurt=1 x="',
    "</style></title></svg><!--",
    "-->",
    "]]>",
    "&lt;b&gt; &amp;",
    "line\nbreak",
    "return\rhere",
    "tab\there",
    "next\x85line\u2028and\u2029more",
    "nul\x00",
    "\u202egnp.exe",
    "zero\u200bwidth\ufeff",
    "un\u00adseen\U000e0041\u180e\u115f\u3164\uffa0\u2800\ue000\ufe00",
    "@someone #1 GH-2 www.example.org a@example.org",
    "\uff1dSUM(1)",
    "\uff20SUM(1)",
    "`tick` ``two``",
    "pipe|cell|\\|",
    "[link](javascript:window.hurt=1)",
    "![image](https://example.org/x)",
    "<https://example.org>",
    "*bold* _it_ ~~no~~ # head",
    "\n# heading\n",
    "end\n  subgraph x",
    'A["x"]:::lost',
    "%% comment %%{init: {}}%%",
    "click A callback",
    "a --> b",
    '"]; x [label="',
    "a -> b; graph {",
    "%0A::error::x",
    "::error file=x::boom",
    "{{7*7}}${7*7}#{7*7}",
    "__proto__",
    "back\\slash\\",
    "\\n\\l\\N",
    "$(reboot) `reboot` ; reboot",
    "--help",
    "𝔘𝔫𝔦 e\u0301 漢字 العربية",
    "x" * 300,
)

Name = Callable[[str], str]
"""The name of a role: the same role has the same name within one estate."""


class Hostile:
    """Gives every role another attack, followed by the role."""

    def __init__(self, first: int = 0) -> None:
        self._names: dict[str, str] = {}
        self._first = first

    def __call__(self, role: str) -> str:
        number = (len(self._names) + self._first) % len(ATTACKS)
        return self._names.setdefault(role, f"{ATTACKS[number]}~{role}")


def plain(role: str) -> str:
    """The harmless name of a role."""
    return role


def domains(name: Name) -> dict[str, Any]:
    """A facility in which a loss of one UPS demotes, trips and leaves things on one feed."""
    ups = [name("ups-a"), name("ups-b")]
    pdus = [name(f"pdu-{number}") for number in range(6)]
    return {
        name("xfmr"): {"kind": "transformer", "description": name("text"), "contact": name("contact")},
        **{
            one: {"kind": "ups", "parent": name("xfmr"), "ratedKw": 9, "contact": name("phone")}
            for one in ups
        },
        pdus[0]: {"kind": "power", "parent": ups[0], "ratedKw": 4, "measuredKw": 90},
        **{one: {"kind": "power", "feeds": ups} for one in pdus[1:4]},
        pdus[4]: {"kind": "power", "feeds": ups, "ratedKw": 1},
        pdus[5]: {"kind": "power", "parent": ups[1], "status": "out"},
        name("loop"): {"kind": "cooling", "parent": pdus[0], "rideThroughMinutes": 20, "loadKw": 1},
        name("rack-0"): {"kind": "rack", "feeds": [pdus[0], pdus[1]], "failuresPerYear": 1, "repairHours": 5},
        name("leaf"): {"kind": "network", "parent": pdus[0]},
    }


def standings(name: Name, number: int) -> dict[str, Any]:
    """Where a node stands."""
    return {
        "rack": name("rack-0") if number < 3 else name(f"rack-{number}"),
        "pdu": [name("pdu-0"), name("pdu-2")] if number % 2 else name(f"pdu-{number % 5}"),
        "cooling": name("loop"),
        "network": name("leaf"),
        "zone": name("zone"),
    }


def _machine(name: Name, number: int) -> dict[str, Any]:
    return {
        "id": name(f"node-{number}"),
        "installed": 8,
        "allocated": 4,
        "domains": standings(name, number),
        "utilization": 0.1,
        "utilizationBasis": name("basis") if number == 3 else "dcgm",
        "eccErrors90d": 40,
        "jobFailures90d": 9,
        "model": name("model"),
        "roles": [name("role")] if number == 1 else ["etcd"],
        "providerID": name("provider"),
        "ready": number != 2,
    }


def _job(name: Name, number: int) -> dict[str, Any]:
    standing = {name(f"node-{number}"): 2, name(f"node-{number + 1}"): 2}
    return {
        "id": name(f"job-{number}"),
        "kind": ("training", "inference", "unknown", "batch")[number % 4],
        "critical": number % 2 == 0,
        "criticalBasis": name("because"),
        "checkpointMinutes": 30 if number % 3 else None,
        "namespace": name("namespace"),
        "owner": name("owner"),
        "contact": name("contact"),
        "placements": standing,
        "replicas": standing,
        "minAvailable": 4,
    }


def estate(name: Name) -> dict[str, Any]:
    """A snapshot with everything in it that has a name or a text."""
    return {
        "schemaVersion": 1,
        "cluster": name("cluster"),
        "unit": "gpu",
        "snapshotAt": "2026-11-30T12:00:00Z",
        "pricePerUnitHour": 2.5,
        "wattsPerUnitKw": 1.0,
        "notes": [name("note")],
        "nodes": [_machine(name, number) for number in range(9)],
        "domains": domains(name),
        "workloads": [_job(name, number) for number in range(0, 8, 2)],
        "loops": [
            {"id": name("loop-hpa"), "hourlyActions": [9] * 24},
            {"id": name("loop-vpa"), "hourlyActions": [None, *[9] * 23]},
        ],
        "provenance": {
            "collectedAt": "2026-11-30T12:00:05Z",
            "collectorVersion": name("version"),
            "signals": {name("signal"): {"reachable": False, "detail": name("detail")}},
            "caveats": [name("caveat")],
        },
    }


def estate_text(name: Name) -> str:
    """The estate as a file."""
    return json.dumps(estate(name))


def map_text(name: Name, *, broken: bool = False) -> str:
    """The facility map as a file (JSON is YAML); `broken` adds faults of several rules that name things."""
    facility = domains(name)
    nodes = {name(f"node-{number}"): standings(name, number) for number in range(9)}
    if broken:
        facility[name("stray")] = {"kind": "power", "parent": name("gone"), name("key"): name("value")}
        facility[name("self")] = {"kind": "ups", "parent": name("self")}
        facility[name("one")] = {"kind": "ups", "parent": name("two")}
        facility[name("two")] = {"kind": name("kind"), "parent": name("one")}
        nodes[name("lost-node")] = {name("axis"): "a", "rack": [name("r1"), name("r2")]}
    return json.dumps({"version": 2, "nodes": nodes, "domains": facility}, indent=1)
