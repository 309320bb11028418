"""The pages of `topo findings` and `topo explain`, for a terminal, as markdown and as CSV."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

from findings.caveats import distinct, estate_caveats
from findings.context import Context
from findings.explain import equation
from findings.finding import DOCS, Finding
from findings.formulas import formulas
from findings.registry import all_findings
from findings.term import Term
from topo.text.clean import clean
from topo.text.findings_sections import Section, sections
from topo.text.page import PageOptions, block, heading, numbered, sentence, short
from topo.text.words import number, percent


def findings_page(ctx: Context, options: PageOptions) -> str:
    """Return the findings for a terminal."""
    lines = [line for stamp in _stamps(ctx) for line in sentence(stamp, first="")]
    for section in sections(ctx):
        shown = replace(options, rows=len(section.rows)) if section.whole else options
        lines += block((section.title, section.note), section.columns, section.rows, shown)
    lines += [*heading("Read with care", "", options.style), *numbered(_caveats(ctx))]
    return "\n".join(lines) + "\n"


def findings_markdown(ctx: Context) -> str:
    """Return the findings as markdown, complete."""
    lines = ["# Findings", "", *(f"- {_escape(part)}" for part in _stamps(ctx))]
    for section in sections(ctx):
        lines += ["", f"## {section.title}", "", _escape(section.note) + ".", "", *_markdown_table(section)]
    lines += ["", "## Read with care", "", *(f"- {_escape(caveat)}" for caveat in _caveats(ctx))]
    return "\n".join(lines) + "\n"


def findings_csv(ctx: Context) -> str:
    """Return one row per finding."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ("id", "formula", "subject", "load", "value", "unit", "basis", "unknownCount", "confidence",
         "confidenceSignal", "docs")
    )  # fmt: skip
    for each in all_findings(ctx):
        root, badge = each.root, each.badge
        value = "" if root.value is None else root.value
        cells = (each.id, each.formula, each.subject or "", each.load or "", value, root.unit, root.basis,
                 each.unknown, badge.level, badge.signal or "", f"{DOCS}#{each.formula}")  # fmt: skip
        writer.writerow(_inert(cell) if isinstance(cell, str) else cell for cell in cells)
    return out.getvalue()


def explain_page(finding: Finding, options: PageOptions) -> str:
    """Return one finding's formula, the same with its numbers, and every term behind it."""
    formula, root = formulas()[finding.formula], finding.root
    beyond = " (beyond the methodology)" if formula.beyond else ""
    lines = [
        options.style(f"{formula.title}{beyond}: {short(finding.id)}", "bold"),
        *sentence(finding.title),
        *heading("Formula", f"{DOCS}#{formula.id}", options.style),
        *sentence(formula.text),
        *heading("With the numbers of this estate", "", options.style),
        *sentence(clean(f"{root.name} = {equation(root)}{_unit(root)}")),
        *heading("Terms", "indented: what a figure is made of", options.style),
        *(line for part in root.parts() for line in _term_lines(part, 1)),
        *heading("Confidence", finding.badge.level, options.style),
        *sentence(f"lowered by: {finding.badge.signal or 'nothing, direct counts'}; basis: {root.basis}"),
    ]
    if finding.unknown:
        lines += sentence(f"unknown terms, left out and not guessed: {finding.unknown:,}")
    if finding.advice:
        lines += [*heading("What to do", "", options.style), *sentence(finding.advice)]
    if finding.caveats:
        lines += [*heading("Read with care", "", options.style), *numbered(finding.caveats)]
    return "\n".join(lines) + "\n"


def _term_lines(term: Term, depth: int) -> Iterator[str]:
    """One figure per line, never shortened: a sceptic needs all of it."""
    yield "  " * depth + clean(f"{term.name}: {equation(term)}{_unit(term)} [{term.basis}]")
    for part in term.parts():
        yield from _term_lines(part, depth + 1)


def _unit(term: Term) -> str:
    return f" {term.unit}" if term.unit else ""


def _stamps(ctx: Context) -> Iterator[str]:
    estate, ages = ctx.estate, ctx.staleness
    badge = "SAMPLE DATA, not a real cluster: " if estate.sample else ""
    yield f"{badge}cluster {short(estate.cluster)}, units: {estate.unit}, load: {ctx.load}, now {ctx.now}"
    stale = " STALE: collect again" if ages.stale else ""
    snapshot, facility_map = number(ages.snapshot.hours, 1), number(ages.topology_file.hours, 1)
    yield f"snapshot {snapshot} h old{stale}; map {facility_map} h old"
    yield f"facility coverage {percent(ctx.coverage.share)} of {ctx.coverage.nodes:,} nodes"


def _caveats(ctx: Context) -> tuple[str, ...]:
    """The estate's caveats first, verbatim, then those of each finding, each once."""
    of_findings = (caveat for finding in all_findings(ctx) for caveat in finding.caveats)
    return distinct([*estate_caveats(ctx.index), *of_findings])


def _markdown_table(section: Section) -> Iterator[str]:
    yield "| " + " | ".join(column.title for column in section.columns) + " |"
    yield "|" + "|".join("---:" if column.right else "---" for column in section.columns) + "|"
    for row in section.rows:
        yield "| " + " | ".join(_escape(cell) for cell in row) + " |"


def _escape(text: str) -> str:
    """Make ids inert in markdown and in the HTML that it turns into."""
    safe = clean(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in "\\`*_[]|#~" else char for char in safe)


def _inert(cell: str) -> str:
    """A spreadsheet runs a cell that starts like a formula: an apostrophe stops it."""
    cell = clean(cell)
    return f"'{cell}" if cell[:1] in "=+-@" and cell else cell
