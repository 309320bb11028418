"""Every threshold and fixed figure of the methodology, with its unit and its source.

Read them as `constants.NAME` at the moment of use: nothing else in the product repeats a value.
"""

from dataclasses import dataclass
from typing import Final

from closure.tolerance import RELATIVE_TOLERANCE as _TOLERANCE

LEMON_WEIGHT_ECC: Final = 1
LEMON_WEIGHT_JOB_FAILURE: Final = 8
LEMON_WEIGHT_XID: Final = 4
LEMON_THRESHOLD: Final = 40
IDLE_UTILIZATION: Final = 0.15
IDLE_WINDOW_MED_HOURS: Final = 1
IDLE_WINDOW_HIGH_HOURS: Final = 24
HOURS_PER_MONTH: Final = 720
GANG_SIZE: Final = 8
DEFAULT_RESTART_MINUTES: Final = 90
CHECKPOINT_EXPECTED_SHARE: Final = 0.5
DRAIN_IMMEDIATE_MINUTES: Final = 1
COLLISION_ACTIONS: Final = 8
COLLISION_LOOPS: Final = 2
HOURS_OBSERVED: Final = 24
STALE_HOURS: Final = 24
RECLAIM_REALIZATION: Final = 0.55
METER_TOLERANCE: Final = 0.2
RELATIVE_TOLERANCE: Final = _TOLERANCE


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant as the report prints it: `value` in `unit`, from `source`."""

    name: str
    value: float
    unit: str
    source: str


_ABOUT: Final = {
    "LEMON_WEIGHT_ECC": ("points per error", "methodology: Lemon score"),
    "LEMON_WEIGHT_JOB_FAILURE": ("points per failure", "methodology: Lemon score"),
    "LEMON_WEIGHT_XID": ("points per event", "methodology: Lemon score"),
    "LEMON_THRESHOLD": ("points", "methodology: Lemon score"),
    "IDLE_UTILIZATION": ("share", "methodology: Idle allocation"),
    "IDLE_WINDOW_MED_HOURS": ("h", "spec 5: idle"),
    "IDLE_WINDOW_HIGH_HOURS": ("h", "spec 5: idle (a measured history)"),
    "HOURS_PER_MONTH": ("h/month", "methodology: Idle allocation"),
    "GANG_SIZE": ("units", "methodology: Capacity ledger"),
    "DEFAULT_RESTART_MINUTES": ("min", "methodology: Checkpoint & restart cadence"),
    "CHECKPOINT_EXPECTED_SHARE": ("share of the interval", "methodology: Progress at risk"),
    "DRAIN_IMMEDIATE_MINUTES": ("min", "methodology: Curtailment drain latency"),
    "COLLISION_ACTIONS": ("actions per hour", "methodology: Control-loop collision"),
    "COLLISION_LOOPS": ("loops", "methodology: Control-loop collision"),
    "HOURS_OBSERVED": ("h", "spec 2: hourlyActions"),
    "STALE_HOURS": ("h", "methodology: Facility-coverage and staleness stamps"),
    "RECLAIM_REALIZATION": ("share", "methodology: Fleet reclaim realization"),
    "METER_TOLERANCE": ("share", "spec 1: load-mismatch"),
    "RELATIVE_TOLERANCE": ("share", "spec 4 rule 4, spec 5: power-capped"),
}


def table() -> tuple[Constant, ...]:
    """Return every constant with its current value, in the order of this module."""
    return tuple(Constant(name, globals()[name], unit, source) for name, (unit, source) in _ABOUT.items())
