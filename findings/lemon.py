"""The lemon score: a node's 90-day failure history in one figure (methodology: Lemon score)."""

from dataclasses import dataclass
from typing import Final

from findings import constants
from findings.amounts import Partial, partial_sum
from topology.model import Node, Number

ADVICE: Final = "Cordon the node, burn it in, and re-admit it only on a clean pass."


@dataclass(frozen=True, slots=True)
class History:
    """One term of the score: a 90-day count, its weight, and the estate's name for it."""

    name: str
    count: Number | None
    weight: Number

    @property
    def points(self) -> Number | None:
        """count × weight; None where the count is unknown."""
        return None if self.count is None else self.count * self.weight


@dataclass(frozen=True, slots=True)
class Lemon:
    """A node's score: the sum of its known terms, None when none is known.

    `lemon` is True as soon as the known terms reach the threshold, None while a missing term could still
    reach it, else False (spec 5).
    """

    node: str
    score: Number | None
    lemon: bool | None
    terms: tuple[History, ...]

    @property
    def unknown_terms(self) -> tuple[str, ...]:
        """The counts that the snapshot does not have, in the formula's order."""
        return tuple(term.name for term in self.terms if term.count is None)


def lemon(node: Node) -> Lemon:
    """Return ecc_errors_90d × 1 + job_failures_90d × 8 + xid_events_90d × 4, flagged at ≥ 40."""
    terms = (
        History("eccErrors90d", node.ecc_errors_90d, constants.LEMON_WEIGHT_ECC),
        History("jobFailures90d", node.job_failures_90d, constants.LEMON_WEIGHT_JOB_FAILURE),
        History("xidEvents90d", node.xid_events_90d, constants.LEMON_WEIGHT_XID),
    )
    score = partial_sum(term.points for term in terms)
    return Lemon(node.id, score.value, _flag(score), terms)


def _flag(score: Partial) -> bool | None:
    if score.value is not None and score.value >= constants.LEMON_THRESHOLD:
        return True
    return None if score.unknown else False
