"""Ratings and meters against the strict flow with nothing failed or out (beyond the methodology)."""

from collections.abc import Iterator
from dataclasses import dataclass

from closure.compiled import Facility
from closure.tolerance import exceeds
from findings import constants
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Rated:
    """A rated domain and what flows through it [kW]. Not `exact`: power of unknown kW passes it."""

    domain: str
    kind: str
    rated_kw: Number
    flow_kw: float
    exact: bool

    @property
    def overcommitted(self) -> bool | None:
        """Whether the flow exceeds the rating; None where only a lower bound of the flow is known."""
        if exceeds(self.flow_kw, self.rated_kw):
            return True
        return False if self.exact else None

    @property
    def stranded_kw(self) -> float | None:
        """The rating that nothing draws [kW]; None where only a lower bound of the flow is known."""
        return max(0.0, self.rated_kw - self.flow_kw) if self.exact else None


@dataclass(frozen=True, slots=True)
class Meter:
    """A meter's reading beside the model's flow [kW]. `model_kw` None: some of it is unknown."""

    domain: str
    measured_kw: Number
    model_kw: float | None

    @property
    def mismatch(self) -> bool | None:
        """Whether they differ by more than a fifth of the model's flow."""
        if self.model_kw is None:
            return None
        return exceeds(abs(self.measured_kw - self.model_kw), constants.METER_TOLERANCE * self.model_kw)


def rated_domains(facility: Facility) -> Iterator[Rated]:
    """Yield every rated domain, by id."""
    for domain_id in sorted(facility.domain_ids):
        domain = facility.estate.domains[domain_id]
        if domain.rated_kw is not None:
            exact = _exact(facility, domain_id)
            yield Rated(domain_id, domain.kind, domain.rated_kw, facility.strict_flow_kw(domain_id), exact)


def meters(facility: Facility) -> Iterator[Meter]:
    """Yield every metered domain, by id."""
    for domain_id in sorted(facility.domain_ids):
        measured = facility.estate.domains[domain_id].measured_kw
        if measured is not None:
            exact = _exact(facility, domain_id)
            yield Meter(domain_id, measured, facility.strict_flow_kw(domain_id) if exact else None)


def _exact(facility: Facility, domain_id: str) -> bool:
    """Return whether the whole flow is known: what stands on a domain need not pass it (spec 4)."""
    return facility.domain_index[domain_id] not in facility.bounded_flows
