"""Every single-domain failure by both engines, fast: the figures that a click on a domain shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from closure.cascade import settle
from closure.results import Basis
from closure.sweep import StrictRow, sweep
from findings.context import Context
from findings.scenario import Worse
from findings.tally import Tally
from topo.diagram.ground import Ground
from topo.report.states import Fates, fates
from topology.model import Number
from topology.pause import collector_paused


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
    fates: Fates

    @property
    def leading(self) -> Tally:
        """The figures of the engine that loses more."""
        return self.strict if self.worse == "strict" else self.closure


def failures(ctx: Context, ground: Ground) -> tuple[Failure, ...]:
    """Return every single-domain failure, the worst first: critical units, units, nodes, then id."""
    with collector_paused():
        return tuple(sorted(_failures(ctx, ground), key=lambda one: (_negated(size(one.leading)), one.id)))


def size(tally: Tally) -> tuple[Number, Number, int]:
    """Return what failures are ranked by; unknown counts as nothing known."""
    return (tally.critical_units or 0, tally.units or 0, tally.nodes)


def _negated(key: tuple[Number, Number, int]) -> tuple[Number, ...]:
    return tuple(-part for part in key)


def _failures(ctx: Context, ground: Ground) -> Iterator[Failure]:
    survey = ctx.survey()
    facility, singles, tallies = survey.facility, survey.singles, survey.tallies
    for row in sweep(facility):
        assert row.strict is not None  # the check was asked for
        name = facility.domain_ids[row.failed]
        closure = singles[name].tally
        strict = closure if row.strict.groups == row.groups else tallies.tally(row.strict.groups)
        yield Failure(
            domain=row.failed,
            id=name,
            kind=ground.kinds[row.failed],
            lost_domains=len(row.domains),
            basis=row.basis,
            closure=closure,
            strict=strict,
            strict_domains=len(row.strict.domains),
            agrees=row.strict.agrees,
            worse=_worse(closure, strict, len(row.domains), row.strict),
            fates=fates(ground, settle(facility, (row.failed,)), row.groups, row.strict),
        )


def _worse(closure: Tally, strict: Tally, domains: int, row: StrictRow) -> Worse:
    if row.agrees:
        return "same"
    return "strict" if (size(strict), len(row.domains)) > (size(closure), domains) else "closure"
