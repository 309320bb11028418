"""What every shed plan shows: the orders, the clock, the proof."""

from collections.abc import Iterable
from typing import Final

from closure.compiled import Load
from findings.curtail.limits import Excluded
from findings.curtail.pauses import Pause
from findings.curtail.plan import Plan
from findings.staleness import Staleness
from topo.text.page import PageOptions, block, heading, sentence, short
from topo.text.staleness import age_words, stale_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, minutes, number, percent, usd
from topology.model import Estate

_BAR: Final = "#" * 24

_NAMED: Final = 6

_MODES: Final = {
    "checkpoint": "at checkpoint",
    "immediate": "at once",
    "ordered-off": "ordered off",
    "unknowable": UNKNOWN,
}


def stamp_lines(estate: Estate, load: Load, ages: Staleness, options: PageOptions) -> list[str]:
    """Return whose estate it is and how old, with a loud warning past a day."""
    drawn = f"load: {load} {unit_word(estate, None)}"
    said = f"cluster {short(estate.cluster)}, {drawn}, snapshot {age_words(ages.snapshot.hours)}"
    return [*sentence(said), *stale_lines(estate, ages, options.style)]


def orders_section(plan: Plan, options: PageOptions) -> list[str]:
    """Return the pauses in order."""
    if not plan.pauses:
        return []
    rows = [_order(place, pause) for place, pause in enumerate(plan.pauses, 1)]
    columns = [
        Column("", right=True),
        Column("pause", whole=True),
        Column("critical"),
        Column("kW", right=True),
        Column("stops"),
        Column("drain, worst", right=True),
        Column("price", right=True),
    ]
    note = "given together; listed from the least harm"
    return block(("Orders", note), columns, rows, options)


def _order(place: int, pause: Pause) -> list[str]:
    return [
        str(place),
        pause.workload.id,
        {True: "CRITICAL", False: "no", None: UNKNOWN}[pause.workload.critical],
        ("<= " if pause.upper_bound else "") + number(pause.kw),
        _MODES[pause.mode],
        _drain(pause),
        # The methodology prices training alone: the 0 of any other kind is a price nobody gave.
        usd(pause.usd) if pause.workload.kind == "training" else "not priced",
    ]


def left_alone_section(excluded: Iterable[Excluded], options: PageOptions, note: str = "") -> list[str]:
    """Return what a plan does not touch, and why."""
    shown = sorted(excluded, key=lambda each: (-each.pause.kw, each.pause.workload.id))
    if not shown:
        return []
    rows = [
        [
            each.pause.workload.id,
            number(each.pause.kw) if each.pause.kw else UNKNOWN,
            minutes(each.pause.drain.worst_minutes),
            _because(each),
        ]
        for each in shown
    ]
    columns = [
        Column("not to be paused", whole=True),
        Column("kW", right=True),
        Column("worst drain", right=True),
        Column("because"),
    ]
    return block(("Left alone", note), columns, rows, options)


def _because(each: Excluded) -> str:
    words = {
        "within": "too slow",
        "protect-critical": "critical" if each.pause.workload.critical else "may be critical",
        "unknown-cadence": "cannot be timed",
        "unknown-kw": "kW unknown",
    }
    if each.pause.drain.worst_minutes is None:
        words["within"] = "cannot be timed"
    return ", ".join(dict.fromkeys(words[reason] for reason in each.reasons))


def _drain(pause: Pause) -> str:
    worst = pause.drain.worst_minutes
    return UNKNOWN if worst is None else f"{number(pause.drain.expected_minutes)}, {minutes(worst)}"


def clock_section(plan: Plan, target_kw: float, options: PageOptions) -> list[str]:
    """Return the staircase: what is shed by when."""
    if not plan.pauses:
        return []
    full = max(plan.kw, target_kw) or 1.0
    rows = [
        [
            minutes(step.minutes),
            number(step.expected_kw),
            number(step.worst_kw),
            _BAR[: round(step.worst_kw / full * len(_BAR))],
        ]
        for step in plan.staircase
    ]
    columns = [
        Column("after", right=True),
        Column("expected kW", right=True),
        Column("worst kW", right=True),
        Column("worst case, of what is asked or shed"),
    ]
    lines = block(("Shed over time", "the worst case is the compliance clock"), columns, rows, options)
    if plan.untimed_kw:
        lines += sentence(f"Cannot be timed, and not in the table: {number(plan.untimed_kw)} kW.")
    return lines


def price_section(
    plan: Plan,
    estate: Estate,
    options: PageOptions,
    *,
    excluded: Iterable[Excluded] = (),
    in_time: bool = False,
) -> list[str]:
    """Return the price and the proof that there is no better plan, or no better one `in_time`.

    `excluded` is what it is not chosen from: where nobody can time some of that, the proof says so.
    """
    if not plan.pauses:
        return []
    lines = heading("Price", "", options.style)
    unpriced = count(plan.usd.unknown, "workload")
    unknown = f", and {unpriced} of unknown price" if plan.usd.unknown else ""
    if any(pause.workload.kind == "training" for pause in plan.pauses):
        priced = f"{usd(plan.usd.value)} of training{unknown}"
    else:
        priced = "No training is paused, and nothing else is priced"
    lines += sentence(f"{priced}; {_critical_words(plan, estate)} paused.")
    if below := _below_min_available(plan):
        lines += sentence(f"Below their minAvailable while paused: {options.some(below, _NAMED)}.")
    if plan.proofs:
        untimed = any("unknown-cadence" in each.reasons for each in excluded)
        lines += sentence(proof_words(plan, estate, in_time=in_time, timed_only=untimed))
    return lines


def _critical_words(plan: Plan, estate: Estate) -> str:
    """Return the critical units of a plan, and how many workloads do not say whether theirs are."""
    units = unit_word(estate, plan.critical_units)
    if not plan.unknown_criticality:
        return f"{number(plan.critical_units)} critical {units}"
    silent = count(plan.unknown_criticality, "workload")
    return f"{number(plan.critical_units)} known critical {units}, and {silent} of unknown criticality,"


def _below_min_available(plan: Plan) -> list[str]:
    """Return the paused services that need a replica: a workload is paused whole, so none is left."""
    found = (pause.workload for pause in plan.pauses if pause.workload.min_available)
    return [f"{short(each.id)} (0 left of {number(each.min_available)} needed)" for each in found]


def proof_words(plan: Plan, estate: Estate, *, in_time: bool = False, timed_only: bool = False) -> str:
    """Say that no plan does less harm, or by how much one might. How equals were told apart is left out.

    `timed_only`: workloads that nobody can time were left alone, and a plan with them might do less.
    """
    names = {
        "criticalUnits": f"critical {unit_word(estate, None)}",
        "shedKw": "kW",
        "unpricedWorkloads": "workloads of unknown price",
        "usd": "dollars",
        "workloads": "workloads",
    }
    levels = [each for each in plan.proofs if each.name in names]
    order = ", then ".join(names[each.name] for each in levels).replace(", then", " count first, then", 1)
    fewer = [f"at most {percent(each.gap)} fewer {names[each.name]}" for each in levels if each.gap]
    other = "another plan in time" if in_time else "another plan"
    if timed_only:
        other += ", of the workloads whose drain is known,"
    if fewer:
        return f"Not proven to be the least harm: {other} might pause {', '.join(fewer)} ({order})."
    return f"Proven: {other.replace('another', 'no other')} does less harm ({order})."
