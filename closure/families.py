"""Families of failure sets of which none contains another: what loses one thing, alone or together."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import NamedTuple

FailureSet = tuple[int, ...]
"""Domains that fail together, by index, ascending."""

Sets = tuple[FailureSet, ...]
"""Minimal failure sets, ascending."""


class Family(NamedTuple):
    """The failures that are enough alone, and the minimal sets of two and more of the others."""

    alone: frozenset[int]
    larger: frozenset[FailureSet]


NOTHING = Family(frozenset(), frozenset())
"""No failure within the order is enough."""


def minimal_family(alone: frozenset[int] | set[int], larger: Iterable[FailureSet]) -> Family:
    """Return the family of what is left of some sets without those that contain another one."""
    apart = set(filter(alone.isdisjoint, larger))
    kept: set[FailureSet] = {failures for failures in apart if len(failures) == 2}
    if len(kept) < len(apart):
        for failures in sorted(apart - kept, key=len):
            if not _contains_any(failures, kept):
                kept.add(failures)
    return Family(frozenset(alone), frozenset(kept))


def united(first: Family, second: Family) -> Family:
    """Return the family of what loses one of two things."""
    alone = first.alone | second.alone
    larger, others = (
        family.larger
        if family.alone == alone or not family.larger
        else frozenset(filter((alone - family.alone).isdisjoint, family.larger))
        for family in (first, second)
    )
    if not others or larger is others:
        return Family(alone, larger)
    if not larger:
        return Family(alone, others)
    # Each is minimal by itself: only what one has and the other lacks can contain, or be contained.
    new, old = others - larger, larger - others
    return Family(alone, (larger & others) | _without_parts_in(new, old) | _without_parts_in(old, new))


def _without_parts_in(sets: frozenset[FailureSet], others: frozenset[FailureSet]) -> frozenset[FailureSet]:
    if not sets or not others:
        return sets
    largest, smallest = max(map(len, sets)), min(map(len, others))
    if largest <= smallest:
        return sets
    if largest == 3:
        # The commonest by far, a million times in a large facility: without a call for each.
        return frozenset(
            [
                failures
                for failures in sets
                if len(failures) < 3
                or not (failures[:2] in others or failures[1:] in others or failures[::2] in others)
            ]
        )
    return frozenset([failures for failures in sets if not _contains_any(failures, others)])


def _contains_any(failures: FailureSet, sets: Collection[FailureSet]) -> bool:
    """Whether a proper part of two and more failures is one of the sets."""
    if len(failures) == 3:
        first, second, third = failures
        return (first, second) in sets or (first, third) in sets or (second, third) in sets
    return any(part in sets for size in range(2, len(failures)) for part in combinations(failures, size))


def listed(family: Family) -> Sets:
    """Return the sets of a family, ascending."""
    return tuple(sorted([*[(x,) for x in family.alone], *family.larger]))


def minimal_sets(candidates: Iterable[FailureSet]) -> Sets:
    """Return those that contain no other one, ascending.

    >>> minimal_sets([(1, 2), (3,), (1, 2, 4), (2, 3), (1, 4)])
    ((1, 2), (1, 4), (3,))
    """
    candidates = list(candidates)
    alone = {failures[0] for failures in candidates if len(failures) == 1}
    return listed(minimal_family(alone, candidates))
