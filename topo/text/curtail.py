"""The page of `topo curtail`: can it be done, by when at worst, who is paused, and what it costs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

from findings.curtail.ask import Ask
from findings.curtail.curtailment import Curtailment
from findings.curtail.gone import Gone
from findings.curtail.limits import Binding
from topo.text.page import (
    PageOptions,
    block,
    care_section,
    command_about,
    fails,
    heading,
    next_command,
    next_section,
    sentence,
    short,
)
from topo.text.shed import clock_section, left_alone_section, orders_section, price_section, stamp_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, minutes, number, some

_MARGIN: Final = " " * 9
_NAMED: Final = 3

_CONSTRAINTS: Final = {
    "within": "the deadline: their worst-case drain is longer",
    "protect-critical": "--protect-critical: they are critical, or do not say",
    "unknown-cadence": "nobody can time them (--allow-unknown admits them)",
    "checkpoint": "they wait for their checkpoint (--allow-early stops them before)",
    "unknown-kw": "the kW per unit of their nodes is unknown",
    "load": "the facility: all workloads together draw too little there",
}

_LIFTS: Final = {
    "within": "a later deadline (without --within)",
    "protect-critical": "pausing critical ones, and those that do not say (without --protect-critical)",
    "unknown-cadence": "pausing what nobody can time (--allow-unknown)",
    "checkpoint": "stopping training before its checkpoint (--allow-early)",
}


def curtail_page(result: Curtailment, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _verdict(result, options),
        _binding(result, options),
        orders_section(result.plan, options),
        clock_section(result.plan, result.target_kw, options),
        price_section(result.plan, result.estate, options, excluded=result.excluded),
        left_alone_section(result.excluded, options),
        _gentler(result),
        care_section(result.caveats, options),
        _what_next(result, options),
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
    if result.gone is not None:
        nothing = f"{number(result.target_kw)} kW cannot be shed where nothing flows"
        return (
            f"{where} is lost already: {_gone_words(result.gone)}. Its load counts as gone: "
            f"{nothing if result.target_kw else 'nothing is to be done'}. If machines still run behind it, "
            "ask topo rescue what keeps it up, or name another domain with --under."
        )
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


def _gone_words(gone: Gone) -> str:
    """Return what a domain is lost by, and what is out of service behind that."""
    behind = some([short(each) for each in gone.sources], _NAMED)
    because = f"because {behind} {'is' if len(gone.sources) == 1 else 'are'} out of service"
    if gone.cause == "out":
        return "it is out of service"
    if gone.cause == "tripped":
        return f"{some([short(each) for each in gone.by], _NAMED)} trips in the strict check, {because}"
    how = {"demoted": "demoted", "parent-lost": "its parent is lost", "feeds-lost": "its feeds are lost"}
    return f"{how[gone.cause]} {because}"


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
    binding = [each for each in result.binding if result.gone is None or each.constraint != "load"]
    if not binding:
        return []
    rows = [[_constraint(each), _kw(each), _enough(each)] for each in binding]
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


def _gentler(result: Curtailment) -> list[str]:
    """Say what would spare critical units, where something would."""
    gentler, plan = result.gentler, result.plan
    if gentler is None:
        return []
    units = unit_word(result.estate, plan.critical_units)
    spared = (
        f"{number(gentler.critical_units)} critical {units} paused instead of {number(plan.critical_units)}"
    )
    words = " and ".join(_LIFTS[each] for each in gentler.constraints)
    return sentence(f"By {words} the ask can be met too, with {spared}; no time can be promised then.")


def _next(result: Curtailment) -> Iterator[tuple[str, ...]]:
    """The same ask as a picture or a document; where it cannot be met, without what stands in the way."""
    if result.plan.pauses:
        asked = ("curtail", *_asked(result.ask))
        yield (*asked, "--picture", "shed.svg")
        yield (*asked, "--format", "json")
    if result.gentler is not None:
        yield ("curtail", *_asked(reduce(_lifted, result.gentler.constraints, result.ask)))
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


def _what_next(result: Curtailment, options: PageOptions) -> list[str]:
    if result.gone is None or result.ask.under is None:
        return next_section(_next(result), options)
    return _next_of_gone(result.gone, result.ask.under, options)


def _next_of_gone(gone: Gone, under: str, options: PageOptions) -> list[str]:
    """What keeps a domain up whose loss `--out` only assumes; and why it is lost."""
    lines = heading("Next", "", options.style)
    words = _without_out(options.words, gone.sources)
    # Nothing keeps up what is out itself.
    if under not in gone.sources and len(words) == len(options.words) - 2 * len(gone.sources):
        lines.append(next_command("topo", "rescue", *fails(gone.sources), *words, options.file))
    lines.append(command_about([under], "why", *options.words, options.file))
    return lines


def _without_out(words: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return the assumptions without `--out` for some ids."""
    kept: list[str] = []
    for word in words:
        if kept and kept[-1] == "--out" and word in ids:
            kept.pop()
        else:
            kept.append(word)
    return tuple(kept)


def _lifted(ask: Ask, constraint: str) -> Ask:
    if constraint == "within":
        return replace(ask, within_minutes=None)
    if constraint == "checkpoint":
        return replace(ask, allow_early=True)
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
