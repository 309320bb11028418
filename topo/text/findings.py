"""The page of `topo findings`, for a terminal, as markdown and as CSV."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from findings.caveats import distinct, estate_caveats
from findings.context import Context
from findings.finding import DOCS
from findings.registry import all_findings
from findings.traced.structure import SINGLE_POINT
from topo.text.clean import clean
from topo.text.findings_ranking import leading, ranked
from topo.text.findings_sections import Section, sections
from topo.text.findings_verdict import findings_verdict
from topo.text.markdown import escaped
from topo.text.page import PageOptions, block, heading, next_section, numbered, sentence, short
from topo.text.staleness import age_words, stale_lines
from topo.text.style import Style
from topo.text.verdict import unit_word
from topo.text.words import percent

_FORMULA: Final = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""How a formula starts in a spreadsheet; some take the full-width signs for the others."""


def findings_page(ctx: Context, options: PageOptions) -> str:
    """Return the findings for a terminal."""
    first, *rest = sentence(findings_verdict(ctx), first="")
    lines = [options.style(first, "bold"), *rest, ""]
    lines += [line for stamp in _stamps(ctx) for line in sentence(stamp, first="")]
    lines += stale_lines(ctx.estate, ctx.staleness, options.style)
    for section in sections(ctx):
        shown = replace(options, rows=len(section.rows)) if section.whole else options
        lines += block((section.title, section.note), section.columns, section.rows, shown)
    lines += [*heading("Read with care", "", options.style), *numbered(_caveats(ctx))]
    return "\n".join([*lines, *next_section(_next(ctx), options)]) + "\n"


def _next(ctx: Context) -> Iterator[tuple[str, ...]]:
    """The worst failure, what stops critical work, and the page that shows all of it."""
    worst = next((one.domain for one in ranked(ctx) if leading(ctx, one).nodes), None)
    if worst is not None:
        yield ("whatif", "--fail", worst)
    yield ("explain", f"{SINGLE_POINT}@{ctx.load}")
    yield ("report", "-o", "report.html")


def findings_markdown(ctx: Context) -> str:
    """Return the findings as markdown, complete."""
    stale = " ".join(line.strip() for line in stale_lines(ctx.estate, ctx.staleness, Style()))
    stamps = [*_stamps(ctx), *([stale] if stale else [])]
    lines = ["# Findings", "", escaped(findings_verdict(ctx)), "", *(f"- {escaped(part)}" for part in stamps)]
    for section in sections(ctx):
        lines += ["", f"## {section.title}", "", escaped(section.note) + ".", "", *_markdown_table(section)]
    lines += ["", "## Read with care", "", *(f"- {escaped(caveat)}" for caveat in _caveats(ctx))]
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


def _stamps(ctx: Context) -> Iterator[str]:
    estate, ages = ctx.estate, ctx.staleness
    badge = "SAMPLE DATA, not a real cluster: " if estate.sample else ""
    yield f"{badge}cluster {short(estate.cluster)}, load: {ctx.load} {unit_word(estate, None)}, now {ctx.now}"
    snapshot, facility_map = age_words(ages.snapshot.hours), age_words(ages.topology_file.hours)
    yield f"snapshot {snapshot}; map {facility_map}"
    yield f"facility coverage {percent(ctx.coverage.share)} of {ctx.coverage.nodes:,} nodes"


def _caveats(ctx: Context) -> tuple[str, ...]:
    """The estate's caveats first, verbatim, then those of each finding, each once."""
    of_findings = (caveat for finding in all_findings(ctx) for caveat in finding.caveats)
    return distinct([*estate_caveats(ctx.index), *of_findings])


def _markdown_table(section: Section) -> Iterator[str]:
    yield "| " + " | ".join(column.title for column in section.columns) + " |"
    yield "|" + "|".join("---:" if column.right else "---" for column in section.columns) + "|"
    for row in section.rows:
        yield "| " + " | ".join(escaped(cell) for cell in row) + " |"


def _inert(cell: str) -> str:
    """A spreadsheet runs a cell that starts like a formula, full-width signs too: an apostrophe stops it."""
    cell = clean(cell)
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell
