"""The probability that a target is down, how often it goes down, and how much each domain has to do with it.

All of it rests on independent failures, and on the cut sets that were found and whose every domain has a
known unavailability: others are counted, never taken as 0.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from findings.cutsets.circuit import all_of
from findings.cutsets.expansion import Builder, TooLarge

Method = Literal["exact", "upper-bound"]

_CANCELLED = 1e-3
"""Below this share [-] of what was subtracted from, a difference has lost digits that matter."""

Names = tuple[str, ...]
"""A cut set by the ids of its domains."""


@dataclass(frozen=True, slots=True)
class Importance:
    """What one domain has to do with a target. `orders[n - 1]`: how many cut sets of n domains hold it.

    The measures are None while any cut set has an unknown probability: without it they bound nothing, neither
    way. None too where a quotient has no value (nothing to divide by, a target that needs this very domain).

    - `birnbaum`: P(down | it is down) − P(down | it is up)
    - `criticality`: birnbaum × q / P: that it is down and decides
    - `diagnosis`: P(it is down | the target is down)
    - `fussell_vesely`: P(a cut set that holds it is down | the target is down)
    - `achievement_worth`: P(down | it is down) / P; `reduction_worth`: P / P(down | it is up)
    """

    domain: str
    orders: tuple[int, ...]
    birnbaum: float | None = None
    criticality: float | None = None
    diagnosis: float | None = None
    fussell_vesely: float | None = None
    achievement_worth: float | None = None
    reduction_worth: float | None = None


@dataclass(frozen=True, slots=True)
class TopEvent:
    """The target down, by the cut sets of known probability. None where there is none.

    `probability` [-] is exact for those sets, or their min-cut upper bound 1 − Π(1 − P(set)) (`method`).
    `unknown` sets hold a domain of unknown unavailability. `importances` are sorted: what matters most first.
    `deciding`: per domain of the known sets its birnbaum among those alone, which the frequency is made of.
    """

    probability: float | None
    method: Method
    known: int
    unknown: int
    importances: tuple[Importance, ...]
    deciding: Mapping[str, float] = field(default_factory=dict)


def probability_of(cut: Names, unavailabilities: Mapping[str, float | None]) -> float | None:
    """Return the product of the unavailabilities [-]; None where one is unknown."""
    known = [q for name in cut if (q := unavailabilities[name]) is not None]
    return all_of(known) if len(known) == len(cut) else None


def top_event(cuts: Collection[Names], unavailabilities: Mapping[str, float | None]) -> TopEvent:
    """Return the probability of minimal cut sets and the importance of every domain in them."""
    orders = _orders(cuts)
    known = sorted(cut for cut in cuts if all(unavailabilities[name] is not None for name in cut))
    unknown = len(cuts) - len(known)
    if () in cuts:
        return TopEvent(1.0, "exact", 1, 0, ())
    if not known:
        rows = [Importance(name, counts) for name, counts in orders.items()]
        return TopEvent(None, "exact", 0, unknown, _ranked(rows))
    try:
        sums = _Sums(known, unavailabilities, exact=True)
        method: Method = "exact"
    except TooLarge:
        sums = _Sums(known, unavailabilities, exact=False)
        method = "upper-bound"
    found = [sums.importance(name, counts) for name, counts in orders.items()]
    deciding = {row.domain: row.birnbaum for row in _ranked(found) if row.birnbaum is not None}
    rows = [Importance(row.domain, row.orders) for row in found] if unknown else found
    return TopEvent(sums.probability, method, len(known), unknown, _ranked(rows), deciding)


class _Sums:
    """One circuit over the known cut sets: the target, and for each domain the sets that hold it."""

    def __init__(
        self, cuts: Sequence[Names], unavailabilities: Mapping[str, float | None], *, exact: bool
    ) -> None:
        names = sorted({name for cut in cuts for name in cut})
        self._event = {name: position for position, name in enumerate(names)}
        self._down = [unavailabilities[name] or 0.0 for name in names]
        sets = [tuple(sorted(self._event[name] for name in cut)) for cut in cuts]
        builder = Builder(len(names), exact=exact)
        root = builder.root(sets)
        partners = [builder.root(others) for others in _partners(sets, len(names))]
        self._circuit, self._root = builder.circuit(), root
        values = self._circuit.values(self._down)
        self.probability = values[root]
        self._slopes = self._circuit.slopes(root, values)
        self._partners = [values[gate] for gate in partners]

    def importance(self, name: str, orders: tuple[int, ...]) -> Importance:
        """Return the measures of one domain."""
        event = self._event.get(name)
        if event is None:
            return Importance(name, orders)
        down, birnbaum, total = self._down[event], _share(self._slopes[event]), self.probability
        if not total:
            return Importance(name, orders, birnbaum)
        when_down = total + (1.0 - down) * birnbaum
        when_up = self._when_up(event, total - down * birnbaum)
        return Importance(
            name,
            orders,
            birnbaum,
            criticality=_share(down * birnbaum / total),
            diagnosis=_share(down * when_down / total),
            fussell_vesely=_share(down * self._partners[event] / total),
            achievement_worth=when_down / total,
            reduction_worth=total / when_up if when_up > 0 else None,
        )

    def _when_up(self, event: int, difference: float) -> float:
        """Return P(down | it is up): the difference, unless mere rounding may be left of it."""
        if difference > _CANCELLED * self.probability:
            return difference
        up = [*self._down[:event], 0.0, *self._down[event + 1 :]]
        return self._circuit.values(up)[self._root]


def _share(value: float) -> float:
    """Return a share without what rounding puts beyond its ends."""
    return min(1.0, max(0.0, value))


def downs_per_year(top: TopEvent, downs: Mapping[str, float | None]) -> float | None:
    """Return how often the target goes down [1/year]: Σ birnbaum × f × (1 − q), over the known cut sets."""
    if top.probability is None:
        return None
    return math.fsum(term for _, term in frequency_terms(top, downs))


def frequency_terms(top: TopEvent, downs: Mapping[str, float | None]) -> Iterator[tuple[str, float]]:
    """Yield, per domain, birnbaum × f × (1 − q) [1/year]: how often it is this domain that takes it down."""
    for name, birnbaum in top.deciding.items():
        down = downs[name]
        if down is not None:
            yield name, birnbaum * down


def set_downs_per_year(
    cut: Names, unavailabilities: Mapping[str, float | None], downs: Mapping[str, float | None]
) -> float | None:
    """Return how often a cut set becomes complete [1/year]: Σ f × (1 − q) × Π q of the others."""
    terms = []
    for name in cut:
        others = probability_of(tuple(other for other in cut if other != name), unavailabilities)
        down = downs[name]
        if others is None or down is None:
            return None
        terms.append(down * others)
    return math.fsum(terms)


def _orders(cuts: Iterable[Names]) -> dict[str, tuple[int, ...]]:
    """Count, per domain, the cut sets of each size that hold it; all tuples go up to the largest size."""
    cuts = list(cuts)
    largest = max(map(len, cuts), default=0)
    counts = {name: [0] * largest for cut in cuts for name in cut}
    for cut in cuts:
        for name in cut:
            counts[name][len(cut) - 1] += 1
    return {name: tuple(counts[name]) for name in sorted(counts)}


def _partners(cuts: Iterable[tuple[int, ...]], events: int) -> list[list[tuple[int, ...]]]:
    """Return, per event, the sets that hold it, without it."""
    found: list[list[tuple[int, ...]]] = [[] for _ in range(events)]
    for cut in cuts:
        for event in cut:
            found[event].append(tuple(other for other in cut if other != event))
    return found


def _ranked(rows: Iterable[Importance]) -> tuple[Importance, ...]:
    """Return what decides most often first; without its measures, what is in more of the smaller sets."""
    return tuple(
        sorted(
            rows,
            key=lambda row: (
                row.birnbaum is None,
                -(row.fussell_vesely or 0.0),
                [-count for count in row.orders],
                row.domain,
            ),
        )
    )
