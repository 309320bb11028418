"""Which single failures carry which basis label (spec 4: redundant, electrically-unverified)."""

from collections.abc import Iterable


class Labels:
    """Collects, thing by thing, the failures that leave it degraded or electrically unverified.

    Something degraded in the baseline stays so under every failure that does not touch it; those are kept by
    their complement, the failures that do.
    """

    def __init__(self, failures: int) -> None:
        self._everybody = range(failures)
        # By identity: many things share one set.
        self._degraded: dict[int, frozenset[int]] = {}
        self._unverified: dict[int, frozenset[int]] = {}
        self._touching_degraded: list[frozenset[int]] = []
        self._touching_unverified: list[frozenset[int]] = []

    def degraded(self, failures: frozenset[int]) -> None:
        """Note the failures that leave one thing alive with a feed gone."""
        self._degraded[id(failures)] = failures

    def left_unverified(self, failures: frozenset[int]) -> None:
        """Note the failures that leave one thing alive on feeds that nobody can vouch for."""
        self._unverified[id(failures)] = failures

    def degraded_throughout(self, touching: Iterable[int]) -> None:
        """Note something degraded in the baseline, and the failures that change that or lose it."""
        self._touching_degraded.append(frozenset(touching))

    def unverified_throughout(self, touching: Iterable[int]) -> None:
        """Note something unverified in the baseline, and the failures that change that or lose it."""
        self._touching_unverified.append(frozenset(touching))

    def redundant(self) -> frozenset[int]:
        """Return the failures under which something holds on redundancy."""
        return self._union(self._degraded, self._touching_degraded)

    def unverified(self) -> frozenset[int]:
        """Return the failures under which something is electrically unverified."""
        return self._union(self._unverified, self._touching_unverified)

    def _union(self, sets: dict[int, frozenset[int]], touching: list[frozenset[int]]) -> frozenset[int]:
        found = frozenset[int]().union(*sets.values())
        if not touching:
            return found
        return found.union(set(self._everybody) - touching[0].intersection(*touching[1:]))
