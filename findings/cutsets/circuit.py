"""The probability that at least one of some sets of independent events happens whole, and its derivatives.

A circuit is made once (findings/cutsets/expansion.py) and evaluated forwards for probabilities, backwards for
how one depends on every event. What feeds a gate is independent: `any` is 1 − Π(1 − p), `all` is Π p, and a
choice on an event is p × (with it) + (1 − p) × (without it), Shannon's expansion. Nothing is subtracted from
what is nearly the same, so tiny probabilities keep their digits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Kind = Literal["never", "always", "event", "any", "all", "choice"]


class Gate(NamedTuple):
    """One gate over earlier ones; a choice has three inputs: the event, with it, without it."""

    kind: Kind
    inputs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Circuit:
    """Gates, inputs first; `events` are the positions of the events, in their order."""

    gates: tuple[Gate, ...]
    events: Sequence[int]

    def values(self, probabilities: Sequence[float]) -> list[float]:
        """Return the probability of every gate [-], given those of the events."""
        given = iter(probabilities)
        values: list[float] = []
        for kind, inputs in self.gates:
            if kind == "event":
                values.append(next(given))
            elif inputs:
                values.append(_FORWARDS[kind]([values[i] for i in inputs]))
            else:
                values.append(1.0 if kind == "always" else 0.0)
        return values

    def slopes(self, root: int, values: Sequence[float]) -> list[float]:
        """Return, per event, the derivative of a gate's probability by the event's (Birnbaum's measure)."""
        slopes = [0.0] * len(self.gates)
        slopes[root] = 1.0
        for position in range(root, -1, -1):
            kind, inputs = self.gates[position]
            if inputs and slopes[position]:
                local = _BACKWARDS[kind]([values[i] for i in inputs])
                for i, slope in zip(inputs, local, strict=True):
                    slopes[i] += slopes[position] * slope
        return [slopes[position] for position in self.events]


def any_of(probabilities: Iterable[float]) -> float:
    """Return 1 − Π(1 − p) [-] without subtracting from 1: small probabilities keep their digits.

    >>> any_of([0.5, 0.7]), any_of([1e-20])
    (0.85, 1e-20)
    """
    happened = 0.0
    for probability in probabilities:
        happened += probability * (1.0 - happened)
    return happened


def all_of(probabilities: Iterable[float]) -> float:
    """Return Π p [-]."""
    product = 1.0
    for probability in probabilities:
        product *= probability
    return product


def _choice(values: Sequence[float]) -> float:
    event, with_it, without = values
    return event * with_it + (1.0 - event) * without


def _choice_slopes(values: Sequence[float]) -> list[float]:
    event, with_it, without = values
    return [with_it - without, event, 1.0 - event]


def _any_slopes(values: Sequence[float]) -> list[float]:
    return _all_slopes([1.0 - value for value in values])


def _all_slopes(values: Sequence[float]) -> list[float]:
    """Return, per factor, the product of all the others."""
    products = [1.0] * len(values)
    before = after = 1.0
    for i, value in enumerate(values):
        products[i] *= before
        before *= value
    for i in range(len(values) - 1, -1, -1):
        products[i] *= after
        after *= values[i]
    return products


_FORWARDS: Final[Mapping[Kind, Callable[[Sequence[float]], float]]] = {
    "any": any_of,
    "all": all_of,
    "choice": _choice,
}
_BACKWARDS: Final[Mapping[Kind, Callable[[Sequence[float]], list[float]]]] = {
    "any": _any_slopes,
    "all": _all_slopes,
    "choice": _choice_slopes,
}
