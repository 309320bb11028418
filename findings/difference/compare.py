"""What changed between two estates: losses, single points, redundancy, ratings, wiring (beyond)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from closure.compiled import Facility
from findings.caveats import distinct, estate_caveats
from findings.difference.doubt import Doubt, doubt, relabelled
from findings.difference.figures import Field, Key, Loss, Topic, loss_figures, loss_of, loss_size, redundancy
from findings.difference.wiring import Rewiring, rewired
from findings.index import EstateIndex
from findings.stoppers import stoppers
from findings.survey import Survey
from findings.sweep_rows import SweepRow, sweep_rows
from findings.tally import Tallies
from topology.model import Number

Direction = Literal["worse", "unknown", "better", "fewer", "changed"]
Verdict = Literal["worse", "unknown", "better", "changed", "same"]

MORE_IS_BETTER: Final = frozenset({"spareFeeds", "ratedKw"})
_OF_A_SNAPSHOT: Final = frozenset({"criticalUnits", "units", "stops"})
_DIRECTIONS: Final[tuple[Direction, ...]] = ("worse", "unknown", "better", "fewer", "changed")
_TOPICS: Final[tuple[Topic, ...]] = ("worst-loss", "exposure", "single-point", "redundancy", "rating")


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
    rows: list[SweepRow]
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


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """What tells a figure that is another from one that is known otherwise.

    `labelled`: the figures of the old side with the criticality that only the new one knows.
    """

    kept: _Kept | None
    doubt: Doubt
    labelled: Mapping[Key, Number | None] | None


def compare(old: Facility, new: Facility) -> Difference:
    """Compare two estates at the same kind of load."""
    before, after = _side(old), _side(new)
    removed = _only_in(old, new)
    labelled = relabelled(old, new)
    found = _Knowledge(
        _kept(old, new),
        doubt(old, new, before.rows, after.rows),
        None if labelled is None else _side(labelled).figures,
    )
    return Difference(
        load=new.load,
        worst_old=before.worst,
        worst_new=after.worst,
        added=_only_in(new, old),
        removed=removed,
        changes=tuple(sorted(_changes(before, after, found), key=_order)),
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


def _changes(before: _Side, after: _Side, known: _Knowledge) -> Iterator[Change]:
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
            direction = _known_direction(key, old, new, known)
            if key.topic == "single-point" and key.about in before.stopped | after.stopped:
                direction = "changed"  # it is stopped, or runs again
            yield Change(key, old, new, direction)


def _known_direction(key: Key, old: Number | None, new: Number | None, known: _Knowledge) -> Direction:
    direction = _direction(key.field, old, new)
    if direction == "better" and known.kept is not None:
        direction = _of_the_kept(key, known.kept)
    if direction == "better" and known.doubt.of(key):
        return "unknown"
    if direction == "worse" and old is not None and known.doubt.of_larger(key, old):
        return "unknown"
    if direction == "worse" and known.labelled is not None:
        then = known.labelled.get(key, 0)
        if then == new or _direction(key.field, then, new) != "worse":
            return "changed"  # it was so before, and is only known now
    if direction == "better" and known.labelled is not None and key.topic == "worst-loss":
        then = known.labelled.get(key)  # a label that is new names another failure as the worst
        return "changed" if then == new else _direction(key.field, then, new)
    return direction


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
    losses = [loss_of(row) for row in sweep_rows(facility, index=index, tallies=tallies)]
    return dict(loss_figures(losses, min(losses, key=loss_size, default=None)))


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
    losses = [loss_of(row) for row in rows]
    worst = min(losses, key=loss_size, default=None)
    figures = dict(loss_figures(losses, worst))
    figures.update(redundancy(facility))
    for d, domain_id in enumerate(facility.domain_ids):
        figures[Key("rating", "domain", domain_id, None, "ratedKw")] = facility.rated_kw[d]
    survey = Survey(facility, index)
    if not facility.estate.bare:
        figures.update(dict.fromkeys(_single_points(survey, rows), 1))
    workloads = facility.estate.workloads
    return _Side(facility, worst, rows, figures, frozenset(workloads[p].id for p in survey.stopped_before))


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
