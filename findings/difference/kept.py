"""What is compared where nodes are gone, or no longer say where they stand: the loss of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from closure.compiled import Facility
from findings.difference.figures import Key, loss_figures, loss_of, loss_size
from findings.index import EstateIndex
from findings.sweep_rows import sweep_rows
from findings.tally import Tallies
from topology.kinds import AXES
from topology.model import Estate, Node, Number


class Forgotten(NamedTuple):
    """A node that stood on an axis and no longer says on what."""

    node: str
    axis: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Of the losses of both sides that of the nodes alone that the new one still has where the old had them.

    `hosted`: the workloads that stand on those alone; `silenced`: those with a node that no longer says where
    it stands. `silent`: whether any node does not.
    """

    old: Mapping[Key, Number | None]
    new: Mapping[Key, Number | None]
    hosted: frozenset[str]
    silenced: frozenset[str]
    silent: bool


def forgotten_standings(old: Estate, new: Estate) -> tuple[Forgotten, ...]:
    """Return what nodes of both sides no longer say, sorted.

    Nothing is forgotten where a node reaches a domain of that kind through what it does say.
    """
    after = {node.id: node for node in new.nodes}
    found = [
        Forgotten(node.id, standing.axis)
        for node in old.nodes
        if node.id in after
        for standing in node.standings
        if not _says(after[node.id], standing.axis, new)
    ]
    return tuple(sorted(found))


def _says(node: Node, axis: str, estate: Estate) -> bool:
    if any(standing.axis == axis for standing in node.standings):
        return True
    queue = [name for standing in node.standings for name in standing.ids]
    seen = set(queue)
    for name in queue:
        domain = estate.domains[name]
        if domain.kind == AXES[axis]:
            return True
        above = {*domain.feeds, *(() if domain.parent is None else (domain.parent,))} - seen
        seen |= above
        queue.extend(above)
    return False


def kept(old: Facility, new: Facility, forgotten: tuple[Forgotten, ...]) -> Kept | None:
    """Return the losses of the nodes that are still where they were; None where all are."""
    silent = {each.node for each in forgotten}
    ids = {node.id for node in old.estate.nodes}.intersection(new.node_ids) - silent
    if len(ids) == len(old.estate.nodes):
        return None
    workloads = old.estate.workloads
    hosted = frozenset(each.id for each in workloads if ids.issuperset(each.placements))
    silenced = frozenset(each.id for each in workloads if not silent.isdisjoint(each.placements))
    return Kept(_losses_of(old, ids), _losses_of(new, ids), hosted, silenced, bool(silent))


def _losses_of(facility: Facility, ids: set[str]) -> dict[Key, Number | None]:
    """Return the losses of some nodes alone, of which the others stand and draw as they do."""
    index = EstateIndex(facility.estate)
    chosen = {facility.node_index[node_id] for node_id in ids if node_id in facility.node_index}
    groups = (
        group._replace(nodes=tuple(filter(chosen.__contains__, group.nodes))) for group in facility.groups
    )
    tallies = Tallies(replace(facility, groups=tuple(groups)), index)
    losses = [loss_of(row) for row in sweep_rows(facility, index=index, tallies=tallies)]
    return dict(loss_figures(losses, min(losses, key=loss_size, default=None)))
