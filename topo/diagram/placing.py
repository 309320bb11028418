"""Horizontal places: every item as near to what it is joined to as order and width allow."""

from collections.abc import Sequence
from typing import Final

from topo.diagram.nets import Wiring

_PASSES: Final = 16


def centres(
    wiring: Wiring, rows: Sequence[Sequence[int]], widths: Sequence[float], gap: float
) -> list[float]:
    """Return the x of every item's centre; the leftmost edge of all is at 0."""
    near = _neighbours(wiring)
    x = [0.0] * len(wiring.items)
    for row in rows:
        total = sum(widths[i] for i in row) + gap * max(0, len(row) - 1)
        left = -total / 2
        for i in row:
            x[i] = left + widths[i] / 2
            left += widths[i] + gap
    for done in range(_PASSES):
        order = rows if done % 2 == 0 else rows[::-1]
        for row in order:
            wanted = [_mean([x[n] for n in near[i]], x[i]) for i in row]
            for i, place in zip(row, _spread(wanted, [widths[i] for i in row], gap), strict=True):
                x[i] = place
    left = min((x[i] - widths[i] / 2 for row in rows for i in row), default=0.0)
    return [round(value - left, 1) for value in x]


def _neighbours(wiring: Wiring) -> list[list[int]]:
    near: list[list[int]] = [[] for _ in wiring.items]
    for hop in wiring.hops:
        for a in hop.above:
            for b in hop.below:
                near[a].append(b)
                near[b].append(a)
    return near


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _spread(wanted: list[float], widths: list[float], gap: float) -> list[float]:
    """Return the places nearest to `wanted` that keep order and distance (pool adjacent violators)."""
    offsets, reach = [], 0.0
    for i, width in enumerate(widths):
        reach += 0.0 if i == 0 else (widths[i - 1] + width) / 2 + gap
        offsets.append(reach)
    blocks: list[list[float]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        blocks.append([want - offset, 1.0])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            value, weight = blocks.pop()
            above = blocks[-1]
            above[0] = (above[0] * above[1] + value * weight) / (above[1] + weight)
            above[1] += weight
    places = [value for value, weight in blocks for _ in range(int(weight))]
    return [place + offset for place, offset in zip(places, offsets, strict=True)]
