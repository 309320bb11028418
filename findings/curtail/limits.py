"""Which workloads an ask leaves alone, what each constraint holds back, and what is enough to lift."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from closure.tolerance import exceeds
from findings import constants
from findings.curtail.ask import Ask
from findings.curtail.pauses import Pause, ordered_off
from findings.index import EstateIndex

Reason = Literal["within", "protect-critical", "unknown-cadence", "unknown-kw"]
"""Why a workload is not to be paused: the deadline, its protection, its cadence, its power."""

Liftable = Reason | Literal["checkpoint"]
"""What can be lifted; "checkpoint": training waits for its next one, and is not ordered off before."""

_REASONS: Final[tuple[Reason, ...]] = ("within", "protect-critical", "unknown-cadence", "unknown-kw")
_LIFTABLE: Final[tuple[Liftable, ...]] = ("within", "protect-critical", "unknown-cadence", "checkpoint")


@dataclass(frozen=True, slots=True)
class Excluded:
    """A workload that the plan may not touch, and every reason why.

    `early`: ordered off before its checkpoint it would keep the deadline.
    """

    pause: Pause
    reasons: tuple[Reason, ...]
    early: bool = False

    def free(self, lifted: Collection[Liftable]) -> bool:
        """Return whether it may be paused when these constraints are lifted."""
        kept = [reason for reason in self.reasons if reason not in lifted]
        return not kept or (kept == ["within"] and self.early and "checkpoint" in lifted)


@dataclass(frozen=True, slots=True)
class Binding:
    """A constraint that holds kW back: `kw` [kW] would come free if it alone were lifted (None: unknown).

    `enough`: the ask could then be met (None: some kW that counts here is unknown). The constraint "load" is
    the facility itself: all workloads together draw too little, or (None) nobody knows whether they do.
    """

    constraint: Liftable | Literal["load"]
    kw: float | None
    enough: bool | None


@dataclass(frozen=True, slots=True)
class Lift:
    """The fewest constraints whose lifting together lets the ask be met, and what may then be paused [kW]."""

    constraints: tuple[Liftable, ...]
    kw: float


def sorted_out(index: EstateIndex, ask: Ask, found: Sequence[Pause]) -> tuple[list[Pause], list[Excluded]]:
    """Part the workloads that matter here into those that may be paused and those that may not."""
    allowed, excluded = [], []
    for pause in found:
        if not pause.kw and not pause.kw_unknown:
            continue
        late = _late(ask, pause)
        early = ordered_off(index, pause) if late and ask.allow_early else pause
        reasons = _reasons(ask, early)
        if reasons:
            can = late and not ask.allow_early and _in_time(ask, constants.DRAIN_IMMEDIATE_MINUTES)
            excluded.append(Excluded(early, reasons, can))
        else:
            allowed.append(early)
    return allowed, excluded


def _late(ask: Ask, pause: Pause) -> bool:
    """Return whether training has a checkpoint that the deadline is too near for."""
    worst = pause.drain.worst_minutes
    return pause.mode == "checkpoint" and worst is not None and not _in_time(ask, worst)


def _in_time(ask: Ask, minutes: float) -> bool:
    return ask.within_minutes is None or minutes <= ask.within_minutes


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


def _present(excluded: Sequence[Excluded]) -> list[Liftable]:
    """Return what can be lifted, in a fixed order."""
    reasons: set[Liftable] = {reason for each in excluded for reason in each.reasons}
    if any(each.early for each in excluded):
        reasons.add("checkpoint")
    return [each for each in _LIFTABLE if each in reasons]


def smallest_lift(target_kw: float, allowed: Sequence[Pause], excluded: Sequence[Excluded]) -> Lift | None:
    """Return the smallest set of constraints that suffices; of equally small ones that with the most kW."""
    liftable = _present(excluded)
    for size in range(1, len(liftable) + 1):
        lifts = [(lifted, freed(lifted, allowed, excluded)) for lifted in combinations(liftable, size)]
        enough = [(lifted, paused) for lifted, paused in lifts if _enough(target_kw, paused)]
        if enough:
            found = [Lift(lifted, math.fsum(each.kw for each in paused)) for lifted, paused in enough]
            return max(found, key=lambda lift: lift.kw)
    return None


def freed(
    lifted: Collection[Liftable], allowed: Sequence[Pause], excluded: Sequence[Excluded]
) -> list[Pause]:
    """Return what may be paused when these constraints are lifted."""
    return [*allowed, *(each.pause for each in excluded if each.free(lifted))]


def bindings(target_kw: float, allowed: Sequence[Pause], excluded: Sequence[Excluded]) -> tuple[Binding, ...]:
    """Return what each constraint alone holds back, the largest first."""
    found: list[Binding] = []
    if any("unknown-kw" in each.reasons for each in excluded):
        found.append(Binding("unknown-kw", None, None))
    for lifted in _present(excluded):
        kw = math.fsum(each.pause.kw for each in excluded if each.free((lifted,)))
        found.append(Binding(lifted, kw, _enough(target_kw, freed((lifted,), allowed, excluded))))
    everything = _enough(target_kw, [*allowed, *(each.pause for each in excluded)])
    if not everything:
        found.append(Binding("load", None if everything is None else 0.0, everything))
    return tuple(sorted(found, key=lambda each: (-(each.kw or 0.0), each.constraint)))


def _enough(target_kw: float, paused: Sequence[Pause]) -> bool | None:
    """Return whether these pauses shed the target; None where only their unknown kW could."""
    if not exceeds(target_kw, math.fsum(each.kw for each in paused)):
        return True
    return None if any(each.kw_unknown for each in paused) else False
