"""The page of `topo whatif`, for a tired operator at 3 a.m.: the verdict first, then what is lost and why."""

from typing import Final

from findings.degraded import degraded_in_either
from findings.scenario import WhatIf
from findings.staleness import Staleness
from topo.text.page import PageOptions, care_section, fails, next_section
from topo.text.unplaced import unplaced_section
from topo.text.verdict import lacks_kw, verdict_lines
from topo.text.whatif_losses import (
    degraded_section,
    demoted_section,
    lost_section,
    strict_section,
    unverified_section,
)
from topo.text.whatif_stakes import (
    calls_section,
    dollars_section,
    may_make_way,
    races_section,
    roles_section,
    services_section,
    workloads_section,
)

BASIS_WORDS: Final = {
    "worst-credible": "worst-credible: losses pass through single-parent chains, lost with their parent.",
    "redundant": "redundant: something that lost a feed stands on the feeds it has left, by the map.",
    "electrically-unverified": "electrically-unverified: a survivor has unrated feeds or an unknown draw.",
}
"""What each basis label of a closure says (spec 4)."""


def whatif_page(result: WhatIf, ages: Staleness, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        verdict_lines(result, ages, options),
        lost_section(result, options),
        demoted_section(result, options),
        strict_section(result, options),
        degraded_section(result, options),
        unverified_section(result, options),
        unplaced_section(result.unplaced, options),
        workloads_section(result, options),
        dollars_section(result, options),
        races_section(result, options),
        services_section(result.worse_impact, options),
        roles_section(result.worse_impact, options),
        calls_section(result, options),
        _caveats(result, options),
        _next(result, options),
    ]
    return "\n".join(line for section in sections for line in section) + "\n"


def _caveats(result: WhatIf, options: PageOptions) -> list[str]:
    said = [*(BASIS_WORDS[basis] for basis in result.closure.basis), *result.caveats]
    return care_section(said, options)


def _next(result: WhatIf, options: PageOptions) -> list[str]:
    """Return what to ask next: of what is lost why, of what stands which further failure it does not bear."""
    failed, nodes = result.closure.failed, result.worse_impact.nodes
    commands: list[tuple[str, ...]] = []
    if may_make_way(result):
        commands.append(("ok-to-take-out", "--", *failed))
    if not nodes and failed:
        commands.append(("sweep", *(word for name in failed for word in ("--out", name))))
    shaken = min((each.id for each in degraded_in_either(result)), default=None)
    unplaced = next((each.id for each in result.unplaced), None)
    subject = nodes[0] if nodes else unplaced or shaken or next(iter(failed), None)
    if subject is not None:
        commands.append(("why", *fails(failed), "--", subject))
    commands.append(("diagram", *fails(failed), "-o", "blast.svg"))
    if lacks_kw(result.estate):
        commands.append(("whatif", *fails(failed), "--kw-per-unit", "KW"))
    if not result.estate.bare and result.load == "allocated":
        commands.append(("whatif", *fails(failed), "--load", "installed"))
    return next_section(commands, options)
