"""Confidence badges: ordinal, with the signal that lowered them (methodology: Confidence; spec 5)."""

from collections.abc import Iterable

from findings.finding import Badge
from findings.term import SOFT, Term
from topology.model import Estate


def badge(inputs: Iterable[Term], *, unknown: int = 0, missing: str | None = None) -> Badge:
    """Return Low when a signal or an input is missing, Med when one is soft or terms are, else High.

    `missing` names a needed signal that could not be read. High is left to direct counts.
    """
    if missing is not None:
        return Badge("Low", missing)
    inputs = tuple(inputs)
    blind = next((term.name for term in inputs if term.basis == "unknown"), None)
    if blind is not None:
        return Badge("Low", blind)
    soft = next((term for term in inputs if term.basis in SOFT), None)
    if soft is not None:
        return Badge("Med", f"{soft.name} ({soft.basis})")
    return Badge("Med", f"unknown terms ({unknown:,})") if unknown else Badge("High")


def unreachable(estate: Estate, *signals: str) -> str | None:
    """Return the first of these signals of the collector that could not be read, or None."""
    found = estate.provenance.signals
    return next((name for name in signals if name in found and not found[name].reachable), None)
