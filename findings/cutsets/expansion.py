"""Builds the circuit of a family of sets: exactly where that stays small, else as its upper bound."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Final

from closure.cut_sets_algebra import CutSet, minimal
from findings.cutsets.circuit import Circuit, Gate, Kind

Family = frozenset[CutSet]
"""Sets of gates, none within another."""

MAX_EFFORT: Final = 50_000
"""How many sets [sets], counted again for every choice, may be split for an exact circuit."""

MAX_DEPTH: Final = 100
"""Depth [choices one within the other] beyond which an exact circuit is refused."""

_NEVER: Final = 0
_ALWAYS: Final = 1


class TooLarge(Exception):
    """An exact circuit would take more than MAX_EFFORT, or be deeper than MAX_DEPTH."""


class Builder:
    """Gates over some events, of which several families are made. Equal families share their gates."""

    def __init__(self, events: int, *, exact: bool = True) -> None:
        self._gates: list[Gate] = [Gate("never"), Gate("always")]
        self._events = range(len(self._gates), len(self._gates) + events)
        self._gates += [Gate("event")] * events
        self._exact = exact
        self._known: dict[Family, int] = {}
        self._effort = 0

    def root(self, sets: Collection[CutSet]) -> int:
        """Return the gate of "some set of events happens whole"; no set contains another one.

        Raises:
            TooLarge: an exact circuit was asked for, and is too large.
        """
        start = self._events.start
        family = frozenset(tuple([start + event for event in cut]) for cut in sets)
        if self._exact:
            return self._expanded(family, 0)
        return self._gate("any", [self._gate("all", cut) for cut in sorted(family)])

    def circuit(self) -> Circuit:
        """Return everything made so far."""
        return Circuit(tuple(self._gates), self._events)

    def _gate(self, kind: Kind, inputs: Collection[int]) -> int:
        if kind in {"any", "all"} and len(inputs) == 1:
            return next(iter(inputs))
        self._gates.append(Gate(kind, tuple(inputs)))
        return len(self._gates) - 1

    def _expanded(self, family: Family, depth: int) -> int:
        if not family:
            return _NEVER
        if () in family:
            return _ALWAYS
        return self._gate("any", [self._connected(part, depth) for part in _independent(family)])

    def _connected(self, family: Family, depth: int) -> int:
        """Return the gate of sets that hang together: one set, or a choice on what most of them need."""
        known = self._known.get(family)
        if known is None:
            known = self._known[family] = self._made(family, depth)
        return known

    def _made(self, family: Family, depth: int) -> int:
        if len(family) == 1:
            return self._gate("all", *family)
        merged = self._merged(family)
        if len(merged) < len(family):
            return self._expanded(merged, depth)
        self._effort += len(family)
        if depth == MAX_DEPTH or self._effort > MAX_EFFORT:
            raise TooLarge
        needed = Counter(event for cut in family for event in cut)
        pivot = min(needed, key=lambda event: (-needed[event], event))
        having = {tuple([event for event in cut if event != pivot]) for cut in family if pivot in cut}
        without = frozenset(cut for cut in family if pivot not in cut)
        with_it = frozenset(minimal(having | without, max(map(len, family))))
        return self._gate(
            "choice", [pivot, self._expanded(with_it, depth + 1), self._expanded(without, depth + 1)]
        )

    def _merged(self, family: Family) -> Family:
        """Put events that can stand for each other in every set behind one gate: any of them will do."""
        partners: defaultdict[int, set[CutSet]] = defaultdict(set)
        for cut in family:
            for event in cut:
                partners[event].add(tuple([other for other in cut if other != event]))
        alike: defaultdict[Family, list[int]] = defaultdict(list)
        for event in sorted(partners):
            alike[frozenset(partners[event])].append(event)
        stands_for: dict[int, int] = {}
        for events in alike.values():
            gate = self._gate("any", events)
            stands_for.update(dict.fromkeys(events, gate))
        return frozenset(tuple(sorted([stands_for[event] for event in cut])) for cut in family)


def _independent(family: Family) -> Iterator[Family]:
    """Yield the parts of a family that share no event, in the order of their smallest sets."""
    where: defaultdict[int, list[CutSet]] = defaultdict(list)
    for cut in family:
        for event in cut:
            where[event].append(cut)
    seen: set[CutSet] = set()
    for start in sorted(family):
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for cut in part:
            for event in cut:
                fresh = [other for other in where.pop(event, ()) if other not in seen]
                seen.update(fresh)
                part += fresh
        yield frozenset(part)
