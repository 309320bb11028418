"""What a smaller loss may hide: what the new side of a difference no longer knows, or never proved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from closure.cascade import close
from closure.compiled import Facility
from findings.difference.figures import Key
from findings.index import EstateIndex
from findings.sweep_rows import SweepRow, size
from findings.tally import Tally
from findings.unproven import unsure_by_id
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Doubt:
    """Where a better figure of the new side is only a bound.

    `forgets`: a rating, a draw or a standing was known and no longer is. `unproven`, `bounded`: the failures
    whose survivors are not proven safe, and those that leave out units of unknown criticality. `worst`:
    whether another may be the worst for them, and `worst_bounded`: whether the worst is one of the latter.
    `baseline`: whether what stands with nothing failed is not proven to. `rivals`: failures that may be the
    worst, for labels of what they take are gone.
    """

    forgets: bool
    unproven: frozenset[str]
    bounded: frozenset[str]
    worst: bool
    worst_bounded: bool
    baseline: bool
    known_workloads: frozenset[str]
    rivals: tuple[Tally, ...]

    def of_larger(self, key: Key, old: Number) -> bool:
        """Return whether nobody knows that the worst failure, larger as it reads, takes more than `old`."""
        if key.topic != "worst-loss" or key.field == "criticalUnits":
            return False
        return any((each.units or 0 if key.field == "units" else each.nodes) <= old for each in self.rivals)

    def of(self, key: Key) -> bool:
        """Return whether nobody knows that this figure, better as it reads, is better."""
        if key.topic in ("rating", "proof"):
            return False
        if self.forgets:
            return True
        if key.topic == "redundancy":
            return self.baseline
        critical = key.field == "criticalUnits"
        if key.topic == "worst-loss":
            return self.worst or (critical and self.worst_bounded)
        if key.topic == "single-point":
            critical = key.about not in self.known_workloads
        return key.id in self.unproven or (critical and key.id in self.bounded)


def doubt(
    old: Facility, new: Facility, before: Sequence[SweepRow], after: Sequence[SweepRow], *, silent: bool
) -> Doubt:
    """Return what is in doubt on the new side, of which `after` are the failures.

    `silent`: nodes no longer say where they stand, nor so what stands and draws there.
    Of a map alone that knows no draw nothing is in doubt but its criticality.
    """
    wired_alone = _wiring_alone(new)
    unsure = frozenset() if wired_alone else frozenset(row.failed for row in after if row.unproven)
    bounded = frozenset(row.failed for row in after if _bounded(row))
    then = {row.failed: row for row in before}
    worst = max(after, key=lambda row: size(row.leading), default=None)
    fresh = (row for row in after if row is worst or not _as_unproven(then.get(row.failed), row))
    less_labelled = not _silent(new) <= _silent(old)
    return Doubt(
        forgets=silent or _forgets(old, new),
        unproven=unsure,
        bounded=bounded,
        worst=less_labelled or not unsure.isdisjoint(row.failed for row in fresh),
        worst_bounded=worst is not None and worst.failed in bounded,
        baseline=not wired_alone and baseline_unproven(new),
        known_workloads=frozenset(each.id for each in new.estate.workloads if each.critical is not None),
        rivals=tuple(_rivals(then, after, worst)) if less_labelled else (),
    )


def _wiring_alone(facility: Facility) -> bool:
    """Return whether a map alone knows no draw, without any load of its own: its losses are its wiring's."""
    return facility.estate.bare and all(kw is None for kw in facility.own_load_kw)


def _bounded(row: SweepRow) -> bool:
    return row.tally.criticality_unknown or (row.strict is not None and row.strict.tally.criticality_unknown)


def _rivals(
    then: Mapping[str, SweepRow], after: Sequence[SweepRow], worst: SweepRow | None
) -> Iterator[Tally]:
    """Yield what failures take that leave out more units than before, enough to be the worst of all."""
    for row in after:
        before = then.get(row.failed)
        fewer_labels = _left_out(row) > (0 if before is None else _left_out(before))
        if worst is not None and fewer_labels and (row.leading.units or 0) >= size(worst.leading)[0]:
            yield row.leading


def _left_out(row: SweepRow) -> int:
    strict = 0 if row.strict is None else row.strict.tally.unknown_criticality
    return max(row.tally.unknown_criticality, strict)


def _silent(facility: Facility) -> set[tuple[str, str]]:
    """Return the workloads that do not say whether they are critical, and the nodes with units of none."""
    silent = {("workload", each.id) for each in facility.estate.workloads if each.critical is None}
    return silent | {("node", node) for node in EstateIndex(facility.estate).unclaimed}


def _as_unproven(then: SweepRow | None, now: SweepRow) -> bool:
    """Return whether a failure was unproven before and takes no less now: that is no news."""
    if then is None or not then.unproven:
        return False
    return all(was <= left for was, left in zip(size(then.leading), size(now.leading), strict=True))


def _forgets(old: Facility, new: Facility) -> bool:
    """Return whether the rating of a domain or the draw of a node is known in the old one alone."""
    unrated = any(
        kw is not None and domain in new.domain_index and new.rated_kw[new.domain_index[domain]] is None
        for domain, kw in zip(old.domain_ids, old.rated_kw, strict=True)
    )
    return unrated or any(
        kw is not None and node in new.node_index and new.node_kw[new.node_index[node]] is None
        for node, kw in zip(old.node_ids, old.node_kw, strict=True)
    )


def baseline_unproven(facility: Facility) -> bool:
    """Return whether what stands with nothing failed is not proven to: something is out of service."""
    return unsure_by_id(facility, close(facility, ()))
