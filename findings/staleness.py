"""Two clocks: the snapshot's and the map's (methodology: Facility-coverage and staleness stamps)."""

from dataclasses import dataclass
from typing import Final

from findings import constants
from topology.model import Estate
from topology.timestamps import parse_timestamp

SECONDS_PER_HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Age:
    """An age [h] and the stamp it is measured from; both None where there is no stamp."""

    hours: float | None
    stamp: str | None
    field: str


@dataclass(frozen=True, slots=True)
class Staleness:
    """The two ages. `stale` when the snapshot is older than the threshold."""

    now: str
    snapshot: Age
    topology_file: Age

    @property
    def stale(self) -> bool | None:
        """Whether to warn loudly; None without a stamp."""
        return None if self.snapshot.hours is None else self.snapshot.hours > constants.STALE_HOURS


def staleness(estate: Estate, now: str) -> Staleness:
    """Return the ages at `now` (RFC 3339)."""
    provenance = estate.provenance
    taken = None if estate.bare else estate.snapshot_at
    return Staleness(
        now=now,
        snapshot=_age(now, ("provenance.collectedAt", provenance.collected_at), ("snapshotAt", taken)),
        topology_file=_age(
            now,
            ("verifiedAt", estate.verified_at),
            ("provenance.topologyFileModifiedAt", provenance.topology_file_modified_at),
        ),
    )


def _age(now: str, first: tuple[str, str | None], fallback: tuple[str, str | None]) -> Age:
    field, stamp = first if first[1] else fallback
    then = None if stamp is None else seconds(stamp)
    end = seconds(now)
    if then is None or end is None:
        return Age(None, stamp, field)
    return Age((end - then) / SECONDS_PER_HOUR, stamp, field)


def seconds(stamp: str) -> float | None:
    """Return an RFC 3339 time as seconds since 1970; None where it is none."""
    moment = parse_timestamp(stamp)
    return None if moment is None else moment.timestamp()
