"""The page of `topo cutsets`: what takes the target down, how likely that is, and what matters most."""

from collections.abc import Iterator, Sequence
from typing import Final

from findings.cutsets.analysis import CutRow, CutSets, StrictFigures
from findings.cutsets.figures import INDEPENDENT, MODELLED, Figure, figures
from findings.cutsets.importance import Importance
from findings.staleness import Staleness
from findings.tally import Tally
from topo.kind_words import kind_word
from topo.text.page import PageOptions, block, fails, heading, next_section, numbered, sentence, short
from topo.text.staleness import stale_lines
from topo.text.table import UNKNOWN, Column
from topo.text.verdict import unit_word
from topo.text.words import count, known, known_cell, number, usd

_SIZES: Final = ("single failure", "pair", "triple")
_DIFFERING: Final = 3
_MEMBERS: Final = ("fails", "and", "and")


def cut_sets_page(result: CutSets, caveats: tuple[str, ...], ages: Staleness, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        _verdict(result),
        stale_lines(result.estate, ages, options.style),
        *(_sets(result, size, options) for size in range(1, result.order + 1)),
        _strict_only(result, options),
        _probability(result, options),
        _importances(result, options),
        [*heading("Read with care", "", options.style), *numbered(caveats)],
        next_section(_next(result), options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _verdict(result: CutSets) -> list[str]:
    target = result.target
    name = short(target.name if target.id is None else target.id)
    lines = sentence(_said(result, name), first="")
    if result.strict_down and not result.already_down:
        lines += sentence("The strict check has it down already, with nothing failed.", first="")
    elif result.strict_only:
        more = count(len(result.strict_only), "single failure")
        lines += sentence(f"The strict check adds {more} that the closure calls survivable.", first="")
    kind = target.kind if target.id is not None else "amount"
    return [*lines, *sentence(f"{name} ({kind}): {target.definition}.")]


def _said(result: CutSets, name: str) -> str:
    if result.already_down:
        too_few = "it runs fewer replicas than it needs"
        why = "it stands on what is out of service" if result.target.threshold > 0 else too_few
        return f"{name} is down already, with nothing failed: {why}."
    if result.target.threshold > result.target.total:
        return f"{name} cannot be lost: there are only {number(result.target.total)} {result.target.things}."
    found = [count(n, word) for n, word in zip(result.counts, _SIZES, strict=False) if n]
    if not found:
        return f"No failure of up to {count(result.order, 'domain')} takes {name} down."
    what = f"{', '.join(found[:-1])} and {found[-1]}" if found[1:] else found[0]
    verb = "takes" if sum(result.counts) == 1 else "take"
    if not result.counts[0]:
        return f"No single failure takes {name} down; {what} {'does' if verb == 'takes' else 'do'}."
    return f"{what} {verb} {name} down."


def _sets(result: CutSets, size: int, options: PageOptions) -> list[str]:
    rows = [row for row in result.rows if len(row.domains) == size]
    if not rows:
        return []
    rated = result.top.probability is not None
    columns = [Column(title, flexible=True) for title in _MEMBERS[:size]]
    if rated:
        columns += [Column("P(down)", right=True), Column("per year", right=True)]
    bare = result.estate.bare
    lost = ("nodes",) if bare else (unit_word(result.estate, None), "gang $")
    columns += [Column(title, right=True) for title in (*lost, "strict")]
    cells = [_cells(row, rated=rated, bare=bare) for row in rows]
    title = f"{_SIZES[size - 1].capitalize()}s"
    lines = block((title, INDEPENDENT if rated else ""), columns, cells, options)
    return [*lines, *_differing(rows[: options.rows], result, options)]


def _differing(rows: Sequence[CutRow], result: CutSets, options: PageOptions) -> list[str]:
    """Say where the strict check loses other amounts than the closure's, which the table has."""
    bare = result.estate.bare
    what = "nodes" if bare else unit_word(result.estate, None)
    said = []
    for row in rows:
        closure, strict = _amount(row.blast, bare=bare), _amount(row.strict_blast, bare=bare)
        if closure != strict:
            said.append(f"{number(strict)} with {' + '.join(map(short, row.domains)) or 'nothing'}")
    return sentence(f"The strict check loses other {what}: {options.some(said, _DIFFERING)}.") if said else []


def _amount(tally: Tally | None, *, bare: bool) -> float | None:
    return None if tally is None else tally.nodes if bare else tally.units


def _cells(row: CutRow, *, rated: bool, bare: bool) -> list[str]:
    cells = list(row.domains)
    if rated:
        cells += [significant(row.probability), significant(row.downs_per_year)]
    cells.append(number(_amount(row.blast, bare=bare)))
    if not bare:
        blast = row.blast
        gang_usd = (None, False) if blast is None else (blast.gang_usd, blast.gang_unknown > 0)
        cells.append(known_cell(gang_usd[0], unsaid=gang_usd[1], write=usd))
    return [*cells, _strict(row.strict)]


def _strict(strict: StrictFigures | None) -> str:
    if strict is None:
        return "not run"
    if strict.fewer:
        return "fewer"
    return "down" if strict.down else "holds"


def significant(value: float | None) -> str:
    """Return a figure with four significant digits; `unknown` for None."""
    return UNKNOWN if value is None else f"{value:.4g}"


def _strict_only(result: CutSets, options: PageOptions) -> list[str]:
    """Return what the closure calls survivable and the strict check does not."""
    parts = {part for row in result.rows if row.strict for part in row.strict.fewer if len(part) > 1}
    found = [(name,) for name in result.strict_only] + sorted(parts)
    if not found:
        return []
    size = max(map(len, found))
    columns = [Column(title, flexible=True) for title in _MEMBERS[:size]]
    cells = [[*part, *[""] * (size - len(part))] for part in found]
    note = "enough in the strict check alone: survivors trip"
    return block(("Worse than they look", note), columns, cells, options)


def _probability(result: CutSets, options: PageOptions) -> list[str]:
    if not result.rows or result.already_down:
        return []
    lines = heading("Probability", INDEPENDENT, options.style)
    top = result.top
    if top.probability is None:
        return [
            *lines,
            *sentence(
                "Unknown: no cut set has failuresPerYear and repairHours for each of its domains. "
                "The number of cut sets that hold a domain ranks it instead."
            ),
        ]
    named = {figure.name: figure for figure in figures(result)}
    beyond = "about" if top.unknown else "bounded by"
    bound = "at least" if top.method == "exact" else beyond
    hours = named["expectedHoursPerYear"]
    unknown = f" {count(top.unknown, 'cut set')} of unknown probability not included." if top.unknown else ""
    lines += sentence(
        f"Down {bound} {significant(top.probability)} of the time, {significant(hours.value)} h a year, "
        f"about {significant(result.downs_per_year)} times a year "
        f"({'exact' if top.method == 'exact' else 'upper bound'} for {count(top.known, 'cut set')} of up to "
        f"{count(result.order, 'domain')}).{unknown}"
    )
    return lines if result.estate.bare else [*lines, *_dollars(named["expectedGangUsdPerYear"])]


def _dollars(figure: Figure) -> list[str]:
    if figure.value is None:
        return sentence(f"Expected progress at risk: unknown ({MODELLED}).")
    if 0 < figure.value < 0.005:
        amount = "more than $0.00" if figure.lower_bound else "less than $0.01"
    else:
        amount = known(figure.value, unsaid=figure.lower_bound, write=usd)
    return sentence(f"Expected progress at risk: {amount} a year, whole gangs ({MODELLED}).")


def _importances(result: CutSets, options: PageOptions) -> list[str]:
    rows = result.top.importances
    if not rows:
        return []
    top = result.top
    rated = top.probability is not None
    columns = [Column("domain", flexible=True), Column("kind")]
    columns += [Column(f"{word}s", right=True) for word in ("single", "pair", "triple")[: result.order]]
    if rated:
        columns += [Column("down", right=True), Column("Birnbaum", right=True), Column("F-V", right=True)]
    cells = [_importance(result, row, rated=rated) for row in rows]
    held = "in how many cut sets"
    note = f"{held}; F-V: share of the downtime that they hold" if rated else held
    lines = block(("Importance", note), columns, cells, options)
    if not rated:
        return lines
    lines += sentence("Birnbaum: how much likelier the target is down with this domain down than with it up.")
    if top.unknown:
        lines += sentence(
            f"Both are unknown while {count(top.unknown, 'cut set')} of {number(top.unknown + top.known)} "
            "have no rates: those may hold most of the downtime. The number of cut sets that hold a domain "
            "ranks it instead, the small ones first."
        )
    return lines


def _importance(result: CutSets, row: Importance, *, rated: bool) -> list[str]:
    orders = [*row.orders, *[0] * (result.order - len(row.orders))]
    cells = [row.domain, kind_word(result.estate.domains[row.domain].kind), *map(number, orders)]
    if not rated:
        return cells
    rate = result.rates[row.domain]
    measures = (rate.unavailability, row.birnbaum, row.fussell_vesely)
    return [*cells, *map(significant, measures)]


def _next(result: CutSets) -> Iterator[Sequence[str]]:
    if result.rows and result.rows[0].domains:
        yield ("whatif", *fails(result.rows[0].domains))
    if result.strict_only:
        yield ("whatif", *fails(result.strict_only[:1]))
    yield ("cutsets", "--target", result.target.name, "--order", str(result.order), "--format", "json")
