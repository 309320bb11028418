"""Sums that know what they do not know (spec 2: a sum over partly unknown terms)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from topology.model import Number


@dataclass(frozen=True, slots=True)
class Partial:
    """The known part of a sum and how many terms are missing from it.

    `value` is None when there are terms and none is known; 0 when there is no term at all.
    """

    value: Number | None
    unknown: int = 0


NOTHING: Final = Partial(0)
"""The sum of no term at all."""


def total(values: Iterable[Number]) -> Number:
    """Return the sum: exact for integers, correctly rounded (so independent of order) with any float."""
    terms = list(values)
    result = sum(terms)
    # One float among the terms makes the sum a float.
    return result if isinstance(result, int) else math.fsum(terms)


def partial_sum(terms: Iterable[Number | None]) -> Partial:
    """Return the known part of a sum and the number of unknown terms."""
    known, unknown = [], 0
    for term in terms:
        if term is None:
            unknown += 1
        else:
            known.append(term)
    return Partial(None if unknown and not known else total(known), unknown)


def share_of(value: Number, share: float) -> Number:
    """Return `value × share`, as an integer where it is one (half of 30 is 15)."""
    product = value * share
    return int(product) if isinstance(value, int) and product.is_integer() else product
