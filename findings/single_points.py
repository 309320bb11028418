"""Single points of failure of critical workloads (beyond the methodology)."""

from dataclasses import dataclass

from findings.survey import Survey
from topology.model import Workload


@dataclass(frozen=True, slots=True)
class SinglePoints:
    """The domains whose failure alone stops a workload, sorted: ratings honoured, and ignored.

    `stopped_before`: it is stopped with nothing failed, ratings honoured; then no domain stops it.
    """

    workload: Workload
    honouring: tuple[str, ...]
    ignoring: tuple[str, ...]
    stopped_before: bool


def single_points(honouring: Survey, ignoring: Survey) -> tuple[SinglePoints, ...]:
    """Return the single points of every critical workload that runs, by id."""
    index = honouring.index
    with_ratings, without = honouring.stoppers, ignoring.stoppers
    critical = [(p, w) for p, w in enumerate(index.estate.workloads) if w.critical and index.units_of[p]]
    before = honouring.stopped_before
    found = (SinglePoints(w, with_ratings.get(p, ()), without.get(p, ()), p in before) for p, w in critical)
    return tuple(sorted(found, key=lambda each: each.workload.id))
