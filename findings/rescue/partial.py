"""What can still be kept where a cascade cannot be stopped: the overloads that pauses do relieve (beyond).

What no pause relieves is taken as gone. With it gone other survivors are overloaded, of which some can be
relieved, and so on. Each engine goes by its own losses: what trips is gone for the strict check, what is
demoted for the closure. A pause never adds load, so whatever can be relieved alone can be relieved together.
The plan is the least harmful one that relieves all of it. Both engines, run on the load that it leaves, say
what it is worth; one that saves nothing is not offered.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Final

from closure.strict import downstream, overloaded
from findings.curtail.plan import Plan, plan_of
from findings.rescue.case import Case, Rerun
from findings.rescue.overloads import Overloaded, demotions, strict_overload

TRIES: Final = 400
"""[-] So many thinner plans are tried at most. A count, not a time: the same plan on every machine."""

_Relieved = tuple[Overloaded, list[float]]
"""An overload, and what pausing each candidate takes off it [kW]."""


@dataclass(frozen=True, slots=True)
class Partial:
    """A plan that keeps `relieved` from their overload, while nothing keeps `stuck`, and what it comes to.

    `in_time`: whether it drains while they carry; None where one does not say how long.
    """

    plan: Plan
    relieved: tuple[str, ...]
    stuck: tuple[str, ...]
    in_time: bool | None
    after: Rerun


@dataclass(slots=True)
class _Cascade:
    """One engine's cascade when all is relieved that can be: what to relieve, and what each pause takes off.

    `stuck`: what no pause relieves, `lost`: all that is lost in the end (domain indices).
    """

    relieved: list[_Relieved] = field(default_factory=list)
    stuck: set[int] = field(default_factory=set)
    lost: Collection[int] = ()


def partial_plan(case: Case, before: Rerun) -> Partial | None:
    """Return the least harmful plan that keeps what can be kept; None where it would save nothing.

    Where relieving all that can be relieved saves nothing, what pausing everything saves is looked at: what
    is over its rating can live on, and what trips can keep load from elsewhere.
    """
    relieved, stuck = _relievable(case)
    best = _attempt(case, relieved, stuck)
    while best is not None:
        kept = set(best.relieved)
        wanted = [each for each in relieved if each[0].id in kept]
        narrower = _attempt(case, wanted, stuck) if len(wanted) < len(relieved) else None
        if narrower is None or not _no_worse(narrower.after, best.after):
            break
        relieved, best = wanted, narrower
    for found in (best, _everything(case, stuck)):
        if found is not None and _saves(found.after, before):
            return _kept_of(before, _thinned(case, found))
    return None


def _everything(case: Case, stuck: tuple[str, ...]) -> Partial:
    """Return the plan that pauses all that can be timed."""
    plan = plan_of(case.candidates)
    return Partial(plan, (), stuck, None, case.rerun(plan))


def _attempt(case: Case, relieved: Sequence[_Relieved], stuck: tuple[str, ...]) -> Partial | None:
    """Return the least harmful plan that relieves all of this, of those in time where there is one."""
    if not relieved:
        return None
    overs, taken = [over for over, _ in relieved], [kw for _, kw in relieved]
    quick = [case.in_time(over, kw) for over, kw in relieved]
    timed = [fast for fast in quick if fast is not None]
    choice, in_time = None, None
    if len(timed) == len(quick):
        choice = case.choose(overs, timed)
        in_time = choice is not None
    choice = choice or case.choose(overs, taken)
    if choice is None:
        return None
    plan = case.plan(choice)
    after = case.rerun(plan)
    return Partial(plan, _kept(relieved, stuck, after), stuck, in_time, after)


def _thinned(case: Case, found: Partial) -> Partial:
    """Return a plan without the pauses that save nothing, tried from the most harmful one on.

    A pause can keep a survivor within its rating that the other engine loses anyway. What is left is no
    longer the proven answer to what was asked, so it is offered without a proof.
    """
    costs = {each.workload.id: cost for each, cost in zip(case.candidates, case.harms(), strict=True)}
    left = sorted(found.plan.pauses, key=lambda each: costs[each.workload.id], reverse=True)
    after, again, tries, size = found.after, True, TRIES, max(1, len(left) // 2)
    while again and tries:
        again, start = size > 1, 0
        while start < len(left) and tries:
            tries -= 1
            fewer = left[:start] + left[start + size :]
            without = case.rerun(plan_of(fewer))
            if _no_worse(without, after):
                left, after, again = fewer, without, True
            else:
                start += size
        size = max(1, size // 2)
    if len(left) == len(found.plan.pauses) and found.relieved:
        return found
    relieved = _asked(case, after)
    plan = plan_of(left)
    thinner = replace(found, plan=plan, after=after, relieved=_kept(relieved, found.stuck, after))
    return replace(thinner, in_time=_in_time(case, relieved, thinner))


def _asked(case: Case, after: Rerun) -> list[_Relieved]:
    """Return the overloads that pauses relieve when what gives way under a plan gives way."""
    index = case.facility.domain_index
    demoting = _by_closure(case, {index[name] for name in after.demoted})
    return [*demoting.relieved, *_by_strict(case, {index[name] for name in after.tripped}).relieved]


def _kept_of(before: Rerun, found: Partial) -> Partial:
    """Return a plan with all that gives way without it and not with it: later overloads are kept off too."""
    gone = {*found.after.tripped, *found.after.demoted, *found.after.lost}
    kept = {*found.relieved, *before.tripped, *before.demoted} - gone
    stuck = tuple(name for name in found.stuck if name in gone)
    return replace(found, relieved=tuple(sorted(kept)), stuck=stuck)


def _in_time(case: Case, relieved: Sequence[_Relieved], found: Partial) -> bool | None:
    """Whether what is paused relieves in time each survivor that is kept; None where one does not say."""
    paused = {pause.workload.id for pause in found.plan.pauses}
    chosen = [pause.workload.id in paused for pause in case.candidates]
    kept = [each for each in relieved if each[0].id in found.relieved]
    quick = [(over, case.in_time(over, kw)) for over, kw in kept]
    if not quick or any(fast is None for _, fast in quick):
        return None
    return all(math.fsum(compress(fast or (), chosen)) >= over.needed_kw for over, fast in quick)


def _kept(relieved: Sequence[_Relieved], stuck: Collection[str], after: Rerun) -> tuple[str, ...]:
    """Return the ids of what is relieved and what neither engine loses on the load that a plan leaves."""
    names = {over.id for over, _ in relieved}
    return tuple(sorted(names.difference(stuck, after.tripped, after.demoted, after.lost)))


def _no_worse(after: Rerun, than: Rerun) -> bool:
    """Whether of nodes, units and critical units no more are lost, each by the engine that loses most."""
    return all(ours <= theirs for ours, theirs in zip(after.loss, than.loss, strict=True))


def _relievable(case: Case) -> tuple[list[_Relieved], tuple[str, ...]]:
    """Return the overloads that pauses can relieve, at every stage, and the ids that none does.

    What is lost in the end whatever is paused is not worth a pause: it gives way when it is overloaded.
    """
    names, index = case.facility.domain_ids, case.facility.domain_index
    demoting = _by_closure(case)
    given_up: set[int] = set()
    while True:
        tripping = _by_strict(case, given_up)
        hopeless = {d for over, _ in tripping.relieved if (d := index[over.id]) in tripping.lost}
        more = (tripping.stuck | hopeless) - given_up
        if not more:
            stuck = tuple(sorted(names[d] for d in demoting.stuck | tripping.stuck))
            return [*demoting.relieved, *tripping.relieved], stuck
        given_up |= more


def _by_closure(case: Case, given_up: Collection[int] = ()) -> _Cascade:
    """Return what the closure demotes: its loads are static, so only the last stage asks for pauses."""
    found = _Cascade()
    while True:
        found.lost = downstream(case.facility, case.down | found.stuck, power_only=False)
        judged = [(over, case.taken(over)) for over in demotions(case.facility, found.lost)]
        places = {over.id: case.facility.domain_index[over.id] for over, _ in judged}
        stuck = {places[over.id] for over, kw in judged if places[over.id] in given_up or _stuck(over, kw)}
        if not stuck:
            found.relieved = sorted(judged, key=lambda each: each[0].id)
            return found
        found.stuck |= stuck


def _by_strict(case: Case, given_up: Collection[int]) -> _Cascade:
    """Return what trips by the strict check, round by round: flows shift, so every round asks for pauses."""
    found = _Cascade()
    asked = {}
    now = case.first
    while True:
        tripping = set()
        for d in overloaded(case.facility, now):
            over = strict_overload(case.facility, now, d)
            kw = [] if d in given_up else case.taken(over, now)
            if _stuck(over, kw):
                tripping.add(d)
            else:
                asked[over.id, over.needed_kw, tuple(kw)] = (over, kw)
        if not tripping:
            found.relieved, found.lost = list(asked.values()), now.lost
            return found
        found.stuck |= tripping
        now = case.round(found.stuck)


def _stuck(over: Overloaded, taken: Collection[float]) -> bool:
    """Whether all pauses together do not take enough off."""
    return math.fsum(taken) < over.needed_kw


def _saves(after: Rerun, before: Rerun) -> bool:
    """Whether fewer nodes or units are lost with a plan than without, and of neither more."""
    fewer = after.nodes < before.nodes or after.units < before.units
    return fewer and after.nodes <= before.nodes and after.units <= before.units
