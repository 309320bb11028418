"""The figures of a target that goes down: each with its formula, this estate's numbers, and its basis."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from findings.assumptions import price_per_unit_hour, restart_minutes
from findings.cutsets.analysis import CutSets
from findings.cutsets.rates import HOURS_PER_YEAR
from findings.term import Basis, number, times, weakest
from topology.model import Estate, Number

INDEPENDENT: Final = "independent failures assumed"
"""Said beside every probability."""

MODELLED: Final = "modelled"
"""Said beside every expected dollar."""

_PROBABILITY: Final = {
    "exact": "P(at least one cut set is down whole), exact by Shannon's expansion",
    "upper-bound": "1 − Π (1 − P(cut set)), an upper bound for the cut sets that were found",
}

_FREQUENCY: Final = "Σ of importance[].frequencyPerYear: birnbaum × failuresPerYear × (1 − unavailability)"
_FREQUENCY_OF_KNOWN: Final = (
    "Σ of birnbaum × failuresPerYear × (1 − unavailability), by the cut sets of known rates alone"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `how` is the formula with numbers, empty where it is no single line of arithmetic.

    `label` is the assumption that is said beside it. `lower_bound`: what is unknown, or not looked for, can
    only add to it.
    """

    name: str
    value: float | None
    unit: str
    formula: str
    how: str
    basis: Basis
    label: str
    lower_bound: bool = False


def figures(result: CutSets) -> tuple[Figure, ...]:
    """Return the figures of the target, in the order in which one follows from another."""
    return tuple(_figures(result))


def _figures(result: CutSets) -> Iterator[Figure]:
    probability, often, expected = result.top.probability, result.downs_per_year, result.expected
    hours = None if probability is None else HOURS_PER_YEAR * probability
    lower = probability is not None and result.top.method == "exact" and not result.already_down
    yield _failures("probability", probability, "share of time", _PROBABILITY[result.top.method], lower=lower)
    yield _failures(
        "expectedHoursPerYear",
        hours,
        "h/year",
        "8760 × probability",
        times(HOURS_PER_YEAR, probability),
        lower=lower,
    )
    yield _failures(
        "frequencyPerYear",
        often,
        "1/year",
        _FREQUENCY_OF_KNOWN if result.top.unknown else _FREQUENCY,
    )
    part = result.top.unknown > 0 or result.expected.unpriced > 0
    for name, value, mean, field in (
        ("expectedUsdPerYear", expected.usd, expected.mean_usd, "progressAtRiskUsd"),
        ("expectedGangUsdPerYear", expected.gang_usd, expected.mean_gang_usd, "gangUsd"),
    ):
        formula = f"frequencyPerYear × mean of cutSets[].blast.{field}, weighted by their frequencyPerYear"
        basis: Basis = "unknown" if value is None else _dollar_basis(result.estate)
        least = part and value is not None
        yield Figure(name, value, "USD/year", formula, times(often, mean), basis, MODELLED, least)


def _failures(
    name: str, value: float | None, unit: str, formula: str, how: str = "", *, lower: bool = False
) -> Figure:
    basis: Basis = "unknown" if value is None else "declared"
    return Figure(name, value, unit, formula, how, basis, INDEPENDENT, lower)


def _dollar_basis(estate: Estate) -> Basis:
    """Return the weakest of what dollars rest on: rates, checkpoint annotations, price, restart overhead."""
    said = [price_per_unit_hour(estate), restart_minutes(estate)]
    return weakest(["declared", "annotated", *(each.basis for each in said if each.value is not None)])


def figure_to_json(figure: Figure) -> dict[str, Any]:
    """Return a figure as the document carries it."""
    return {
        "name": figure.name,
        "value": figure.value,
        "unit": figure.unit,
        "formula": figure.formula,
        "how": figure.how,
        "basis": figure.basis,
        "label": figure.label,
        "lowerBound": figure.lower_bound,
    }


def unavailability_how(failures_per_year: Number | None, repair_hours: Number | None) -> str:
    """Return the unavailability of a domain as a line of arithmetic: `0.5 × 40 ÷ (8760 + 0.5 × 40)`."""
    product = times(failures_per_year, repair_hours)
    return f"{product} ÷ ({number(HOURS_PER_YEAR)} + {product})"
