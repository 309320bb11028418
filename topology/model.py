"""The nouns: what the operator and the cluster say, as frozen values (spec 1 and 2).

Unknown is None throughout, never 0. Numbers keep the type they were given in (8 stays an int).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Number = int | float
Mode = Literal["one", "any", "all"]
Unit = Literal["gpu", "cpu"]


@dataclass(frozen=True, slots=True)
class Standing:
    """What a node says on one axis.

    `one`: a single id, lost with it. `any`: redundant ids (also a bare list on pdu and ups), lost when
    all are lost. `all`: every id is needed, lost when one is lost.
    """

    axis: str
    mode: Mode
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overload:
    """How long equipment carries an overload: `percent` of its rating [%], for `seconds` [s]."""

    percent: Number
    seconds: Number


@dataclass(frozen=True, slots=True)
class Domain:
    """A failure domain: one piece of the facility (spec 1).

    `declared` is False for an implicit root that only nodes name. `min_feeds` and `transfer` are None
    where the file says nothing: one surviving feed is then enough, and live feeds share equally.
    """

    id: str
    kind: str
    parent: str | None = None
    feeds: tuple[str, ...] = ()
    min_feeds: int | None = None
    rated_kw: Number | None = None
    ride_through_minutes: Number | None = None
    own_load_kw: Number | None = None
    measured_kw: Number | None = None
    transfer: Literal["share", "preferred"] | None = None
    overload: tuple[Overload, ...] = ()
    failures_per_year: Number | None = None
    repair_hours: Number | None = None
    out: bool = False
    description: str | None = None
    contact: str | None = None
    declared: bool = True

    @property
    def feeds_needed(self) -> int:
        """How many feeds must survive (spec 1: minFeeds, default 1); 0 without feeds."""
        if not self.feeds:
            return 0
        return 1 if self.min_feeds is None else self.min_feeds


@dataclass(frozen=True, slots=True)
class Topology:
    """A facility map: where nodes stand, and the chains behind the domains.

    `domains` holds every domain: declared ones and the implicit roots that only nodes name.
    """

    nodes: Mapping[str, tuple[Standing, ...]]
    domains: Mapping[str, Domain]
    version: int | None = None
    verified_at: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of the snapshot. `allocated` is None only where a bare topology stands in for an estate."""

    id: str
    allocated: Number | None
    installed: Number | None = None
    standings: tuple[Standing, ...] = ()
    utilization: Number | None = None
    utilization_basis: str | None = None
    utilization_window_hours: Number | None = None
    ecc_errors_90d: Number | None = None
    job_failures_90d: Number | None = None
    xid_events_90d: Number | None = None
    ready: bool | None = None
    schedulable: bool | None = None
    kw_per_unit: Number | None = None
    idle_kw_per_unit: Number | None = None
    price_per_unit_hour: Number | None = None
    model: str | None = None
    unhealthy: Number | None = None
    roles: tuple[str, ...] = ()
    provider_id: str | None = None
    system_uuid: str | None = None
    cluster: str | None = None
    """The cluster it came from, in a merged estate; None otherwise."""


@dataclass(frozen=True, slots=True)
class Workload:
    """One workload: units per node in `placements`. `critical` None means unknown."""

    id: str
    kind: str
    placements: Mapping[str, Number]
    critical: bool | None = None
    critical_basis: str | None = None
    checkpoint_minutes: Number | None = None
    restart_minutes: Number | None = None
    gang: bool | None = None
    namespace: str | None = None
    owner: str | None = None
    contact: str | None = None
    replicas: Mapping[str, int] | None = None
    min_available: int | None = None
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Loop:
    """A control loop's actions per clock hour, oldest first; None where the hour was not observed."""

    id: str
    hourly_actions: tuple[Number | None, ...]
    cluster: str | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """Whether one source of the collector could be read, and why not."""

    reachable: bool
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the collector could and could not see."""

    collected_at: str | None = None
    collector_version: str | None = None
    topology_file_modified_at: str | None = None
    signals: Mapping[str, Signal] = field(default_factory=lambda: MappingProxyType({}))
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClusterTerms:
    """One cluster of a merged estate, with its share of the fleet view."""

    id: str
    snapshot_at: str


@dataclass(frozen=True, slots=True)
class Estate:
    """A snapshot of one cluster (or several, merged) standing on a facility.

    `price_per_unit_hour` [USD/h], `watts_per_unit_kw` [kW], `default_restart_minutes` [min] are the
    estate's assumptions; `bases` names where each came from ("estate" or "command line").
    `bare` is True where a topology without any snapshot stands in: every unit is unknown.
    """

    cluster: str
    unit: Unit
    snapshot_at: str
    nodes: tuple[Node, ...]
    domains: Mapping[str, Domain]
    workloads: tuple[Workload, ...] = ()
    loops: tuple[Loop, ...] = ()
    price_per_unit_hour: Number | None = None
    watts_per_unit_kw: Number | None = None
    default_restart_minutes: Number | None = None
    idle_kw_per_unit: Number | None = None
    sample: bool = False
    provenance: Provenance = Provenance()
    bases: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    verified_at: str | None = None
    clusters: tuple[ClusterTerms, ...] = ()
    notes: tuple[str, ...] = ()
    bare: bool = False
