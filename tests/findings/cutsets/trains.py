"""SCRAM's two-train example as an estate, and short ways to ask for cut sets."""

from __future__ import annotations

from typing import Any

from closure.compiled import compile_facility
from findings.cutsets.analysis import CutSets, cut_sets_report
from findings.cutsets.figures import figures
from findings.cutsets.remarks import cut_set_caveats
from findings.index import EstateIndex
from tests.estates import estate_of, on
from topology.model import Estate

Sets = list[tuple[str, ...]]


def report(estate: Estate, target: str = "node:n", order: int = 3) -> CutSets:
    return cut_sets_report(compile_facility(estate), target, order)


def sets(result: CutSets, size: int | None = None) -> Sets:
    return [row.domains for row in result.rows if size in (None, len(row.domains))]


def figure(result: CutSets, name: str) -> float | None:
    return next(each.value for each in figures(result) if each.name == name)


def caveats(result: CutSets) -> tuple[str, ...]:
    return cut_set_caveats(EstateIndex(result.estate), result, kw_known=True)


def rated(failures_per_year: float, repair_hours: float) -> dict[str, float]:
    return {"failuresPerYear": failures_per_year, "repairHours": repair_hours}


V, P = rated(1, 8760), rated(1, 20440)
"""A valve is down half of the time, a pump 70 % of it."""


def two_trains(**changes: dict[str, Any]) -> Estate:
    """SCRAM's two-train example: the node is down when both trains are; a train when its valve or pump is."""
    domains: dict[str, dict[str, Any]] = {
        "v1": {"kind": "ups", **V},
        "v2": {"kind": "ups", **V},
        "p1": {"kind": "power", "parent": "v1", **P},
        "p2": {"kind": "power", "parent": "v2", **P},
    }
    job = {
        "id": "ml/llama",
        "kind": "training",
        "gang": True,
        "critical": True,
        "checkpointMinutes": 60,
        "restartMinutes": 30,
        "placements": {"n": 8},
    }
    for name, keys in changes.items():
        domains[name] = {key: value for key, value in (domains[name] | keys).items() if value is not None}
    return estate_of(domains, {"n": on(["p1", "p2"], 8)}, workloads=[job], pricePerUnitHour=2)
