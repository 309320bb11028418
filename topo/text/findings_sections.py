"""The findings as titled tables of words: the same for the terminal and for markdown."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from findings import constants
from findings.collision import is_active, loops_by_cluster
from findings.context import Context
from findings.finding import Finding
from findings.registry import all_findings
from findings.survey import Single
from findings.term import SUM, Value
from topo.kind_words import kind_word
from topo.text.findings_ranking import critical_cell, ranked, same_words, standing_cell, strict_words
from topo.text.page import short
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import known_cell, minutes, number, percent, some, usd
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
    value = value_words(finding.value)
    shown = f">= {value}" if finding.lower_bound else value
    return [finding.id, shown, finding.root.unit, finding.badge.level]


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
            figures = (critical_cell(tally), percent(tally.critical_share), number(tally.units), number(on))
            kind = kind_word(ctx.estate.domains[one.domain].kind)
            rows.append([one.domain, kind, *figures, strict_words(ctx, one)])
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


def _progress(ctx: Context) -> Section:
    checked = ctx.survey().checked
    pairs = [(one, checked(one.domain)) for one in ctx.survey().singles.values()]
    pairs.sort(key=lambda pair: (-max(pair[0].tally.usd or 0, pair[1].usd or 0), pair[0].domain))
    rows = [
        [
            one.domain,
            standing_cell(one.tally),
            known_cell(one.tally.gang_usd, unsaid=one.tally.gang_unknown > 0, write=usd),
            number(one.tally.unpriced_workloads),
            _strict_dollars(ctx, one),
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


def _strict_dollars(ctx: Context, one: Single) -> str:
    strict = standing_cell(ctx.survey().checked(one.domain))
    return strict if strict != standing_cell(one.tally) else same_words(ctx, one)


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
    if book.not_now:
        held = f"{number(book.not_now)} on nodes that cannot be scheduled now"
        note = f"of the safe {held} (cordoned, unready, unhealthy)"
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
    rows = [
        [
            each.cluster,
            known_cell(each.idle_units, unsaid=each.idle.unknown_nodes > 0),
            known_cell(each.usd_per_month, unsaid=each.idle.unknown > 0, write=usd),
        ]
        for each in ctx.reclaim.clusters
    ]
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
    loops = [loop for cluster in loops_by_cluster(ctx.estate).values() for loop in cluster]
    rows = [[loop.id, "".join(_mark(loop, hour) for hour in hours)] for loop in loops]
    if rows:
        rows.append(["collision windows", "".join("!" if hour in colliding else " " for hour in hours)])
    note = f"# ≥ {constants.COLLISION_ACTIONS} actions, + fewer, . none, ? not observed"
    return Section("Control loops", note, (Column("loop", flexible=True), Column("24 h, oldest first")), rows)


def _mark(loop: Loop, hour: int) -> str:
    actions = loop.hourly_actions[hour]
    if actions is None:
        return "?"
    return "#" if is_active(loop, hour) else "+" if actions else "."
