"""The page of `topo curtail`: can it be done, by when at worst, who is paused, and what it costs."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Final

from findings.curtail.ask import Ask
from findings.curtail.curtailment import Binding, Curtailment, Excluded
from topo.text.page import PageOptions, block, care_section, next_section, sentence, short
from topo.text.shed import clock_section, orders_section, price_section, stamp_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, minutes, number

_MARGIN: Final = " " * 9

_CONSTRAINTS: Final = {
    "within": "the deadline: their worst-case drain is longer",
    "protect-critical": "--protect-critical: they are critical, or do not say",
    "unknown-cadence": "nobody can time them (--allow-unknown admits them)",
    "unknown-kw": "the kW per unit of their nodes is unknown",
    "load": "the facility: all workloads together draw too little there",
}

_LIFTS: Final = {
    "within": "a later deadline (without --within)",
    "protect-critical": "pausing critical ones, and those that do not say (without --protect-critical)",
    "unknown-cadence": "pausing what nobody can time (--allow-unknown)",
}


def curtail_page(result: Curtailment, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _verdict(result, options),
        _binding(result, options),
        orders_section(result.plan, options),
        clock_section(result.plan, result.target_kw, options),
        price_section(result.plan, result.estate, options),
        _excluded(result, options),
        care_section(result.caveats, options),
        next_section(_next(result), options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _verdict(result: Curtailment, options: PageOptions) -> list[str]:
    word, colour = {True: ("PLAN", "blue"), False: ("SHORT", "red"), None: ("UNKNOWN", "magenta")}[
        result.feasible
    ]
    first, *rest = sentence(_said(result), first=_MARGIN, then=_MARGIN)
    lines = [options.style(word.ljust(len(_MARGIN)), "bold", colour) + first[len(_MARGIN) :], *rest]
    if promise := _promise(result):
        lines += sentence(promise, first=_MARGIN, then=_MARGIN)
    return [*lines, "", *stamp_lines(result.estate, result.load, result.staleness, options)]


def _said(result: Curtailment) -> str:
    where = "the estate" if result.ask.under is None else short(result.ask.under)
    least = "" if result.draw_exact else "at least "
    draw = f"{where} draws {least}{number(result.draw_kw)} kW; {number(result.target_kw)} kW have to go"
    if result.feasible is None:
        return f"{draw}: it cannot be decided, some power is unknown."
    if not result.feasible:
        return f"{draw}: at most {number(result.most_kw)} kW can, {number(result.shortfall_kw)} kW short."
    if not result.plan.pauses:
        return f"{draw}: nothing is to be done."
    most = "at most " if result.plan.upper_bound else ""
    pauses = f"pause {count(len(result.plan.pauses), 'workload')}"
    return f"{draw}: {pauses}, {most}{number(result.plan.kw)} kW."


def _promise(result: Curtailment) -> str:
    plan = result.plan
    if not plan.pauses:
        return ""
    if plan.time.worst_minutes is None:
        return "No time can be promised: part of this shed cannot be timed."
    if plan.upper_bound:
        draw = f"nobody says what paused {unit_word(result.estate, None)} still draw (idleKwPerUnit)"
        return (
            f"An upper bound, not a promise: {draw}. All drained in "
            f"{minutes(plan.time.worst_minutes)} at worst, {minutes(plan.time.expected_minutes)} expected."
        )
    return (
        f"Promise {number(plan.kw)} kW in {minutes(plan.time.worst_minutes)} (worst case); "
        f"{minutes(plan.time.expected_minutes)} expected."
    )


def _binding(result: Curtailment, options: PageOptions) -> list[str]:
    if not result.binding:
        return []
    rows = [[_constraint(each), _kw(each), _enough(each)] for each in result.binding]
    columns = [
        Column("what binds", wraps=True),
        Column("kW if lifted", right=True),
        Column("enough"),
    ]
    return [*block(("What stands in the way", ""), columns, rows, options), *_together(result)]


def _together(result: Curtailment) -> list[str]:
    """Say what would be enough, where no single restriction is."""
    lift = result.smallest_lift
    if any(each.enough for each in result.binding):
        return []
    if lift is not None:
        words = " and ".join(_LIFTS[each] for each in lift.constraints)
        return sentence(f"Enough: {words}. {number(lift.kw)} kW may then be paused.")
    if result.feasible is None:
        return []
    return sentence("Lifting all of them together is not enough either.") if len(result.binding) > 1 else []


def _constraint(each: Binding) -> str:
    if each.constraint == "load" and each.enough is None:
        return "the facility: what all workloads together draw there is unknown"
    return _CONSTRAINTS[each.constraint]


def _kw(each: Binding) -> str:
    return "-" if each.constraint == "load" and each.kw is not None else number(each.kw)


def _enough(each: Binding) -> str:
    return {True: "yes", False: "no", None: UNKNOWN}[each.enough]


def _excluded(result: Curtailment, options: PageOptions) -> list[str]:
    if not result.excluded:
        return []
    shown = sorted(result.excluded, key=lambda each: (-each.pause.kw, each.pause.workload.id))
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
    return block(("Left alone", ""), columns, rows, options)


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


def _next(result: Curtailment) -> Iterator[tuple[str, ...]]:
    """The same ask as a picture or a document; where it cannot be met, without what stands in the way."""
    if result.plan.pauses:
        asked = ("curtail", *_asked(result.ask))
        yield (*asked, "--picture", "shed.svg")
        yield (*asked, "--format", "json")
    alone = [(each.constraint,) for each in result.binding if each.enough and each.constraint in _LIFTS]
    together = () if result.smallest_lift is None else (result.smallest_lift.constraints,)
    for constraints in alone or together:
        yield ("curtail", *_asked(reduce(_lifted, constraints, result.ask)))
    if alone or together:
        return
    if result.feasible is False or not result.plan.pauses:
        yield ("headroom",)
    if result.feasible is None:
        yield ("findings",)


def _lifted(ask: Ask, constraint: str) -> Ask:
    if constraint == "within":
        return replace(ask, within_minutes=None)
    if constraint == "protect-critical":
        return replace(ask, protect_critical=False)
    return replace(ask, allow_unknown=True)


def _asked(ask: Ask) -> Iterator[str]:
    yield from (f"--{ask.kind}", str(ask.amount))
    if ask.under is not None:
        yield from ("--under", ask.under)
    if ask.within_minutes is not None:
        yield from ("--within", str(ask.within_minutes))
    for flag, given in (
        ("--protect-critical", ask.protect_critical),
        ("--allow-unknown", ask.allow_unknown),
        ("--allow-early", ask.allow_early),
    ):
        if given:
            yield flag
