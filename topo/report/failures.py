"""Every single-domain failure by both engines, fast: the figures that a click on a domain shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from closure.cascade import settle
from closure.results import Basis
from closure.sweep import Row, StrictRow, sweep
from findings.context import Context
from findings.grave import Grave, Graves
from findings.scenario import Worse
from findings.sweep_rows import row_unproven
from findings.tally import Tally
from topo.diagram.ground import Ground
from topo.report.states import Fates, fates
from topo.text.findings_ranking import OTHER_NODES, strict_figure
from topology.model import Number
from topology.pause import collector_paused

STATES: Final = 1_000_000
"""Lost domains and node groups, over all failures, whose states are worked out: the worst failures first."""


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of one domain alone; `worse` says which engine loses more (spec 4), and leads."""

    domain: int
    id: str
    kind: str
    lost_domains: int
    basis: tuple[Basis, ...]
    closure: Tally
    strict: Tally
    strict_domains: int
    agrees: bool
    worse: Worse
    grave: Grave
    """What the worse engine loses beyond units."""
    unproven: bool
    """Whether some survivor is not proven safe."""
    fates: Fates | None
    """What becomes of every domain and group; None beyond `STATES`."""

    @property
    def leading(self) -> Tally:
        """The figures of the engine that loses more."""
        return self.strict if self.worse == "strict" else self.closure


def failures(ctx: Context, ground: Ground) -> tuple[Failure, ...]:
    """Return every single-domain failure, the worst first: critical units, units, nodes, then id."""
    with collector_paused():
        ranked = sorted(_failures(ctx), key=lambda pair: (_negated(size(pair[0].leading)), pair[0].id))
        return tuple(_with_states(ground, ranked))


def strict_words(one: Failure) -> str:
    """Return what the strict check says of a failure where it differs, as the page of findings does."""
    if one.agrees:
        return "agrees"
    if size(one.strict) != size(one.closure):
        return f"{strict_figure(one.strict)}; {one.worse} is worse"
    same = one.strict is one.closure
    return "agrees on nodes" if same else f"{OTHER_NODES}; {one.worse} is worse"


def size(tally: Tally) -> tuple[Number, Number, int]:
    """Return what failures are ranked by; unknown counts as nothing known."""
    return (tally.critical_units or 0, tally.units or 0, tally.nodes)


def _negated(key: tuple[Number, Number, int]) -> tuple[Number, ...]:
    return tuple(-part for part in key)


def _with_states(ground: Ground, ranked: Sequence[tuple[Failure, Row]]) -> Iterator[Failure]:
    left = STATES
    for one, row in ranked:
        assert row.strict is not None  # the check was asked for
        left -= len(row.domains) + len(row.groups) + len(row.strict.domains)
        if left < 0:
            yield one
        else:
            settled = settle(ground.facility, (row.failed,))
            yield replace(one, fates=fates(ground, settled, row.groups, row.strict))


def _failures(ctx: Context) -> Iterator[tuple[Failure, Row]]:
    survey = ctx.survey()
    facility, singles, tallies = survey.facility, survey.singles, survey.tallies
    graves = Graves(facility, survey.index)
    for row in sweep(facility):
        assert row.strict is not None  # the check was asked for
        name = facility.domain_ids[row.failed]
        closure = singles[name].tally
        strict = closure if row.strict.groups == row.groups else tallies.tally(row.strict.groups)
        worse = _worse(closure, strict, len(row.domains), row.strict)
        failure = Failure(
            domain=row.failed,
            id=name,
            kind=facility.estate.domains[name].kind,
            lost_domains=len(row.domains),
            basis=row.basis,
            closure=closure,
            strict=strict,
            strict_domains=len(row.strict.domains),
            agrees=row.strict.agrees,
            worse=worse,
            grave=graves.of((row.strict.groups if worse == "strict" else row.groups,)),
            unproven=row_unproven(facility, row),
            fates=None,
        )
        yield failure, row


def _worse(closure: Tally, strict: Tally, domains: int, row: StrictRow) -> Worse:
    if row.agrees:
        return "same"
    return "strict" if (size(strict), len(row.domains)) > (size(closure), domains) else "closure"
