"""May this be taken out for maintenance, what would it leave, and by when must it start (beyond)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from closure.compiled import Facility, Load
from closure.sweep import Progress
from findings.assumptions import Assumption, assumptions
from findings.caveats import (
    cadence_caveats,
    distinct,
    estate_caveats,
    exposure_caveats,
    lower_bound_caveats,
    staleness_caveats,
)
from findings.drain import Drain, drain, time_to_target
from findings.exposure import Hit
from findings.impact import Impact, assess
from findings.index import EstateIndex
from findings.maintenance.largest import EXACT_CANDIDATES, Largest, largest_safe
from findings.maintenance.load import CarriesMore, carries_more, ratings_needed, tight
from findings.maintenance.safety import Safety, Scene, judge
from findings.maintenance.second import SecondFailures, second_failures
from findings.staleness import Staleness, staleness
from topology.model import Estate, Number
from topology.rules.common import plural
from topology.timestamps import parse_timestamp

Verdict = Literal["safe", "not-safe", "unknown", "too-late"]


@dataclass(frozen=True, slots=True)
class Job:
    """A workload on nodes that the work loses: to checkpoint (training) or to move before it starts."""

    hit: Hit
    action: Literal["checkpoint", "move"]
    drain: Drain


@dataclass(frozen=True, slots=True)
class Window:
    """The time that the work has. Times are UTC (RFC 3339); None: unknown.

    `latest_start` is when the work itself must start, `latest_safe_start` when the jobs must be told to make
    way: earlier by their worst drain; `why` says why that is None. `in_time` says whether it is still ahead:
    what lies before the calendar begins is not.
    """

    duration_minutes: Number | None
    until: str | None
    latest_start: str | None
    latest_safe_start: str | None
    in_time: bool | None
    why: Literal["no-window", "drain-unknown", "before-calendar"] | None = None


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The answer. `impact` is that of the nodes lost beyond the scene, by either engine."""

    estate: Estate
    load: Load
    out: tuple[str, ...]
    safety: Safety
    impact: Impact
    carries_more: tuple[CarriesMore, ...]
    ratings_needed: tuple[CarriesMore, ...]
    second: SecondFailures
    jobs: tuple[Job, ...]
    drain: Drain
    window: Window | None
    largest: Largest | None
    staleness: Staleness
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Not safe before unknown before too late: the first that holds."""
        if self.safety.safe is None:
            return "unknown"
        if not self.safety.safe:
            return "not-safe"
        return "too-late" if self.window is not None and self.window.in_time is False else "safe"

    @property
    def out_already(self) -> tuple[str, ...]:
        """Of what is to be taken out, what is out of service already."""
        return tuple(name for name in self.safety.ids if name in self.out)

    @property
    def lost_already(self) -> tuple[str, ...]:
        """Of what is to be taken out, what is in service, and lost by the closure with what is not."""
        closure = self.safety.closure
        lost = {*closure.baseline_domains, *closure.baseline_nodes}.difference(self.out)
        return tuple(name for name in self.safety.ids if name in lost)

    @property
    def tight(self) -> CarriesMore | None:
        """The survivor that the work leaves nearest to its rating, where that is near."""
        return tight(self.carries_more)

    @property
    def overloads(self) -> bool:
        """Whether the work makes something trip or be demoted: a shed could keep that from happening."""
        closure = self.safety.closure
        already = set(closure.baseline_domains)
        demoted = any(each.cause == "demoted" and each.id not in already for each in closure.domains)
        return demoted or bool(self.safety.tripped)


def plan_maintenance(
    facility: Facility,
    ids: Iterable[str],
    *,
    now: str,
    duration_minutes: Number | None = None,
    until: str | None = None,
    max_together: int | None = None,
    progress: Progress | None = None,
) -> Maintenance:
    """Answer for taking the domains and nodes of `ids` out together at `now` (RFC 3339).

    `duration_minutes` [min] and `until` bound the work; `max_together` asks for the largest safe subset.
    Raises UnknownId for ids that are neither domain nor node, OverflowError for a latest start before the
    calendar begins.
    """
    estate, index = facility.estate, EstateIndex(facility.estate)
    scene = Scene(facility, index)
    safety = judge(scene, ids)
    impact = assess(index, (loss.node for loss in safety.losses))
    jobs = tuple(_job(hit) for hit in impact.hits)
    slowest = time_to_target(job.drain for job in jobs)
    second = second_failures(facility, safety.ids, progress)
    largest = None if max_together is None else largest_safe(scene, safety.ids, max_together)
    ages = staleness(estate, now)
    asked = duration_minutes is not None or until is not None
    return Maintenance(
        estate=estate,
        load=facility.load,
        out=tuple(sorted(facility.domain_ids[d] for d in facility.out)),
        safety=safety,
        impact=impact,
        carries_more=carries_more(scene, safety),
        ratings_needed=ratings_needed(scene, safety),
        second=second,
        jobs=jobs,
        drain=slowest,
        window=window(now, duration_minutes, until, slowest) if asked else None,
        largest=largest,
        staleness=ages,
        assumptions=assumptions(estate),
        caveats=distinct(_caveats(index, safety, impact, jobs, largest, ages)),
    )


def window(now: str, duration_minutes: Number | None, until: str | None, slowest: Drain) -> Window:
    """Return when the work must start: `until` − duration, and before that the worst drain of the jobs.

    Raises OverflowError where `until` − duration lies beyond the calendar.
    """
    end, clock = _utc(until), _utc(now)
    if end is None or duration_minutes is None:
        return Window(duration_minutes, until, None, None, None, "no-window")
    start = end - timedelta(minutes=duration_minutes)
    if slowest.worst_minutes is None:
        late = False if clock and start < clock else None
        return Window(duration_minutes, until, _stamp(start), None, late, "drain-unknown")
    try:
        safe_start = start - timedelta(minutes=slowest.worst_minutes)
    except OverflowError:
        return Window(duration_minutes, until, _stamp(start), None, False, "before-calendar")
    in_time = None if clock is None else safe_start >= clock
    return Window(duration_minutes, until, _stamp(start), _stamp(safe_start), in_time)


def _utc(stamp: str | None) -> datetime | None:
    moment = None if stamp is None else parse_timestamp(stamp)
    return None if moment is None else moment.astimezone(UTC)


def _stamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _job(hit: Hit) -> Job:
    return Job(hit, "checkpoint" if hit.workload.kind == "training" else "move", drain(hit.workload))


def _caveats(
    index: EstateIndex,
    safety: Safety,
    impact: Impact,
    jobs: Iterable[Job],
    largest: Largest | None,
    ages: Staleness,
) -> Iterator[str]:
    if not index.estate.bare:
        yield from staleness_caveats(ages.snapshot, snapshot=True)
    yield from estate_caveats(index)
    closure = safety.closure
    if closure.baseline_domains:
        domains, nodes = len(closure.baseline_domains), len(closure.baseline_nodes)
        yield (
            f"Already lost before this work: {plural(domains, 'domain')}, {plural(nodes, 'node')}. "
            "They are not held against it; `baseline` lists them."
        )
    trips = len(safety.already.tripped)
    if trips:
        yield (
            f"Domains that trip with what is out already, by the strict check: {trips:,}. What that loses is "
            "not held against this work by the strict check."
        )
    yield from lower_bound_caveats(index.estate, lower_bound=safety.strict.lower_bound)
    yield from exposure_caveats(impact.hits, impact.exposure)
    jobs = list(jobs)
    untimed = sum(job.drain.worst_minutes is None for job in jobs)
    yield from cadence_caveats((job.hit.workload for job in jobs), untimed)
    if largest is not None and not largest.exact:
        yield (
            f"More than {EXACT_CANDIDATES} candidates: the largest set is a greedy choice in the order of "
            "ids. It is safe, but a larger one may exist."
        )
