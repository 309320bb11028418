"""Which workloads to pause to shed kilowatts at least harm (methodology: Curtailment drain latency)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from closure.bounded import bounded_flows
from closure.compiled import Facility, Load
from closure.effects import is_dark
from closure.strict import Round, simulate
from findings import constants
from findings.assumptions import Assumption, assumptions
from findings.curtail.ask import Ask, NothingFlows
from findings.curtail.gone import Gone, gone
from findings.curtail.limits import (
    Binding,
    Excluded,
    Lift,
    Liftable,
    bindings,
    freed,
    smallest_lift,
    sorted_out,
)
from findings.curtail.pauses import Pause, pauses, savings
from findings.curtail.plan import Plan, harm_levels, plan_of
from findings.curtail.remarks import curtailment_caveats
from findings.curtail.shares import everywhere, group_shares
from findings.curtail.solver import Need, choose
from findings.index import EstateIndex
from findings.staleness import Staleness, staleness
from topology.model import Estate, Number
from topology.unknown_id import unknown_id

_UNTIMED: Final[tuple[Liftable, ...]] = ("unknown-cadence",)


@dataclass(frozen=True, slots=True)
class Gentler:
    """What lifting constraints would spare: a plan meets the ask then with so few critical units."""

    constraints: tuple[Liftable, ...]
    critical_units: Number


@dataclass(frozen=True, slots=True)
class Curtailment:
    """An answer to an ask. `feasible` is None where it cannot be decided: some power is unknown.

    `draw_kw` is what passes through the domain now (or the whole estate draws), a lower bound unless
    `draw_exact`. Where the ask is not feasible, `plan` is everything that may be paused, and `shortfall_kw`
    what is missing; `smallest_lift` says what to lift, None where no lifting is known to suffice. `gone`: why
    the domain is lost already; `gentler`: what would spare critical units, where the ask is feasible.
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
    gentler: Gentler | None
    gone: Gone | None
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
    allowed, excluded = sorted_out(index, ask, found)
    target_kw = ask.target_kw(draw_kw)
    most_kw = math.fsum(each.kw for each in allowed)
    needed_kw = target_kw / (1 + constants.RELATIVE_TOLERANCE)
    needs = [Need([each.kw for each in allowed], needed_kw)] if target_kw > 0 else []
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
        binding=() if choice is not None else bindings(target_kw, allowed, excluded),
        smallest_lift=None if choice is not None or unsure else smallest_lift(target_kw, allowed, excluded),
        gentler=None if choice is None else _gentler(needed_kw, plan, allowed, excluded),
        gone=gone(facility, ask.under, round_now),
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
    exact = exact and domain not in facility.unplaced.behind
    return now.flows_kw[domain], exact, group_shares(facility, domain, now)


def _gentler(
    needed_kw: float, plan: Plan, allowed: Sequence[Pause], excluded: Sequence[Excluded]
) -> Gentler | None:
    """Return whether pausing what nobody can time would spare critical units; None where it would not."""
    more = freed(_UNTIMED, allowed, excluded)
    if not plan.critical_units or len(more) == len(allowed):
        return None
    choice = choose(len(more), [Need([each.kw for each in more], needed_kw)], harm_levels(more)[:1])
    if choice is None:
        return None
    units = plan_of(more[item] for item in choice.items).critical_units
    return Gentler(_UNTIMED, units) if units < plan.critical_units else None
