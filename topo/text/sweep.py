"""The page of `topo sweep`: the worst single failure first, then the ranking."""

from findings.staleness import Staleness
from findings.sweep_rows import SweepRow
from topo.kind_words import kind_word
from topo.text.page import PageOptions, block, heading, next_section, numbered, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import Column
from topo.text.verdict import unit_word
from topo.text.words import count, number, percent, usd
from topology.model import Estate, Number

_COLUMNS = (
    Column("fails", flexible=True),
    Column("kind"),
    Column("nodes", right=True),
    Column("units", right=True),
    Column("critical", right=True),
    Column("share", right=True),
    Column("gang $", right=True),
    Column("strict", right=True),
)


def sweep_page(
    estate: Estate, rows: list[SweepRow], caveats: tuple[str, ...], ages: Staleness, options: PageOptions
) -> str:
    """Return the whole page; `rows` come ranked by the closure."""
    lines = [*_verdict(estate, rows), *stale_lines(estate, ages, options.style)]
    lines += [*_ranking(rows, options), *_strict_only(rows, options)]
    lines += [*heading("Read with care", "", options.style), *numbered(caveats)]
    worst = [("whatif", "--fail", row.failed) for row in rows[:1]]
    lines += next_section([*worst, ("sweep", "--format", "json")], options)
    return "\n".join(lines) + "\n"


def _verdict(estate: Estate, rows: list[SweepRow]) -> list[str]:
    if not rows:
        return ["No domains: nothing to fail. Supply --topology topology.yaml."]
    worst = min(rows, key=lambda row: (*(-part for part in _size(row)), row.failed))
    units, critical = _worse(worst)
    nodes = count(_nodes(worst), "node")
    stakes = f"{nodes}: {number(units)} {unit_word(estate, units)}, {number(critical)} critical"
    harmless = sum(_nodes(row) == 0 for row in rows)
    differ = sum(row.strict is not None and not row.strict.agrees for row in rows)
    lines = sentence(
        f"Worst single failure: {short(worst.failed)} ({kind_word(worst.kind)}) takes down {stakes}.",
        first="",
    )
    lines += sentence(
        f"{count(len(rows), 'domain')} failed one at a time: {number(harmless)} lose no node; "
        f"the strict check differs from the closure in {number(differ)}.",
        first="",
    )
    return lines


def _ranking(rows: list[SweepRow], options: PageOptions) -> list[str]:
    cells = [
        [
            row.failed,
            kind_word(row.kind),
            number(row.tally.nodes),
            number(row.tally.units),
            number(row.tally.critical_units),
            percent(row.tally.critical_share),
            usd(row.tally.gang_usd),
            _strict(row),
        ]
        for row in rows
    ]
    note = "ranked by the closure; strict: units more or fewer"
    return block(("Every single failure", note), _COLUMNS, cells, options)


def _strict(row: SweepRow) -> str:
    if row.strict is None:
        return "not run"
    if row.strict.agrees:
        return "agrees"
    if row.strict.units is None or row.tally.units is None:
        return f"{row.strict.nodes - row.tally.nodes:+,} nodes"
    more = row.strict.units - row.tally.units
    return f"{'+' if more >= 0 else ''}{number(more)}"


def _strict_only(rows: list[SweepRow], options: PageOptions) -> list[str]:
    """The failures that the closure calls smaller than they are: the ones an operator must not miss."""
    worse = [row for row in rows if row.strict is not None and _size(row) > _closure_size(row)]
    if not worse:
        return []
    worse.sort(key=lambda row: row.failed)
    worse.sort(key=_size, reverse=True)
    cells = []
    for row in worse:
        units, critical = _worse(row)
        cells.append(
            [
                row.failed,
                kind_word(row.kind),
                number(row.tally.nodes),
                number(_nodes(row)),
                number(units),
                number(critical),
            ]
        )
    columns = (
        Column("fails", flexible=True),
        Column("kind"),
        Column("closure nodes", right=True),
        Column("strict nodes", right=True),
        Column("units", right=True),
        Column("critical", right=True),
    )
    return block(
        ("Worse than they look", "survivors trip under what shifts onto them"), columns, cells, options
    )


def _closure_size(row: SweepRow) -> tuple[Number, Number, int]:
    return (row.tally.critical_units or 0, row.tally.units or 0, row.tally.nodes)


def _strict_size(row: SweepRow) -> tuple[Number, Number, int]:
    strict = row.strict
    return (0, 0, 0) if strict is None else (strict.critical_units or 0, strict.units or 0, strict.nodes)


def _size(row: SweepRow) -> tuple[Number, Number, int]:
    return max(_closure_size(row), _strict_size(row))


def _nodes(row: SweepRow) -> int:
    return _size(row)[2]


def _worse(row: SweepRow) -> tuple[Number | None, Number | None]:
    if row.strict is not None and _strict_size(row) > _closure_size(row):
        return row.strict.units, row.strict.critical_units
    return row.tally.units, row.tally.critical_units
