"""The page of `topo ok-to-take-out`: the answer, what it rests on, and what to do first."""

from collections.abc import Iterator
from typing import Final

from findings.maintenance.plan import Job, Maintenance, Window
from findings.maintenance.second import SecondFailure, SecondFailures
from topo.kind_words import kind_word
from topo.text.doubts import doubts_section
from topo.text.maintenance_load import asked, carried_section, decided_by, may_fill_up, tight_words
from topo.text.maintenance_roles import costs_words, risk_lines, roles_section
from topo.text.page import (
    PageOptions,
    block,
    care_section,
    fails,
    heading,
    next_section,
    rows_of,
    sentence,
    short,
)
from topo.text.shed import stamp_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import lacks_kw, unit_word
from topo.text.words import count, known_cell, minutes, number, some, utc

_MARGIN: Final = " " * 10

_WORDS: Final = {
    "safe": ("OK", "blue"),
    "not-safe": ("NOT OK", "red"),
    "unknown": ("UNKNOWN", "magenta"),
    "too-late": ("TOO LATE", "red"),
}


def maintenance_page(result: Maintenance, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _verdict(result, options),
        roles_section(result, options),
        _losses(result, options),
        doubts_section(result.safety.doubts, options),
        decided_by(result, options),
        carried_section(result, options),
        _redundancy(result, options),
        _second(result, options),
        _jobs(result, options),
        _window(result.window, options),
        _largest(result, options),
        care_section(result.caveats, options),
        _next(result, options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _verdict(result: Maintenance, options: PageOptions) -> list[str]:
    word, colour = _WORDS[result.verdict]
    first, *rest = sentence(_said(result), first=_MARGIN, then=_MARGIN)
    lines = [options.style(word.ljust(len(_MARGIN)), "bold", colour) + first[len(_MARGIN) :], *rest]
    return [*lines, *_already(result), "", *_stamps(result, options)]


def _stamps(result: Maintenance, options: PageOptions) -> list[str]:
    out = f"out of service already: {some([short(name) for name in result.out], 4)}" if result.out else ""
    if result.estate.bare:
        return sentence("no snapshot: what is allocated is unknown" + (f"; {out}" if out else ""))
    lines = stamp_lines(result.estate, result.load, result.staleness, options)
    return [*lines, *(sentence(out) if out else [])]


def _said(result: Maintenance) -> str:
    safety = result.safety
    what = some([short(name) for name in safety.ids], 4)
    if result.verdict == "not-safe":
        return f"taking out {what} {' and '.join(_costs(result))}."
    if result.verdict == "unknown":
        return f"taking out {what}: cannot be decided, {count(len(safety.doubts), 'thing')} nobody knows."
    spare = count(len(safety.without_redundancy), "survivor")
    left = f"{spare} cannot lose another feed meanwhile." if safety.without_redundancy else ""
    fine = f"{what} can be taken out: no allocated node is lost. {tight_words(result.tight)}{left}".rstrip()
    if set(safety.ids) <= {*result.out_already, *result.lost_already}:
        fine = f"taking out {what} changes nothing."
    return f"{fine} But it can no longer be done in time." if result.verdict == "too-late" else fine


def _already(result: Maintenance) -> list[str]:
    """Say what is gone already, which nothing here answers for, and what would be asked instead."""
    said = (
        (result.out_already, "out of service already (--out, or status: out in the map)"),
        (result.lost_already, "lost already, with what is out of service"),
    )
    return [
        line
        for ids, how in said
        if ids
        for line in sentence(
            f"{some([short(name) for name in ids], 4)} {'is' if len(ids) == 1 else 'are'} {how}. To know "
            f"whether {'it' if len(ids) == 1 else 'they'} may be taken out, ask with that in service.",
            first=_MARGIN,
            then=_MARGIN,
        )
    ]


def _costs(result: Maintenance) -> Iterator[str]:
    """The quorums that it takes go first: they stop the whole cluster."""
    safety, units = result.safety, result.impact.exposure.units
    if safety.quorums:
        yield costs_words(safety.quorums, result.estate)
    if safety.allocated:
        nodes = count(len(safety.allocated), "allocated node")
        yield f"loses {nodes}, {number(units)} {unit_word(result.estate, units)}"


def _losses(result: Maintenance, options: PageOptions) -> list[str]:
    columns = [Column("node", flexible=True), Column("allocated", right=True), Column("lost by")]
    rows = [
        [
            loss.node,
            number(loss.allocated),
            " and ".join(
                word for word, says in (("closure", loss.closure), ("strict check", loss.strict)) if says
            ),
        ]
        for loss in result.safety.losses
    ]
    return block(("Would be lost", "beyond what is lost already"), columns, rows, options) if rows else []


def _redundancy(result: Maintenance, options: PageOptions) -> list[str]:
    rows = [
        [each.id, options.some(each.lost_feeds, 2), options.some(each.surviving_feeds, 2)]
        for each in result.safety.without_redundancy
    ]
    columns = [
        Column("alive", flexible=True),
        Column("loses", wraps=True),
        Column("left with", wraps=True),
    ]
    note = "cannot lose another feed meanwhile"
    return block(("Without redundancy", note), columns, rows, options) if rows else []


def _second(result: Maintenance, options: PageOptions) -> list[str]:
    second = result.second
    title = ("A second failure meanwhile", f"{count(second.tried, 'domain')} failed, one at a time")
    if not second.losing:
        return [*heading(*title, options.style), *sentence("None of them takes a node.")]
    columns = [
        Column("fails", flexible=True),
        Column("kind"),
        Column("nodes", right=True),
        Column("due to the work", right=True),
        Column(unit_word(result.estate, None), right=True),
        Column("critical", right=True),
        Column("by"),
    ]
    rows = [
        [
            each.id,
            kind_word(each.kind),
            number(each.nodes),
            number(each.nodes_added),
            number(each.units),
            known_cell(each.critical_units, unsaid=each.criticality_unknown),
            "closure" if each.by == "closure" else "strict check",
        ]
        for each in sorted(second.losing, key=lambda each: -each.nodes_added)
    ]
    lines = [*heading(*title, options.style), *sentence(_worsened(second)), *risk_lines(result)]
    return [*lines, *rows_of(columns, rows, options)]


def _worsened(second: SecondFailures) -> str:
    """Say which failure the work makes worse, then which is the worst."""
    most, worst = second.most_added, second.losing[0]
    if most is None:
        return f"The work adds to none of them. The worst is {_takes(worst)}."
    said = f"The work adds most to {_takes(most)}."
    if worst == most:
        return f"{said} It is the worst of all, too."
    return f"{said} The worst of all is {_takes(worst)}."


def _takes(each: SecondFailure) -> str:
    added = f"{number(each.nodes_added) if each.nodes_added else 'none'} of them because of the work"
    return f"{short(each.id)}: it takes {count(each.nodes, 'node')} beyond the work's own, {added}"


def _jobs(result: Maintenance, options: PageOptions) -> list[str]:
    if not result.jobs:
        return []
    columns = [
        Column("first", flexible=True),
        Column("critical"),
        Column(unit_word(result.estate, None), right=True),
        Column("stalled", right=True),
        Column("do"),
        Column("drain", right=True),
    ]
    rows = [_job(job) for job in result.jobs]
    lines = block(
        ("Move or checkpoint first", "given together; drain: expected, worst; stalled: whole gangs"),
        columns,
        rows,
        options,
    )
    worst = result.drain.worst_minutes
    if worst is None:
        return [*lines, *sentence("How long until all have made way is unknown: some cannot be timed.")]
    return [*lines, *sentence(f"All have made way after {minutes(worst)} at worst. Then ask again.")]


def _job(job: Job) -> list[str]:
    workload, worst = job.hit.workload, job.drain.worst_minutes
    return [
        workload.id,
        {True: "CRITICAL", False: "no", None: UNKNOWN}[workload.critical],
        number(job.hit.units_standing),
        number(job.hit.units_stalled),
        job.action,
        UNKNOWN if worst is None else f"{number(job.drain.expected_minutes)}, {minutes(worst)}",
    ]


def _window(window: Window | None, options: PageOptions) -> list[str]:
    if window is None:
        return []
    lines = heading("Window", "", options.style)
    until = "no end said" if window.until is None else f"done by {utc(window.until)}"
    long = "of unknown duration" if window.duration_minutes is None else minutes(window.duration_minutes)
    wanted = [
        flag
        for flag, given in (("--until", window.until), ("--duration", window.duration_minutes))
        if given is None
    ]
    if wanted:
        need = f"give {' and '.join(wanted)} to know when it must start at the latest"
        return [*lines, *sentence(f"The work: {long}, {until}: {need}.")]
    lines += sentence(
        f"The work: {long}, {until}. It starts by {window.latest_start or UNKNOWN} at the latest."
    )
    state = {True: "", False: " That has passed.", None: ""}[window.in_time]
    if window.why == "before-calendar":
        return [*lines, *sentence("The latest safe start lies before the calendar begins. That has passed.")]
    return [*lines, *sentence(f"Latest safe start: {window.latest_safe_start or UNKNOWN}.{state}")]


def _largest(result: Maintenance, options: PageOptions) -> list[str]:
    largest = result.largest
    if largest is None:
        return []
    how = "exact" if largest.exact else "greedy: a larger set may exist"
    lines = heading(
        "Safe together", f"at most {largest.limit:,} of {largest.candidates:,}; {how}", options.style
    )
    if not largest.ids:
        return [*lines, *sentence("None of them is safe.")]
    ids = ", ".join(short(name) for name in largest.ids)
    return [*lines, *sentence(f"{count(len(largest.ids), 'thing')}: {ids}.")]


def _next(result: Maintenance, options: PageOptions) -> list[str]:
    commands: list[tuple[str, ...]] = [("whatif", *fails(result.safety.ids))]
    if may_fill_up(result):
        commands.append(("ok-to-take-out", *asked(result), "--load", "installed", "--", *result.safety.ids))
    if lacks_kw(result.estate):
        commands.insert(0, ("ok-to-take-out", "--kw-per-unit", "KW", "--", *result.safety.ids))
    if not result.estate.bare and result.verdict == "not-safe" and result.overloads:
        commands.append(("rescue", *fails(result.safety.ids)))
    return next_section(commands, options)
