"""The state of every domain after each single failure, from indices: what a picture of it would show."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from closure.cascade import Settled, lost_members
from closure.compiled import Facility
from closure.results import DomainCause
from closure.sweep import StrictRow
from topo.diagram.ground import Ground
from topo.diagram.states import State

_CAUSES: dict[DomainCause, State] = {
    "failed": "failed",
    "out": "out",
    "parent-lost": "lost",
    "feeds-lost": "lost",
    "demoted": "demoted",
}


@dataclass(frozen=True, slots=True)
class Fates:
    """Domains that are not safe, by index; groups lost by the closure, by strict alone, degraded."""

    domains: Mapping[int, State]
    lost: tuple[int, ...]
    strict: tuple[int, ...]
    degraded: tuple[int, ...]


class Racks:
    """Which node groups stand in which rack, by index."""

    def __init__(self, ground: Ground) -> None:
        self.facility = ground.facility
        self.of_group: dict[int, int] = {}
        self.groups: dict[int, list[int]] = {}
        for g, members in enumerate(self.facility.groups):
            for place in members.places:
                if place.axis == "rack":
                    self.of_group[g] = place.domains[0]
                    self.groups.setdefault(place.domains[0], []).append(g)


def fates(racks: Racks, settled: Settled, groups: Iterable[int], strict: StrictRow) -> Fates:
    """Return what became of every domain and group that one failure touches (`topo.diagram.survey`, fast)."""
    facility = racks.facility
    lost = frozenset(groups)
    strict_only = tuple(g for g in strict.groups if g not in lost)
    degraded = tuple(_degraded_groups(facility, settled.lost, lost))
    states = _domain_states(facility, settled, strict)
    for rack in {racks.of_group[g] for g in (*lost, *strict_only, *degraded) if g in racks.of_group}:
        own = states.get(rack, "safe")
        if own in {"safe", "degraded", "unverified"}:
            state = _place_state(racks, rack, own, (lost, frozenset(strict_only), frozenset(degraded)))
            if state != "safe":
                states[rack] = state
    return Fates(states, tuple(sorted(lost)), strict_only, degraded)


def _domain_states(facility: Facility, settled: Settled, strict: StrictRow) -> dict[int, State]:
    states: dict[int, State] = {}
    for d, gate in settled.held.items():
        unrated = any(facility.rated_kw[feed] is None for feed in gate.alive)
        judged = facility.feeds_commodity[d] is not None
        states[d] = "unverified" if judged and (unrated or facility.draws_kw[d] is None) else "degraded"
    states |= dict.fromkeys(strict.domains, "strict-lost")
    states |= dict.fromkeys(strict.tripped, "tripped")
    return states | {d: _CAUSES[loss.cause] for d, loss in settled.lost.items()}


def _degraded_groups(facility: Facility, lost: Collection[int], gone: Collection[int]) -> Iterable[int]:
    for g in sorted({g for d in lost for g in facility.groups_on[d]}.difference(gone)):
        places = facility.groups[g].places
        partly = any(place.mode == "any" and any(d in lost for d in place.domains) for place in places)
        if partly and not any(lost_members(place, lost) for place in places):
            yield g


def _place_state(
    racks: Racks, rack: int, own: State, touched: tuple[Collection[int], Collection[int], Collection[int]]
) -> State:
    """Return the state of a rack that itself stands, by the nodes in it."""
    lost, strict, degraded = touched
    sizes = {g: len(racks.facility.groups[g].nodes) for g in racks.groups[rack]}
    everyone = sum(sizes.values())
    by_closure = sum(size for g, size in sizes.items() if g in lost)
    by_either = by_closure + sum(size for g, size in sizes.items() if g in strict)
    if by_closure == everyone:
        return "emptied"
    if by_either == everyone:
        return "strict-lost"
    if by_either:
        return "partial"
    return "degraded" if own == "safe" and any(g in degraded for g in sizes) else own
