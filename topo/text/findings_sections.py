"""The findings as titled tables of words: the same for the terminal and for markdown."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from findings import constants
from findings.collision import is_active
from findings.context import Context
from findings.finding import Finding
from findings.registry import all_findings
from findings.survey import Single
from findings.sweep_rows import size
from findings.tally import Tally
from findings.term import SUM, Value
from topo.kind_words import kind_word
from topo.text.page import short
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, known_cell, minutes, number, percent, some, usd
from topology.model import Loop

_NAME = Column("domain", flexible=True)


@dataclass(frozen=True, slots=True)
class Section:
    """A titled table; `note` says what the reader must know to read it. A `whole` one is never shortened."""

    title: str
    note: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[str]]
    whole: bool = False


def sections(ctx: Context) -> Iterator[Section]:
    """Yield every section that has something to show, the gravest first."""
    about_all = [finding for finding in all_findings(ctx) if finding.subject is None]
    yield _findings(about_all)
    for section in (
        _which(about_all),
        _exposure(ctx),
        _progress(ctx),
        _races(ctx),
        _ledger(ctx),
        _lemons(ctx),
        _idle(ctx),
        _reclaim(ctx),
        _entropy(ctx),
        _loops(ctx),
    ):
        if section.rows:
            yield section


def value_words(value: Value) -> str:
    """Return a finding's value in few words; `unknown` for None."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value, 3)
    return UNKNOWN if value is None else str(value)


def _findings(about_all: Sequence[Finding]) -> Section:
    columns = (
        Column("finding", flexible=True),
        Column("value", right=True),
        Column("unit", flexible=True),
        Column("confidence"),
    )
    note = "of the whole estate; topo explain FINDING FILE redoes each"
    return Section("Findings", note, columns, [*map(_row, about_all)], whole=True)


def _row(finding: Finding) -> list[str]:
    return [finding.id, value_words(finding.value), finding.root.unit, finding.badge.level]


def _which(about_all: Sequence[Finding]) -> Section:
    """What the counts among the findings count: a number alone sends nobody anywhere."""
    rows: dict[tuple[str, tuple[str, ...]], list[list[str]]] = {}
    for finding in about_all:
        if names := _counted(finding):  # at installed load often the same as at allocated load: said once
            rows.setdefault((finding.formula, names), _named(finding.id, names))
    columns = (Column("finding"), Column("which", flexible=True))
    note = "topo explain FINDING FILE lists them with their terms"
    return Section("Which", note, columns, [row for group in rows.values() for row in group], whole=True)


def _named(finding_id: str, names: Sequence[str]) -> list[list[str]]:
    """Return a few of the names, over as many rows as they need."""
    shown = some([*map(short, names[:_NAMES]), *names[_NAMES:]], _NAMES)
    lines = textwrap.wrap(shown, _WHICH_WIDTH, break_long_words=False, break_on_hyphens=False) or [shown]
    return [["" if place else finding_id, line] for place, line in enumerate(lines)]


def _counted(finding: Finding) -> tuple[str, ...]:
    """Return the names of what a finding counts, in order; nothing where it is no count."""
    first = next(iter(finding.root.parts()), None)
    if first is None or first.how != SUM or not isinstance(first.value, int) or not first.value:
        return ()
    names = tuple(part.name for part in first.parts() if part.value)
    return names if len(names) == first.value == finding.value else ()


_NAMES = 4
_WHICH_WIDTH = 43


def _exposure(ctx: Context) -> Section:
    rows = []
    for one in ranked(ctx):
        tally, strict = one.tally, ctx.survey().checked(one.domain)
        on, _ = ctx.survey().standing(one.domain)
        if tally.nodes or strict.nodes:
            figures = (_critical(tally), percent(tally.critical_share), number(tally.units), number(on))
            kind = kind_word(ctx.estate.domains[one.domain].kind)
            rows.append([one.domain, kind, *figures, _strict_words(tally, strict)])
    columns = (
        _NAME,
        Column("kind", flexible=True),
        Column("critical", right=True),
        Column("share", right=True),
        Column(unit_word(ctx.estate, None), right=True),
        Column("on it", right=True),
        Column("strict check", right=True),
    )
    note = "by the closure, if it alone fails; the worse engine ranks; on it: redundancy ignored"
    return Section("Exposure", note, columns, rows)


def ranked(ctx: Context) -> list[Single]:
    """Return every single failure, the worst first, by the worse of the two engines."""
    singles = ctx.survey().singles.values()
    return sorted(singles, key=lambda one: (*(-part for part in size(leading(ctx, one))), one.domain))


def leading(ctx: Context, one: Single) -> Tally:
    """Return the figures of the engine that loses more."""
    return max(one.tally, ctx.survey().checked(one.domain), key=size)


def _critical(tally: Tally) -> str:
    return known_cell(tally.critical_units, unsaid=tally.criticality_unknown)


def _strict_words(tally: Tally, strict: Tally) -> str:
    """Return what the strict check says where it differs."""
    if size(tally) == size(strict):
        return "same"
    if strict.critical_units is None:
        return f"{count(strict.nodes, 'node')}"
    return f"{_critical(strict)} = {percent(strict.critical_share)}"


def _progress(ctx: Context) -> Section:
    checked = ctx.survey().checked
    pairs = [(one, checked(one.domain)) for one in ctx.survey().singles.values()]
    pairs.sort(key=lambda pair: (-max(pair[0].tally.usd or 0, pair[1].usd or 0), pair[0].domain))
    rows = [
        [
            one.domain,
            usd(one.tally.usd),
            usd(one.tally.gang_usd),
            number(one.tally.unpriced_workloads),
            "same" if strict.usd == one.tally.usd else usd(strict.usd),
        ]
        for one, strict in pairs
        if one.tally.usd != 0 or strict.usd != 0
    ]
    columns = (
        _NAME,
        Column("standing", right=True),
        Column("whole gangs", right=True),
        Column("not priced", right=True),
        Column("strict check", right=True),
    )
    note = "by the closure, if it alone fails; strict check: standing; not priced: no interval"
    return Section("Progress at risk", note, columns, rows)


def _races(ctx: Context) -> Section:
    rows = [
        [
            race.domain,
            race.verdict,
            minutes(race.ride_through_minutes),
            minutes(race.drain_expected_minutes),
            minutes(race.drain_worst_minutes),
        ]
        for race in ctx.races
        if race.verdict != "no-training"
    ]
    columns = (
        Column("cooling", flexible=True),
        Column("verdict"),
        Column("ride-through", right=True),
        Column("expected", right=True),
        Column("worst", right=True),
    )
    return Section("Thermal races", "each for its own failure", columns, rows)


def _ledger(ctx: Context) -> Section:
    book = ctx.ledger
    rows = [
        ["installed", number(book.installed)],
        ["allocated", number(book.allocated)],
        ["raw free", number(book.raw_free)],
        ["  power-capped", number(book.power_capped)],
        ["  on lemon nodes", number(book.on_lemon)],
        ["  fragmented", number(book.fragmented)],
        ["  safe usable", number(book.safe_usable)],
        ["    on unhealthy devices", number(book.unhealthy)],
        ["    cordoned or not ready", number(book.not_schedulable)],
        ["    history incomplete", number(book.history_unverified)],
        ["free with power unverified", number(book.power_unverified)],
        ["nodes outside", number(book.nodes_outside)],
    ]
    columns = (Column("bucket"), Column(unit_word(ctx.estate, None), right=True))
    note = "what is free, and how much of it can be used"
    return Section("Capacity ledger", note, columns, rows, whole=True)


def _lemons(ctx: Context) -> Section:
    lemons = sorted(
        (each for each in ctx.lemons if each.lemon), key=lambda each: (-(each.score or 0), each.node)
    )
    rows = [[each.node, number(each.score), ", ".join(each.unknown_terms) or "none"] for each in lemons]
    columns = (
        Column("node", flexible=True),
        Column("score", right=True),
        Column("unknown terms", flexible=True),
    )
    note = f"score ≥ {constants.LEMON_THRESHOLD}: cordon, burn in, re-admit on a clean pass"
    return Section("Lemons", note, columns, rows)


def _idle(ctx: Context) -> Section:
    rows = [[each.node.id, number(each.units), usd(each.usd_per_month)] for each in ctx.idle.nodes]
    columns = (
        Column("node", flexible=True),
        Column(unit_word(ctx.estate, None), right=True),
        Column("per month", right=True),
    )
    unknown = f"; {ctx.idle.unknown_nodes:,} nodes unknown" if ctx.idle.unknown_nodes else ""
    return Section("Idle", f"utilization < {constants.IDLE_UTILIZATION}{unknown}", columns, rows)


def _reclaim(ctx: Context) -> Section:
    rows = [[each.cluster, number(each.idle_units), usd(each.usd_per_month)] for each in ctx.reclaim.clusters]
    columns = (
        Column("cluster", flexible=True),
        Column(f"idle {unit_word(ctx.estate, None)}", right=True),
        Column("per month", right=True),
    )
    return Section("Recoverable", f"idle spend × {constants.RECLAIM_REALIZATION}", columns, rows)


def _entropy(ctx: Context) -> Section:
    rows = [
        [
            kind_word(each.kind),
            number(each.h_norm),
            number(each.effective),
            number(len(each.units)),
            UNKNOWN if each.top_domain is None else each.top_domain,
            percent(each.top_share),
        ]
        for each in ctx.entropies
    ]
    columns = (
        Column("kind"),
        Column("h norm", right=True),
        Column("effective", right=True),
        Column("domains", right=True),
        Column("top domain", flexible=True),
        Column("share", right=True),
    )
    return Section("Spread", "1 is even, 0 is all on one domain", columns, rows)


def _loops(ctx: Context) -> Section:
    hours = [*range(constants.HOURS_OBSERVED)]
    colliding = {window.hour for window in ctx.collisions.windows}
    rows = [[loop.id, "".join(_mark(loop, hour) for hour in hours)] for loop in ctx.estate.loops]
    if rows:
        rows.append(["collision windows", "".join("!" if hour in colliding else " " for hour in hours)])
    note = f"# ≥ {constants.COLLISION_ACTIONS} actions, + fewer, . none, ? not observed"
    return Section("Control loops", note, (Column("loop", flexible=True), Column("24 h, oldest first")), rows)


def _mark(loop: Loop, hour: int) -> str:
    actions = loop.hourly_actions[hour]
    if actions is None:
        return "?"
    return "#" if is_active(loop, hour) else "+" if actions else "."
