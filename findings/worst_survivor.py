"""The survivor that each single failure loads most, by the strict check (beyond the methodology)."""

from dataclasses import dataclass

from closure.results import Strict
from findings.survey import Survey


@dataclass(frozen=True, slots=True)
class WorstSurvivor:
    """After the failure of `failed` alone: the rated survivor that comes closest to its rating, at its peak.

    `share` is `peak_kw` / `rated_kw` [-].
    """

    failed: str
    survivor: str
    peak_kw: float
    rated_kw: float
    share: float


def worst_survivors(survey: Survey) -> tuple[WorstSurvivor, ...]:
    """Return the worst rated survivor of every single failure that has one, by failed domain."""
    found = (worst(failed, strict) for failed, strict in survey.stricts.items())
    return tuple(each for each in found if each is not None)


def worst(failed: str, strict: Strict) -> WorstSurvivor | None:
    """Return the survivor at the highest share of its rating; ties by id."""
    rated = (
        WorstSurvivor(failed, each.id, each.peak_kw, each.rated_kw, each.peak_kw / each.rated_kw)
        for each in strict.survivors
        if each.rated_kw
    )
    return min(rated, key=lambda each: (-each.share, each.survivor), default=None)
