"""A figure that can be redone with a calculator: its value, its basis, and the terms behind it."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, Literal, TypeVar

Row = TypeVar("Row")

Value = int | float | str | bool | None

Basis = Literal["measured", "declared", "annotated", "command line", "estimated", "assumed", "unknown"]
"""Where a figure comes from, the firmest first."""

SOFT: Final[frozenset[Basis]] = frozenset({"annotated", "command line", "estimated", "assumed"})
"""Bases that are not the cluster's or the operator's own record."""

_FIRMEST_FIRST: Final[tuple[Basis, ...]] = (
    "measured",
    "declared",
    "annotated",
    "command line",
    "estimated",
    "assumed",
    "unknown",
)

_RANKS: Final[dict[Basis, int]] = {basis: rank for rank, basis in enumerate(_FIRMEST_FIRST)}

SUM: Final = "sum"
MAX: Final = "max"

Parts = Callable[[], Iterable["Term"]]


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """One figure. `how` says how it follows: "" for an input, "sum" or "max" of its parts, else arithmetic.

    Arithmetic is written with the numbers themselves (`8 × 2.5 × 720`), so that it can be typed into a
    calculator. Parts are made when asked for; an unknown part (value None) is left out and counted. Make one
    with `term`, `summed` or `greatest`: a figure made of several takes the weakest of their bases.
    """

    name: str
    value: Value
    unit: str
    basis: Basis
    how: str = ""
    make_parts: Parts = tuple

    def parts(self) -> tuple["Term", ...]:
        """Return the terms behind this one."""
        return tuple(self.make_parts())

    def first(self, most: int) -> tuple["Term", ...]:
        """Return at most so many of the terms behind this one; no other is made."""
        return tuple(islice(self.make_parts(), most))

    def count(self) -> int:
        """Return how many terms are behind this one."""
        made = self.make_parts()
        return len(made) if isinstance(made, Sized) else sum(1 for _ in made)


@dataclass(frozen=True, slots=True, eq=False)
class Each(Generic[Row]):
    """One term per row, made when it is looked at; how many there are is known without making any."""

    make: Callable[[Row], Term]
    rows: Sequence[Row]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Term]:
        return map(self.make, self.rows)


def term(name: str, value: Value, unit: str, basis: Basis = "measured", how: str = "", *parts: Term) -> Term:
    """Return a figure with few parts. It takes the weakest basis of its own and theirs."""
    return Term(name, value, unit, _made_of(value, basis, parts), how, lambda: parts)


def summed(
    name: str,
    value: Value,
    unit: str,
    parts: Parts,
    basis: Basis = "measured",
    *,
    weakest_part: Basis | None = None,
) -> Term:
    """Return a figure that is the sum of its parts. It takes the weakest basis of its own and theirs.

    Give `weakest_part` where the weakest basis of the known parts is known beforehand: none is made for it.
    """
    return Term(name, value, unit, _many(value, basis, parts, weakest_part), SUM, parts)


def greatest(
    name: str,
    value: Value,
    unit: str,
    parts: Parts,
    basis: Basis = "measured",
    *,
    weakest_part: Basis | None = None,
) -> Term:
    """Return a figure that is the largest of its parts; bases as in `summed`."""
    return Term(name, value, unit, _many(value, basis, parts, weakest_part), MAX, parts)


def _many(value: Value, basis: Basis, parts: Parts, weakest_part: Basis | None) -> Basis:
    if weakest_part is None:
        return _made_of(value, basis, parts())
    return known(value, weakest((basis, weakest_part)))


def root(name: str, of: Term, *others: Term) -> Term:
    """Return a finding's own figure: that of its first input."""
    return term(name, of.value, of.unit, of.basis, number(of.value), of, *others)


def number(value: Value) -> str:
    """Return a figure with every digit it has; `unknown` for None."""
    return "unknown" if value is None else str(value)


def flag(value: bool | None) -> int | None:
    """Return a yes or no as 1 or 0, so that it can be summed; None stays unknown."""
    return None if value is None else int(value)


def times(*factors: Value) -> str:
    """Return `a × b × c`."""
    return " × ".join(map(number, factors))


def weakest(bases: Iterable[Basis]) -> Basis:
    """Return the weakest of several bases: what a figure made of them rests on."""
    return _FIRMEST_FIRST[max(map(_RANKS.__getitem__, bases), default=0)]


def _made_of(value: Value, basis: Basis, parts: Iterable[Term]) -> Basis:
    """Return the weakest of a figure's own basis and those of its known parts; "unknown" without a value."""
    if value is None:
        return "unknown"
    return weakest([basis, *[part.basis for part in parts if part.value is not None]])


def known(value: Value, basis: Basis) -> Basis:
    """Return `basis`, or "unknown" where there is no value."""
    return "unknown" if value is None else basis
