"""The priced loss of a failure (methodology: Progress at risk, Checkpoint & restart cadence)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from findings import constants
from findings.amounts import partial_sum, share_of, total
from findings.exposure import Hit
from findings.index import EstateIndex, PricedUnits
from topology.model import Estate, Number, Workload

RestartBasis = Literal["annotated", "estateDefault", "assumed"]


@dataclass(frozen=True, slots=True)
class Restart:
    """A restart overhead [min] and where it comes from."""

    minutes: Number
    basis: RestartBasis


@dataclass(frozen=True, slots=True)
class ProgressTerm:
    """One training workload's loss. Dollars are None without a checkpoint interval or a needed price.

    `standing` and `stalled` are the units lost and the units of the whole stopped job, by price [USD/h].
    """

    workload: Workload
    standing: PricedUnits
    stalled: PricedUnits
    lost_minutes: Number | None
    restart: Restart
    usd: float | None
    gang_usd: float | None


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What may be training, and nobody knows.

    `kindless` workloads are of kind `unknown`, `unclaimed_nodes` have allocated units that no workload
    claims; not `listed`: no workload at all is.
    """

    unclaimed_nodes: int = 0
    kindless: int = 0
    listed: bool = True

    @property
    def terms(self) -> int:
        """How many terms a sum over training leaves out for it."""
        return self.unclaimed_nodes + self.kindless

    @property
    def hides_all(self) -> bool:
        """Whether nothing is known of what runs there, not even that some of it is no training."""
        return self.unclaimed_nodes > 0 and not self.listed


NOTHING_UNSAID: Final = Unsaid()


@dataclass(frozen=True, slots=True)
class Progress:
    """Dollars at risk [USD]: for the units that stand in the blast, and for whole gangs (spec 4).

    None when there is training and none of it is known; the known part when some is. `unpriced_workloads`
    have no checkpoint interval; `unknown` and `gang_unknown` count every term left out. Among them is what
    may be training and nobody knows (`unsaid`).
    """

    usd: float | None
    gang_usd: float | None
    unpriced_workloads: int
    unknown: int
    gang_unknown: int
    annotated: int
    estate_default: int
    assumed: int
    terms: tuple[ProgressTerm, ...]
    unsaid: Unsaid = NOTHING_UNSAID


def restart_of(workload: Workload, estate: Estate) -> Restart:
    """Return the restart overhead by precedence: annotation, estate default, stated assumption."""
    if workload.restart_minutes is not None:
        return Restart(workload.restart_minutes, "annotated")
    if estate.default_restart_minutes is not None:
        return Restart(estate.default_restart_minutes, "estateDefault")
    return Restart(constants.DEFAULT_RESTART_MINUTES, "assumed")


def lost_minutes(checkpoint_minutes: Number | None, restart_minutes: Number) -> Number | None:
    """Return checkpoint_interval / 2 + restart_overhead [min]; None without a checkpoint interval."""
    if checkpoint_minutes is None:
        return None
    return share_of(checkpoint_minutes, constants.CHECKPOINT_EXPECTED_SHARE) + restart_minutes


def loss_usd(units: PricedUnits, minutes: Number | None) -> float | None:
    """Return Σ units × (lost_minutes / 60) × price [USD]; None where the minutes or a price is unknown."""
    if minutes is None:
        return None
    terms = []
    for price, amount in units.items():
        if price is None:
            return None
        terms.append(amount * minutes * price / 60)
    return float(total(terms))


def progress_term(
    workload: Workload, estate: Estate, standing: PricedUnits, stalled: PricedUnits
) -> ProgressTerm:
    """Return one training workload's term."""
    restart = restart_of(workload, estate)
    minutes = lost_minutes(workload.checkpoint_minutes, restart.minutes)
    return ProgressTerm(
        workload=workload,
        standing=standing,
        stalled=stalled,
        lost_minutes=minutes,
        restart=restart,
        usd=loss_usd(standing, minutes),
        gang_usd=loss_usd(stalled, minutes),
    )


def progress(index: EstateIndex, hit: Iterable[Hit], lost_nodes: Iterable[str] = ()) -> Progress:
    """Return the progress at risk of the workloads that were hit on `lost_nodes`; only training counts."""
    terms, kindless = [], 0
    for h in hit:
        kindless += h.workload.kind == "unknown"
        if h.workload.kind != "training":
            continue
        standing = index.priced_units(h.workload, h.nodes)
        whole = h.units_stalled != h.units_standing
        stalled = index.priced_units(h.workload, h.workload.placements) if whole else standing
        terms.append(progress_term(h.workload, index.estate, standing, stalled))
    unclaimed = sum(node_id in index.unclaimed for node_id in lost_nodes)
    unknown = Unsaid(unclaimed, kindless, listed=bool(index.estate.workloads))
    return sum_terms(terms, bare=index.estate.bare, unsaid=unknown)


def sum_terms(
    terms: Iterable[ProgressTerm], *, bare: bool = False, unsaid: Unsaid = NOTHING_UNSAID
) -> Progress:
    """Return the sum of the terms; unknown in a bare topology, whose workloads nobody knows."""
    terms = tuple(terms)
    usd = partial_sum(term.usd for term in terms)
    gang = partial_sum(term.gang_usd for term in terms)
    blind = bare or unsaid.hides_all
    bases = [term.restart.basis for term in terms if term.lost_minutes is not None]
    return Progress(
        usd=None if blind else usd.value,
        gang_usd=None if blind else gang.value,
        unpriced_workloads=sum(term.lost_minutes is None for term in terms),
        unknown=usd.unknown + unsaid.terms,
        gang_unknown=gang.unknown + unsaid.terms,
        annotated=bases.count("annotated"),
        estate_default=bases.count("estateDefault"),
        assumed=bases.count("assumed"),
        terms=terms,
        unsaid=unsaid,
    )
