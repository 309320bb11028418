"""Which pairs of failures could meet in the strict check, so that running both is not the sum of each.

The check is not monotone, so nothing but running it tells what two failures do that meet. Those that cannot
meet lose what they lose alone:

- one sheds, the other does not trip anything: no gate with a choice is left to the first, so what is dead and
  how flows are routed are as after the other alone, with less to flow;
- one sheds, the other trips something: the same, as long as all that trips still does. It does unless the
  first takes it down itself, or takes off it what it is over its limit;
- neither sheds: as long as neither reads what the other touches, and no node group stands on both, both go on
  as they do alone and flows add up. No rated domain may then be unable to carry what both shift onto it.
  (What trips after one is read by it, so the other does not touch it.)
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from closure.footprints import Footprint
from closure.pairs import Pair, ordered
from closure.strict_events import EventDriven

_CLOSE_CALL: Final = 1e-9
"""Share [-] of a limit: sums of loads that come so near to it are left to the simulation."""


def meeting_pairs(checks: EventDriven, prints: Sequence[Footprint]) -> list[Pair]:
    """Return the pairs that could meet, in order."""
    moving = [x for x, own in enumerate(prints) if not own.sheds]
    found = {*_reading(prints, moving), *_overloading(checks, prints, moving)}
    found.update(_relieving(checks, prints))
    return sorted(found)


def _reading(prints: Sequence[Footprint], moving: Sequence[int]) -> Iterator[Pair]:
    """Yield the pairs of which neither sheds and one reads what the other touches, or that share a group."""
    touching: dict[int, list[int]] = {}
    standing: dict[int, list[int]] = {}
    for x in moving:
        for d in prints[x].touched:
            touching.setdefault(d, []).append(x)
        for g in prints[x].stands:
            standing.setdefault(g, []).append(x)
    for x in moving:
        own = prints[x]
        partners = set().union(*[touching[d] for d in own.read], *[standing[g] for g in own.stands])
        partners.discard(x)
        yield from (ordered(x, y) for y in partners)


def _overloading(checks: EventDriven, prints: Sequence[Footprint], moving: Iterable[int]) -> Iterator[Pair]:
    """Yield the pairs that shift so much onto one rated domain, together, that it would trip."""
    rises: dict[int, list[tuple[float, int]]] = {}
    for x in moving:
        for d, rise_kw in prints[x].rises_kw.items():
            rises.setdefault(d, []).append((rise_kw, x))
    for d, shifted in rises.items():
        room_kw = checks.limit_kw[d] * (1.0 - _CLOSE_CALL) - checks.flows_kw[d]
        shifted.sort(reverse=True)
        for number, (rise_kw, x) in enumerate(shifted):
            if rise_kw + shifted[0][0] <= room_kw:
                break
            for other_kw, y in shifted[:number]:
                if rise_kw + other_kw <= room_kw:
                    break
                yield ordered(x, y)


def _relieving(checks: EventDriven, prints: Sequence[Footprint]) -> Iterator[Pair]:
    """Yield the pairs of which one sheds and could keep something from tripping after the other."""
    tripping: dict[int, list[int]] = {}
    for x, own in enumerate(prints):
        for d in own.excess_kw:
            tripping.setdefault(d, []).append(x)
    for y, own in enumerate(prints):
        if tripping and own.sheds:
            for d in checks.facility.with_upstream(own.touched).intersection(tripping):
                for x in tripping[d]:
                    spare_kw = prints[x].excess_kw[d] - _CLOSE_CALL * checks.limit_kw[d]
                    if d in own.read or own.takes_kw >= spare_kw:
                        yield ordered(x, y)
