"""Confidence badges: ordinal, with the signal that lowered them (methodology: Confidence; spec 5)."""

from collections.abc import Iterable

from findings.finding import Badge
from findings.term import SOFT, Term
from topology.model import Estate, Workload


def badge(
    inputs: Iterable[Term], *, unknown: int = 0, missing: str | None = None, estimated: str | None = None
) -> Badge:
    """Return Low when a signal or an input is missing, Med when one is soft or terms are, else High.

    `missing` names a needed signal that could not be read, `estimated` one that is a heuristic. High is left
    to direct counts.
    """
    if missing is not None:
        return Badge("Low", missing)
    inputs = tuple(inputs)
    blind = next((term.name for term in inputs if term.basis == "unknown"), None)
    if blind is not None:
        return Badge("Low", blind)
    if estimated is not None:
        return Badge("Med", estimated)
    soft = next((term for term in inputs if term.basis in SOFT), None)
    if soft is not None:
        return Badge("Med", f"{soft.name} ({soft.basis})")
    return Badge("Med", f"unknown terms ({unknown:,})") if unknown else Badge("High")


def unreachable(estate: Estate, *signals: str) -> str | None:
    """Return the first of these signals of the collector that could not be read, or None."""
    found = estate.provenance.signals
    return next((name for name in signals if name in found and not found[name].reachable), None)


def joined(*signals: str | None) -> str | None:
    """Return the signals that lower a badge as one text; None where there is none."""
    return "; ".join(signal for signal in signals if signal is not None) or None


def heuristic(workloads: Iterable[Workload]) -> str | None:
    """Name the criticality signal where a flag comes from a heuristic and not from an explicit label."""
    guessed = any(w.critical is not None and w.critical_basis != "label" for w in workloads)
    return "criticality (a heuristic)" if guessed else None
