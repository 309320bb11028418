"""The page of `topo sweep --order 2`: the pair first that is worst beyond its parts, then the rankings."""

from collections.abc import Iterable
from typing import Final

from findings.pairs.rows import LOSS_SHARES, PairRow, PairSweep
from findings.staleness import Staleness
from topo.kind_words import kind_word
from topo.text.marks import marked, marks
from topo.text.page import PageOptions, block, fails, heading, next_section, numbered, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import Column, table
from topo.text.verdict import unit_word
from topo.text.words import count, known, known_cell, narrow_usd_cell, number, percent
from topology.model import Estate

_BOTH: Final = (Column("fails", flexible=True), Column("and", flexible=True))
_RANKING: Final = ("nodes", "units", "critical", "share", "gang $", "strict")
_COUPLED: Final = ("nodes", "units", "critical", "of critical")
_STRICT: Final = ("closure nodes", "strict nodes", "units", "critical")


def pairs_page(
    estate: Estate, sweep: PairSweep, caveats: tuple[str, ...], ages: Staleness, options: PageOptions
) -> str:
    """Return the whole page."""
    lines = [*_verdict(estate, sweep), *stale_lines(estate, ages, options.style)]
    word = unit_word(estate, None)
    # What no single failure shows comes first; most of the largest pairs are two large failures.
    lines += [*_coupled(sweep, word, options), *_strict(sweep, word, options)]
    lines += [*_ranking(sweep, word, options), *_reaching(sweep, word, options)]
    lines += [*heading("Read with care", "", options.style), *numbered(caveats)]
    first = sweep.worst if sweep.together is None else sweep.together.row
    shown = [row for row in (first, *_losing_more(sweep.coupled_rows)[:1]) if row is not None]
    commands = dict.fromkeys([("whatif", *fails(row.failed)) for row in shown])
    lines += next_section([*commands, ("sweep", "--order", "2", "--format", "json")], options)
    return "\n".join(lines) + "\n"


def _verdict(estate: Estate, sweep: PairSweep) -> list[str]:
    worst = sweep.worst
    if worst is None:
        return ["Fewer than two domains: no pair to fail. Supply --topology topology.yaml."]
    by_strict = worst.strict_size > worst.size
    tally = worst.strict.tally if by_strict and worst.strict is not None else worst.tally
    critical = known(tally.critical_units, unsaid=tally.criticality_unknown)
    stakes = (
        f"{count(tally.nodes, 'node')}: {number(tally.units)} {unit_word(estate, tally.units)}, "
        f"{critical} critical"
    )
    engine = " by the strict check" if by_strict else ""
    beside = "" if by_strict or worst.beyond.nodes else ", each what it takes alone"
    title = "Worst pair" if sweep.together is None else "Largest loss"
    lines = _together(estate, sweep)
    lines += sentence(f"{title}: {_names(worst)} take down {stakes}{engine}{beside}.", first="")
    pairs = f"{count(sweep.pairs, 'pair')} of {count(sweep.domains, 'domain')}"
    lines += sentence(f"{pairs}: {number(sweep.coupled)} lose what neither failure loses alone.", first="")
    return lines + sentence(_strict_totals(sweep), first="")


def _together(estate: Estate, sweep: PairSweep) -> list[str]:
    """Name the pair that defeats most redundancy: many large pairs are two large failures side by side."""
    most = sweep.together
    if most is None:
        return []
    engine = " by the strict check" if most.by_strict else ""
    return sentence(
        f"Worst pair: {_names(most.row)} take down {count(most.nodes, 'node')} that neither takes alone"
        f"{engine}: {number(most.units)} {unit_word(estate, most.units)}, "
        f"{known(most.critical_units, unsaid=most.criticality_unknown)} critical.",
        first="",
    )


def _names(row: PairRow) -> str:
    one, other = (
        f"{short(name)} ({kind_word(kind)})" for name, kind in zip(row.failed, row.kinds, strict=True)
    )
    return f"{one} and {other}"


def _strict_totals(sweep: PairSweep) -> str:
    strict = sweep.strict
    if strict is None:
        return "The strict check was not run."
    return (
        f"The strict check differs from the closure in {count(strict.differing, 'pair')}; in "
        f"{number(strict.cascading)} it loses what neither failure loses alone. {count(strict.run, 'pair')} "
        "could meet and were simulated; the others lose exactly what both lose alone."
    )


def _columns(titles: Iterable[str], word: str) -> list[Column]:
    """Return the columns of a pair's figures; units are called by their name."""
    return [*_BOTH, *(Column(word if title == "units" else title, right=True) for title in titles)]


def _ranking(sweep: PairSweep, word: str, options: PageOptions) -> list[str]:
    cells = [
        [
            *row.failed,
            marks(row) + number(row.tally.nodes),
            number(row.tally.units),
            known_cell(row.tally.critical_units, unsaid=row.tally.criticality_unknown),
            percent(row.tally.critical_share),
            narrow_usd_cell(row.tally.gang_usd, unsaid=row.tally.gang_unknown > 0),
            _difference(row),
        ]
        for row in sweep.rows
    ]
    note = f"the {number(len(cells))} largest by the closure; strict: {word} more or fewer"
    return [
        *block(("Every pair", note), _columns(_RANKING, word), cells, options),
        *marked(_listed(sweep), "listed pair", options),
    ]


def _listed(sweep: PairSweep) -> list[PairRow]:
    """The pairs of all three lists, each once."""
    rows = (*sweep.rows, *sweep.coupled_rows, *(sweep.strict_rows or ()))
    return list({row.failed: row for row in rows}.values())


def _difference(row: PairRow) -> str:
    if row.strict is None:
        return "not run"
    if row.strict.agrees:
        return "agrees"
    if row.strict.units is None or row.tally.units is None:
        return f"{row.strict.nodes - row.tally.nodes:+,} nodes"
    more = row.strict.units - row.tally.units
    return f"{'+' if more >= 0 else ''}{number(more)}"


def _coupled(sweep: PairSweep, word: str, options: PageOptions) -> list[str]:
    cells = [
        [
            *row.failed,
            marks(row) + number(row.beyond.nodes),
            number(row.beyond.units),
            known_cell(row.beyond.critical_units, unsaid=row.beyond.criticality_unknown),
            known_cell(row.tally.critical_units, unsaid=row.tally.criticality_unknown),
        ]
        for row in _losing_more(sweep.coupled_rows)
    ]
    if not cells:
        return []
    title = ("Worse than the sum of its parts", "what neither failure loses alone, by the closure")
    return block(title, _columns(_COUPLED, word), cells, options)


def _strict(sweep: PairSweep, word: str, options: PageOptions) -> list[str]:
    """The largest pairs that the closure calls smaller than they are."""
    cells = [
        [
            *row.failed,
            number(row.tally.nodes),
            marks(row) + number(row.strict.nodes),
            number(row.strict.units),
            known_cell(row.strict.critical_units, unsaid=row.strict.tally.criticality_unknown),
        ]
        for row in sweep.strict_rows or ()
        if row.strict is not None and row.strict_size > row.size
    ]
    if not cells:
        return []
    title = ("Worse than they look", "among the largest by the strict check: survivors trip")
    return block(title, _columns(_STRICT, word), cells, options)


def _reaching(sweep: PairSweep, word: str, options: PageOptions) -> list[str]:
    if not sweep.reaching or not sweep.rows:
        return []
    columns = (
        Column(f"critical {word} lost"),
        Column("pairs", right=True),
        Column("of all pairs", right=True),
    )
    cells = [
        [f"at least {percent(share)}", number(pairs), percent(pairs / sweep.pairs)]
        for share, pairs in zip(LOSS_SHARES, sweep.reaching, strict=True)
    ]
    return [*heading("How much pairs lose", "by the closure", options.style), *table(columns, cells)]


def _losing_more(rows: Iterable[PairRow]) -> list[PairRow]:
    return [row for row in rows if row.beyond.nodes]
