"""The smallest shed that keeps a cascade from happening, against how long the survivors carry it (beyond)."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from closure.cascade import close
from closure.compiled import Facility, Load
from closure.results import Closure
from findings.assumptions import Assumption, assumptions
from findings.caveats import distinct
from findings.curtail.limits import Excluded
from findings.curtail.plan import Plan, plan_of
from findings.curtail.remarks import age_caveats, plan_caveats
from findings.index import EstateIndex
from findings.maintenance.safety import Doubt
from findings.rescue.case import GOOD, Case, Relief, Rerun, Verdict, rerun
from findings.rescue.doubts import first_doubts
from findings.rescue.excluded import left_alone
from findings.rescue.overloads import Overloaded, first_overloads
from findings.rescue.partial import Partial, partial_plan
from findings.staleness import Staleness, staleness
from topology.model import Estate


@dataclass(frozen=True, slots=True)
class Hardest:
    """The overload with the least time to be relieved, and the plan shown in kW that come off it alone."""

    over: Overloaded
    plan: Plan


@dataclass(frozen=True, slots=True)
class Rescue:
    """An answer: the verdict, the overloads in the way, the plan, and both engines run without and with it.

    The plan is the one that is in time where there is one (`in_time`), else the one that would do if it were.
    Where none would, `partial` is what still can be kept, if anything. `doubts` are about survivors that
    carry more or hold with a feed gone: no plan that holds for the rest can vouch for them. `excluded`: what
    stands behind the overloads and no plan is chosen from.
    """

    estate: Estate
    load: Load
    failed: tuple[str, ...]
    verdict: Verdict
    doubts: tuple[Doubt, ...]
    reliefs: tuple[Relief, ...]
    plan: Plan
    in_time: bool
    before: Rerun
    after: Rerun
    partial: Partial | None
    hardest: Hardest | None
    excluded: tuple[Excluded, ...]
    staleness: Staleness
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]

    @property
    def shown(self) -> Plan:
        """The plan, or the partial one where there is none."""
        return self.plan if self.partial is None else self.partial.plan

    @property
    def shown_in_time(self) -> bool:
        """Whether the plan shown is the least harmful of those in time alone: a slower one may harm less."""
        return self.in_time if self.partial is None else self.partial.in_time is True


def plan_rescue(
    facility: Facility, failed: Iterable[str], *, now: str, index: EstateIndex | None = None
) -> Rescue:
    """Return the smallest shed after which the failure of these ids trips and demotes nothing, at `now`.

    Smallest: as few critical units as possible, then kW, then dollars, then workloads; of the plans that are
    in time where there is one, even if a slower one were smaller. Raises UnknownId for ids that are neither
    domain nor node.
    """
    index = EstateIndex(facility.estate) if index is None else index
    closure = close(facility, failed)
    case = Case(facility, index, closure.failed)
    overs = first_overloads(facility, case.first)
    while True:
        solution = case.solved(overs)
        after = case.rerun(solution.plan)
        more = case.revealed(overs, after) if solution.plan.pauses else []
        if not more:
            break
        overs = sorted([*overs, *more], key=lambda each: (each.id, each.by))
    doubts = first_doubts(facility, index, closure.failed)
    ages = staleness(facility.estate, now)
    before = rerun(facility, closure.failed)
    partial = partial_plan(case, before) if solution.verdict == "not-sheddable" else None
    ordered = solution.plan if partial is None else partial.plan
    return Rescue(
        estate=facility.estate,
        load=facility.load,
        failed=closure.failed,
        verdict="unknown" if doubts and solution.verdict in GOOD else solution.verdict,
        doubts=doubts,
        reliefs=solution.reliefs,
        plan=solution.plan,
        in_time=solution.in_time,
        before=before,
        after=after,
        partial=partial,
        hardest=_hardest(case, solution.reliefs, ordered, partial),
        excluded=left_alone(case, overs, in_time=solution.in_time),
        assumptions=assumptions(facility.estate),
        staleness=ages,
        caveats=distinct(
            (*age_caveats(ages), *plan_caveats(index, facility, ordered), *_caveats(closure, overs))
        ),
    )


def _hardest(case: Case, reliefs: Sequence[Relief], plan: Plan, partial: Partial | None) -> Hardest | None:
    """Return the overload that is carried the shortest, of those that the plan is to relieve."""
    kept = [each.over for each in reliefs if partial is None or each.over.id in partial.relieved]
    if not kept:
        return None
    over = min(
        kept,
        key=lambda each: (
            math.inf if each.carry_seconds is None else each.carry_seconds,
            -each.excess_kw,
            each.id,
        ),
    )
    names = [pause.workload.id for pause in case.candidates]
    off_kw = dict(zip(names, case.taken(over), strict=True))
    return Hardest(over, plan_of(replace(pause, kw=off_kw[pause.workload.id]) for pause in plan.pauses))


def _caveats(closure: Closure, overs: Sequence[Overloaded]) -> Iterator[str]:
    silent = [over.id for over in overs if over.carry_seconds is None]
    if silent:
        yield (
            f"Survivors that do not say how long they carry an overload: {len(silent):,}. Without `overload` "
            "on the domain nobody can say whether the shed is in time."
        )
    if closure.electrically_unverified:
        yield (
            "Survivors with unrated feeds or an unknown draw: "
            f"{len(closure.electrically_unverified):,}. Electrically unverified: no plan vouches for them."
        )
