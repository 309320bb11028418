"""What a rescue leaves alone behind the overloaded survivors, and why (beyond)."""

from collections.abc import Sequence
from dataclasses import replace

from findings.curtail.limits import Excluded, Reason
from findings.curtail.pauses import Pause
from findings.rescue.case import SECONDS_PER_MINUTE, Case
from findings.rescue.overloads import Overloaded


def left_alone(case: Case, overs: Sequence[Overloaded], *, in_time: bool) -> tuple[Excluded, ...]:
    """Return the workloads behind `overs` that no plan is chosen from, by id.

    Their kW are what they draw behind the one behind which they draw most. `in_time`: of those that can be
    timed the plan takes only what drains while a survivor that it relieves still carries its overload.
    """
    behind: dict[str, list[tuple[Overloaded, Pause]]] = {}
    for over in overs:
        for pause in case.behind(over):
            if pause.kw or pause.kw_unknown:
                behind.setdefault(pause.workload.id, []).append((over, pause))
    found = (_excluded(places, in_time=in_time) for _, places in sorted(behind.items()))
    return tuple(each for each in found if each.reasons)


def _excluded(places: Sequence[tuple[Overloaded, Pause]], *, in_time: bool) -> Excluded:
    most = max((pause for _, pause in places), key=lambda pause: pause.kw)
    most = replace(most, kw_unknown=any(pause.kw_unknown for _, pause in places))
    worst = most.drain.worst_minutes
    reasons: list[Reason] = []
    if worst is None:
        reasons.append("unknown-cadence")
    elif in_time and not any(_in_time(over, worst) for over, _ in places):
        reasons.append("within")
    if not most.kw:
        reasons.append("unknown-kw")
    return Excluded(most, tuple(reasons))


def _in_time(over: Overloaded, worst_minutes: float) -> bool:
    return over.carry_seconds is not None and worst_minutes * SECONDS_PER_MINUTE <= over.carry_seconds
