"""The page of `topo rescue`: can the cascade be kept from happening, and is there time for it."""

from collections.abc import Iterator
from typing import Final

from findings.rescue.case import Relief, Rerun
from findings.rescue.partial import Partial
from findings.rescue.plan import Rescue
from topo.text.doubts import doubts_section
from topo.text.page import PageOptions, block, care_section, fails, heading, next_section, sentence, short
from topo.text.shed import clock_section, left_alone_section, orders_section, price_section, stamp_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, minutes, number, some

_MARGIN: Final = " " * 10

VERDICT_WORDS: Final = {
    "nothing-overloads": ("OK", "blue"),
    "sheddable": ("SHEDDABLE", "blue"),
    "too-slow": ("TOO SLOW", "red"),
    "not-sheddable": ("NO PLAN", "red"),
    "unknown": ("UNKNOWN", "magenta"),
}


_CAP_BEFORE: Final = (
    "Cap before: the part of `over by` that no pause takes off in time. It has to be capped or shed before "
    "any failure."
)


def rescue_page(result: Rescue, options: PageOptions) -> str:
    """Return the whole page."""
    plan = result.shown
    sections = [
        _verdict(result, options),
        doubts_section(result.doubts, options) if result.verdict == "unknown" else [],
        _overloads(result, options),
        orders_section(plan, options),
        clock_section(plan, plan.kw, options),
        price_section(plan, result.estate, options, excluded=result.excluded, in_time=result.shown_in_time),
        left_alone_section(result.excluded, options, "kW behind the overloaded survivors"),
        _rerun(result, options),
        care_section(result.caveats, options),
        next_section(_next(result), options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _verdict(result: Rescue, options: PageOptions) -> list[str]:
    word, colour = verdict_word(result)
    margin = max(len(_MARGIN), len(word) + 2)
    first, *rest = sentence(_said(result), first=" " * margin, then=_MARGIN)
    lines = [options.style(word.ljust(margin), "bold", colour) + first[margin:], *rest]
    return [*lines, "", *stamp_lines(result.estate, result.load, result.staleness, options)]


def verdict_word(result: Rescue) -> tuple[str, str]:
    """Return the word that leads the answer, and its colour: nodes that are lost anyway are not OK."""
    if result.verdict == "nothing-overloads" and result.before.nodes:
        return ("NOTHING TO SHED", "yellow")
    return VERDICT_WORDS[result.verdict]


def _said(result: Rescue) -> str:
    verb = "fails" if len(result.failed) == 1 else "fail"
    what = f"{some([short(name) for name in result.failed], 4)} {verb}"
    plan, worst = result.plan, minutes(result.plan.time.worst_minutes)
    pauses = f"pausing {count(len(plan.pauses), 'workload')} ({number(plan.kw)} kW, {worst} at worst)"
    if result.verdict == "nothing-overloads" and (lost := result.before.nodes):
        nodes = count(len(result.estate.nodes), "node")
        verb = "is" if lost == 1 else "are"
        return f"{what}: {number(lost)} of {nodes} {verb} lost; no survivor is overloaded."
    if result.verdict == "nothing-overloads":
        return f"{what}: no survivor is overloaded, nothing has to be shed."
    if result.verdict == "sheddable":
        sure = "" if not plan.upper_bound else f" An upper bound, not a promise: {_idle(result)}."
        return f"{what}: {pauses} keeps the cascade from happening, while the survivors carry it.{sure}"
    if result.verdict == "too-slow":
        before = [each for each in result.reliefs if each.cap_before_kw]
        caps = some([f"{number(each.cap_before_kw)} kW on {short(each.over.id)}" for each in before], 3)
        return f"{what}: {pauses} would do, but not in time. Cap or shed before any failure: {caps}."
    if result.verdict == "not-sheddable":
        stuck = [short(each.over.id) for each in result.reliefs if each.at_all_kw < each.over.needed_kw]
        where = some(stuck, 3) if stuck else "all survivors together"
        nothing = "Relieving what pauses can relieve saves no node and no unit."
        rest = nothing if result.partial is None else _part(result, result.partial)
        return f"{what}: no pause takes enough load off {where}. {rest}"
    if not plan.pauses:
        return f"{what}: no survivor is known to be overloaded, and not all can be vouched for."
    if result.in_time:
        known = "what is known to be overloaded within its rating, in time"
        return f"{what}: {pauses} keeps {known}. Whether everything else holds is unknown."
    return f"{what}: {pauses} would do; whether in time is unknown."


def _idle(result: Rescue) -> str:
    return f"nobody says what paused {unit_word(result.estate, None)} still draw (idleKwPerUnit)"


def _part(result: Rescue, partial: Partial) -> str:
    """Say what a plan that cannot stop the cascade keeps of it, and what still gives way."""
    plan, after = partial.plan, partial.after
    keeps = some([short(name) for name in partial.relieved], 3)
    pauses = f"{count(len(plan.pauses), 'workload')} ({number(plan.kw)} kW"
    said = (
        f"A part can be kept: pausing {pauses}, {minutes(plan.time.worst_minutes)} at worst) keeps {keeps} "
        f"from giving way: {_saved(result, after)}."
    )
    late = {
        True: "",
        False: " Not in time: cap or shed before any failure.",
        None: " Whether in time is unknown.",
    }[partial.in_time]
    still = "".join(
        f" Still {what}: {some([short(name) for name in names], 3)}."
        for what, names in (("trips", after.tripped), ("demoted", after.demoted))
        if names
    )
    if after.holds:
        still = " Nothing gives way then; what was over its rating before the failure may stay over it."
    return f"{said}{late}{still}"


def _saved(result: Rescue, after: Rerun) -> str:
    """Say how many nodes a plan saves, or how many units where it saves no node."""
    before, estate = result.before, result.estate
    if after.nodes < before.nodes:
        return f"{count(after.nodes, 'node')} lost instead of {number(before.nodes)}"
    units = f"{number(after.units)} {unit_word(estate, after.units)}"
    return f"{units} lost instead of {number(before.units)}, on as many nodes"


def _overloads(result: Rescue, options: PageOptions) -> list[str]:
    if not result.reliefs:
        return []
    columns = [
        Column("overloaded", flexible=True),
        Column("kW", right=True),
        Column("rated", right=True),
        Column("over by", right=True),
        Column("carries it", right=True),
        Column("cap before", right=True),
    ]
    rows = [_overload(each) for each in result.reliefs]
    lines = block(("Overloads", "before anything gives way"), columns, rows, options)
    if any(each.cap_before_kw for each in result.reliefs):
        lines += sentence(_CAP_BEFORE)
    return lines


def _overload(each: Relief) -> list[str]:
    over = each.over
    name = over.id if over.by == "strict" else f"{over.id} (demoted)"
    return [
        name,
        ("" if over.exact else ">= ") + number(over.load_kw),
        number(over.rated_kw),
        number(over.excess_kw),
        UNKNOWN if over.carry_seconds is None else f"{number(over.carry_seconds)} s",
        number(each.cap_before_kw),
    ]


def _rerun(result: Rescue, options: PageOptions) -> list[str]:
    if not result.shown.pauses:
        return []
    before, after = result.before, result.after if result.partial is None else result.partial.after
    holds = "nothing trips and nothing is demoted" if after.holds else "the cascade goes on"
    said = f"With the plan {holds}: {count(after.nodes, 'node')} lost, instead of {number(before.nodes)}."
    return [*heading("Run again", "both engines, on the reduced load", options.style), *sentence(said)]


def _next(result: Rescue) -> Iterator[tuple[str, ...]]:
    failed = fails(result.failed)
    if result.shown.pauses:
        yield ("rescue", *failed, "--picture", "shed.svg")
    stuck = [
        each.over.id for each in result.reliefs if each.at_all_kw < each.over.needed_kw or each.cap_before_kw
    ]
    yield from (("why", *failed, "--", name) for name in stuck[:1])
    yield ("whatif", *failed)
    yield ("headroom",)
