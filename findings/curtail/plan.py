"""A set of pauses as a plan: in which order, how fast, at what price, and how well proven."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from findings.amounts import Partial, partial_sum, total
from findings.curtail.pauses import Pause
from findings.curtail.solver import Level, Proven
from findings.drain import Drain, time_to_target
from findings.index import critical_units
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Step:
    """What is shed [kW] by a minute after the orders [min], expected and at worst."""

    minutes: Number
    expected_kw: float
    worst_kw: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Pauses in the order in which to give them: the least harm first, for an order that is called off early.

    `kw` is shed [kW] when all have drained, an `upper_bound` where what paused units still draw is unknown.
    `time` is the slowest drain (orders in parallel); `untimed_kw` never shows on the staircase.
    """

    pauses: tuple[Pause, ...]
    kw: float
    upper_bound: bool
    time: Drain
    staircase: tuple[Step, ...]
    untimed_kw: float
    critical_units: Number
    unknown_criticality: int
    usd: Partial
    proofs: tuple[Proven, ...]

    @property
    def promised(self) -> bool:
        """Whether the worst case can be promised: everything timed, and no upper bound among the kW."""
        return self.time.worst_minutes is not None and not self.upper_bound


def plan_of(pauses: Iterable[Pause], proofs: tuple[Proven, ...] = ()) -> Plan:
    """Return the plan that these pauses make."""
    ordered = tuple(sorted(pauses, key=_least_harm_first))
    critical = partial_sum(critical_units(each.workload, each.units) for each in ordered)
    return Plan(
        pauses=ordered,
        kw=float(total(each.kw for each in ordered)),
        upper_bound=any(each.upper_bound for each in ordered),
        time=time_to_target(each.drain for each in ordered),
        staircase=staircase(ordered),
        untimed_kw=float(total(each.kw for each in ordered if each.drain.worst_minutes is None)),
        critical_units=critical.value or 0,
        unknown_criticality=critical.unknown,
        usd=partial_sum(each.usd for each in ordered),
        proofs=proofs,
    )


def _least_harm_first(pause: Pause) -> tuple[int, bool, float, str]:
    """Not critical before unknown before critical; then by dollars per kW, unknown last; then by id."""
    critical = {False: 0, None: 1, True: 2}[pause.workload.critical]
    usd_per_kw = (pause.usd or 0.0) / pause.kw if pause.kw else 0.0
    return (critical, pause.usd is None, usd_per_kw, pause.workload.id)


def staircase(pauses: Sequence[Pause]) -> tuple[Step, ...]:
    """Return what is shed by when, at every minute where something changes."""
    timed = [
        (each.drain.expected_minutes, each.drain.worst_minutes, each.kw)
        for each in pauses
        if each.drain.expected_minutes is not None and each.drain.worst_minutes is not None
    ]
    moments = {0, *(expected for expected, _, _ in timed), *(worst for _, worst, _ in timed)}
    return tuple(
        Step(
            minutes,
            float(total(kw for expected, _, kw in timed if expected <= minutes)),
            float(total(kw for _, worst, kw in timed if worst <= minutes)),
        )
        for minutes in sorted(moments)
    )


def harm_levels(pauses: Sequence[Pause], *, least_kw: bool = False) -> list[Level]:
    """Return the objectives: critical units kept first, then dollars, then the fewest workloads.

    A price that nobody knows counts as worse than any known one. `least_kw` puts the smallest shed after the
    critical units (rescue).
    """
    levels = [Level("criticalUnits", [_critical(each) for each in pauses])]
    if least_kw:
        levels.append(Level("shedKw", [each.kw for each in pauses]))
    return [
        *levels,
        Level("unpricedWorkloads", [int(each.usd is None) for each in pauses]),
        Level("usd", [each.usd or 0.0 for each in pauses]),
        Level("workloads", [1] * len(pauses)),
    ]


def _critical(pause: Pause) -> Number:
    return pause.units if pause.workload.critical else 0
