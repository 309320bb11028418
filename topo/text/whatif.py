"""The page of `topo whatif`, for a tired operator at 3 a.m.: the verdict first, then what is lost and why."""

from typing import Final

from findings.scenario import WhatIf
from findings.staleness import Staleness
from topo.text.page import PageOptions, heading, numbered, short
from topo.text.verdict import verdict_lines
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
    races_section,
    roles_section,
    services_section,
    workloads_section,
)

BASIS_WORDS: Final = {
    "worst-credible": "worst-credible: losses pass through single-parent chains, lost with their parent.",
    "redundant": "redundant: some feeds group held.",
    "electrically-unverified": "electrically-unverified: a survivor has unrated feeds or an unknown draw.",
}
"""What each basis label of a closure says (spec 4)."""

__all__ = ["PageOptions", "whatif_page"]


def whatif_page(result: WhatIf, ages: Staleness, options: PageOptions) -> str:
    """Return the whole page."""
    sections = [
        verdict_lines(result, ages, options.style),
        lost_section(result, options),
        demoted_section(result, options),
        strict_section(result, options),
        degraded_section(result, options),
        unverified_section(result, options),
        workloads_section(result.worse_impact, options),
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
    lines = heading("Read with care", "", options.style)
    return [*lines, *numbered([*(BASIS_WORDS[basis] for basis in result.closure.basis), *result.caveats])]


def _next(result: WhatIf, options: PageOptions) -> list[str]:
    fails = " ".join(f"--fail {short(identifier)}" for identifier in result.closure.failed[:3])
    subject = result.closure.nodes[0].id if result.closure.nodes else next(iter(result.closure.failed), "ID")
    return [
        *heading("Next", "", options.style),
        f"  topo why {short(subject)} {fails} {options.file}",
        f"  topo diagram {fails} {options.file} -o blast.svg",
        f"  topo whatif {fails} {options.file} --load installed",
    ]
