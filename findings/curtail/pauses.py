"""What pausing each workload gives, costs and takes (methodology: Curtailment drain latency)."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from closure.compiled import Facility
from findings import constants
from findings.drain import Drain, drain
from findings.index import EstateIndex
from findings.progress import Restart, loss_usd, lost_minutes, restart_of
from topology.model import Node, Number, Workload

Mode = Literal["checkpoint", "immediate", "ordered-off", "unknowable"]
"""How a workload goes: at its next checkpoint, at once, ordered off before its checkpoint, nobody knows."""


@dataclass(frozen=True, slots=True)
class Pause:
    """One workload, paused whole: `kw` [kW] less where it counts, at `usd` [USD], by `drain` [min].

    `upper_bound`: what a paused unit still draws is unknown on some node. `kw_unknown`: some of its units
    have no known kW and are missing from `kw`. `usd` is None for training without a cadence or a price, and 0
    for every other kind: the methodology prices training alone. `restart` is set for training.
    """

    workload: Workload
    units: Number
    kw: float
    upper_bound: bool
    kw_unknown: bool
    mode: Mode
    drain: Drain
    restart: Restart | None
    usd: float | None


@dataclass(frozen=True, slots=True)
class Savings:
    """What pausing one unit of each node saves [kW], by node id; absent where its kW is unknown.

    `unsure`: nodes whose paused units draw nobody knows what; their saving is an upper bound.
    """

    kw: dict[str, float]
    unsure: frozenset[str]


def savings(index: EstateIndex) -> Savings:
    """Return kW per unit minus what a paused unit still draws (`idleKwPerUnit`), per node."""
    kw: dict[str, float] = {}
    unsure = set()
    for node in index.estate.nodes:
        unit_kw, idle_kw = index.kw_per_unit(node), _idle_kw(index, node)
        if unit_kw is None:
            continue
        if idle_kw is None:
            unsure.add(node.id)
        kw[node.id] = max(0.0, unit_kw - (idle_kw or 0))
    return Savings(kw, frozenset(unsure))


def _idle_kw(index: EstateIndex, node: Node) -> Number | None:
    return index.estate.idle_kw_per_unit if node.idle_kw_per_unit is None else node.idle_kw_per_unit


def pauses(
    index: EstateIndex,
    facility: Facility,
    saved: Savings,
    shares: Sequence[float],
    gone: Collection[str] = (),
) -> list[Pause]:
    """Return every workload that has units somewhere, by id; `shares` are those of the node groups.

    Nodes in `gone` draw nothing any more.
    """
    found = []
    for position, workload in enumerate(index.estate.workloads):
        if not index.units_of[position]:
            continue
        terms, unsure, unknown = [], False, False
        for node_id, units in workload.placements.items():
            share = shares[facility.node_group[facility.node_index[node_id]]]
            if not units or not share or node_id in gone:
                continue
            unit_kw = saved.kw.get(node_id)
            if unit_kw is None:
                unknown = True
                continue
            terms.append(units * unit_kw * share)
            unsure = unsure or node_id in saved.unsure
        kw = math.fsum(terms)
        found.append(_pause(index, workload, index.units_of[position], kw, unsure, unknown))
    return sorted(found, key=lambda pause: pause.workload.id)


def _pause(
    index: EstateIndex, workload: Workload, units: Number, kw: float, unsure: bool, unknown: bool
) -> Pause:
    timed = drain(workload)
    pause = Pause(workload, units, kw, unsure, unknown, "immediate", timed, None, 0.0)
    if timed.worst_minutes is None:
        pause = replace(pause, mode="unknowable")
    if workload.kind != "training":
        return pause
    restart = restart_of(workload, index.estate)
    if pause.mode == "unknowable":
        return replace(pause, restart=restart, usd=None)
    usd = _usd(index, workload, restart.minutes)
    return replace(pause, mode="checkpoint", restart=restart, usd=usd)


def ordered_off(index: EstateIndex, pause: Pause) -> Pause:
    """Return training stopped at once: it loses half an interval more, and sheds as fast as a batch job."""
    assert pause.restart is not None
    minutes = lost_minutes(pause.workload.checkpoint_minutes, pause.restart.minutes)
    at_once = Drain(constants.DRAIN_IMMEDIATE_MINUTES, constants.DRAIN_IMMEDIATE_MINUTES)
    return replace(pause, mode="ordered-off", drain=at_once, usd=_usd(index, pause.workload, minutes))


def _usd(index: EstateIndex, workload: Workload, minutes: Number | None) -> float | None:
    """Σ units × (minutes / 60) × price of the whole job [USD]: it stops whole, wherever it stands."""
    return loss_usd(index.priced_units(workload, workload.placements), minutes)
