"""The thermal ride-through race (methodology: Thermal ride-through race; spec 4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from closure.results import Closure, LostNode
from findings.drain import Drain, checkpoint_drain, time_to_target
from findings.index import EstateIndex
from topology.model import Number, Workload

Verdict = Literal["no-training", "already-lost", "unknown", "checkpointable", "not-checkpointable", "tight"]
NOTHING_RACES: Final[frozenset[Verdict]] = frozenset({"no-training", "already-lost"})
"""Verdicts that have no drain: nothing is left to checkpoint."""


@dataclass(frozen=True, slots=True)
class Race:
    """One lost cooling domain against the training behind it [min]. `racing` are workload ids, sorted."""

    domain: str
    ride_through_minutes: Number | None
    drain_expected_minutes: Number | None
    drain_worst_minutes: Number | None
    verdict: Verdict
    racing: tuple[str, ...] = ()


def verdict(ride_through_minutes: Number | None, drain: Drain) -> Verdict:
    """Return the methodology's verdict for training that races."""
    expected, worst = drain.expected_minutes, drain.worst_minutes
    if ride_through_minutes is None or expected is None or worst is None:
        return "unknown"
    if worst <= ride_through_minutes:
        return "checkpointable"
    return "not-checkpointable" if expected > ride_through_minutes else "tight"


def races(index: EstateIndex, closure: Closure) -> tuple[Race, ...]:
    """Return one race per lost cooling domain, by id."""
    domains = index.estate.domains
    cooling = {lost.id for lost in closure.domains if domains[lost.id].kind == "cooling"}
    behind: dict[str, set[int]] = {domain_id: set() for domain_id in cooling}
    racing: dict[str, set[int]] = {domain_id: set() for domain_id in cooling}
    unsure: set[str] = set()
    for lost in closure.nodes if cooling else ():
        if lost.id in index.unlisted:
            unsure |= cooling & index.stands_on(index.nodes[lost.id])
        training = _training_on(index, lost.id)
        if not training:
            continue
        for domain_id in cooling & index.stands_on(index.nodes[lost.id]):
            behind[domain_id] |= training
            if _races(lost):
                racing[domain_id] |= training
    return tuple(
        _race(index, domain_id, behind, racing, unlisted=domain_id in unsure) for domain_id in sorted(cooling)
    )


def _races(lost: LostNode) -> bool:
    """A machine races when cooling is all that it lost: without power there is nothing left to checkpoint."""
    return lost.cause != "failed" and lost.axes == ("cooling",)


def _training_on(index: EstateIndex, node_id: str) -> set[int]:
    workloads = index.estate.workloads
    return {p for p, _ in index.hosted.get(node_id, ()) if workloads[p].kind == "training"}


def _race(
    index: EstateIndex,
    domain_id: str,
    behind: Mapping[str, set[int]],
    racing: Mapping[str, set[int]],
    *,
    unlisted: bool,
) -> Race:
    workloads = [index.estate.workloads[position] for position in racing[domain_id]]
    return race(
        domain_id,
        index.estate.domains[domain_id].ride_through_minutes,
        workloads,
        any_training=bool(behind[domain_id]),
        bare=index.estate.bare or unlisted,
    )


def race(
    domain_id: str,
    ride_through_minutes: Number | None,
    racing: Iterable[Workload],
    *,
    any_training: bool,
    bare: bool,
) -> Race:
    """Return the race of the training workloads with units on racing nodes (spec 4).

    `bare`: units may be behind it of which nobody lists a workload.
    """
    racing = sorted(racing, key=lambda workload: workload.id)
    if bare:
        return Race(domain_id, ride_through_minutes, None, None, "unknown")
    if not racing:
        word: Verdict = "already-lost" if any_training else "no-training"
        return Race(domain_id, ride_through_minutes, None, None, word)
    slowest = time_to_target(
        Drain(None, None)
        if workload.checkpoint_minutes is None
        else checkpoint_drain(workload.checkpoint_minutes)
        for workload in racing
    )
    return Race(
        domain_id,
        ride_through_minutes,
        slowest.expected_minutes,
        slowest.worst_minutes,
        verdict(ride_through_minutes, slowest),
        tuple(workload.id for workload in racing),
    )
