"""Fixed ranks: which row each box stands in (power from the top, machines, cooling from below)."""

from collections.abc import Mapping, Sequence

from topo.diagram.kindwords import BELOW, ORDER

RowKey = tuple[int, int]
"""Order of the kind, and a sub-row where one kind feeds itself (a PDU behind a PDU)."""


def row_keys(kinds: Sequence[str], ups: Sequence[Sequence[int]]) -> list[RowKey]:
    """Return every box's row. Coarse groups that feed each other in a circle share their kind's row."""
    keys = [(ORDER[kind], 0) for kind in kinds]
    order = _topological(ups)
    if order is None:
        return keys
    for box in order:
        if kinds[box] not in BELOW:
            for up in ups[box]:
                if kinds[up] not in BELOW:
                    keys[box] = max(keys[box], _next(keys[up]))
    for box in reversed(order):
        for up in ups[box]:
            if kinds[box] in BELOW and kinds[up] in BELOW:
                keys[up] = max(keys[up], _next(keys[box]))
    return keys


def _next(key: RowKey) -> RowKey:
    return key[0], key[1] + 1


def _topological(ups: Sequence[Sequence[int]]) -> list[int] | None:
    waiting = [len(set(above)) for above in ups]
    downs: list[list[int]] = [[] for _ in ups]
    for box, above in enumerate(ups):
        for up in set(above):
            downs[up].append(box)
    order = [box for box, count in enumerate(waiting) if not count]
    for box in order:
        for down in downs[box]:
            waiting[down] -= 1
            if not waiting[down]:
                order.append(down)
    return order if len(order) == len(ups) else None


def row_sizes(keys: Sequence[RowKey]) -> Mapping[RowKey, int]:
    """Return how many boxes stand in each row."""
    sizes: dict[RowKey, int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    return sizes
