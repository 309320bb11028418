"""The living part: the facility, what fails in it, and the figures that follow."""

from collections.abc import Sequence

from findings.context import Context
from findings.survey import Survey
from topo.diagram.states import LOOKS, State
from topo.report.drawings import CloseUp, Overview
from topo.report.failures import Failure, strict_words
from topo.report.html import Element, el
from topo.report.parts import (
    Cell,
    Column,
    amount,
    chip,
    dollars,
    domain_name,
    kind_name,
    known_amount,
    section,
    share,
    table,
    words,
)
from topo.text.verdict import unit_title


def blast(drawn: Overview, close: Sequence[CloseUp]) -> Element:
    """Return the stage: the drawings, the legend, and where the script puts a failure's figures."""
    return section(
        "blast",
        "Blast radius",
        el("div", {"class": "controls", "id": "controls"}),
        el("p", {"class": "said", "id": "said", "role": "status", "aria-live": "polite"}),
        el(
            "div",
            {"class": "stage", "id": "stage", "tabindex": 0, "role": "region", "aria-label": "Diagram"},
            el("div", {"id": "overview"}, drawn.svg),
            *(
                el("div", {"class": "close-up", "id": f"close-{each.domain}", "hidden": True}, each.svg)
                for each in close
            ),
        ),
        el("ul", {"class": "legend", "aria-label": "States"}, *map(_entry, LOOKS)),
        el("div", {"id": "panel"}),
        el(
            "noscript",
            {},
            el("p", {"class": "alarm"}, "Scripts are off: the tables below still hold everything."),
        ),
        lead="Choose what fails: a box, a row of any table, or from the list. Every figure was computed "
        "beforehand, by the engine behind topo whatif; the page itself computes none.",
    )


def _entry(state: State) -> Element:
    return el("li", {}, chip(state), f" {LOOKS[state].means}")


def _columns(unit: str) -> tuple[Column, ...]:
    return (
        Column("Domain"),
        Column("Kind"),
        Column("Critical lost", "critical-share", right=True),
        Column("Share of critical", "critical-share", right=True),
        Column(f"{unit} lost", "critical-share", right=True),
        Column("Nodes lost", right=True),
        Column("Strict check"),
        Column(f"{unit} on it", "critical-share", right=True),
        Column("Critical on it", "critical-share", right=True),
        Column(f"{unit} stalled", "gang-amplification", right=True),
        Column("Progress at risk", "progress-at-risk", right=True),
        Column("Gangs whole", "gang-amplification", right=True),
        Column("State now"),
    )


def exposure(ctx: Context, ranked: Sequence[Failure]) -> Element:
    """Return every domain with what its failure alone takes down; the script shows all of them."""
    survey = ctx.survey()
    rows = [_row(one, survey) for one in ranked[:60]]
    return section(
        "exposure",
        "Exposure by domain",
        table("domains", "Every domain, as if it alone failed", _columns(unit_title(ctx.estate)), rows),
        el("div", {"id": "domains-more"}),
        el("noscript", {}, el("p", {"class": "note"}, _cut(len(ranked), len(rows)))),
        lead="Ranked by the worse of closure and strict check. Lost: in the closure of that failure. On it: "
        "everything that stands on the domain, redundancy ignored. Dollars price self-reported cadences.",
    )


def _cut(total: int, shown: int) -> str:
    return f"Without scripts the first {shown:,} of {total:,} domains are shown." if total > shown else ""


def _row(one: Failure, survey: Survey) -> list[Cell]:
    on_it, critical_on_it = survey.standing(one.id)
    tally = one.closure
    strict = strict_words(one) + ("; not proven safe" if one.unproven else "")
    return [
        domain_name(one.id, one.domain),
        words(kind_name(one.kind)),
        known_amount(tally.critical_units, unsaid=tally.criticality_unknown),
        share(tally.critical_share),
        amount(tally.units),
        amount(tally.nodes),
        words(strict),
        amount(on_it),
        known_amount(critical_on_it, unsaid=survey.criticality_unknown_on(one.id)),
        amount(tally.units_stalled),
        dollars(tally.usd, unsaid=tally.unknown > 0),
        dollars(tally.gang_usd, unsaid=tally.gang_unknown > 0),
        words(""),
    ]
