"""Every single-domain failure of a facility: closure and strict check, one row each."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from closure.compiled import Facility
from closure.results import Basis
from closure.single_losses import SingleLosses, single_losses
from closure.strict_events import EventDriven, StrictOutcome

Progress = Callable[[int, int], None]
"""Called with the scenarios done and the scenarios in all."""

_PROGRESS_EVERY = 1000


class StrictRow(NamedTuple):
    """The strict check of one failure. Indices ascending, as in Row."""

    domains: tuple[int, ...]
    groups: tuple[int, ...]
    tripped: tuple[int, ...]
    agrees: bool


class Row(NamedTuple):
    """What the failure of one domain takes down, baseline and itself included: indices, ascending.

    Nodes of one group are lost together: `groups` says which, and `facility.groups` who they are.
    """

    failed: int
    domains: tuple[int, ...]
    groups: tuple[int, ...]
    basis: tuple[Basis, ...]
    strict: StrictRow | None


def sweep(facility: Facility, *, strict: bool = True, progress: Progress | None = None) -> Iterator[Row]:
    """Yield a row per domain, in the order of `facility.domain_ids`.

    The closure of all is known before the first row; the strict check of each runs when its row is asked for,
    so that memory grows with what is lost, never with scenarios × estate.
    """
    losses = single_losses(facility)
    checks = EventDriven(facility) if strict else None
    count = len(facility.domain_ids)
    for d, basis in enumerate(_basis_labels(losses, count)):
        domains, groups = lost_with(losses, d)
        check = None if checks is None else _strict_row(domains, groups, checks.run((d,)))
        yield Row(d, domains, groups, basis, check)
        if progress is not None and ((d + 1) % _PROGRESS_EVERY == 0 or d + 1 == count):
            progress(d + 1, count)


def lost_with(losses: SingleLosses, failed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the domains and the groups that are lost when one domain fails, baseline included, ascending."""
    domains, groups = losses.domains[failed], losses.groups[failed]
    if not losses.baseline_domains:
        # What hangs from a domain has a higher index.
        return (failed, *domains), tuple(groups)
    return (
        tuple(sorted({failed, *domains, *losses.baseline_domains})),
        tuple(sorted({*groups, *losses.baseline_groups})),
    )


def _basis_labels(losses: SingleLosses, count: int) -> Iterator[tuple[Basis, ...]]:
    """Yield the basis labels of every failure (spec 4)."""
    labels: tuple[Basis, ...] = ("electrically-unverified", "redundant", "worst-credible")
    # Few combinations occur: rows share them.
    made: dict[tuple[bool, ...], tuple[Basis, ...]] = {}
    for d in range(count):
        carried = (d in losses.unverified, d in losses.redundant, d in losses.worst_credible)
        known = made.get(carried)
        if known is None:
            known = made[carried] = tuple(label for label, has in zip(labels, carried, strict=True) if has)
        yield known


def _strict_row(domains: Sequence[int], groups: Sequence[int], outcome: StrictOutcome) -> StrictRow:
    strict_domains, strict_groups = tuple(sorted(outcome.domains)), tuple(sorted(outcome.groups))
    agrees = strict_groups == groups and (
        strict_domains == domains
        or set(domains).symmetric_difference(strict_domains) <= outcome.tripped.keys()
    )
    return StrictRow(strict_domains, strict_groups, tuple(sorted(outcome.tripped)), agrees)
