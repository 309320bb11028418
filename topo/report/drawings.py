"""The facility drawn once, to be recoloured by a click, and the worst failures drawn close."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from closure.cascade import close
from closure.compiled import Facility
from findings.context import Context
from findings.scenario import WhatIf, whatif
from topo.diagram.canvas import canvas
from topo.diagram.ground import Ground
from topo.diagram.model import Box, Options, Picture
from topo.diagram.picture import picture
from topo.diagram.svg import render_svg
from topo.report.failures import Failure
from topo.report.html import Verbatim
from topo.text.words import count

CLOSE_UPS: Final = 16
"""The most failures that are drawn close."""
CLOSE_UP_CHARACTERS: Final = 900_000
"""How much of the page the close-ups may take [characters]."""
_WORK: Final = 150_000
"""Things (nodes and domains) times failures that full detail may cost."""


@dataclass(frozen=True, slots=True)
class Overview:
    """The whole facility. `boxes` in drawing order; `hubs`: the box that each line comes from, in order."""

    svg: Verbatim
    boxes: tuple[Box, ...]
    hubs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CloseUp:
    """One failure drawn by itself."""

    domain: int
    svg: Verbatim
    result: WhatIf


def detail_limit(facility: Facility, most: int) -> int:
    """Return how many failures are worked out in full: the larger the estate, the fewer."""
    things = len(facility.domain_ids) + len(facility.node_ids)
    return max(4, min(most, _WORK // max(1, things)))


def overview(ground: Ground) -> Overview:
    """Draw the facility with nothing failed (but what is out of service)."""
    facility = ground.facility
    closure = close(facility, ())
    full = picture(facility, closure, None, Options(all_kinds=True), base=ground)
    if full.grouping != "domains" and len(full.boxes) > 40:
        full = picture(facility, closure, None, base=ground)
    summary = (f"{count(len(facility.domain_ids), 'domain')}, {count(len(facility.node_ids), 'node')}.",)
    drawn = replace(full, title="The facility", summary=summary)
    return Overview(_svg(drawn, "ov-"), drawn.boxes, _hubs(drawn))


def _hubs(drawn: Picture) -> tuple[str, ...]:
    """The source of each line, in the order in which the SVG has them."""
    return tuple(wire.hub for wire in sorted(canvas(drawn).wires, key=lambda wire: wire.style != "live"))


def close_ups(ctx: Context, ground: Ground, ranked: Sequence[Failure]) -> Iterator[CloseUp]:
    """Draw the worst failures that lose or shake anything, as many as the page has room for."""
    left = CLOSE_UP_CHARACTERS
    for one in ranked[: detail_limit(ground.facility, CLOSE_UPS)]:
        result = whatif(ground.facility, (one.id,), index=ctx.index)
        svg = _svg(picture(ground.facility, result.closure, result.strict, base=ground), f"c{one.domain}-")
        left -= len(svg.text)
        if left < 0:
            return
        yield CloseUp(one.domain, svg, result)


def _svg(drawn: Picture, prefix: str) -> Verbatim:
    return Verbatim(render_svg(drawn, prefix=prefix, standalone=False))
