"""The page of `topo sweep`: the worst single failure first, then the ranking by the worse of both engines."""

from findings.staleness import Staleness
from findings.sweep_rows import SweepRow, size
from topo.kind_words import kind_word
from topo.text.marks import marked, marks
from topo.text.page import PageOptions, block, heading, next_section, numbered, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import Column
from topo.text.verdict import unit_word
from topo.text.words import count, known, known_cell, narrow_usd_cell, number, percent
from topology.model import Estate


def sweep_page(
    estate: Estate, rows: list[SweepRow], caveats: tuple[str, ...], ages: Staleness, options: PageOptions
) -> str:
    """Return the whole page; `rows` in any order."""
    ranked = sorted(rows, key=lambda row: (*(-part for part in size(row.leading)), row.failed))
    word = unit_word(estate, None)
    lines = [*_verdict(estate, ranked), *stale_lines(estate, ages, options.style)]
    lines += [*_ranking(ranked, word, options), *_strict_only(ranked, word, options)]
    lines += [*heading("Read with care", "", options.style), *numbered(caveats)]
    worst = [("whatif", "--fail", row.failed) for row in ranked[:1]]
    lines += next_section([*worst, ("sweep", "--format", "json")], options)
    return "\n".join(lines) + "\n"


def _verdict(estate: Estate, ranked: list[SweepRow]) -> list[str]:
    if not ranked:
        return ["No domains: nothing to fail. Supply --topology topology.yaml."]
    worst = ranked[0]
    tally = worst.leading
    critical = known(tally.critical_units, unsaid=tally.criticality_unknown)
    stakes = (
        f"{count(tally.nodes, 'node')}: {number(tally.units)} {unit_word(estate, tally.units)}, "
        f"{critical} critical"
    )
    engine = " by the strict check" if worst.by_strict else ""
    lines = sentence(
        f"Worst single failure: {short(worst.failed)} ({kind_word(worst.kind)}) takes down {stakes}{engine}.",
        first="",
    )
    domains = count(len(ranked), "domain")
    return lines + sentence(f"{domains} failed one at a time: {_engines(ranked)}.", first="")


def _engines(rows: list[SweepRow]) -> str:
    harmless = [row for row in rows if row.leading.nodes == 0]
    unproven = sum(row.unproven for row in harmless)
    verb = "is" if unproven == 1 else "are"
    doubt = f", {number(unproven)} of them {verb} not proven safe" if unproven else ""
    if any(row.strict is None for row in rows):
        return f"{number(len(harmless))} lose no node by the closure{doubt}; the strict check was not run"
    differ = sum(row.strict is not None and not row.strict.agrees for row in rows)
    return (
        f"{number(len(harmless))} lose no node by either engine{doubt}; "
        f"the strict check differs from the closure in {number(differ)}"
    )


def _ranking(rows: list[SweepRow], word: str, options: PageOptions) -> list[str]:
    cells = [
        [
            row.failed,
            kind_word(row.kind),
            marks(row) + number(row.leading.nodes),
            number(row.leading.units),
            known_cell(row.leading.critical_units, unsaid=row.leading.criticality_unknown),
            percent(row.leading.critical_share),
            narrow_usd_cell(row.leading.gang_usd, unsaid=row.leading.gang_unknown > 0),
            _by(row),
        ]
        for row in rows
    ]
    columns = (
        Column("fails", flexible=True),
        Column("kind", flexible=True),
        Column("nodes", right=True),
        Column(word, right=True),
        Column("critical", right=True),
        Column("share", right=True),
        Column("gang $", right=True),
        Column("by", right=True),
    )
    note = f"by the worse engine; +: {word} that the other leaves"
    if any(row.strict is None for row in rows):
        note = "by the closure"
    return [
        *block(("Every single failure", note), columns, cells, options),
        *marked(rows, "failure", options),
    ]


def _by(row: SweepRow) -> str:
    """Return the engine whose figures these are, and how many more units it loses than the other."""
    strict = row.strict
    if strict is None:
        return "closure"
    if strict.agrees:
        return "both"
    worse, other = (strict.tally, row.tally) if row.by_strict else (row.tally, strict.tally)
    name = "strict" if row.by_strict else "closure"
    if worse.units is None or other.units is None:
        return f"{name} {worse.nodes - other.nodes:+,} nodes"
    more = worse.units - other.units
    return f"{name} {'+' if more >= 0 else ''}{number(more)}"


def _strict_only(rows: list[SweepRow], word: str, options: PageOptions) -> list[str]:
    """The failures that the closure calls smaller than they are: the ones an operator must not miss."""
    cells = [
        [
            row.failed,
            kind_word(row.kind),
            number(row.tally.nodes),
            number(row.leading.nodes),
            number(row.leading.units),
            known_cell(row.leading.critical_units, unsaid=row.leading.criticality_unknown),
        ]
        for row in rows
        if size(row.leading) > size(row.tally)
    ]
    if not cells:
        return []
    columns = (
        Column("fails", flexible=True),
        Column("kind"),
        Column("closure nodes", right=True),
        Column("strict nodes", right=True),
        Column(word, right=True),
        Column("critical", right=True),
    )
    return block(
        ("Worse than they look", "survivors trip under what shifts onto them"), columns, cells, options
    )
