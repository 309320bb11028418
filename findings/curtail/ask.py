"""What is asked of a curtailment: how much, under what, by when, and what may be touched."""

from dataclasses import dataclass
from typing import Literal

from topology.model import Number


@dataclass(frozen=True, slots=True)
class Ask:
    """Shed `amount` [kW], or down to `amount` [kW], or `amount` per cent [%] of what is drawn.

    `under` is a domain (None: the whole estate). `within_minutes` bounds the worst-case drain [min].
    `allow_unknown` admits workloads whose drain nobody can time, `allow_early` ordering training off before
    its next checkpoint where the deadline does not let it finish.
    """

    kind: Literal["shed-kw", "to-kw", "percent"]
    amount: Number
    under: str | None = None
    within_minutes: Number | None = None
    protect_critical: bool = False
    allow_unknown: bool = False
    allow_early: bool = False

    def target_kw(self, draw_kw: float) -> float:
        """Return what has to go [kW], of `draw_kw`; 0 where nothing has to."""
        if self.kind == "shed-kw":
            return float(self.amount)
        if self.kind == "to-kw":
            return max(0.0, draw_kw - self.amount)
        return draw_kw * self.amount / 100


class NothingFlows(Exception):
    """A domain of a kind that carries neither power nor heat: no kW can be shed under it."""

    def __init__(self, domain: str, kind: str) -> None:
        super().__init__(domain, kind)
        self.domain = domain
        self.kind = kind

    def __str__(self) -> str:
        return (
            f"{self.domain!r} is a {self.kind}, which carries neither power nor heat: no kW flow through it"
        )
