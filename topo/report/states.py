"""The state of every domain after each single failure, from indices: what a picture of it would show."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from closure.cascade import Settled, lost_members
from closure.compiled import Facility
from closure.results import DomainCause
from closure.sweep import StrictRow
from closure.unplaced import unplaced_left
from topo.diagram.ground import Ground
from topo.diagram.states import State
from topo.diagram.survey import Counts, place_state

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
    unplaced: tuple[int, ...]
    """Alive by the map, which does not say where some of what is lost reaches them."""


def fates(ground: Ground, settled: Settled, groups: Iterable[int], strict: StrictRow) -> Fates:
    """Return what became of every domain and group that one failure touches (`topo.diagram.survey`, fast)."""
    facility, standing = ground.facility, ground.standing
    lost = frozenset(groups)
    strict_only = tuple(g for g in strict.groups if g not in lost)
    degraded = tuple(_degraded_groups(facility, settled.lost, lost))
    unplaced = unplaced_left(facility, {*settled.lost, *strict.domains}, {*lost, *strict_only})
    states = _domain_states(facility, settled, strict)
    by_closure = standing.whole(lost)
    by_either = standing.whole((*lost, *strict_only)) if strict_only else by_closure
    counts = Counts(by_closure, by_either, standing.whole(degraded), standing.whole(unplaced))
    for d in {*by_either, *counts.degraded, *counts.unplaced}:
        own = states.get(d, "safe")
        if own in {"safe", "degraded", "unverified"}:
            state = place_state(ground, d, own, counts)
            if state != "safe":
                states[d] = state
    return Fates(states, tuple(sorted(lost)), strict_only, degraded, unplaced)


def _domain_states(facility: Facility, settled: Settled, strict: StrictRow) -> dict[int, State]:
    states: dict[int, State] = {}
    for d, gate in settled.held.items():
        unrated = any(facility.rated_kw[feed] is None for feed in gate.alive)
        judged = facility.feeds_commodity[d] is not None
        states[d] = "unverified" if judged and (unrated or facility.draws_kw[d] is None) else "degraded"
    states |= dict.fromkeys(strict.unsure, "unverified")
    states |= dict.fromkeys(strict.domains, "strict-lost")
    states |= dict.fromkeys(strict.tripped, "tripped")
    return states | {d: _CAUSES[loss.cause] for d, loss in settled.lost.items()}


def _degraded_groups(facility: Facility, lost: Collection[int], gone: Collection[int]) -> Iterable[int]:
    for g in sorted({g for d in lost for g in facility.groups_on[d]}.difference(gone)):
        places = facility.groups[g].places
        partly = any(place.mode == "any" and any(d in lost for d in place.domains) for place in places)
        if partly and not any(lost_members(place, lost) for place in places):
            yield g
