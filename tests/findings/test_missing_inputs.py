"""Law: an optional field removed makes what rests on it unknown, with a caveat, and nothing else changes."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.document import findings_document
from findings.scenario import whatif, whatif_to_json
from topology.load import load_estate_text

NOW = "2026-12-01T00:00:00Z"
FULL: dict[str, Any] = {
    "schemaVersion": 1,
    "cluster": "lab",
    "unit": "gpu",
    "snapshotAt": "2026-11-30T12:00:00Z",
    "pricePerUnitHour": 2.5,
    "wattsPerUnitKw": 1,
    "defaultRestartMinutes": 45,
    "nodes": [
        {
            "id": f"n{number}",
            "installed": 8,
            "allocated": allocated,
            "utilization": 0.05,
            "utilizationBasis": "dcgm",
            "utilizationWindowHours": 24,
            "domains": {"rack": f"r{number}", "cooling": "loop"},
            "eccErrors90d": 41 if number == 1 else 1,
            "jobFailures90d": 0,
            "xidEvents90d": 0,
            "ready": True,
            "schedulable": True,
            "unhealthy": 0,
            "roles": ["etcd"],
        }
        for number, allocated in ((1, 6), (2, 6), (3, 0))
    ],
    "domains": {
        **{f"r{number}": {"kind": "rack", "parent": "pdu", "ratedKw": 9} for number in (1, 2, 3)},
        "pdu": {"kind": "power", "measuredKw": 12.5},
        "loop": {"kind": "cooling", "rideThroughMinutes": 20},
    },
    "workloads": [
        {
            "id": "train",
            "kind": "training",
            "critical": True,
            "criticalBasis": "label",
            "checkpointMinutes": 30,
            "restartMinutes": 20,
            "gang": False,
            "placements": {"n1": 4, "n2": 2},
        },
        {
            "id": "plain",
            "kind": "training",
            "critical": False,
            "criticalBasis": "label",
            "checkpointMinutes": 60,
            "gang": False,
            "placements": {"n1": 1, "n2": 1},
        },
        {
            "id": "serve",
            "kind": "inference",
            "critical": True,
            "criticalBasis": "pdb",
            "replicas": {"n1": 1, "n2": 3},
            "minAvailable": 2,
            "placements": {"n1": 1, "n2": 3},
        },
    ],
    "loops": [{"id": "a", "hourlyActions": [9] * 24}, {"id": "b", "hourlyActions": [0] * 23 + [9]}],
    "provenance": {
        "collectedAt": "2026-11-30T12:00:00Z",
        "topologyFileModifiedAt": "2026-11-30T00:00:00Z",
    },
}

LEDGER = "ledger/"
DOLLARS = ("idle/usdPerMonth", "idle/nodes/", "progressAtRisk/", "reclaim/usdPerMonth", "reclaim/clusters/")

CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # field: (figures that may change, figures that become unknown)
    "pricePerUnitHour": (
        DOLLARS,
        ("idle/usdPerMonth", "reclaim/usdPerMonth", "progressAtRisk/loop/usd", "progressAtRisk/loop/gangUsd"),
    ),
    "wattsPerUnitKw": ((LEDGER,), ()),
    "defaultRestartMinutes": (("progressAtRisk/",), ()),
    "nodes.installed": (
        (LEDGER,),
        tuple(f"ledger/{key}" for key in ("installed", "rawFree", "safeUsable", "powerCapped")),
    ),
    "nodes.utilization": (
        ("idle/", "reclaim/"),
        ("idle/units", "idle/usdPerMonth", "reclaim/usdPerMonth", "reclaim/clusters/lab/idleUnits"),
    ),
    "nodes.utilizationWindowHours": ((), ()),
    "nodes.eccErrors90d": (("lemons/", LEDGER), ("lemons/n1/lemon", "lemons/n2/lemon")),
    "nodes.jobFailures90d": (("lemons/", LEDGER), ("lemons/n2/lemon",)),
    "nodes.xidEvents90d": (("lemons/", LEDGER), ("lemons/n2/lemon",)),
    "nodes.ready": (("ledger/notSchedulable",), ("ledger/notSchedulable",)),
    "nodes.schedulable": (("ledger/notSchedulable",), ("ledger/notSchedulable",)),
    "nodes.unhealthy": (("ledger/unhealthy",), ("ledger/unhealthy",)),
    "nodes.roles": ((), ()),
    "domains.ratedKw": ((LEDGER,), ()),
    "domains.measuredKw": ((), ()),
    "domains.rideThroughMinutes": (
        ("thermalRaces/loop/rideThroughMinutes", "thermalRaces/loop/verdict"),
        ("thermalRaces/loop/rideThroughMinutes",),
    ),
    "workloads.critical": (
        ("exposure/",),
        ("exposure/loop/criticalUnits", "exposure/loop/criticalShare", "exposure/loop/criticalUnitsOn"),
    ),
    "workloads.checkpointMinutes": (
        ("progressAtRisk/", "drains/train/", "drains/plain/", "thermalRaces/"),
        ("progressAtRisk/loop/usd", "drains/train/worstMinutes", "thermalRaces/loop/drainWorstMinutes"),
    ),
    "workloads.restartMinutes": (("progressAtRisk/",), ()),
    "workloads.gang": (("progressAtRisk/",), ()),
    "workloads.replicas": ((), ()),
    "workloads.minAvailable": ((), ()),
    "loops": (("collisions/",), ()),
    "provenance.collectedAt": (("staleness/snapshotAgeHours", "staleness/stale"), ()),
    "provenance.topologyFileModifiedAt": (
        ("staleness/topologyFileAgeHours",),
        ("staleness/topologyFileAgeHours",),
    ),
}

SILENT = {"workloads.minAvailable", "nodes.roles", "domains.measuredKw", "provenance.collectedAt"}
"""What is not there to be judged leaves nothing to say; the fallback for an age is a stamp too."""


def without(path: str) -> dict[str, Any]:
    estate = copy.deepcopy(FULL)
    head, _, field = path.partition(".")
    if not field:
        del estate[head]
    elif head == "provenance":
        del estate[head][field]
    else:
        rows = estate[head].values() if isinstance(estate[head], dict) else estate[head]
        for row in rows:
            row.pop(field, None)
    return estate


def document(estate: dict[str, Any]) -> dict[str, Any]:
    loaded = load_estate_text(json.dumps(estate), "estate.json").estate
    assert loaded is not None
    return findings_document(loaded, now=NOW)


def figures(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every figure by path; rows of a list by their id, so that a change of order is no change."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from figures(each, f"{path}{key}/")
    elif isinstance(value, list):
        for number, each in enumerate(value):
            name = next(iter(each.values())) if isinstance(each, dict) else number
            yield from figures(each, f"{path}{name}/")
    else:
        yield path.rstrip("/"), value


def caveats(found: dict[str, Any]) -> set[str]:
    return {*found["caveats"], *(caveat for finding in found["findings"] for caveat in finding["caveats"])}


@pytest.fixture(scope="module")
def full() -> dict[str, Any]:
    return document(FULL)


@pytest.mark.parametrize("path", CASES)
def test_removal(path: str, full: dict[str, Any]) -> None:
    may_change, become_unknown = CASES[path]
    removed = document(without(path))
    before, after = dict(figures(full["metrics"])), dict(figures(removed["metrics"]))
    changed = {key for key in before.keys() | after.keys() if before.get(key, ...) != after.get(key, ...)}
    unaffected = {key for key in changed if not key.startswith(may_change)}
    assert not unaffected, {key: (before.get(key), after.get(key)) for key in unaffected}
    for key in become_unknown:
        assert before[key] is not None, key
        assert after[key] is None, key
    if path not in SILENT:
        said = caveats(removed) - caveats(full)
        lowered = {f["id"]: f["confidence"] for f in full["findings"]} != {
            f["id"]: f["confidence"] for f in removed["findings"]
        }
        assert said or lowered


def test_the_whole_estate_has_every_figure(full: dict[str, Any]) -> None:
    """So that nothing above passes because it was unknown to begin with."""
    unknown = [key for key, value in figures(full["metrics"]) if value is None]
    assert unknown == []
    assert [f["id"] for f in full["findings"] if f["value"] is None and "worst-survivor" not in f["id"]] == []


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("pricePerUnitHour", ("progressAtRisk", "usd")),
        ("workloads.checkpointMinutes", ("progressAtRisk", "usd")),
        ("workloads.critical", ("exposure", "criticalUnits")),
        ("workloads.critical", ("exposure", "criticalShare")),
    ],
)
def test_removal_in_a_scenario(path: str, pointer: tuple[str, str]) -> None:
    def scenario(estate: dict[str, Any]) -> dict[str, Any]:
        loaded = load_estate_text(json.dumps(estate), "estate.json").estate
        assert loaded is not None
        return whatif_to_json(whatif(compile_facility(loaded), ["loop"]))

    section, key = pointer
    before, after = scenario(FULL), scenario(without(path))
    assert before[section][key] is not None
    assert after[section][key] is None
    assert set(after["caveats"]) - set(before["caveats"])
