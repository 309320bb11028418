"""How long a pause takes to become a shed (methodology: Curtailment drain latency)."""

from collections.abc import Iterable
from dataclasses import dataclass

from findings import constants
from findings.amounts import share_of
from topology.model import Number, Workload


@dataclass(frozen=True, slots=True)
class Drain:
    """Minutes from the pause order to power shed, expected and worst [min]; None: unknowable."""

    expected_minutes: Number | None
    worst_minutes: Number | None


_UNKNOWABLE = Drain(None, None)


def drain(workload: Workload) -> Drain:
    """Return the drain of one workload. Kinds that the methodology does not time are unknowable."""
    if workload.kind in {"inference", "batch"}:
        return Drain(constants.DRAIN_IMMEDIATE_MINUTES, constants.DRAIN_IMMEDIATE_MINUTES)
    if workload.kind != "training" or workload.checkpoint_minutes is None:
        return _UNKNOWABLE
    return checkpoint_drain(workload.checkpoint_minutes)


def checkpoint_drain(checkpoint_minutes: Number) -> Drain:
    """Return half the interval expected, the full interval at worst."""
    return Drain(share_of(checkpoint_minutes, constants.CHECKPOINT_EXPECTED_SHARE), checkpoint_minutes)


def time_to_target(drains: Iterable[Drain]) -> Drain:
    """Return the slowest of the drains, ordered in parallel; unknowable as soon as one of them is."""
    expected: list[Number] = []
    worst: list[Number] = []
    for each in drains:
        if each.expected_minutes is None or each.worst_minutes is None:
            return _UNKNOWABLE
        expected.append(each.expected_minutes)
        worst.append(each.worst_minutes)
    return Drain(max(expected, default=0), max(worst, default=0))
