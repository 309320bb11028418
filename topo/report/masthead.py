"""The head of the report: whose estate, as of when, at which price, and how much of it could be seen."""

from collections.abc import Iterator
from typing import Final

from findings.assumptions import Assumption, assumptions
from findings.context import Context
from findings.staleness import Age
from topo.report.html import Element, Node, el
from topo.report.parts import anchor, linked, notes, section
from topo.text.verdict import unit_word
from topo.text.words import count, number, percent, usd

_LABELS = {
    "pricePerUnitHour": ("Price", "progress-at-risk"),
    "wattsPerUnitKw": ("Power per unit", "rated-feed-demotion"),
    "defaultRestartMinutes": ("Restart overhead without an annotation", "progress-at-risk"),
}
_STAMPED: Final = {
    "provenance.collectedAt": "collected",
    "snapshotAt": "taken",
    "verifiedAt": "verified",
    "provenance.topologyFileModifiedAt": "file of",
}
"""What people call the stamp that an age is measured from."""


def masthead(ctx: Context) -> Element:
    """Return the masthead: badge, title, stamps."""
    estate = ctx.estate
    return el(
        "header",
        {"class": "mast"},
        el(
            "div",
            {"class": "top"},
            el(
                "div",
                {},
                el("p", {"class": "kicker"}, "Exposure report"),
                el("h1", {}, "No snapshot: a facility map alone" if estate.bare else estate.cluster),
            ),
            _badge(ctx),
            el("div", {"class": "tools", "id": "tools"}),
        ),
        el("p", {"class": "sub"}, _subtitle(ctx)),
        el("dl", {"class": "stamps"}, *_stamps(ctx)),
        _stale(ctx),
    )


def _badge(ctx: Context) -> Node:
    if not ctx.estate.sample:
        return None
    return el(
        "p", {"class": "badge"}, el("strong", {}, "SAMPLE DATA"), " These figures are not a real cluster's."
    )


def _subtitle(ctx: Context) -> str:
    estate = ctx.estate
    merged = f", merged from {count(len(estate.clusters), 'cluster')}" if estate.clusters else ""
    nodes, domains = count(len(estate.nodes), "node"), count(len(estate.domains), "domain")
    return (
        f"{nodes}, {domains}{merged}. Units are {unit_word(estate, 2)}; failures are judged at {ctx.load} "
        f"load. Computed at {ctx.now} from the snapshot by the formulas at the end of this page; "
        "no simulation output and no benchmark figure is in it."
    )


def _stamps(ctx: Context) -> Iterator[Element]:
    for each in assumptions(ctx.estate):
        label, formula = _LABELS[each.name]
        yield _stamp(label, linked(_value(each, ctx), each.value, formula), f"basis: {each.basis}")
    ages, seen = ctx.staleness, ctx.coverage
    yield _stamp("Snapshot", _age(ages.snapshot, "staleness"), _since(ages.snapshot))
    yield _stamp("Facility map", _age(ages.topology_file, "topology-file-age"), _since(ages.topology_file))
    coverage = linked(percent(seen.share), seen.share, "facility-coverage")
    yield _stamp("Facility coverage", coverage, f"{len(seen.covered):,} of {count(seen.nodes, 'node')}")


def _value(each: Assumption, ctx: Context) -> str:
    unit = unit_word(ctx.estate, 1)
    if each.name == "pricePerUnitHour":
        return f"{usd(each.value)} per {unit}-hour"
    if each.name == "wattsPerUnitKw":
        return f"{number(each.value, 3)} kW per {unit}"
    return f"{number(each.value)} min"


def _age(age: Age, formula: str) -> Element:
    if age.hours is None:
        return linked("age unknown", None, formula)
    text = f"{number(age.hours, 1)} h old" if age.hours < 96 else f"{number(age.hours / 24, 1)} days old"
    return linked(text, age.hours, formula)


def _since(age: Age) -> str:
    return "no stamp" if age.stamp is None else f"{_STAMPED[age.field]} {age.stamp}"


def _stamp(label: str, value: Node, basis: str) -> Element:
    return el("div", {}, el("dt", {}, label), el("dd", {}, value, el("small", {}, basis)))


def _stale(ctx: Context) -> Node:
    if not ctx.staleness.stale or ctx.estate.bare:
        return None
    return el(
        "p",
        {"class": "alarm", "role": "note"},
        el("strong", {}, "STALE. "),
        "This snapshot is older than the ",
        el("a", {"href": anchor("staleness")}, "limit"),
        ": a plan made from it is a plan for an estate that is gone. Collect again first.",
    )


def provenance(ctx: Context) -> Element:
    """Return where the data comes from, source by source."""
    origin = ctx.estate.provenance
    rows: list[tuple[str, Node]] = [
        ("Snapshot", ctx.estate.snapshot_at),
        ("Collected", origin.collected_at or "unknown"),
        ("Collector", origin.collector_version or "unknown"),
        ("Facility map", ctx.staleness.topology_file.stamp or "unknown"),
    ]
    rows += [(f"Cluster {cluster.id}", cluster.snapshot_at) for cluster in ctx.estate.clusters]
    for signal, found in sorted(origin.signals.items()):
        state = "reachable" if found.reachable else "not reachable"
        rows.append((f"Signal {signal}", f"{state}{': ' + found.detail if found.detail else ''}"))
    pairs = (el("div", {}, el("dt", {}, label), el("dd", {}, value)) for label, value in rows)
    lead = (
        "Sample data: what stands here was made, not collected."
        if ctx.estate.sample
        else "What the collector could and could not read. Nothing left the cluster but this file."
    )
    return section(
        "provenance", "Provenance", el("dl", {"class": "pairs"}, *pairs), notes(ctx.estate.notes), lead=lead
    )
