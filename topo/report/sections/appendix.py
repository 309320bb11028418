"""The end of the report: caveats verbatim, and every formula with this estate's numbers in it."""

from collections.abc import Iterator, Sequence
from typing import Final

from findings import constants
from findings.caveats import distinct, estate_caveats
from findings.context import Context
from findings.finding import Finding
from findings.formulas import formulas
from findings.term import Term
from topo.report.html import Element, Node, Value, el
from topo.report.parts import beyond, section
from topo.report.prose import Passage, passages
from topo.text.arithmetic import worked
from topo.text.words import number
from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

_WORKED: Final = 12
"""Findings of one formula that are redone in the page."""
_TERMS: Final = 24
"""Terms of one figure that are written out."""
_DEPTH: Final = 2


def caveats(ctx: Context, found: Sequence[Finding]) -> Element:
    """Return every caveat once, the provenance's first and verbatim."""
    fixed = () if ctx.estate.bare else (CRITICALITY_CAVEAT, SELF_REPORTED_NOTE)
    texts = distinct(
        [*estate_caveats(ctx.index), *fixed, *(text for finding in found for text in finding.caveats)]
    )
    return section(
        "caveats",
        "Read with care",
        el("ol", {"class": "caveats"}, *(el("li", {}, text) for text in texts)),
        lead="Every caveat behind the figures above, the collector's own first, word for word.",
    )


def definitions(found: Sequence[Finding], units: str) -> Element:
    """Return every formula, in words and symbols, with this estate's numbers, its units called `units`."""
    texts = passages()
    by_formula: dict[str, list[Finding]] = {}
    for finding in found:
        by_formula.setdefault(finding.formula, []).append(finding)
    return section(
        "formulas",
        "Definitions, with this estate's numbers",
        *(_definition(name, texts.get(name), by_formula.get(name, []), units) for name in formulas()),
        _constants(),
        lead="A figure that cannot be traced to a definition here is a bug. Every line can be typed into a "
        "calculator; figures are shown to six digits. topo explain FINDING FILE redoes any finding down to "
        "the last node.",
    )


def _definition(name: str, passage: Passage | None, found: list[Finding], units: str) -> Element:
    formula = formulas()[name]
    return el(
        "article",
        {"class": "definition", "id": f"f-{name}", "aria-labelledby": f"f-{name}-title", "tabindex": -1},
        el("h3", {"id": f"f-{name}-title"}, formula.title, " ", beyond() if formula.beyond else None),
        el("p", {"class": "formula"}, formula.text),
        *(() if passage is None else _prose(passage)),
        *(_worked(each, units) for each in found[:_WORKED]),
        el(
            "p",
            {"class": "more"},
            f"{len(found) - _WORKED:,} more findings of this formula: topo findings FILE "
            "lists them, topo explain redoes each.",
        )
        if len(found) > _WORKED
        else None,
    )


def _prose(passage: Passage) -> Iterator[Node]:
    for kind, text in passage:
        if kind == "code":
            yield el("pre", {"tabindex": 0}, text)
        elif kind == "item":
            yield el("p", {"class": "item"}, text)
        else:
            yield el("p", {}, text)


def _worked(finding: Finding, units: str) -> Element:
    root, badge = finding.root, finding.badge
    lowered = f", lowered by: {badge.signal}" if badge.signal else ""
    unknown = f"; unknown terms left out: {number(finding.unknown)}" if finding.unknown else ""
    return el(
        "details",
        {"class": "worked"},
        el("summary", {}, el("span", {"class": "id"}, finding.id), f": {root.name} = {worked(root, units)}"),
        el("p", {}, f"{finding.title}. Basis: {root.basis}. Confidence {badge.level}{lowered}{unknown}."),
        _terms(root, 0, units),
        el("p", {"class": "advice"}, finding.advice) if finding.advice else None,
    )


def _terms(of: Term, depth: int, units: str) -> Node:
    """Return the first terms behind one; the others are counted, and never made."""
    shown = () if depth > _DEPTH else of.first(_TERMS)
    if not shown:
        return None
    left = of.count() - len(shown)
    more = el("li", {"class": "more"}, f"{left:,} more terms: topo explain has all") if left > 0 else None
    return el("ul", {"class": "terms"}, *(_term(each, depth, units) for each in shown), more)


def _term(term: Term, depth: int, units: str) -> Element:
    return el(
        "li",
        {},
        el("span", {"class": "id"}, term.name),
        f": {worked(term, units)} ",
        el("span", {"class": "basis"}, term.basis),
        _terms(term, depth + 1, units),
    )


def _constants() -> Element:
    rows = (
        el(
            "tr",
            {},
            el("th", {"scope": "row"}, el("code", {}, each.name)),
            el("td", {"class": "right"}, str(each.value)),
            el("td", {}, each.unit),
            el("td", {}, each.source),
        )
        for each in constants.table()
    )
    head = (el("th", {"scope": "col"}, title) for title in ("Constant", "Value", "Unit", "Source"))
    table = el(
        "table",
        {"class": "data", "id": "constants"},
        el("caption", {}, "Every threshold, as this report used it"),
        el("thead", {}, el("tr", {}, *head)),
        el("tbody", {}, *rows),
    )
    region: dict[str, Value] = {"class": "scroll", "role": "region", "tabindex": 0, "aria-label": "Constants"}
    return el("div", region, table)
