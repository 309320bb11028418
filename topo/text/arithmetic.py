"""Arithmetic as people read it: figures without the noise of the machine, shares with their percentage."""

import re
from typing import Final

from findings.explain import equation
from findings.term import Term
from topo.text.words import percent

_DECIMAL: Final = re.compile(r"(?<![\w:.-])[0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?(?![\w:.-])")
"""A number with decimals that stands alone: not a piece of an id, a version or a time."""
_DIGITS: Final = 6
"""Significant digits of a figure: enough to redo it, few enough to read it."""
_LEAST_DECIMALS: Final = 2
_UNITS: Final = frozenset({"gpu", "cpu", "units"})
_UNREADABLE: Final = 1e15
"""From here a float is no longer exact to the unit; it keeps its exponent."""


def legible(text: str) -> str:
    """Return arithmetic with each number at six significant digits, or at two decimals where that is more.

    >>> legible("0.30000000000000004 × 720 = 216.00000000000003")
    '0.3 × 720 = 216'
    >>> legible("(1796126400.0 − 1796040005.0) ÷ 3600 = 23.99861111111111")
    '(1796126400 − 1796040005) ÷ 3600 = 23.9986'
    """
    return _DECIMAL.sub(lambda found: _figure(float(found.group())), text)


def _figure(value: float) -> str:
    if value < 1 or value >= _UNREADABLE:
        return f"{value:.{_DIGITS}g}"
    decimals = max(_LEAST_DECIMALS, _DIGITS - len(f"{value:.0f}"))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def worked(term: Term, units: str, *, lower_bound: bool = False) -> str:
    """Return how a figure follows, the figure and its unit, as one line.

    `256 ÷ max(1, 1408) = 0.181818 (18.2 %)`. Text stays as it is. `units` is what this estate's units are
    called, in words. A `lower_bound` of which some term is unknown is `at least` its figure.
    """
    line = equation(term)
    if lower_bound and term.value is not None:
        how, equals, figure = line.rpartition(" = ")
        line = f"{how}{equals}at least {figure}"
    unit = units if term.unit in _UNITS else term.unit
    if isinstance(term.value, str):
        return line + (f" {unit}" if unit else "")
    if term.unit == "share" and isinstance(term.value, (int, float)):
        return f"{legible(line)} ({percent(term.value)})"
    return legible(line) + (f" {unit}" if unit else "")
