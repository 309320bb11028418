"""What changed between two estates: losses, single points, redundancy, ratings, wiring (beyond)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from closure.cascade import close
from closure.compiled import NONE, Facility
from findings.caveats import distinct, estate_caveats
from findings.index import EstateIndex
from findings.single_fed import cords
from findings.stoppers import stoppers
from findings.survey import Survey
from findings.sweep_rows import SweepRow, sweep_rows
from findings.tally import Tallies
from findings.wiring import Rewiring, rewired
from topology.model import Number

Topic = Literal["worst-loss", "exposure", "single-point", "redundancy", "rating"]
Field = Literal["criticalUnits", "units", "nodes", "stops", "spareFeeds", "ratedKw"]
Direction = Literal["worse", "unknown", "better", "fewer", "changed"]
Verdict = Literal["worse", "unknown", "better", "changed", "same"]

MORE_IS_BETTER: Final = frozenset({"spareFeeds", "ratedKw"})
_OF_A_SNAPSHOT: Final = frozenset({"criticalUnits", "units", "stops"})
_DIRECTIONS: Final[tuple[Direction, ...]] = ("worse", "unknown", "better", "fewer", "changed")
_TOPICS: Final[tuple[Topic, ...]] = ("worst-loss", "exposure", "single-point", "redundancy", "rating")


class Key(NamedTuple):
    """What a figure is about. `about`: the workload of a single point. An estate's figures have no id."""

    topic: Topic
    type: Literal["estate", "domain", "node"]
    id: str
    about: str | None
    field: Field


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that differs; None: unknown.

    `fewer`: a loss that is smaller only because nodes are gone, from the map or from one of its axes.
    """

    key: Key
    old: Number | None
    new: Number | None
    direction: Direction


@dataclass(frozen=True, slots=True)
class Loss:
    """The failure of one domain by the worse of the two engines; None: unknown."""

    id: str
    nodes: int
    units: Number | None
    critical_units: Number | None


@dataclass(frozen=True, slots=True)
class Membership:
    """Ids that only one of the two estates has, sorted."""

    domains: tuple[str, ...]
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed, the worst first. `worst_*`: the worst single failure; None without domains.

    `wiring` is what hangs from something else, whether or not a figure follows: neither better nor worse.
    `forgotten`: how many nodes the new one, a map alone, does not name any more; why, it cannot say.
    """

    load: str
    worst_old: Loss | None
    worst_new: Loss | None
    added: Membership
    removed: Membership
    changes: tuple[Change, ...]
    wiring: tuple[Rewiring, ...]
    forgotten: int
    caveats: tuple[str, ...]

    def count(self, direction: Direction) -> int:
        """Return how many changes go that way."""
        return sum(change.direction == direction for change in self.changes)

    @property
    def worse(self) -> bool | None:
        """Whether anything is worse; None where something that was known no longer is."""
        if self.count("worse"):
            return True
        return None if self.count("unknown") or self.forgotten else False

    @property
    def verdict(self) -> Verdict:
        """What the page begins with; wiring is neither better nor worse."""
        if self.worse is not False:
            return "worse" if self.worse else "unknown"
        if self.count("better"):
            return "better"
        return "changed" if self.changes else "same"


@dataclass(frozen=True, slots=True)
class _Side:
    facility: Facility
    worst: Loss | None
    figures: Mapping[Key, Number | None]
    stopped: frozenset[str]
    """Critical workloads that are stopped with nothing failed: no domain is their single point."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Of the losses of both sides that of the nodes alone that the new one still has where the old had them.

    `hosted`: the workloads that stand on those alone.
    """

    old: Mapping[Key, Number | None]
    new: Mapping[Key, Number | None]
    hosted: frozenset[str]


def compare(old: Facility, new: Facility) -> Difference:
    """Compare two estates at the same kind of load."""
    before, after = _side(old), _side(new)
    removed = _only_in(old, new)
    return Difference(
        load=new.load,
        worst_old=before.worst,
        worst_new=after.worst,
        added=_only_in(new, old),
        removed=removed,
        changes=tuple(sorted(_changes(before, after, _kept(old, new)), key=_order)),
        wiring=rewired(old.estate, new.estate),
        forgotten=len(removed.nodes) if new.estate.bare else 0,
        caveats=distinct(
            caveat for side in (old, new) for caveat in estate_caveats(EstateIndex(side.estate))
        ),
    )


def _only_in(one: Facility, other: Facility) -> Membership:
    return Membership(
        tuple(sorted(set(one.domain_ids) - set(other.domain_ids))),
        tuple(sorted(set(one.node_ids) - set(other.node_ids))),
    )


def _changes(before: _Side, after: _Side, kept: _Kept | None) -> Iterator[Change]:
    """Figures of things on both sides; a single point counts as 0 where it is none.

    A map alone says nothing about units and workloads: beside one, only its own figures are compared.
    """
    bare = before.facility.estate.bare or after.facility.estate.bare
    for key in before.figures.keys() | after.figures.keys():
        on_both = key in before.figures and key in after.figures
        if (bare and key.field in _OF_A_SNAPSHOT) or not (on_both or key.topic == "single-point"):
            continue
        old, new = before.figures.get(key, 0), after.figures.get(key, 0)
        if old != new:
            direction = _direction(key.field, old, new)
            if key.topic == "single-point" and key.about in before.stopped | after.stopped:
                direction = "changed"  # it is stopped, or runs again
            elif direction == "better" and kept is not None:
                direction = _of_the_kept(key, kept)
            yield Change(key, old, new, direction)


def _direction(field: Field, old: Number | None, new: Number | None) -> Direction:
    if new is None:
        return "unknown"
    if old is None:
        return "changed"
    return "better" if (new > old) == (field in MORE_IS_BETTER) else "worse"


def _of_the_kept(key: Key, kept: _Kept) -> Direction:
    """Return whether a loss is smaller for the nodes that are still there, or only for want of others."""
    if key.topic == "single-point":
        return "better" if key.about in kept.hosted else "fewer"
    old, new = kept.old.get(key), kept.new.get(key)
    if key.topic not in ("exposure", "worst-loss") or old is None or new is None:
        return "better"
    return "fewer" if old == new else _direction(key.field, old, new)


def _kept(old: Facility, new: Facility) -> _Kept | None:
    """Return the losses of the nodes that are still there; None where all are."""
    axes = {node.id: {standing.axis for standing in node.standings} for node in new.estate.nodes}
    ids = frozenset(
        node.id
        for node in old.estate.nodes
        if axes.get(node.id, set()).issuperset(standing.axis for standing in node.standings)
        and node.id in axes
    )
    if len(ids) == len(old.estate.nodes):
        return None
    hosted = frozenset(
        workload.id for workload in old.estate.workloads if ids.issuperset(workload.placements)
    )
    return _Kept(_losses_of(old, ids), _losses_of(new, ids), hosted)


def _losses_of(facility: Facility, ids: frozenset[str]) -> dict[Key, Number | None]:
    """Return the losses of some nodes alone, of which the others stand and draw as they do."""
    index = EstateIndex(facility.estate)
    chosen = {facility.node_index[node_id] for node_id in ids if node_id in facility.node_index}
    groups = (
        group._replace(nodes=tuple(filter(chosen.__contains__, group.nodes))) for group in facility.groups
    )
    tallies = Tallies(replace(facility, groups=tuple(groups)), index)
    losses = [_loss(row) for row in sweep_rows(facility, index=index, tallies=tallies)]
    return dict(_loss_figures(losses, min(losses, key=_size, default=None)))


def _order(change: Change) -> tuple[int, int, str, str, str]:
    key = change.key
    return (
        _DIRECTIONS.index(change.direction),
        _TOPICS.index(key.topic),
        key.id,
        key.about or "",
        key.field,
    )


def _side(facility: Facility) -> _Side:
    index = EstateIndex(facility.estate)
    rows = sweep_rows(facility, index=index)
    losses = [_loss(row) for row in rows]
    worst = min(losses, key=_size, default=None)
    figures = dict(_loss_figures(losses, worst))
    figures.update(_redundancy(facility))
    for d, domain_id in enumerate(facility.domain_ids):
        figures[Key("rating", "domain", domain_id, None, "ratedKw")] = facility.rated_kw[d]
    survey = Survey(facility, index)
    if not facility.estate.bare:
        figures.update(dict.fromkeys(_single_points(survey, rows), 1))
    workloads = facility.estate.workloads
    return _Side(facility, worst, figures, frozenset(workloads[p].id for p in survey.stopped_before))


def _single_points(survey: Survey, rows: Iterable[SweepRow]) -> Iterator[Key]:
    """A domain stops a workload where either engine says so (spec 4: every gate uses the worse)."""
    # Where the engines agree they lose the same nodes.
    by_strict = [
        (row.failed, survey.strict_groups(row.failed))
        for row in rows
        if row.strict is not None and not row.strict.agrees
    ]
    before = survey.strict_baseline_groups
    for found in (survey.stoppers, stoppers(survey.index, survey.facility, by_strict, before)):
        for position, domains in found.items():
            workload = survey.index.estate.workloads[position].id
            yield from (Key("single-point", "domain", domain, workload, "stops") for domain in domains)


def _loss(row: SweepRow) -> Loss:
    tally, strict = row.tally, row.strict
    by_closure = Loss(row.failed, tally.nodes, tally.units, tally.critical_units)
    if strict is None:
        return by_closure
    return min(by_closure, Loss(row.failed, strict.nodes, strict.units, strict.critical_units), key=_size)


def _size(loss: Loss) -> tuple[Number, Number, int, str]:
    return (-(loss.critical_units or 0), -(loss.units or 0), -loss.nodes, loss.id)


def _loss_figures(losses: list[Loss], worst: Loss | None) -> Iterator[tuple[Key, Number | None]]:
    for loss in losses:
        yield Key("exposure", "domain", loss.id, None, "nodes"), loss.nodes
        yield Key("exposure", "domain", loss.id, None, "units"), loss.units
        yield Key("exposure", "domain", loss.id, None, "criticalUnits"), loss.critical_units
    if worst is not None:
        yield Key("worst-loss", "estate", "", None, "nodes"), worst.nodes
        yield Key("worst-loss", "estate", "", None, "units"), worst.units
        yield Key("worst-loss", "estate", "", None, "criticalUnits"), worst.critical_units


def _redundancy(facility: Facility) -> Iterator[tuple[Key, Number | None]]:
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
