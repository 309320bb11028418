"""The order of items within rows: barycentre sweeps and transposition, deterministic, best seen kept."""

from collections.abc import Sequence
from typing import Final

from topo.diagram.nets import Wiring

_SWEEPS: Final = 12
_LARGE: Final = 400
"""Items in a row beyond which neighbours are no longer tried the other way round."""

Rows = list[list[int]]


def ordered_rows(wiring: Wiring) -> Rows:
    """Return the items of every row from left to right, with few crossings."""
    above: list[list[int]] = [[] for _ in wiring.items]
    below: list[list[int]] = [[] for _ in wiring.items]
    for hop in wiring.hops:
        for a in hop.above:
            for b in hop.below:
                below[a].append(b)
                above[b].append(a)
    rows = [list(row) for row in wiring.rows]
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        _sweep(rows, above, below, down=sweep % 2 == 0)
        _transpose(rows, above, below)
        crossings = _crossings(rows, below)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _positions(rows: Rows) -> dict[int, int]:
    return {item: position for row in rows for position, item in enumerate(row)}


def _sweep(rows: Rows, above: Sequence[list[int]], below: Sequence[list[int]], *, down: bool) -> None:
    sides = above if down else below
    indices = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
    for r in indices:
        place = _positions([rows[r - 1] if down else rows[r + 1]])
        here = {item: position for position, item in enumerate(rows[r])}
        scale = (len(place) or 1) / (len(here) or 1)

        def centre(
            item: int, place: dict[int, int] = place, here: dict[int, int] = here, scale: float = scale
        ) -> tuple[float, int]:
            near = [place[n] for n in sides[item] if n in place]
            return (sum(near) / len(near) if near else here[item] * scale, here[item])

        rows[r] = sorted(rows[r], key=centre)


def _transpose(rows: Rows, above: Sequence[list[int]], below: Sequence[list[int]]) -> None:
    if max(map(len, rows), default=0) > _LARGE:
        return
    improved = True
    rounds = 0
    while improved and rounds < 8:
        improved = False
        rounds += 1
        place = _positions(rows)
        for row in rows:
            for i in range(len(row) - 1):
                left, right = row[i], row[i + 1]
                now = _pair(above[left], above[right], place) + _pair(below[left], below[right], place)
                swapped = _pair(above[right], above[left], place) + _pair(below[right], below[left], place)
                if swapped < now:
                    row[i], row[i + 1] = right, left
                    place[left], place[right] = i + 1, i
                    improved = True


def _pair(left: list[int], right: list[int], place: dict[int, int]) -> int:
    """Return the crossings of two neighbours' lines when `left` stands left."""
    return sum(place[a] > place[b] for a in left for b in right)


def _crossings(rows: Rows, below: Sequence[list[int]]) -> int:
    total = 0
    for r in range(len(rows) - 1):
        place = {item: position for position, item in enumerate(rows[r + 1])}
        ends = [end for item in rows[r] for end in sorted(place[n] for n in below[item] if n in place)]
        total += _inversions(ends, len(place))
    return total


def _inversions(values: list[int], size: int) -> int:
    """Count pairs out of order with a Fenwick tree."""
    tree = [0] * (size + 1)
    inversions = 0
    for seen, value in enumerate(values):
        inversions += seen
        i = value + 1
        while i:
            inversions -= tree[i]
            i &= i - 1
        i = value + 1
        while i <= size:
            tree[i] += 1
            i += i & -i
    return inversions
