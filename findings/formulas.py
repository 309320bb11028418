"""Every formula in words and symbols, with the constants as they are now; each has an anchor in the docs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from findings import constants as c


@dataclass(frozen=True, slots=True)
class Formula:
    """A definition: its id (also its anchor), its name, its text, and whether the methodology has it."""

    id: str
    title: str
    text: str
    beyond: bool


def formulas() -> dict[str, Formula]:
    """Return every formula by id, in the order of the page."""
    return {
        **{name: Formula(name, title, text(), False) for name, (title, text) in _METHODOLOGY.items()},
        **{name: Formula(name, title, text(), True) for name, (title, text) in _BEYOND.items()},
    }


def _lemon() -> str:
    return (
        f"lemon_score = eccErrors90d × {c.LEMON_WEIGHT_ECC} + jobFailures90d × {c.LEMON_WEIGHT_JOB_FAILURE} "
        f"+ xidEvents90d × {c.LEMON_WEIGHT_XID}; a lemon when lemon_score ≥ {c.LEMON_THRESHOLD}"
    )


def _idle() -> str:
    return (
        f"idle when allocated > 0 and utilization < {c.IDLE_UTILIZATION}; "
        f"idle_spend = idle_units × price × {c.HOURS_PER_MONTH} h/month"
    )


def _ledger() -> str:
    return (
        "raw_free = installed − allocated; "
        "safe_usable = raw_free − fragmented − power_capped − on_lemon_nodes; each free unit in the first "
        "of: power-capped, on a lemon node, fragmented "
        f"(0 < allocated and free < min({c.GANG_SIZE}, installed)), safe"
    )


def _progress() -> str:
    return (
        f"lost_minutes = checkpoint_interval × {c.CHECKPOINT_EXPECTED_SHARE} + restart_overhead (annotation, "
        f"else the estate's default, else {c.DEFAULT_RESTART_MINUTES} min); "
        "usd = Σ over training workloads: units × lost_minutes × price ÷ 60"
    )


def _drain() -> str:
    return (
        f"inference, batch: {c.DRAIN_IMMEDIATE_MINUTES} min; training: expected checkpoint_interval × "
        f"{c.CHECKPOINT_EXPECTED_SHARE}, worst checkpoint_interval; unknown cadence: unknowable; "
        "time_to_target = the slowest, ordered in parallel"
    )


def _race() -> str:
    return (
        "checkpointable when drain_worst ≤ ride_through; not-checkpointable when "
        "drain_expected > ride_through; tight otherwise; unknown when either side is"
    )


def _collision() -> str:
    return (
        f"a loop is active in an hour with ≥ {c.COLLISION_ACTIONS} actions; "
        f"a collision is an hour with ≥ {c.COLLISION_LOOPS} active loops"
    )


def _entropy() -> str:
    return (
        "p_i = units on domain i ÷ units on all domains of the kind; h = −Σ p_i ln p_i; "
        "h_norm = h ÷ ln(max(2, domain_count)); effective domains = exp(h)"
    )


def _staleness() -> str:
    return f"snapshot_age = now − collectedAt (else snapshotAt); stale when > {c.STALE_HOURS} h"


def _reclaim() -> str:
    return f"Σ over clusters: idle_units × price × {c.HOURS_PER_MONTH} × {c.RECLAIM_REALIZATION}"


def _text(text: str) -> Callable[[], str]:
    return lambda: text


_METHODOLOGY: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "lemon-score": ("Lemon score", _lemon),
    "idle-allocation": ("Idle allocation", _idle),
    "capacity-ledger": ("Capacity ledger", _ledger),
    "progress-at-risk": ("Progress at risk", _progress),
    "drain-latency": ("Curtailment drain latency", _drain),
    "rated-feed-demotion": (
        "Rated-feed demotion",
        _text("with enough feeds left, lost all the same when load_kw > Σ ratedKw(surviving feeds)"),
    ),
    "electrically-unverified": (
        "Electrically unverified",
        _text("survives the loss of a feed while a surviving feed has no rating or the draw is unknown"),
    ),
    "thermal-race": ("Thermal ride-through race", _race),
    "critical-share": (
        "Exposure and critical share",
        _text("critical_share = critical_units_in_the_blast ÷ max(1, critical_units_everywhere)"),
    ),
    "criticality": (
        "Criticality",
        _text(
            "the label decides; without one, critical when a PodDisruptionBudget selects the workload or its "
            "priority class contains system-cluster-critical"
        ),
    ),
    "control-loop-collision": ("Control-loop collision", _collision),
    "allocation-entropy": ("Allocation entropy", _entropy),
    "facility-coverage": (
        "Facility coverage",
        _text("nodes that reach ≥ 1 facility domain ÷ all nodes"),
    ),
    "staleness": ("Snapshot age", _staleness),
    "topology-file-age": (
        "Facility map age",
        _text("topology_file_age = now − verifiedAt (else topologyFileModifiedAt)"),
    ),
    "fleet-reclaim": ("Fleet reclaim realization", _reclaim),
}


def _meter() -> str:
    return f"|measuredKw − strict flow| > {c.METER_TOLERANCE} × strict flow"


_BEYOND: Final[dict[str, tuple[str, Callable[[], str]]]] = {
    "single-point": (
        "Single points of failure",
        _text(
            "domains whose failure alone stops a critical workload: a gang with its first unit, a service "
            "below minAvailable, anything else with its last unit; ratings honoured, and ignored"
        ),
    ),
    "fake-redundancy": (
        "Fake redundancy",
        _text("the lowest upstream domain whose failure alone, ratings ignored, leaves too few feeds"),
    ),
    "single-fed": ("Single-fed nodes", _text("nodes with live power sources ≤ power sources needed")),
    "overcommitted": ("Overcommitted", _text("strict flow with nothing failed or out > ratedKw")),
    "worst-survivor": (
        "Worst survivor",
        _text("max over single failures and rated survivors: strict flow afterwards ÷ ratedKw"),
    ),
    "gang-amplification": (
        "Gang amplification",
        _text("units that stall ÷ units that stand in the blast; a gang stalls whole"),
    ),
    "stranded-capacity": (
        "Stranded capacity",
        _text("Σ over rated racks: max(0, ratedKw − strict flow)"),
    ),
    "meter-mismatch": ("Meters against the model", _meter),
    "below-min-available": (
        "Services below minAvailable",
        _text("services with a single failure after which replicas left < minAvailable"),
    ),
    "quorum-loss": (
        "Quorum loss",
        _text("voting roles with a single failure after which (members − lost) × 2 ≤ members"),
    ),
}
