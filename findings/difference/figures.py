"""The figures that a difference compares: losses by the worse engine, and feeds that can be spared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from closure.cascade import close
from closure.compiled import NONE, Facility
from findings.single_fed import cords
from findings.sweep_rows import SweepRow
from topology.model import Number

Topic = Literal["worst-loss", "exposure", "single-point", "redundancy", "rating", "proof", "draw"]
Field = Literal["criticalUnits", "units", "nodes", "stops", "spareFeeds", "ratedKw", "proven", "unknownNodes"]


class Key(NamedTuple):
    """What a figure is about. `about`: the workload of a single point. An estate's figures have no id."""

    topic: Topic
    type: Literal["estate", "domain", "node"]
    id: str
    about: str | None
    field: Field


@dataclass(frozen=True, slots=True)
class Loss:
    """The failure of one domain by the worse of the two engines; None: unknown."""

    id: str
    nodes: int
    units: Number | None
    critical_units: Number | None


def loss_of(row: SweepRow) -> Loss:
    """Return what one failure takes, by the worse of the two engines."""
    tally, strict = row.tally, row.strict
    by_closure = Loss(row.failed, tally.nodes, tally.units, tally.critical_units)
    if strict is None:
        return by_closure
    return min(by_closure, Loss(row.failed, strict.nodes, strict.units, strict.critical_units), key=loss_size)


def loss_size(loss: Loss) -> tuple[Number, Number, int, str]:
    """Return what losses are ranked by, the worst first; critical units that are unknown count as none."""
    return (-(loss.critical_units or 0), -(loss.units or 0), -loss.nodes, loss.id)


def loss_figures(losses: list[Loss], worst: Loss | None) -> Iterator[tuple[Key, Number | None]]:
    """Yield the figures of every failure, and of the worst."""
    for loss in losses:
        yield Key("exposure", "domain", loss.id, None, "nodes"), loss.nodes
        yield Key("exposure", "domain", loss.id, None, "units"), loss.units
        yield Key("exposure", "domain", loss.id, None, "criticalUnits"), loss.critical_units
    if worst is not None:
        yield Key("worst-loss", "estate", "", None, "nodes"), worst.nodes
        yield Key("worst-loss", "estate", "", None, "units"), worst.units
        yield Key("worst-loss", "estate", "", None, "criticalUnits"), worst.critical_units


def redundancy(facility: Facility) -> Iterator[tuple[Key, Number | None]]:
    """Live feeds that can be spared: 0 behind a single parent, unknown with nothing upstream."""
    gone = {facility.domain_index[lost.id] for lost in close(facility, ()).domains}
    for d, domain_id in enumerate(facility.domain_ids):
        spare = None if facility.parent[d] == NONE else 0
        if feeds := facility.feeds[d]:
            spare = sum(feed not in gone for feed in feeds) - facility.needed[d]
        yield Key("redundancy", "domain", domain_id, None, "spareFeeds"), spare
    for each in cords(facility):
        spare = None if each.sources is None else len(each.sources) - each.needed
        yield Key("redundancy", "node", each.node, None, "spareFeeds"), spare
