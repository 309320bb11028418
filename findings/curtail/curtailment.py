"""Which workloads to pause to shed kilowatts at least harm (methodology: Curtailment drain latency)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from closure.bounded import bounded_flows
from closure.compiled import Facility, Load
from closure.effects import is_dark
from closure.strict import Round, simulate
from closure.tolerance import exceeds
from findings import constants
from findings.assumptions import Assumption, assumptions
from findings.curtail.ask import Ask, NothingFlows
from findings.curtail.pauses import Pause, ordered_off, pauses, savings
from findings.curtail.plan import Plan, harm_levels, plan_of
from findings.curtail.remarks import curtailment_caveats
from findings.curtail.shares import everywhere, group_shares
from findings.curtail.solver import Need, choose
from findings.index import EstateIndex
from findings.staleness import Staleness, staleness
from topology.model import Estate
from topology.unknown_id import unknown_id

Reason = Literal["within", "protect-critical", "unknown-cadence", "unknown-kw"]
"""Why a workload is not to be paused: the deadline, its protection, its cadence, its power."""

_REASONS: Final[tuple[Reason, ...]] = ("within", "protect-critical", "unknown-cadence", "unknown-kw")


@dataclass(frozen=True, slots=True)
class Excluded:
    """A workload that the plan may not touch, and every reason why."""

    pause: Pause
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A constraint that holds kW back: `kw` [kW] would come free if it alone were lifted (None: unknown).

    `enough`: the ask could then be met (None: some kW that counts here is unknown). The constraint "load" is
    the facility itself: all workloads together draw too little, or (None) nobody knows whether they do.
    """

    constraint: Reason | Literal["load"]
    kw: float | None
    enough: bool | None


@dataclass(frozen=True, slots=True)
class Lift:
    """The fewest constraints whose lifting together lets the ask be met, and what may then be paused [kW]."""

    constraints: tuple[Reason, ...]
    kw: float


@dataclass(frozen=True, slots=True)
class Curtailment:
    """An answer to an ask. `feasible` is None where it cannot be decided: some power is unknown.

    `draw_kw` is what passes through the domain now (or the whole estate draws), a lower bound unless
    `draw_exact`. Where the ask is not feasible, `plan` is everything that may be paused, and `shortfall_kw`
    what is missing; `smallest_lift` says what to lift, None where no lifting is known to suffice.
    """

    estate: Estate
    load: Load
    ask: Ask
    draw_kw: float
    draw_exact: bool
    target_kw: float
    feasible: bool | None
    most_kw: float
    shortfall_kw: float
    plan: Plan
    excluded: tuple[Excluded, ...]
    binding: tuple[Binding, ...]
    smallest_lift: Lift | None
    staleness: Staleness
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]


def plan_curtailment(
    facility: Facility, ask: Ask, *, now: str, index: EstateIndex | None = None
) -> Curtailment:
    """Return the plan of least harm for an ask, at `now` (RFC 3339).

    Least harm: as few critical units as possible, then dollars, then workloads; ties as in `choose`. Loads
    are the snapshot's, with nothing failed and what is out of service dead.

    Raises:
        UnknownId: `ask.under` is no domain.
        NothingFlows: it is one that carries neither power nor heat.
    """
    index = EstateIndex(facility.estate) if index is None else index
    round_now = simulate(facility, ())[-1]
    draw_kw, draw_exact, shares = _draw(facility, ask.under, round_now)
    found = pauses(index, facility, savings(index), shares)
    allowed, excluded = _sorted_out(index, ask, found)
    target_kw = ask.target_kw(draw_kw)
    most_kw = math.fsum(each.kw for each in allowed)
    needs = []
    if target_kw > 0:
        needs = [Need([each.kw for each in allowed], target_kw / (1 + constants.RELATIVE_TOLERANCE))]
    choice = choose(len(allowed), needs, harm_levels(allowed))
    plan = plan_of(allowed) if choice is None else plan_of([allowed[i] for i in choice.items], choice.levels)
    unsure = ask.kind != "shed-kw" and not draw_exact
    unknown_kw = any(each.kw_unknown for each in found)
    feasible = None if unsure or (choice is None and unknown_kw) else choice is not None
    ages = staleness(facility.estate, now)
    return Curtailment(
        estate=facility.estate,
        load=facility.load,
        ask=ask,
        draw_kw=draw_kw,
        draw_exact=draw_exact,
        target_kw=target_kw,
        feasible=feasible,
        most_kw=most_kw,
        shortfall_kw=0.0 if choice is not None else target_kw - most_kw,
        plan=plan,
        excluded=tuple(excluded),
        binding=() if choice is not None else _binding(target_kw, allowed, excluded),
        smallest_lift=None if choice is not None or unsure else _smallest_lift(target_kw, allowed, excluded),
        staleness=ages,
        assumptions=assumptions(facility.estate),
        caveats=curtailment_caveats(index, facility, plan, ages, draw_exact=draw_exact),
    )


def _draw(facility: Facility, under: str | None, now: Round) -> tuple[float, bool, list[float]]:
    """Return what is drawn [kW], whether that is all of it, and every node group's share in it.

    Units of unknown kW that are without power draw nothing (spec 4): a known 0.
    """
    if under is None:
        own = (kw for d, kw in enumerate(facility.own_load_kw) if kw and d not in now.unpowered)
        exact = all(is_dark(group, now.unpowered) for group in facility.unsure_groups)
        return math.fsum((*now.group_kw, *own)), exact, everywhere(facility, now)
    domain = facility.domain_index.get(under)
    if domain is None:
        raise unknown_id([under], facility.domain_ids)
    if facility.commodity[domain] is None:
        raise NothingFlows(under, facility.estate.domains[under].kind)
    exact = domain not in bounded_flows(facility, now.unpowered, now.lost)
    return now.flows_kw[domain], exact, group_shares(facility, domain, now)


def _sorted_out(index: EstateIndex, ask: Ask, found: Sequence[Pause]) -> tuple[list[Pause], list[Excluded]]:
    """Part the workloads that matter here into those that may be paused and those that may not."""
    allowed, excluded = [], []
    for pause in found:
        if not pause.kw and not pause.kw_unknown:
            continue
        early = _early(index, ask, pause)
        reasons = _reasons(ask, early)
        if reasons:
            excluded.append(Excluded(early, reasons))
        else:
            allowed.append(early)
    return allowed, excluded


def _early(index: EstateIndex, ask: Ask, pause: Pause) -> Pause:
    """Return the pause as it would go: ordered off where that is allowed and the deadline is too near."""
    worst = pause.drain.worst_minutes
    if not ask.allow_early or pause.mode != "checkpoint" or worst is None or ask.within_minutes is None:
        return pause
    return ordered_off(index, pause) if worst > ask.within_minutes else pause


def _reasons(ask: Ask, pause: Pause) -> tuple[Reason, ...]:
    worst, within = pause.drain.worst_minutes, ask.within_minutes
    holds: dict[Reason, bool] = {
        "within": within is not None and (worst is None or worst > within),
        # What nobody knows may be critical.
        "protect-critical": ask.protect_critical and pause.workload.critical is not False,
        "unknown-cadence": worst is None and not ask.allow_unknown,
        "unknown-kw": not pause.kw,
    }
    return tuple(reason for reason in _REASONS if holds[reason])


def _smallest_lift(target_kw: float, allowed: Sequence[Pause], excluded: Sequence[Excluded]) -> Lift | None:
    """Return the smallest set of constraints that suffices; of equally small ones that with the most kW."""
    present = {reason for each in excluded for reason in each.reasons}
    liftable = [reason for reason in _REASONS if reason in present and reason != "unknown-kw"]
    for size in range(1, len(liftable) + 1):
        lifts = [(lifted, _lifted(lifted, allowed, excluded)) for lifted in combinations(liftable, size)]
        enough = [(lifted, paused) for lifted, paused in lifts if _enough(target_kw, paused)]
        if enough:
            found = [Lift(lifted, math.fsum(each.kw for each in paused)) for lifted, paused in enough]
            return max(found, key=lambda lift: lift.kw)
    return None


def _lifted(
    lifted: tuple[Reason, ...], allowed: Sequence[Pause], excluded: Sequence[Excluded]
) -> list[Pause]:
    """Return what may be paused when these constraints are lifted."""
    return [*allowed, *(each.pause for each in excluded if set(each.reasons) <= set(lifted))]


def _binding(target_kw: float, allowed: Sequence[Pause], excluded: Sequence[Excluded]) -> tuple[Binding, ...]:
    """Return what each constraint alone holds back, the largest first."""
    found: list[Binding] = []
    for reason in _REASONS:
        if not any(reason in each.reasons for each in excluded):
            continue
        if reason == "unknown-kw":
            found.append(Binding(reason, None, None))
            continue
        freed = [each.pause for each in excluded if each.reasons == (reason,)]
        kw = math.fsum(each.kw for each in freed)
        found.append(Binding(reason, kw, _enough(target_kw, [*allowed, *freed])))
    everything = _enough(target_kw, [*allowed, *(each.pause for each in excluded)])
    if not everything:
        found.append(Binding("load", None if everything is None else 0.0, everything))
    return tuple(sorted(found, key=lambda each: (-(each.kw or 0.0), each.constraint)))


def _enough(target_kw: float, paused: Sequence[Pause]) -> bool | None:
    """Return whether these pauses shed the target; None where only their unknown kW could."""
    if not exceeds(target_kw, math.fsum(each.kw for each in paused)):
        return True
    return None if any(each.kw_unknown for each in paused) else False
