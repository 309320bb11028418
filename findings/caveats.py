"""What must be said beside the figures: fixed texts and counted unknowns, in one order."""

from collections.abc import Collection, Iterable, Iterator

from findings import constants
from findings.exposure import Exposure, Hit
from findings.index import EstateIndex
from findings.progress import Progress
from topology.model import Workload
from topology.notes import CPU_UNIT_CAVEAT, CRITICALITY_CAVEAT, NO_MAP_CAVEAT, SELF_REPORTED_NOTE

BARE_CAVEAT = (
    "A topology alone, without a snapshot: units, workloads and dollars are unknown; "
    "only what goes dark is computed."
)
SAMPLE_CAVEAT = "Sample data: this estate was not collected from a real cluster."
LOWER_BOUND_CAVEAT = (
    "Some nodes with units have no known kW per unit: flows of the strict check are lower bounds, and what "
    "they stand on cannot be demoted."
)


def estate_caveats(index: EstateIndex) -> Iterator[str]:
    """Yield what holds for every figure of the estate: the provenance's caveats first, verbatim."""
    estate = index.estate
    yield from estate.provenance.caveats
    yield from estate.notes
    if estate.sample:
        yield SAMPLE_CAVEAT
    if estate.unit == "cpu":
        yield CPU_UNIT_CAVEAT
    if estate.bare:
        yield BARE_CAVEAT
    if not index.mapped:
        yield NO_MAP_CAVEAT


def exposure_caveats(hit: Collection[Hit], exposure: Exposure) -> Iterator[str]:
    """Yield what a count of critical units rests on."""
    if hit:
        yield CRITICALITY_CAVEAT
    if exposure.unknown_criticality:
        yield (
            "Workloads in the blast that do not say whether they are critical: "
            f"{exposure.unknown_criticality:,}. They are missing from the critical figures, not uncritical."
        )


def progress_caveats(progress: Progress) -> Iterator[str]:
    """Yield what the dollars rest on, and what is missing from them."""
    if any(self_reported(term.workload) for term in progress.terms):
        yield SELF_REPORTED_NOTE
    if progress.unpriced_workloads:
        yield (
            "Training workloads in the blast that report no checkpoint interval: "
            f"{progress.unpriced_workloads:,}. Their loss is not priced, never guessed."
        )
    if priceless := progress.unknown - progress.unpriced_workloads:
        yield (
            f"Training workloads in the blast without a known price per unit hour: {priceless:,}. "
            "Their loss is missing from the dollars."
        )
    if progress.assumed:
        yield (
            f"Training workloads whose restart overhead is the stated assumption of "
            f"{constants.DEFAULT_RESTART_MINUTES} minutes: {progress.assumed:,}. Nothing better was supplied."
        )
    if assumed_gangs := sum(term.workload.gang is None for term in progress.terms):
        yield (
            f"Training workloads that do not say whether they are gangs: {assumed_gangs:,}. "
            "Assumed synchronous: the whole job stalls."
        )


def self_reported(workload: Workload) -> bool:
    """Return whether a figure of this workload comes from its owner's annotations."""
    return workload.checkpoint_minutes is not None or workload.restart_minutes is not None


def distinct(caveats: Iterable[str]) -> tuple[str, ...]:
    """Return the caveats without repetition, in order of first mention."""
    return tuple(dict.fromkeys(caveats))
