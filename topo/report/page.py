"""The Exposure Report: one HTML file that needs nothing but itself."""

from typing import Final

from closure.compiled import Load
from findings.context import Context
from findings.registry import all_findings
from findings.term import Basis
from topo.diagram.ground import ground
from topo.report.drawings import close_ups, overview
from topo.report.failures import failures
from topo.report.html import Node, data_island, el, render, script, style
from topo.report.island import island
from topo.report.masthead import masthead, provenance
from topo.report.parts import PRINTED
from topo.report.policy import asset, policy
from topo.report.sections.appendix import caveats, definitions
from topo.report.sections.blast import blast, exposure
from topo.report.sections.capacity import idle, ledger, lemons
from topo.report.sections.clocks import curtailment, progress, races
from topo.report.sections.spread import collisions, entropy
from topo.report.sections.structure import redundancy, strict
from topo.report.styles import dark, light
from topo.report.verdict import verdict
from topo.text.clean import clean
from topo.text.verdict import unit_word
from topology.model import Estate

_PLACES: Final = (
    ("verdict", "Verdict"),
    ("blast", "Blast radius"),
    ("exposure", "Exposure"),
    ("ledger", "Capacity"),
    ("progress", "Progress"),
    ("races", "Thermal races"),
    ("strict", "Strict check"),
    ("curtailment", "Curtailment"),
    ("lemons", "Lemons"),
    ("idle", "Idle"),
    ("entropy", "Entropy"),
    ("collisions", "Collisions"),
    ("redundancy", "Redundancy"),
    ("caveats", "Caveats"),
    ("provenance", "Provenance"),
    ("formulas", "Definitions"),
)


def render_report(
    estate: Estate, *, now: str, load: Load = "allocated", now_basis: Basis = "measured"
) -> str:
    """Return the Exposure Report of an estate at `now` (RFC 3339) as one self-contained HTML page.

    Failures are judged at `load`; `now_basis` says where `now` comes from. The same estate and `now` give the
    same bytes.
    """
    return report_of(Context(estate, now, load, now_basis))


def report_of(ctx: Context) -> str:
    """Return the report of a context, whose results can be used again."""
    sheets = (
        style(light() + asset("report.css")),
        style(dark(), media="screen and (prefers-color-scheme: dark)", id="dark"),
    )
    rules = policy((light() + asset("report.css"), dark()))
    here = ground(ctx.survey().facility)
    ranked = failures(ctx, here)
    drawn, close = overview(here), tuple(close_ups(ctx, here, ranked))
    found = tuple(all_findings(ctx))
    body: tuple[Node, ...] = (
        el("a", {"class": "skip", "href": "#verdict"}, "Skip to the verdict"),
        masthead(ctx),
        el("nav", {"aria-label": "Sections"}, el("ul", {}, *map(_place, _PLACES))),
        el(
            "main",
            {"id": "main"},
            el("p", {"class": "print-only note"}, f"On paper every table ends after {PRINTED} rows."),
            verdict(ctx, ranked),
            blast(drawn, close),
            exposure(ctx, ranked),
            ledger(ctx),
            progress(ctx, ranked),
            races(ctx),
            strict(ctx, ranked),
            curtailment(ctx),
            lemons(ctx),
            idle(ctx),
            entropy(ctx),
            collisions(ctx),
            redundancy(ctx, found),
            caveats(ctx, found),
            provenance(ctx),
            definitions(found, unit_word(ctx.estate, None)),
        ),
        data_island("topo-data", island(ctx, ranked, drawn, close)),
        script(asset("report.js")),
    )
    return (
        "<!doctype html>\n"
        + render(el("html", {"lang": "en"}, _head(ctx, rules, sheets), el("body", {}, *body)))
        + "\n"
    )


def _head(ctx: Context, rules: str, sheets: tuple[Node, ...]) -> Node:
    return el(
        "head",
        {},
        el("meta", {"charset": "utf-8"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": rules}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "color-scheme", "content": "light dark"}),
        el("meta", {"name": "referrer", "content": "no-referrer"}),
        el("title", {}, f"Exposure report: {clean(ctx.estate.cluster)[:120]}"),
        *sheets,
    )


def _place(place: tuple[str, str]) -> Node:
    identifier, title = place
    return el("li", {}, el("a", {"href": f"#{identifier}"}, title))
