"""What one scenario does to the facility, as frozen values (spec 4 and the whatif contract of spec 6)."""

from dataclasses import dataclass
from typing import Literal

DomainCause = Literal["failed", "out", "parent-lost", "feeds-lost", "demoted"]
NodeCause = Literal["failed", "standing-lost"]
Basis = Literal["electrically-unverified", "redundant", "worst-credible"]


@dataclass(frozen=True, slots=True)
class LostDomain:
    """A lost domain: `by` are the lost ids that did it, `sources` the failed or out ids behind it.

    The last three are set for a demotion only: the load [kW], the survivors' rating [kW], the survivors.
    """

    id: str
    cause: DomainCause
    by: tuple[str, ...]
    sources: tuple[str, ...]
    load_kw: float | None = None
    surviving_rated_kw: float | None = None
    survivors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LostNode:
    """A lost node: `axis` and `by` for the first axis that took it, `axes` for every axis that is lost."""

    id: str
    cause: NodeCause
    by: tuple[str, ...]
    sources: tuple[str, ...]
    axis: str | None = None
    axes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Degraded:
    """Alive, with at least one feed gone. `spare` is how many more of the survivors it can lose."""

    id: str
    type: Literal["domain", "node"]
    lost_feeds: tuple[str, ...]
    surviving_feeds: tuple[str, ...]
    spare: int
    axes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unverified:
    """A survivor nobody can vouch for electrically: unrated surviving feeds, or a draw that is unknown."""

    id: str
    unrated_feeds: tuple[str, ...]
    draw_known: bool


@dataclass(frozen=True, slots=True)
class Closure:
    """The least fixpoint of spec 4, sorted by id. `baseline_*` is what is lost with nothing failed."""

    failed: tuple[str, ...]
    baseline_domains: tuple[str, ...]
    baseline_nodes: tuple[str, ...]
    domains: tuple[LostDomain, ...]
    nodes: tuple[LostNode, ...]
    degraded: tuple[Degraded, ...]
    electrically_unverified: tuple[Unverified, ...]
    basis: tuple[Basis, ...]


@dataclass(frozen=True, slots=True)
class Trip:
    """A rated domain that tripped, in `round` (from 1), under `after_kw` [kW]."""

    id: str
    round: int
    before_kw: float
    after_kw: float
    rated_kw: float


@dataclass(frozen=True, slots=True)
class Survivor:
    """A live domain that carries more than with nothing failed or out [kW]."""

    id: str
    before_kw: float
    after_kw: float
    peak_kw: float
    rated_kw: float | None


@dataclass(frozen=True, slots=True)
class Strict:
    """The strict electrical check (spec 4, beyond). `lower_bound`: some node's kW is unknown."""

    domains: tuple[str, ...]
    nodes: tuple[str, ...]
    tripped: tuple[Trip, ...]
    survivors: tuple[Survivor, ...]
    rounds: int
    lower_bound: bool
    agrees: bool
