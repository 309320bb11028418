"""Every single-domain failure of a facility: closure and strict check, one row each."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from closure.blocks import BLOCK, Workers, in_blocks
from closure.compiled import Facility
from closure.results import Basis
from closure.single_losses import Losers, SingleLosses, single_losses
from closure.strict_events import EventDriven
from topology.pause import collector_paused

Progress = Callable[[int, int], None]
"""Called with the scenarios done and the scenarios in all."""

_Outcome = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bool, tuple[int, ...]]
"""Lost domains, lost groups, tripped domains of one strict check, by index, ascending; what is in doubt."""


class StrictRow(NamedTuple):
    """The strict check of one failure. Indices ascending, as in Row.

    `loads_unsure`: something carries more in some round, or may, that has no rating or an unknown load.
    `unsure`: the survivors that carry more in the end of which the rating is unknown, or part of the flow.
    """

    domains: tuple[int, ...]
    groups: tuple[int, ...]
    tripped: tuple[int, ...]
    agrees: bool
    loads_unsure: bool
    unsure: tuple[int, ...]


class Row(NamedTuple):
    """What the failure of one domain takes down, baseline and itself included: indices, ascending.

    Nodes of one group are lost together: `groups` says which, and `facility.groups` who they are.
    """

    failed: int
    domains: tuple[int, ...]
    groups: tuple[int, ...]
    basis: tuple[Basis, ...]
    strict: StrictRow | None


def sweep(
    facility: Facility,
    *,
    strict: bool = True,
    progress: Progress | None = None,
    workers: Workers | None = None,
    failed_nodes: Collection[int] = (),
) -> Iterator[Row]:
    """Yield a row per domain, in the order of `facility.domain_ids`.

    `failed_nodes` fail with every domain; they are not in the rows, and draw nothing in the strict check.

    The closure of all is known before the first row; the strict check runs block by block as rows are asked
    for, here or by the workers, so that memory grows with what is lost, never with scenarios × estate.
    """
    losses = single_losses(facility)
    count = len(facility.domain_ids)
    labels = _basis_labels(losses, count)
    checks: Iterator[Sequence[_Outcome | None]] = repeat([None] * BLOCK)
    if strict:
        start = EventDriven(facility, failed_nodes) if failed_nodes else facility.strict_start
        checks = in_blocks(_strict_outcomes, start, range(count), workers=workers)
    blocks = (range(count)[first : first + BLOCK] for first in range(0, count, BLOCK))
    for outcomes, failing in zip(checks, blocks, strict=False):
        yield from _rows(losses, labels, failing, outcomes)
        if progress is not None:
            progress(failing.stop, count)


@collector_paused()
def _rows(
    losses: SingleLosses,
    labels: Sequence[tuple[Basis, ...]],
    failing: Iterable[int],
    outcomes: Iterable[_Outcome | None],
) -> list[Row]:
    rows = []
    for d, check in zip(failing, outcomes, strict=False):
        domains, groups = lost_with(losses, d)
        rows.append(
            Row(d, domains, groups, labels[d], None if check is None else _strict_row(domains, groups, check))
        )
    return rows


@collector_paused()
def _strict_outcomes(checks: EventDriven, failing: Sequence[int]) -> list[_Outcome]:
    """Return what each of these domains takes down by the strict check, failing alone."""
    outcomes = (checks.run((d,), flows=False, doubts=True) for d in failing)
    return [
        (
            tuple(sorted(outcome.domains)),
            tuple(sorted(outcome.groups)),
            tuple(sorted(outcome.tripped)),
            outcome.unsure,
            checks.unsure(outcome),
        )
        for outcome in outcomes
    ]


def lost_with(losses: SingleLosses, failed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the domains and the groups that are lost when one domain fails, baseline included, ascending."""
    domains, groups = losses.domains[failed], losses.groups[failed]
    if not losses.baseline_domains:
        # What hangs from a domain has a higher index.
        return (failed, *domains) if domains else (failed,), tuple(groups)
    return (
        tuple(sorted({failed, *domains, *losses.baseline_domains})),
        tuple(sorted({*groups, *losses.baseline_groups})),
    )


def _basis_labels(losses: SingleLosses, count: int) -> list[tuple[Basis, ...]]:
    """Return the basis labels of every failure (spec 4)."""
    carrying: tuple[tuple[Basis, Losers], ...] = (
        ("electrically-unverified", losses.unverified),
        ("redundant", losses.redundant),
        ("worst-credible", losses.worst_credible),
    )
    labels: list[tuple[Basis, ...]] = [()] * count
    for label, failures in carrying:
        # Few combinations occur: rows share them.
        longer = {known: (*known, label) for known in set(labels)}
        for d in failures:
            labels[d] = longer[labels[d]]
    return labels


def _strict_row(domains: tuple[int, ...], groups: tuple[int, ...], outcome: _Outcome) -> StrictRow:
    strict_domains, strict_groups, tripped, loads_unsure, unsure = outcome
    if strict_groups == groups and strict_domains == domains:
        # By far the commonest: nothing is kept twice.
        return StrictRow(domains, groups, tripped, True, loads_unsure, unsure)
    differing = set(domains).symmetric_difference(strict_domains)
    agrees = strict_groups == groups and differing <= set(tripped)
    return StrictRow(strict_domains, strict_groups, tripped, agrees, loads_unsure, unsure)
