"""What is asked of a domain that is lost with nothing more failed: nothing flows there that could be shed."""

from dataclasses import dataclass
from typing import Literal

from closure.cascade import close
from closure.compiled import Facility
from closure.results import DomainCause
from closure.strict import Round, strict_check
from topology.kinds import POWER


@dataclass(frozen=True, slots=True)
class Gone:
    """Why a domain is lost before anything fails: the cause, the lost ids that did it, what is out behind it.

    `tripped`: only the strict check loses it, by these trips.
    """

    cause: DomainCause | Literal["tripped"]
    by: tuple[str, ...]
    sources: tuple[str, ...]


def gone(facility: Facility, under: str | None, now: Round) -> Gone | None:
    """Return why a domain carries nothing in the last round of the strict check; None where it is alive."""
    if under is None:
        return None
    domain = facility.domain_index[under]
    if domain not in (now.unpowered if facility.commodity[domain] == POWER else now.lost):
        return None
    closure = close(facility, ())
    for lost in closure.domains:
        if lost.id == under:
            return Gone(lost.cause, lost.by, lost.sources)
    trips = tuple(sorted(trip.id for trip in strict_check(facility, (), closure).tripped))
    return Gone("tripped", trips, tuple(sorted(facility.domain_ids[d] for d in facility.out)))
