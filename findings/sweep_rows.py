"""Every single-domain failure as the rows of `topo sweep` (spec: topo sweep), ranked."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from closure.blocks import Workers
from closure.compiled import Facility
from closure.results import Basis
from closure.sweep import Progress, Row, StrictRow, sweep
from findings.grave import Grave, Graves
from findings.index import EstateIndex
from findings.tally import Tallies, Tally
from findings.unproven import unproven
from topology.model import Number
from topology.pause import collector_paused

if TYPE_CHECKING:
    from findings.pairs.rows import PairRow


@dataclass(frozen=True, slots=True)
class StrictFigures:
    """The strict check of a failure: how much it loses."""

    agrees: bool
    domains: int
    tally: Tally

    @property
    def nodes(self) -> int:
        """Lost nodes."""
        return self.tally.nodes

    @property
    def units(self) -> Number | None:
        """Lost units; None: unknown."""
        return self.tally.units

    @property
    def critical_units(self) -> Number | None:
        """Critical units among them; None: unknown."""
        return self.tally.critical_units


@dataclass(frozen=True, slots=True)
class SweepRow:
    """The failure of one domain alone. `strict` is None where the check was not asked for.

    `unproven`: some survivor is not proven safe (`findings.unproven`).
    """

    failed: str
    kind: str
    domains: int
    tally: Tally
    basis: tuple[Basis, ...]
    strict: StrictFigures | None
    grave: Grave
    unproven: bool

    @property
    def by_strict(self) -> bool:
        """Whether the strict check is the worse of the two engines (spec 4)."""
        strict = self.strict
        if strict is None or strict.agrees:
            return False
        return (size(strict.tally), strict.domains) > (size(self.tally), self.domains)

    @property
    def leading(self) -> Tally:
        """The figures of the engine that loses more."""
        return self.strict.tally if self.strict is not None and self.by_strict else self.tally


def size(tally: Tally) -> tuple[Number, Number, int]:
    """Return what failures are compared by: critical units, units, nodes; known parts."""
    return (tally.critical_units or 0, tally.units or 0, tally.nodes)


def sweep_rows(
    facility: Facility,
    *,
    index: EstateIndex | None = None,
    strict: bool = True,
    progress: Progress | None = None,
    workers: Workers | None = None,
    tallies: Tallies | None = None,
) -> list[SweepRow]:
    """Return every single-domain failure, ranked: critical units, units, id; `tallies`: what counts."""
    index = EstateIndex(facility.estate) if index is None else index
    tallies = Tallies(facility, index) if tallies is None else tallies
    with collector_paused():
        failures = sweep(facility, strict=strict, progress=progress, workers=workers)
        return sorted(_rows(facility, tallies, failures), key=_rank)


def _rows(facility: Facility, tallies: Tallies, failures: Iterable[Row]) -> Iterator[SweepRow]:
    domains, graves = facility.estate.domains, Graves(facility, tallies.index)
    for row in failures:
        failed = facility.domain_ids[row.failed]
        tally = tallies.tally(row.groups)
        check = None if row.strict is None else _strict(tallies, row.groups, tally, row.strict)
        engines = (row.groups,) if row.strict is None else (row.groups, row.strict.groups)
        yield SweepRow(
            failed,
            domains[failed].kind,
            len(row.domains),
            tally,
            row.basis,
            check,
            graves.of(engines),
            row_unproven(facility, row),
        )


def row_unproven(facility: Facility, row: Row) -> bool:
    """Return whether nobody can vouch for what survives one failure, by the engines that were asked."""
    strict = row.strict
    lost = (row.domains, row.groups)
    if strict is None or (strict.domains == row.domains and strict.groups == row.groups):
        in_either = lost
    else:
        in_either = ((*row.domains, *strict.domains), (*row.groups, *strict.groups))
    return unproven(facility, row.basis, lost, in_either, None if strict is None else strict.loads_unsure)


def _strict(tallies: Tallies, groups: tuple[int, ...], tally: Tally, row: StrictRow) -> StrictFigures:
    checked = tally if row.groups == groups else tallies.tally(row.groups)
    return StrictFigures(row.agrees, len(row.domains), checked)


def _rank(row: SweepRow) -> tuple[Number, Number, int, str]:
    # A bare map knows no units: there, what loses more nodes is worse.
    nodes = row.tally.nodes if row.tally.units is None else 0
    return (-(row.tally.critical_units or 0), -(row.tally.units or 0), -nodes, row.failed)


def sweep_row_to_json(row: SweepRow) -> dict[str, Any]:
    """Return a row of the sweep's document."""
    return scenario_to_json(row, (row.failed,))


def _grave_to_json(grave: Grave) -> dict[str, Any]:
    quorums = grave.quorums
    return {
        "quorumLost": None if quorums is None else [{"cluster": c, "role": role} for c, role in quorums],
        "servicesBelow": grave.services_below,
    }


def scenario_to_json(row: "SweepRow | PairRow", failed: Sequence[str]) -> dict[str, Any]:
    """Return the figures of one scenario, whatever fails in it."""
    tally, strict = row.tally, row.strict
    return {
        "failed": list(failed),
        "domains": row.domains,
        "nodes": tally.nodes,
        "units": tally.units,
        "criticalUnits": tally.critical_units,
        "criticalShare": tally.critical_share,
        "unknownCriticality": tally.unknown_criticality,
        "unitsStalled": tally.units_stalled,
        "progressAtRiskUsd": tally.usd,
        "gangUsd": tally.gang_usd,
        "unpricedWorkloads": tally.unpriced_workloads,
        "progressUnknownCount": tally.unknown,
        "gangUnknownCount": tally.gang_unknown,
        "basis": list(row.basis),
        "unproven": row.unproven,
        "strict": None if strict is None else _strict_to_json(strict),
        "casualties": _grave_to_json(row.grave),
    }


def _strict_to_json(strict: StrictFigures) -> dict[str, Any]:
    return {
        "agrees": strict.agrees,
        "domains": strict.domains,
        "nodes": strict.nodes,
        "units": strict.units,
        "criticalUnits": strict.critical_units,
        "unknownCriticality": strict.tally.unknown_criticality,
    }


def sweep_document(rows: list[SweepRow], *, load: str) -> dict[str, Any]:
    """Return the document of `topo sweep --format json`."""
    return {
        "schemaVersion": 1,
        "order": 1,
        "load": load,
        "scenarios": [sweep_row_to_json(row) for row in rows],
    }
