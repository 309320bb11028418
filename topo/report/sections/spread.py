"""How the allocation is spread, and where control loops undo each other's work."""

from collections.abc import Iterator

from findings import constants
from findings.collision import is_active
from findings.context import Context
from findings.traced.spread import collision_findings
from topo.report.html import Element, el
from topo.report.parts import (
    Column,
    amount,
    domain_name,
    kind_name,
    linked,
    name,
    notes,
    section,
    share,
    table,
    words,
)
from topo.text.words import number
from topology.model import Loop

_ENTROPY = "allocation-entropy"
_COLLISION = "control-loop-collision"
_CHARTED = 40
"""Loops that the histogram draws."""


def entropy(ctx: Context) -> Element:
    """Return the spread of the allocation, by kind."""
    index = ctx.survey().facility.domain_index
    rows = [
        [
            words(kind_name(each.kind)),
            amount(each.h_norm, 3),
            amount(each.h, 3),
            amount(each.effective),
            amount(len(each.units)),
            words(None) if each.top_domain is None else domain_name(each.top_domain, index[each.top_domain]),
            share(each.top_share),
        ]
        for each in ctx.entropies
    ]
    columns = (
        Column("Kind"),
        Column("h norm", _ENTROPY, right=True),
        Column("h", _ENTROPY, right=True),
        Column("Effective domains", _ENTROPY, right=True),
        Column("Domains", _ENTROPY, right=True),
        Column("Top domain"),
        Column("Its share", _ENTROPY, right=True),
    )
    return section(
        "entropy",
        "Allocation entropy",
        table("entropy-table", "Spread over the lowest domains of each kind", columns, rows),
        lead="1 is even, 0 is everything on one domain. A low reading with a high share is concentration.",
    )


def collisions(ctx: Context) -> Element:
    """Return the 24-hour histogram of control loops, and the hours in which they collide."""
    found = ctx.collisions
    (finding,) = collision_findings(ctx)
    value = len(found.windows) if ctx.estate.loops else None
    rows = [
        [amount(window.hour), name(window.cluster), words(", ".join(window.loops))]
        for window in found.windows
    ]
    columns = (
        Column("Hour (0 is the oldest)", _COLLISION, right=True),
        Column("Cluster"),
        Column("Active loops"),
    )
    return section(
        "collisions",
        "Control-loop collisions",
        el(
            "p",
            {"class": "headline small"},
            linked(number(value), value, _COLLISION),
            f" of {constants.HOURS_OBSERVED} hours are collision windows; in "
            f"{number(found.unobserved_hours)} some loop was not observed.",
        ),
        _histogram(ctx) if ctx.estate.loops else None,
        table("collision-table", "Collision windows", columns, rows) if rows else None,
        notes(finding.caveats),
        lead=f"A loop is active in an hour with {constants.COLLISION_ACTIONS} actions or more; a collision "
        f"takes {constants.COLLISION_LOOPS} active loops of one cluster.",
    )


def _histogram(ctx: Context) -> Element:
    """A table of counts, each with a bar: nothing rests on colour alone."""
    hours = range(constants.HOURS_OBSERVED)
    colliding = {window.hour for window in ctx.collisions.windows}
    loops = sorted(ctx.estate.loops, key=lambda loop: (loop.cluster or "", loop.id))
    most = max((actions or 0 for loop in loops for actions in loop.hourly_actions), default=0)
    head = (el("th", {"scope": "col", "class": "hour"}, str(hour)) for hour in hours)
    body = [
        el("tr", {}, el("th", {"scope": "row"}, el("span", {"class": "id"}, loop.id)), *_cells(loop, most))
        for loop in loops[:_CHARTED]
    ]
    marks = (
        el("td", {"class": "hour window" if hour in colliding else "hour"}, "▲" if hour in colliding else "")
        for hour in hours
    )
    rest = len(loops) - _CHARTED
    return el(
        "div",
        {"class": "scroll", "role": "region", "tabindex": 0, "aria-label": "Actions per loop and hour"},
        el(
            "table",
            {"class": "histogram"},
            el(
                "caption",
                {},
                "Actions per clock hour, the oldest first; outlined: active; ? not observed; "
                f"▲ collision{f'; {rest:,} more loops are not drawn' if rest > 0 else ''}",
            ),
            el("thead", {}, el("tr", {}, el("th", {"scope": "col"}, "Loop"), *head)),
            el("tbody", {}, *body, el("tr", {}, el("th", {"scope": "row"}, "Collision windows"), *marks)),
        ),
    )


def _cells(loop: Loop, most: float) -> Iterator[Element]:
    for hour, actions in enumerate(loop.hourly_actions):
        if actions is None:
            yield el("td", {"class": "hour blind"}, el("abbr", {"title": "not observed"}, "?"))
        else:
            css = "hour active" if is_active(loop, hour) else "hour"
            yield el("td", {"class": css}, number(actions), _mark(actions, most))


def _mark(actions: float, most: float) -> Element:
    height = 24 * actions / most if most else 0.0
    bar = el("rect", {"x": 0, "y": f"{24 - height:.1f}", "width": 10, "height": f"{height:.1f}"})
    return el("svg", {"viewBox": "0 0 10 24", "aria-hidden": "true", "class": "spark"}, bar)
