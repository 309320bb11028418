"""The lines of a picture as nets: one per feeding box and direction, cut into hops from row to row."""

from dataclasses import dataclass, field

from topo.diagram.model import Carries, EdgeStyle, Picture


@dataclass(frozen=True, slots=True)
class Item:
    """Something with a place in a row: a box (`key`), or a line that passes through (`key` empty)."""

    key: str
    net: int
    row: int


@dataclass(slots=True)
class Hop:
    """A net's lines between row `channel` and the one below it: items (by index) it joins above and below."""

    net: int
    channel: int
    above: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Net:
    """All lines from one box in one direction. They share a bus, so that one can see who feeds whom."""

    hub: str
    style: EdgeStyle
    carries: Carries


@dataclass(frozen=True, slots=True)
class Wiring:
    """Items by row in their first order, and hops by channel."""

    items: tuple[Item, ...]
    rows: tuple[tuple[int, ...], ...]
    nets: tuple[Net, ...]
    hops: tuple[Hop, ...]


def wiring(picture: Picture) -> Wiring:
    """Cut the edges of a picture into hops. A line past a row gets an item there, so that it has room."""
    row_of = {box.key: box.row for box in picture.boxes}
    items = [Item(box.key, -1, box.row) for box in picture.boxes]
    index = {box.key: i for i, box in enumerate(picture.boxes)}
    bundles: dict[tuple[str, bool], list[str]] = {}
    looks: dict[str, tuple[EdgeStyle, Carries]] = {}
    for edge in picture.edges:
        down = row_of[edge.target] > row_of[edge.source]
        bundles.setdefault((edge.source, down), []).append(edge.target)
        looks[edge.source] = (edge.style, edge.carries)
    nets: list[Net] = []
    hops: list[Hop] = []
    for (hub, down), targets in bundles.items():
        by_row: dict[int, list[int]] = {}
        for target in targets:
            by_row.setdefault(row_of[target], []).append(index[target])
        hops += _hops(len(nets), index[hub], row_of[hub], by_row, items, step=1 if down else -1)
        nets.append(Net(hub, *looks[hub]))
    rows: list[list[int]] = [[] for _ in picture.rows]
    for i, item in enumerate(items):
        rows[item.row].append(i)
    return Wiring(tuple(items), tuple(map(tuple, rows)), tuple(nets), tuple(hops))


def _hops(
    net: int, hub: int, row: int, by_row: dict[int, list[int]], items: list[Item], *, step: int
) -> list[Hop]:
    hops = []
    last = max(by_row, key=lambda r: r * step)
    here = hub
    while row != last:
        row += step
        ends = list(by_row.get(row, ()))
        passing = -1
        if row != last:
            passing = len(items)
            items.append(Item("", net, row))
            ends.append(passing)
        hop = Hop(net, row - 1 if step > 0 else row)
        (hop.above if step > 0 else hop.below).append(here)
        (hop.below if step > 0 else hop.above).extend(ends)
        hops.append(hop)
        here = passing
    return hops
