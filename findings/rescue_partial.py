"""What can still be kept where a cascade cannot be stopped: the overloads that pauses do relieve (beyond).

What no pause relieves trips. With it gone other survivors are overloaded, of which some can be relieved, and
so on. A pause never adds load, so whatever can be relieved alone can be relieved together. The plan is the
least harmful one that relieves all of it; both engines, run on the load that it leaves, say what it is worth.
"""

import math
from dataclasses import dataclass

from findings.curtail.plan import Plan
from findings.rescue_case import Case, Rerun
from findings.rescue_overloads import Overloaded, first_overloads


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


def partial_plan(case: Case, before: Rerun) -> Partial | None:
    """Return the least harmful plan that keeps what can be kept; None where it would change nothing."""
    overs, taken, stuck = _relievable(case)
    if not overs:
        return None
    quick = [case.in_time(over, kw) for over, kw in zip(overs, taken, strict=True)]
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
    if not _better(after, before):
        return None
    return Partial(plan, tuple(sorted({over.id for over in overs})), tuple(sorted(stuck)), in_time, after)


def _relievable(case: Case) -> tuple[list[Overloaded], list[list[float]], set[str]]:
    """Return the overloads that pauses can relieve with what each takes off, and the ids that none does."""
    found: dict[tuple[str, str], tuple[Overloaded, list[float]]] = {}
    stuck: set[str] = set()
    stage = case
    while True:
        tripping: set[str] = set()
        for over in first_overloads(case.facility, stage.first):
            taken = case.taken(over, stage.first)
            if math.fsum(taken) < over.needed_kw:
                stuck.add(over.id)
                tripping.update({over.id} if over.by == "strict" else ())
            else:
                known = found.get((over.id, over.by))
                if known is None or over.needed_kw > known[0].needed_kw:
                    found[over.id, over.by] = (over, taken)
        if not tripping:
            kept = [pair for key, pair in sorted(found.items()) if key[0] not in stuck]
            return [over for over, _ in kept], [taken for _, taken in kept], stuck
        stage = Case(case.facility, case.index, (*stage.failed, *sorted(tripping)))


def _better(after: Rerun, before: Rerun) -> bool:
    worse = set(after.tripped) - set(before.tripped) or set(after.demoted) - set(before.demoted)
    fewer = len(after.tripped) + len(after.demoted) < len(before.tripped) + len(before.demoted)
    return after.nodes < before.nodes or (after.nodes == before.nodes and fewer and not worse)
