"""The strict electrical check of one scenario, recomputed whole in every round (spec 4, beyond).

The closure tests one domain at a time; here every survivor carries the sum of what shifts onto it, and what
trips is the feed, with all its other dependents. This is the clear form; closure/strict_events.py gives the
same answer by following only what changes.
"""

import heapq
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from closure.cascade import id_tuple, split_ids, touched_groups
from closure.compiled import Facility
from closure.effects import is_dark, is_lost
from closure.flow import flows
from closure.results import Closure, Strict, Survivor, Trip
from closure.tolerance import exceeds
from topology.kinds import POWER


@dataclass(frozen=True, slots=True)
class Round:
    """One round of the check: what is dead, and what flows [kW] while it is."""

    unpowered: Collection[int]
    lost: Collection[int]
    group_kw: tuple[float, ...]
    flows_kw: tuple[float, ...]


def strict_check(facility: Facility, failed: Iterable[str], closure: Closure) -> Strict:
    """Run the strict check of a scenario and compare it with its closure (spec 4).

    Raises UnknownId for ids that are neither a domain nor a node.
    """
    failed_domains, failed_nodes = split_ids(facility, set(failed))
    return outcome(facility, simulate(facility, failed_domains, failed_nodes), failed_nodes, closure)


def outcome(
    facility: Facility, rounds: list[Round], failed_nodes: Collection[int], closure: Closure
) -> Strict:
    """Return what the rounds of a scenario came to, compared with its closure."""
    tripped = _trips(facility, rounds)
    lost = rounds[-1].lost
    domains = id_tuple(facility, lost)
    nodes = _lost_nodes(facility, lost, failed_nodes)
    differing = {loss.id for loss in closure.domains}.symmetric_difference(domains)
    return Strict(
        domains=domains,
        nodes=nodes,
        tripped=tripped,
        survivors=_survivors(facility, rounds),
        rounds=len(rounds) - 1,
        lower_bound=not facility.kw_known,
        agrees=nodes == tuple(node.id for node in closure.nodes)
        and differing <= {trip.id for trip in tripped},
    )


def simulate(facility: Facility, failed: Collection[int], failed_nodes: Collection[int] = ()) -> list[Round]:
    """Return the rounds of the check, the last one stable: nothing more trips in it."""
    dead = {*failed, *facility.out}
    rounds = []
    while True:
        now = settled_round(facility, dead, failed_nodes)
        rounds.append(now)
        tripping = overloaded(facility, now)
        if not tripping:
            return rounds
        dead.update(tripping)


def overloaded(facility: Facility, now: Round) -> list[int]:
    """Return what trips: rated and live, over its rating, and over its flow with nothing failed or out."""
    return [
        d
        for d, (kw, rated_kw) in enumerate(zip(now.flows_kw, facility.rated_kw, strict=True))
        # A dead domain carries nothing, so whatever exceeds a rating is live.
        if rated_kw is not None and exceeds(kw, rated_kw) and exceeds(kw, facility.flows_kw[d])
    ]


def downstream(facility: Facility, dead: Iterable[int], *, power_only: bool) -> set[int]:
    """Return the closure of `dead` under rules 2 and 3: along every edge, or along power edges only."""
    gone = set(dead)
    queue = sorted(gone)
    while queue:
        d = heapq.heappop(queue)
        if power_only and facility.commodity[d] != POWER:
            continue
        for dependent in facility.dependents[d]:
            if dependent not in gone and falls(facility, dependent, d, gone):
                gone.add(dependent)
                heapq.heappush(queue, dependent)
    return gone


def falls(facility: Facility, d: int, upstream: int, gone: Collection[int]) -> bool:
    """Return whether `d` is lost once its upstream domain is among the `gone` (spec 4 rules 2 and 3)."""
    if facility.parent[d] == upstream:
        return True
    missing = facility.needed[d]
    for feed in facility.feeds[d]:
        if feed not in gone:
            missing -= 1
            if not missing:
                return False
    return True


def settled_round(facility: Facility, dead: Collection[int], failed_nodes: Collection[int]) -> Round:
    """Return who is without power, what is lost and what flows while exactly the `dead` ids are down."""
    if not dead and not failed_nodes:
        all_in_kw = tuple([group.kw for group in facility.groups])
        return Round(frozenset(), frozenset(), all_in_kw, facility.flows_kw)
    unpowered = downstream(facility, dead, power_only=True)
    lost = downstream(facility, dead, power_only=False)
    group_kw = _drawing(facility, unpowered, failed_nodes)
    return Round(unpowered, lost, group_kw, tuple(flows(facility, group_kw, unpowered, lost)))


def _drawing(
    facility: Facility, unpowered: Collection[int], failed_nodes: Collection[int]
) -> tuple[float, ...]:
    """What each group of nodes still draws [kW]: nothing without power, and nothing for its failed nodes."""
    failed_in = {facility.node_group[node] for node in failed_nodes}
    drawing = []
    for g, group in enumerate(facility.groups):
        if is_dark(group, unpowered):
            drawing.append(0.0)
        elif g in failed_in:
            alive = (facility.node_kw[node] for node in group.nodes if node not in failed_nodes)
            drawing.append(math.fsum(kw for kw in alive if kw is not None))
        else:
            drawing.append(group.kw)
    return tuple(drawing)


def _lost_nodes(facility: Facility, lost: Collection[int], failed_nodes: Collection[int]) -> tuple[str, ...]:
    gone = set(failed_nodes)
    for group in touched_groups(facility, lost):
        if is_lost(group, lost):
            gone.update(group.nodes)
    return tuple(sorted(facility.node_ids[node] for node in gone))


def _trips(facility: Facility, rounds: list[Round]) -> tuple[Trip, ...]:
    trips = []
    for number, now in enumerate(rounds, 1):
        for d in overloaded(facility, now):
            rated_kw = facility.rated_kw[d]
            assert rated_kw is not None
            trips.append(
                Trip(facility.domain_ids[d], number, facility.flows_kw[d], now.flows_kw[d], rated_kw)
            )
    return tuple(sorted(trips, key=lambda trip: trip.id))


def _survivors(facility: Facility, rounds: list[Round]) -> tuple[Survivor, ...]:
    survivors = [
        Survivor(
            facility.domain_ids[d],
            before_kw,
            after_kw,
            max(now.flows_kw[d] for now in rounds),
            facility.rated_kw[d],
        )
        for d, (before_kw, after_kw) in enumerate(zip(facility.flows_kw, rounds[-1].flows_kw, strict=True))
        if exceeds(after_kw, before_kw)
    ]
    return tuple(sorted(survivors, key=lambda survivor: survivor.id))
