"""The states a box can be in, and how each is told apart: word, glyph, explanation (colours: `palette`)."""

from dataclasses import dataclass
from typing import Final, Literal

State = Literal[
    "failed",
    "out",
    "lost",
    "demoted",
    "emptied",
    "tripped",
    "strict-lost",
    "partial",
    "unverified",
    "degraded",
    "stands",
    "safe",
]

Band = Literal["gone", "shaken", "safe"]


@dataclass(frozen=True, slots=True)
class Look:
    """How a state reads without colour: `glyph` and `word`, `ascii` for plain terminals, `means` for legends.

    `band` is what remains of the distinction in the coarsest picture; `severity` orders states, worst first.
    """

    state: State
    glyph: str
    ascii: str
    word: str
    means: str
    band: Band
    severity: int


def _looks() -> dict[State, Look]:
    rows: tuple[tuple[State, str, str, str, str, Band], ...] = (
        ("failed", "×", "x", "FAILED", "fails in this scenario", "gone"),
        ("out", "⊘", "o", "OUT", "out of service before anything fails", "gone"),
        ("lost", "■", "#", "LOST", "its parent or too many feeds are lost", "gone"),
        ("demoted", "▼", "v", "DEMOTED", "surviving feeds are rated below its load", "gone"),
        ("emptied", "▣", "%", "NODES LOST", "stands, but every node on it is lost", "gone"),
        ("tripped", "⚡", "!", "TRIPPED", "strict check: overloaded, so it trips too", "shaken"),
        ("strict-lost", "□", "=", "LOST IF TRIPPED", "strict check: lost behind a trip", "shaken"),
        ("partial", "◧", "/", "SOME NODES LOST", "a rack that lost some of its nodes", "shaken"),
        ("unverified", "?", "?", "UNVERIFIED", "alive; a rating, load or supply is unknown", "shaken"),
        ("degraded", "◐", "~", "DEGRADED", "alive, a feed is gone", "shaken"),
        ("stands", "◌", ".", "STANDS", "unharmed; some nodes below it are lost", "safe"),
        ("safe", "○", "-", "SAFE", "not affected", "safe"),
    )
    return {row[0]: Look(*row, severity=severity) for severity, row in enumerate(rows)}


LOOKS: Final[dict[State, Look]] = _looks()
"""Every state's look, worst state first."""

DEAD: Final[frozenset[State]] = frozenset({"failed", "out", "lost", "demoted"})
"""States of a domain that feeds nothing any more, by the closure."""

DEAD_IN_STRICT: Final[frozenset[State]] = frozenset({"tripped", "strict-lost"})
"""States of a domain that feeds nothing any more in the strict check alone."""
