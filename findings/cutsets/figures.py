"""The figures of a target that is down: each with its formula, the same with this estate's numbers, its basis."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from findings.assumptions import price_per_unit_hour, restart_minutes
from findings.cutsets.analysis import CutSets, Expected
from findings.cutsets.rates import HOURS_PER_YEAR
from findings.term import Basis, Term, number, term, term_to_json, times, weakest
from topology.model import Estate

INDEPENDENT: Final = "independent failures assumed"
"""Said beside every probability."""

MODELLED: Final = "modelled"
"""Said beside every expected dollar."""

_FORMULAS: Final = {
    "exact": "P(at least one cut set is down whole), by Shannon's expansion",
    "upper-bound": "1 − Π (1 − P(cut set)): an upper bound for the cut sets that were found",
}


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """One figure: `formula` in words, `label` the assumption that is said beside it."""

    term: Term
    formula: str
    label: str


def figures(result: CutSets) -> tuple[Figure, ...]:
    """Return the figures of the target, in the order in which one follows from another."""
    return tuple(_figures(result))


def _figures(result: CutSets) -> Iterator[Figure]:
    top, often = result.top, result.downs_per_year
    yield Figure(
        _figure("probability", top.probability, "share of time", "declared", ""),
        _FORMULAS[top.method],
        INDEPENDENT,
    )
    hours = None if top.probability is None else HOURS_PER_YEAR * top.probability
    yield Figure(
        _figure("expectedHoursPerYear", hours, "h/year", "declared", times(HOURS_PER_YEAR, top.probability)),
        "8760 × probability",
        INDEPENDENT,
    )
    yield Figure(
        _figure("frequencyPerYear", often, "1/year", "declared", ""),
        "Σ over importance[]: birnbaum × failuresPerYear × (1 − unavailability)",
        INDEPENDENT,
    )
    yield from _dollars(result.estate, often, result.expected)


def _dollars(estate: Estate, often: float | None, expected: Expected) -> Iterator[Figure]:
    known = [price_per_unit_hour(estate), restart_minutes(estate)]
    basis = weakest(["declared", "annotated", *(each.basis for each in known if each.value is not None)])
    for name, value, mean, field in (
        ("expectedUsdPerYear", expected.usd, expected.mean_usd, "progressAtRiskUsd"),
        ("expectedGangUsdPerYear", expected.gang_usd, expected.mean_gang_usd, "gangUsd"),
    ):
        yield Figure(
            _figure(name, value, "USD/year", basis, times(often, mean)),
            f"frequencyPerYear × mean of cutSets[].{field}, weighted by cutSets[].frequencyPerYear",
            MODELLED,
        )


def _figure(name: str, value: float | None, unit: str, basis: Basis, how: str) -> Term:
    return term(name, value, unit, basis, how)


def figure_to_json(figure: Figure) -> dict[str, Any]:
    """Return a figure as the document carries it."""
    return {**term_to_json(figure.term), "formula": figure.formula, "label": figure.label}


def unavailability_how(failures_per_year: float | None, repair_hours: float | None) -> str:
    """Return the unavailability of a domain as a line of arithmetic: `0.5 × 40 ÷ (8760 + 0.5 × 40)`."""
    product = times(failures_per_year, repair_hours)
    return f"{product} ÷ ({number(HOURS_PER_YEAR)} + {product})"
