"""Which domains machines stand on, at any distance, and how many machines stand on each domain (spec 3)."""

from collections.abc import Iterable, Mapping

from closure.compiled import NONE, Facility


class Standing:
    """By domain index and node group index; what a group stands on is looked up when first asked for."""

    def __init__(self, facility: Facility) -> None:
        self._facility = facility
        self._on: dict[frozenset[int], tuple[int, ...]] = {}
        self.sizes = tuple(len(group.nodes) for group in facility.groups)
        self.nodes = self.counted(dict(enumerate(self.sizes)))

    def on(self, group: int) -> tuple[int, ...]:
        """Return every domain that the nodes of a group stand on."""
        places = self._facility.groups[group].places
        named = frozenset(d for place in places for d in place.domains)
        if named not in self._on:
            self._on[named] = self._upward(named)
        return self._on[named]

    def counted(self, nodes: Mapping[int, int]) -> dict[int, int]:
        """Return how many of some nodes (group -> how many of them) stand on each domain that has any."""
        found: dict[int, int] = {}
        for group, count in nodes.items():
            for d in self.on(group):
                found[d] = found.get(d, 0) + count
        return found

    def whole(self, groups: Iterable[int]) -> dict[int, int]:
        """Return how many nodes of some whole groups stand on each domain that has any."""
        return self.counted({g: self.sizes[g] for g in groups})

    def _upward(self, starts: frozenset[int]) -> tuple[int, ...]:
        seen, waiting = set(starts), list(starts)
        while waiting:
            d = waiting.pop()
            for up in (self._facility.parent[d], *self._facility.feeds[d]):
                if up != NONE and up not in seen:
                    seen.add(up)
                    waiting.append(up)
        return tuple(sorted(seen))
