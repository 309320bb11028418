"""What must be said beside the figures: fixed texts and counted unknowns, in one order."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from findings import constants
from findings.amounts import total
from findings.collision import Collisions
from findings.exposure import Exposure, Hit
from findings.idle import Idle
from findings.index import EstateIndex
from findings.ledger import Ledger
from findings.progress import Progress
from findings.staleness import Age
from findings.supply import unnamed_supplies
from topology.model import Estate, Loop, Workload
from topology.notes import CPU_UNIT_CAVEAT, CRITICALITY_CAVEAT, NO_MAP_CAVEAT, SELF_REPORTED_NOTE

BARE_CAVEAT = (
    "A topology alone, without a snapshot: units, workloads and dollars are unknown; "
    "only what goes dark is computed."
)
SAMPLE_CAVEAT = "Sample data: this estate was not collected from a real cluster."
HOSTS_ONLY_CAVEAT = (
    "No zone is known either: beside the domains that exposure lists, if any, only single hosts are seen, "
    "each as if it alone failed. What hosts lose together is unknown."
)
LOWER_BOUND_CAVEAT = (
    "Some nodes with units have no known kW per unit: flows of the strict check are lower bounds, and what "
    "they stand on cannot be demoted."
)

_SUPPLIES = {"power": ("power source (pdu, ups, rack)", "power"), "heat": ("cooling domain", "cooling")}


def lower_bound_caveats(estate: Estate, *, lower_bound: bool) -> Iterator[str]:
    """Yield that flows are lower bounds. A bare map has no units: it says that already."""
    if lower_bound and not estate.bare:
        yield LOWER_BOUND_CAVEAT


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
    if index.unclaimed:
        units = total(index.unclaimed.values())
        yield (
            f"Allocated units that no workload claims: {units:,}, nodes that hold them: "
            f"{len(index.unclaimed):,}. They count as exposed, but nobody knows whether they are "
            "critical, and no dollar is put on them."
        )
    yield from map_caveats(index)


def exposure_caveats(hit: Collection[Hit], exposure: Exposure) -> Iterator[str]:
    """Yield what a count of critical units rests on."""
    if hit:
        yield CRITICALITY_CAVEAT
    if silent := exposure.unknown_criticality - exposure.unclaimed_nodes:
        yield (
            "Workloads in the blast that do not say whether they are critical: "
            f"{silent:,}. They are missing from the critical figures, not uncritical."
        )
    if exposure.unclaimed_nodes:
        yield (
            "Nodes in the blast with allocated units that no workload claims: "
            f"{exposure.unclaimed_nodes:,}. These are missing from the critical figures, not uncritical."
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
    unsaid = progress.unsaid
    if unsaid.unclaimed_nodes:
        whose = "that no workload claims" if unsaid.listed else "(no workload is listed)"
        yield (
            f"Nodes in the blast with allocated units {whose}: "
            f"{unsaid.unclaimed_nodes:,}. Whether training runs there is unknown; so is its loss."
        )
    if unsaid.kindless:
        yield (
            f"Workloads in the blast of unknown kind: {unsaid.kindless:,}. Whether they are training is "
            "unknown; so is their loss."
        )
    left_out = progress.unpriced_workloads + unsaid.unclaimed_nodes + unsaid.kindless
    if priceless := progress.unknown - left_out:
        yield (
            f"Training workloads in the blast without a known price per unit hour: {priceless:,}. "
            "Their loss is missing from the dollars."
        )
    if progress.estate_default:
        yield (
            "Training workloads whose restart overhead is the estate's default: "
            f"{progress.estate_default:,}. It is not their own figure."
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


def history_caveats(unknown: int) -> Iterator[str]:
    """Yield how many nodes' histories are incomplete."""
    if unknown:
        yield (
            "Nodes with an incomplete 90-day history, below the threshold so far: "
            f"{unknown:,}. Unknown, not healthy."
        )


def utilization_caveats(estate: Estate, idle: Idle) -> Iterator[str]:
    """Yield what the idle figures could not see."""
    if idle.unknown_nodes:
        yield (
            f"Nodes that hold units without a usable utilization: {idle.unknown_nodes:,}. "
            "Unknown, neither idle nor busy; an estimate from requests never counts."
        )
    if idle.units is None and not estate.bare:
        yield "Idle allocation is unknown: no node that holds units reports a usable utilization."


def price_caveats(idle: Idle) -> Iterator[str]:
    """Yield what is missing from the idle dollars."""
    if idle.unpriced:
        yield f"Idle nodes without a known price per unit hour: {idle.unpriced:,}. Missing from the dollars."


def ledger_caveats(book: Ledger) -> Iterator[str]:
    """Yield what the ledger could not judge."""
    if book.nodes_outside:
        yield f"Nodes outside the ledger, their installed units unknown: {book.nodes_outside:,}."
    if book.power_unverified:
        yield (
            "Free units without a rating, a kW per unit or a known flow to judge them by: "
            f"{book.power_unverified}. Not counted as power-capped; nothing vouches for them."
        )
    if book.history_unverified:
        yield f"Safe units on nodes with an incomplete 90-day history: {book.history_unverified}."
    if book.not_now:
        yield (
            f"Safe units that cannot be scheduled now (cordoned, unready, unhealthy): {book.not_now:,}. They "
            "are among the safe usable ones, for the definition does not look at that."
        )
    if book.rows and (book.unhealthy is None or book.not_schedulable is None):
        yield "Device health, readiness or cordons were not reported: safe units may sit on such nodes."
    if bypassed := sorted({row.cap.by.domain for row in book.rows if row.cap.by and row.cap.bypassed}):
        yield (
            f"Rated racks with nodes that name a PDU or UPS of their own: {len(bypassed):,}, the first "
            f"'{bypassed[0]}'. That power does not pass through the rack: its headroom leaves it out."
        )


def map_caveats(index: EstateIndex) -> Iterator[str]:
    """Yield how far physical findings can see."""
    if not index.mapped:
        yield NO_MAP_CAVEAT
    if index.hosts_only:
        yield HOSTS_ONLY_CAVEAT
    for commodity, nodes in unnamed_supplies(index).items():
        what, failure = _SUPPLIES[commodity]
        yield (
            f"Nodes that name no {what}, while others do: {len(nodes):,}, the first '{nodes[0]}'. By the map "
            f"no {failure} failure reaches them: none is proven safe until they name it."
        )


def self_reported(workload: Workload) -> bool:
    """Return whether a figure of this workload comes from its owner's annotations."""
    return workload.checkpoint_minutes is not None or workload.restart_minutes is not None


def distinct(caveats: Iterable[str]) -> tuple[str, ...]:
    """Return the caveats without repetition, in order of first mention."""
    return tuple(dict.fromkeys(caveats))


def unlisted_caveats(index: EstateIndex) -> Iterator[str]:
    """Yield that nothing is known of what runs on allocated units."""
    if index.unlisted:
        yield (
            f"No workload is listed. Nodes with allocated units: {len(index.unlisted):,}. "
            "What runs there is unknown."
        )


def cadence_caveats(workloads: Iterable[Workload], unknowable: int) -> Iterator[str]:
    """Yield what drain times rest on."""
    if any(workload.kind == "training" and workload.checkpoint_minutes is not None for workload in workloads):
        yield SELF_REPORTED_NOTE
    if unknowable:
        yield (
            f"Workloads that cannot be timed: {unknowable:,} (training without a cadence, or another kind). "
            "A shed you cannot time is a shed you cannot promise."
        )


def staleness_caveats(age: Age, *, snapshot: bool) -> Iterator[str]:
    """Yield a loud warning for an old snapshot, and what an absent or a future stamp means."""
    if age.hours is None:
        yield "No stamp says when the facility map was last verified or modified: its age is unknown."
    elif age.hours < 0:
        yield f"{age.field} ({age.stamp}) lies in the future of `now`: one of the clocks is wrong."
    elif snapshot and age.hours > constants.STALE_HOURS:
        yield (
            f"STALE: the snapshot is more than {constants.STALE_HOURS} hours old. "
            "Collect again before acting on any figure."
        )


def criticality_caveats(index: EstateIndex) -> Iterator[str]:
    """Yield what the critical flags rest on."""
    pairs = zip(index.estate.workloads, index.units_of, strict=True)
    if any(workload.critical is not None for workload, units in pairs if units):
        yield CRITICALITY_CAVEAT
    if index.critical_total.unknown:
        yield f"{unsaid_words(index)} Left out of every critical figure."


def unsaid_caveats(index: EstateIndex) -> Iterator[str]:
    """Yield what critical figures leave out, where they are all that a page shows."""
    if index.critical_total.unknown:
        yield (
            f"{unsaid_words(index)} Where they stand, critical units are at least (>=) what is known, or "
            "unknown; shares are of the units known to be critical."
        )


def unsaid_words(index: EstateIndex) -> str:
    """Count those of whom nobody says whether they are critical."""
    unclaimed = len(index.unclaimed)
    silent = index.critical_total.unknown - unclaimed
    counted = (
        ("workloads that do not say whether they are critical", silent),
        ("nodes with units that no workload claims", unclaimed),
    )
    said = "; ".join(f"{what}: {amount:,}" for what, amount in counted if amount)
    return f"{said[:1].upper()}{said[1:]}."


def loop_caveats(loops: Sequence[Loop], found: Collisions) -> Iterator[str]:
    """Yield what the histogram could not see."""
    if not loops:
        yield "No control loop was reported: collisions are unknown."
    if found.unobserved_hours:
        yield f"Hours in which some loop was not observed: {found.unobserved_hours}. Not quiet, unknown."


def flow_caveats(unknown: int) -> Iterator[str]:
    """Yield that some electrical judgements could not be made."""
    if unknown:
        yield "Where a rating or a kW per unit is missing nothing is judged: unknown, neither safe nor over."


def gang_caveats(workloads: Iterable[Workload]) -> Iterator[str]:
    """Yield how many gangs are assumed."""
    if assumed := sum(workload.kind == "training" and workload.gang is None for workload in workloads):
        yield f"Training workloads that do not say whether they are gangs, assumed synchronous: {assumed:,}."


def already_caveats(what: str, already: int) -> Iterator[str]:
    """Yield how many no failure can take, for what is out of service has taken them before."""
    if already:
        yield f"{what} with nothing failed: {already:,}. No single failure does that to them any more."


def replica_caveats(silent: int) -> Iterator[str]:
    """Yield which services could not be judged."""
    if silent:
        yield (
            f"Services with a minAvailable whose replicas were not reported, or not all: {silent:,}. "
            "Unknown, not safe."
        )
