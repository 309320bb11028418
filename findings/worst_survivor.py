"""The survivor that each single failure loads most, by the strict check (beyond the methodology)."""

from collections.abc import Iterator
from dataclasses import dataclass

from closure.compiled import Facility
from closure.strict_events import EventDriven, StrictOutcome
from closure.tolerance import exceeds


@dataclass(frozen=True, slots=True)
class WorstSurvivor:
    """After the failure of `failed` alone: the rated survivor that comes closest to its rating.

    `share` is `after_kw` / `rated_kw` [-].
    """

    failed: str
    survivor: str
    after_kw: float
    rated_kw: float
    share: float


def worst_survivors(facility: Facility) -> tuple[WorstSurvivor, ...]:
    """Return the worst rated survivor of every single failure that has one, by failed domain; ties by id."""
    start = facility.strict_start
    found = []
    for d, failed in enumerate(facility.domain_ids):
        # What is out already raises flows: only a full account says which of those have fallen since.
        loaded = list(_loaded(start, start.run((d,), flows=bool(facility.out))))
        if loaded:
            share, survivor, after_kw = min(loaded, key=lambda each: (-each[0], facility.domain_ids[each[1]]))
            rated_kw = facility.rated_kw[survivor] or 0.0
            found.append(WorstSurvivor(failed, facility.domain_ids[survivor], after_kw, rated_kw, share))
    return tuple(sorted(found, key=lambda each: each.failed))


def _loaded(start: EventDriven, outcome: StrictOutcome) -> Iterator[tuple[float, int, float]]:
    """Yield (share of the rating, domain, flow) of what carries more than with nothing failed or out."""
    facility = start.facility
    flows = outcome.flow_kw
    if facility.out:
        flows = {**dict(enumerate(start.flows_kw)), **flows}
    for d, after_kw in flows.items():
        rated_kw = facility.rated_kw[d]
        if rated_kw and exceeds(after_kw, facility.flows_kw[d]):
            yield after_kw / rated_kw, d, after_kw
