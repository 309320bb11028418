"""What changed between two estates: losses, single points, redundancy, ratings, wiring (beyond)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from closure.compiled import Facility
from findings.caveats import distinct, estate_caveats
from findings.difference.doubt import Doubt, baseline_unproven, doubt
from findings.difference.figures import Field, Key, Loss, Topic, loss_figures, loss_of, loss_size, redundancy
from findings.difference.informed import informed, told
from findings.difference.kept import Kept, kept
from findings.difference.standings import Said, forgotten_standings
from findings.difference.wiring import Rewiring, rewired
from findings.index import EstateIndex
from findings.stoppers import stoppers
from findings.survey import Survey
from findings.sweep_rows import SweepRow, sweep_rows
from topology.model import Number

Direction = Literal["worse", "unknown", "better", "fewer", "changed"]
Verdict = Literal["worse", "unknown", "better", "changed", "same"]

MORE_IS_BETTER: Final = frozenset({"spareFeeds", "ratedKw", "proven"})
_OF_A_SNAPSHOT: Final = frozenset({"criticalUnits", "units", "stops", "proven", "unknownNodes"})
_DIRECTIONS: Final[tuple[Direction, ...]] = ("worse", "unknown", "better", "fewer", "changed")
_TOPICS: Final[tuple[Topic, ...]] = (
    "worst-loss",
    "exposure",
    "single-point",
    "redundancy",
    "rating",
    "proof",
    "draw",
)


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that differs; None: unknown.

    `fewer`: a loss that is smaller only because nodes are gone. `was_bound`: what was not proven before is
    worse only by what is known now; the old figure was a bound.
    """

    key: Key
    old: Number | None
    new: Number | None
    direction: Direction
    was_bound: bool = False


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
    `standings`: what nodes of both sides no longer say of where they stand.
    """

    load: str
    worst_old: Loss | None
    worst_new: Loss | None
    added: Membership
    removed: Membership
    changes: tuple[Change, ...]
    wiring: tuple[Rewiring, ...]
    forgotten: int
    standings: tuple[Said, ...]
    caveats: tuple[str, ...]

    def count(self, direction: Direction) -> int:
        """Return how many changes go that way."""
        return sum(change.direction == direction for change in self.changes)

    @property
    def worse(self) -> bool | None:
        """Whether anything is worse; None where something that was known no longer is."""
        if self.count("worse"):
            return True
        return None if self.count("unknown") or self.forgotten or self.standings else False

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
class _Knowledge:
    """What tells a figure that is another from one that is known otherwise.

    `told`: the figures of the old side with the criticality and the standings that only the new one knows;
    `informed`: with the ratings, loads and kW per unit too. `unproven`: the failures that were
    not proven safe on one of those, "" for the one that is the worst now; `baseline`: so what is out.
    """

    kept: Kept | None
    doubt: Doubt
    told: Mapping[Key, Number | None] | None
    informed: Mapping[Key, Number | None] | None
    unproven: frozenset[str]
    baseline: bool

    def was_bound(self, key: Key) -> bool:
        """Return whether a figure of the old side was only a bound of what is lost."""
        return self.baseline or key.id in self.unproven


def compare(old: Facility, new: Facility) -> Difference:
    """Compare two estates at the same kind of load."""
    before, after = _side(old), _side(new)
    removed = _only_in(old, new)
    standings = forgotten_standings(old.estate, new.estate)
    found = _knowledge(before, after, standings)
    return Difference(
        load=new.load,
        worst_old=before.worst,
        worst_new=after.worst,
        added=_only_in(new, old),
        removed=removed,
        changes=tuple(sorted(_changes(before, after, found), key=_order)),
        wiring=rewired(old.estate, new.estate),
        forgotten=len(removed.nodes) if new.estate.bare else 0,
        standings=standings,
        caveats=distinct(
            caveat for side in (old, new) for caveat in estate_caveats(EstateIndex(side.estate))
        ),
    )


def _knowledge(before: _Side, after: _Side, standings: tuple[Said, ...]) -> _Knowledge:
    old, new = before.facility, after.facility
    said = told(old, new)
    then = before if said is None else _side(said)
    rated = informed(then.facility, new)
    unproven = {row.failed for row in (*before.rows, *then.rows) if row.unproven}
    if after.worst is not None and after.worst.id in unproven:
        unproven.add("")
    return _Knowledge(
        kept(old, new),
        doubt(old, new, before.rows, after.rows, silent=bool(standings)),
        None if said is None else then.figures,
        None if rated is None else _side(rated).figures,
        frozenset(unproven),
        baseline_unproven(old) or baseline_unproven(then.facility),
    )


def _only_in(one: Facility, other: Facility) -> Membership:
    return Membership(
        tuple(sorted(set(one.domain_ids) - set(other.domain_ids))),
        tuple(sorted(set(one.node_ids) - set(other.node_ids))),
    )


def _changes(before: _Side, after: _Side, known: _Knowledge) -> Iterator[Change]:
    """Figures of things on both sides; a single point counts as 0 where it is none.

    A map alone says nothing about units, draws and workloads: beside one, only its own figures are compared.
    """
    bare = before.facility.estate.bare or after.facility.estate.bare
    for key in before.figures.keys() | after.figures.keys():
        on_both = key in before.figures and key in after.figures
        if (bare and key.field in _OF_A_SNAPSHOT) or not (on_both or key.topic == "single-point"):
            continue
        old, new = before.figures.get(key, 0), after.figures.get(key, 0)
        if old != new:
            yield _change(key, old, new, known, stopped=before.stopped | after.stopped)
    if not bare:
        yield from _draws(before.facility, after.facility)


def _draws(old: Facility, new: Facility) -> Iterator[Change]:
    """Yield of how many nodes that both sides have the draw is unknown, where that is another number."""
    both = set(old.node_ids).intersection(new.node_ids)
    was, now = (
        sum(kw is None and node in both for node, kw in zip(side.node_ids, side.node_kw, strict=True))
        for side in (old, new)
    )
    if was != now:
        key = Key("draw", "estate", "", None, "unknownNodes")
        yield Change(key, was, now, "unknown" if now > was else "changed")


def _change(
    key: Key, old: Number | None, new: Number | None, known: _Knowledge, *, stopped: frozenset[str]
) -> Change:
    if key.topic == "single-point" and key.about in stopped:
        return Change(key, old, new, "changed")  # it is stopped, or runs again
    direction = _direction(key.field, old, new)
    if direction == "better" and known.kept is not None:
        direction = _of_the_kept(key, known.kept)
    if direction == "better" and known.doubt.of(key):
        direction = "unknown"
    elif direction == "better" and known.told is not None and key.topic == "worst-loss":
        then = known.told.get(key)  # a label that is new names another failure as the worst
        direction = "changed" if then == new else _direction(key.field, then, new)
    elif direction == "worse" and old is not None and known.doubt.of_larger(key, old):
        direction = "unknown"
    elif direction == "worse" or new is None:
        if known.told is not None and not _worse_than(known.told, key, new):
            return Change(key, old, new, "changed")  # it was so before, and is only said now
        doubted = key.topic == "proof" or known.was_bound(key)
        if known.informed is not None and doubted and not _worse_than(known.informed, key, new):
            return Change(key, old, new, "changed", was_bound=key.topic != "proof")
    if key.topic == "proof":
        direction = "changed" if direction == "better" else "unknown"
    return Change(key, old, new, direction)


def _worse_than(then: Mapping[Key, Number | None], key: Key, new: Number | None) -> bool:
    """Return whether a figure is worse than that of the old side with what is known now, or less known."""
    was = then.get(key, 0)
    return was != new and _direction(key.field, was, new) in ("worse", "unknown")


def _direction(field: Field, old: Number | None, new: Number | None) -> Direction:
    if new is None:
        return "unknown"
    if old is None:
        return "changed"
    return "better" if (new > old) == (field in MORE_IS_BETTER) else "worse"


def _of_the_kept(key: Key, kept: Kept) -> Direction:
    """Return whether a loss is smaller for the nodes that are still there, or only for want of others."""
    if key.topic == "single-point":
        return "better" if key.about in kept.hosted else "fewer"
    old, new = kept.old.get(key), kept.new.get(key)
    if key.topic not in ("exposure", "worst-loss") or old is None or new is None:
        return "better"
    return "fewer" if old == new else _direction(key.field, old, new)


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
    for row in rows:
        figures[Key("proof", "domain", row.failed, None, "proven")] = int(not row.unproven)
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
