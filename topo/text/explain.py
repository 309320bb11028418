"""The page of `topo explain`: one formula, the same with this estate's numbers, and what is behind each."""

from collections.abc import Iterator, Sequence
from typing import Final

from findings.context import Context
from findings.finding import DOCS, Finding
from findings.formulas import formulas
from findings.sweep_rows import size
from findings.term import SUM, Term
from findings.traced.blast import EXPOSURE, PROGRESS
from topo.text.arithmetic import worked
from topo.text.clean import clean
from topo.text.page import PageOptions, heading, more, next_section, numbered, sentence, short
from topo.text.staleness import stale_lines
from topo.text.verdict import unit_word
from topo.text.words import known, number, percent, usd

_SEE: Final = {
    "capacity-ledger": "headroom",
    "overcommitted": "headroom",
    "stranded-capacity": "headroom",
    "worst-survivor": "headroom",
}
"""Formula -> the command that goes on from it; from the others the ranking of all failures does."""

_LEAST_ROWS: Final = 6
"""The shortest list behind a term that is itself one of a list: whole for every formula's inputs."""


def explain_page(finding: Finding, ctx: Context, options: PageOptions) -> str:
    """Return one finding's formula, the same with its numbers, and the terms behind it."""
    formula, root = formulas()[finding.formula], finding.root
    units = unit_word(ctx.estate, None)
    beyond = " (beyond the methodology)" if formula.beyond else ""
    lines = [
        *sentence(f"{formula.title}{beyond}: {short(finding.id)}", first="", then=""),
        *sentence(finding.title),
        *stale_lines(ctx.estate, ctx.staleness, options.style),
        *heading("Formula", f"{DOCS}#{formula.id}", options.style),
        *sentence(formula.text),
        *heading("With the numbers of this estate", "", options.style),
        *sentence(_figure(root, root.name + " =", units, lower_bound=finding.lower_bound)),
        *(line for said in _engines(finding, ctx) for line in sentence(said)),
        *heading("Terms", "indented: what a figure is made of; of long lists the largest", options.style),
        *_lists(root.parts(), 1, options.rows, units),
        *heading("Confidence", finding.badge.level, options.style),
        *sentence(f"lowered by: {finding.badge.signal or 'nothing, direct counts'}; basis: {root.basis}"),
    ]
    lines[0] = options.style(lines[0], "bold")
    if finding.unknown:
        lines += sentence(f"unknown terms, left out and not guessed: {finding.unknown:,}")
    if finding.advice:
        lines += [*heading("What to do", "", options.style), *sentence(finding.advice)]
    if finding.caveats:
        lines += [*heading("Read with care", "", options.style), *numbered(finding.caveats)]
    return "\n".join([*lines, *next_section(_next(finding, ctx), options)]) + "\n"


def _lists(parts: Sequence[Term], depth: int, rows: int, units: str) -> Iterator[str]:
    """Yield the figures behind one, each with what is behind it in turn."""
    limit = rows if depth <= _WHOLE_DEPTH else max(_LEAST_ROWS, rows // 4)
    shown = parts if len(parts) <= limit else sorted(parts, key=_largest_first)[:limit]
    indent = "  " * depth
    for part in shown:
        behind = part.parts()
        partly = part.how == SUM and any(each.value is None for each in behind)
        text = f"{_figure(part, part.name + ':', units, lower_bound=partly)} [{part.basis}]"
        yield from sentence(text, first=indent, then=indent + "    ")
        yield from _lists(behind, depth + 1, rows, units)
    for line in more(len(shown), len(parts)):
        yield indent + line.lstrip()


_WHOLE_DEPTH: Final = 2
"""How deep a list may have all its rows: below, they multiply."""


def _largest_first(term: Term) -> tuple[int, float]:
    """Largest known figures first, then the unknown ones, then those that add nothing."""
    if isinstance(term.value, (int, float)):
        return (0 if term.value else 2, -abs(term.value))
    return (1, 0.0)


def _figure(term: Term, label: str, units: str, *, lower_bound: bool) -> str:
    return clean(f"{label} {worked(term, units, lower_bound=lower_bound)}")


def _engines(finding: Finding, ctx: Context) -> Iterator[str]:
    """Yield which engine a figure of one failure is by, and what the strict check says of it."""
    one = ctx.survey().singles.get(finding.subject or "")
    if one is None or finding.formula not in (EXPOSURE, PROGRESS):
        return
    strict = ctx.survey().checked(one.domain)
    if finding.formula == PROGRESS:
        same = (strict.usd, strict.unknown) == (one.tally.usd, one.tally.unknown)
        gangs = known(strict.gang_usd, unsaid=strict.gang_unknown > 0, write=usd)
        said = f"{known(strict.usd, unsaid=strict.unknown > 0, write=usd)}, whole gangs {gangs}"
        worse = (strict.usd or 0) > (one.tally.usd or 0)
    else:
        same, worse = size(strict) == size(one.tally), size(strict) > size(one.tally)
        critical = known(strict.critical_units, unsaid=strict.criticality_unknown)
        units = f"{number(strict.units)} {unit_word(ctx.estate, strict.units)}"
        said = f"{critical} critical = {percent(strict.critical_share)}, {units}"
    if same:
        equal = "the strict check says the same"
        others = "the strict check says equal figures, but over other nodes"
        yield f"by the closure; {equal if ctx.survey().same_nodes(one) else others}"
        return
    yield f"by the closure; strict check: {said}" + (", the worse of the two" if worse else "")


def _next(finding: Finding, ctx: Context) -> Iterator[tuple[str, ...]]:
    subject = finding.subject
    if subject is not None and (subject in ctx.estate.domains or subject in ctx.index.nodes):
        yield ("whatif", "--fail", subject)
    else:
        yield (_SEE.get(finding.formula, "sweep"),)
    yield ("findings",)
