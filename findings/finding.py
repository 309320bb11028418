"""A finding: one figure with its formula, its inputs, how sure it is, and what to do about it (spec 5)."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from closure.compiled import Load
from findings.term import Term, Value

Confidence = Literal["High", "Med", "Low"]

DOCS: Final = "docs/methodology.md"

_SHARES: Final = frozenset({"critical-share"})
"""Formulas of which both sides may leave terms out."""


@dataclass(frozen=True, slots=True)
class Badge:
    """An ordinal confidence, and the signal that lowered it (None at High). A rank, not a rate."""

    level: Confidence
    signal: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One finding about `subject` (None: the whole estate).

    `root` holds value, unit and basis; its parts are the inputs. `load` is set where the figure was
    computed for one kind of load. `unknown` counts the terms missing from a partly known sum.
    """

    formula: str
    title: str
    root: Term
    badge: Badge
    subject: str | None = None
    load: Load | None = None
    unknown: int = 0
    caveats: tuple[str, ...] = ()
    advice: str | None = None

    @property
    def id(self) -> str:
        """`formula[@load][/subject]`: what `topo explain` takes."""
        return finding_id(self.formula, self.load, self.subject)

    @property
    def lower_bound(self) -> bool:
        """Whether the figure leaves terms out, and the whole is at least that: a share need not be."""
        return self.unknown > 0 and self.value is not None and self.formula not in _SHARES

    @property
    def value(self) -> Value:
        """The figure; None where unknown."""
        return self.root.value


def finding_id(formula: str, load: str | None, subject: str | None) -> str:
    """Return the id of a finding."""
    return formula + (f"@{load}" if load else "") + (f"/{subject}" if subject is not None else "")


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as the document carries it: the inputs without the terms behind them."""
    root = finding.root
    return {
        "id": finding.id,
        "formula": finding.formula,
        "title": finding.title,
        "subject": finding.subject,
        "load": finding.load,
        "inputs": [_input(term) for term in root.parts()],
        "value": root.value,
        "unit": root.unit,
        "basis": root.basis,
        "unknownCount": finding.unknown,
        "confidence": finding.badge.level,
        "confidenceSignal": finding.badge.signal,
        "caveats": list(finding.caveats),
        "advice": finding.advice,
        "docs": f"{DOCS}#{finding.formula}",
    }


def _input(term: Term) -> dict[str, Any]:
    return {"name": term.name, "value": term.value, "unit": term.unit, "basis": term.basis}


def term_to_json(term: Term) -> dict[str, Any]:
    """Return a term with everything behind it."""
    row = {**_input(term), "how": term.how}
    parts = term.parts()
    if parts:
        row["terms"] = [term_to_json(part) for part in parts]
    return row
