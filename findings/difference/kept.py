"""What is compared where nodes are gone: the loss of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from closure.compiled import Facility
from findings.difference.figures import Key, loss_figures, loss_of, loss_size
from findings.index import EstateIndex
from findings.sweep_rows import sweep_rows
from findings.tally import Tallies
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Kept:
    """Of the losses of both sides that of the nodes alone that both have.

    `hosted`: the workloads that stand on those alone.
    """

    old: Mapping[Key, Number | None]
    new: Mapping[Key, Number | None]
    hosted: frozenset[str]


def kept(old: Facility, new: Facility) -> Kept | None:
    """Return the losses of the nodes that are still there; None where all are."""
    ids = set(old.node_ids).intersection(new.node_ids)
    if len(ids) == len(old.node_ids):
        return None
    workloads = old.estate.workloads
    hosted = frozenset(each.id for each in workloads if ids.issuperset(each.placements))
    return Kept(_losses_of(old, ids), _losses_of(new, ids), hosted)


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
