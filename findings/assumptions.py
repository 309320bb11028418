"""The estate-wide figures that dollars and kilowatts rest on, each with where it came from."""

from dataclasses import dataclass
from typing import Final

from findings import constants
from findings.progress import Restart
from findings.term import Basis
from topology.model import Estate, Number

COMMAND_LINE: Final[Basis] = "command line"


@dataclass(frozen=True, slots=True)
class Assumption:
    """One figure: `value` in `unit`, None where unknown, and its basis."""

    name: str
    value: Number | None
    unit: str
    basis: Basis


def price_per_unit_hour(estate: Estate) -> Assumption:
    """Return the estate's price of one unit for an hour [USD/h]; a node's own figure wins over it."""
    value = estate.price_per_unit_hour
    return Assumption("pricePerUnitHour", value, "USD/h", _basis(estate, "price_per_unit_hour", value))


def kw_per_unit(estate: Estate) -> Assumption:
    """Return the estate's power of one unit [kW]; a node's own figure wins over it."""
    value = estate.watts_per_unit_kw
    return Assumption("wattsPerUnitKw", value, "kW", _basis(estate, "watts_per_unit_kw", value))


def restart_minutes(estate: Estate) -> Assumption:
    """Return the restart overhead of workloads without an annotation [min]: estate default, else assumed."""
    value = estate.default_restart_minutes
    if value is None:
        return Assumption("defaultRestartMinutes", constants.DEFAULT_RESTART_MINUTES, "min", "assumed")
    return Assumption("defaultRestartMinutes", value, "min", _basis(estate, "default_restart_minutes", value))


def restart_basis(estate: Estate, restart: Restart) -> Basis:
    """Return where a workload's restart overhead came from."""
    return "annotated" if restart.basis == "annotated" else restart_minutes(estate).basis


def assumptions(estate: Estate) -> tuple[Assumption, ...]:
    """Return the masthead's figures: price, power, restart."""
    return (price_per_unit_hour(estate), kw_per_unit(estate), restart_minutes(estate))


def _basis(estate: Estate, field: str, value: Number | None) -> Basis:
    if value is None:
        return "unknown"
    return COMMAND_LINE if estate.bases.get(field) == COMMAND_LINE else "declared"
