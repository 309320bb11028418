"""Which findings there are, and how to make one from its id."""

from collections.abc import Callable, Iterator
from typing import Final

from findings.context import Context
from findings.finding import Finding
from findings.traced import blast, capacity, clocks, electrical, nodes, spread, structure

Listed = Callable[[Context], Iterator[Finding]]
OfSubject = Callable[[Context, str], Finding | None]

LISTED: Final[tuple[Listed, ...]] = (
    blast.exposure_findings,
    blast.progress_findings,
    clocks.race_findings,
    capacity.ledger_findings,
    nodes.lemon_findings,
    nodes.idle_findings,
    nodes.reclaim_findings,
    clocks.drain_findings,
    spread.criticality_findings,
    spread.entropy_findings,
    spread.collision_findings,
    spread.coverage_findings,
    clocks.age_findings,
    electrical.electrical_findings,
    structure.structure_findings,
)
"""Every family of findings, in the order of the document."""

OF_SUBJECT: Final[dict[str, OfSubject]] = {
    blast.EXPOSURE: blast.exposure_of,
    blast.PROGRESS: blast.progress_of,
    clocks.RACE: clocks.race_of,
    clocks.DRAIN: clocks.drain_of,
    nodes.LEMON: nodes.lemon_of,
    nodes.IDLE: nodes.idle_of_node,
    spread.ENTROPY: spread.entropy_of,
}
"""Formulas that can be asked about any domain, node, workload or kind, listed or not: `formula/subject`."""


def all_findings(ctx: Context) -> Iterator[Finding]:
    """Yield every listed finding."""
    for family in LISTED:
        yield from family(ctx)


def find(ctx: Context, finding_id: str) -> Finding | None:
    """Return the finding of this id, or None: a listed one, or one of a formula about a subject."""
    formula, slash, subject = finding_id.partition("/")
    if slash:
        of_subject = OF_SUBJECT.get(formula)
        return None if of_subject is None else of_subject(ctx, subject)
    return next((finding for finding in all_findings(ctx) if finding.id == finding_id), None)
