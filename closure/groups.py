"""Nodes that say the same on every axis share every fate but their own failure: they form one group."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from topology.kinds import AXES, POWER_ENTRY_AXES
from topology.model import Mode, Node


class Place(NamedTuple):
    """What a group of nodes says on one axis, by domain index."""

    axis: str
    mode: Mode
    domains: tuple[int, ...]


class Group(NamedTuple):
    """Nodes (by index) that stand in the same places.

    `kw` [kW] is the known part of what they draw together; `kw_known` says whether that is all of it.
    `power_entry` and `heat_entry` are where their power and heat enter the strict check, if anywhere.
    """

    places: tuple[Place, ...]
    nodes: tuple[int, ...]
    kw: float
    kw_known: bool
    power_entry: Place | None
    heat_entry: Place | None


class _Layout(NamedTuple):
    """Where to find things among places that name certain axes: their reporting order, the two entries."""

    order: tuple[int, ...] | None
    power: int | None
    heat: int | None


def group_nodes(
    nodes: Sequence[Node], node_kw: Sequence[float | None], index: Mapping[str, int]
) -> tuple[list[int], tuple[Group, ...]]:
    """Return the number of each node's group, and the groups in order of appearance."""
    node_group, stands = _number_shapes(nodes, index)
    members: list[list[int]] = [[] for _ in stands]
    for node, number in enumerate(node_group):
        members[number].append(node)
    layouts: dict[tuple[str, ...], _Layout] = {}
    groups = []
    for places, nodes_there in zip(stands, members, strict=True):
        axes = tuple([place[0] for place in places])
        layout = layouts.get(axes)
        if layout is None:
            layout = layouts[axes] = _layout(axes)
        order, power, heat = layout
        drawn = [node_kw[node] for node in nodes_there]
        known = [kw for kw in drawn if kw is not None] if None in drawn else drawn
        groups.append(
            Group(
                places if order is None else tuple([places[position] for position in order]),
                tuple(nodes_there),
                math.fsum(known),  # type: ignore[arg-type]  # None was sorted out
                known is drawn,
                None if power is None else places[power],
                None if heat is None else places[heat],
            )
        )
    return node_group, tuple(groups)


def _number_shapes(
    nodes: Sequence[Node], index: Mapping[str, int]
) -> tuple[list[int], list[tuple[Place, ...]]]:
    """Number what nodes say on all axes in order of appearance; return each node's number, and the places.

    Loaders share equal values, and comparing identities is far cheaper than hashing all of them again: each
    object is looked at once.
    """
    said = [node.standings for node in nodes]
    identities = list(map(id, said))
    distinct = dict(zip(identities, said, strict=True))
    made = partial(tuple.__new__, Place)  # without the checks of a call: one per standing of the estate
    place_of: dict[int, Place] = {
        id(standing): made((standing.axis, standing.mode, tuple([index[name] for name in standing.ids])))
        for standing in {id(standing): standing for shape in distinct.values() for standing in shape}.values()
    }
    numbers: dict[tuple[Place, ...], int] = {}
    number_of = {
        identity: numbers.setdefault(tuple([place_of[id(standing)] for standing in shape]), len(numbers))
        for identity, shape in distinct.items()
    }
    return list(map(number_of.__getitem__, identities)), list(numbers)


_RANKS = {axis: rank for rank, axis in enumerate(AXES)}


def _layout(axes: Sequence[str]) -> _Layout:
    order = tuple(sorted(range(len(axes)), key=lambda position: _RANKS[axes[position]]))
    at = {axis: position for position, axis in enumerate(axes)}
    entries = [at[axis] for axis in POWER_ENTRY_AXES if axis in at]
    return _Layout(
        None if order == tuple(range(len(axes))) else order,
        entries[0] if entries else None,
        at.get("cooling"),
    )
