"""The loud line above every figure that comes from an old snapshot (methodology: staleness stamps)."""

from findings import constants
from findings.staleness import Staleness
from topo.text.page import sentence
from topo.text.style import Style
from topo.text.words import number
from topology.model import Estate


def age_words(hours: float | None) -> str:
    """Return an age: hours for the first days, then days; `of unknown age` for None."""
    if hours is None:
        return "of unknown age"
    if hours < 0:
        return "from the future (check the clock, or --now)"
    return f"{number(hours, 1)} h old" if hours < 96 else f"{number(hours / 24, 0)} days old"


def stale_lines(estate: Estate, ages: Staleness, style: Style) -> list[str]:
    """Return the warning of a snapshot that is older than a day; nothing for a fresh one, or a map alone."""
    warning = stale_warning(estate, ages)
    return sentence(style("STALE", "bold", "red") + warning.removeprefix("STALE")) if warning else []


def stale_warning(estate: Estate, ages: Staleness) -> str:
    """Return the same warning as plain text; empty for a fresh snapshot, or a map alone."""
    if estate.bare or not ages.stale:
        return ""
    return (
        f"STALE: this snapshot is {age_words(ages.snapshot.hours)}, more than {constants.STALE_HOURS} h. "
        "Every figure here is of that estate, not of today's: collect again first."
    )
