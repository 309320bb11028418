"""The basis labels of a scenario of which only the losses are known, by index (spec 4)."""

from collections.abc import Collection, Iterator

from closure.compiled import Facility
from closure.results import Basis


def basis_of(
    facility: Facility, failed: Collection[int], lost: Collection[int], groups: Collection[int]
) -> tuple[Basis, ...]:
    """Return the labels of the closure in which `lost` domains and node `groups` are lost.

    The same as `closure.cascade.close` gives, without causes and sources.
    """
    labels: list[Basis] = []
    if any(_unverified(facility, d, lost) for d in _holding(facility, lost)):
        labels.append("electrically-unverified")
    if any(True for _ in _holding(facility, lost)) or _partly_standing(facility, lost, groups):
        labels.append("redundant")
    if any(facility.parent[d] in lost for d in lost if d not in failed and d not in facility.out):
        labels.append("worst-credible")
    return tuple(labels)


def _holding(facility: Facility, lost: Collection[int]) -> Iterator[int]:
    """Yield the live domains that hang from a lost one: each keeps enough of its feeds."""
    for d in lost:
        for dependent in facility.dependents[d]:
            if dependent not in lost:
                yield dependent


def _unverified(facility: Facility, d: int, lost: Collection[int]) -> bool:
    if facility.feeds_commodity[d] is None:
        return False
    alive = (feed for feed in facility.feeds[d] if feed not in lost)
    return facility.draws_kw[d] is None or any(facility.rated_kw[feed] is None for feed in alive)


def _partly_standing(facility: Facility, lost: Collection[int], groups: Collection[int]) -> bool:
    """Whether nodes stand on a lost domain, because they named several on its axis."""
    return any(g not in groups for d in lost for g in facility.groups_on[d])
