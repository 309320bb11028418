"""What losing a set of nodes means: units, dollars, services, roles, and whom to call."""

from collections.abc import Iterable
from dataclasses import dataclass

from findings.amounts import partial_sum, total
from findings.exposure import Exposure, Hit, exposure, hits
from findings.index import EstateIndex, critical_units
from findings.progress import Progress, progress
from findings.roles import RoleLoss, role_losses
from findings.services import Service, services
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Call:
    """Whom to call about the workloads that were hit; None where a workload does not say."""

    namespace: str | None
    owner: str | None
    contact: str | None
    workloads: int
    units: Number
    critical_units: Number | None
    criticality_unknown: bool = False
    """Whether some of the workloads do not say: the critical units are then a lower bound."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What a set of lost nodes means. `units_stalled` sums the workloads that were hit; None: unknown."""

    nodes: tuple[str, ...]
    exposure: Exposure
    hits: tuple[Hit, ...]
    units_stalled: Number | None
    progress: Progress
    services: tuple[Service, ...]
    roles: tuple[RoleLoss, ...]
    calls: tuple[Call, ...]

    @property
    def amplification(self) -> float | None:
        """Units stalled per unit standing (spec 4: gang accounting); None where nothing stands."""
        standing = total(hit.units_standing for hit in self.hits)
        return None if self.units_stalled is None or not standing else self.units_stalled / standing

    @property
    def below_min_available(self) -> tuple[Service, ...]:
        """Services that are left with fewer replicas than they need."""
        return tuple(service for service in self.services if service.below)


def assess(index: EstateIndex, lost_nodes: Iterable[str], lost_before: Iterable[str] = ()) -> Impact:
    """Return what losing these nodes means for workloads, services, roles and people.

    `lost_before` are those of them that are lost with nothing failed.
    """
    nodes = tuple(sorted(lost_nodes))
    hit = hits(index, nodes)
    stalls_unknown = index.estate.bare or not index.unlisted.keys().isdisjoint(nodes)
    return Impact(
        nodes=nodes,
        exposure=exposure(index, nodes, hit),
        hits=hit,
        units_stalled=None if stalls_unknown else total(h.units_stalled for h in hit),
        progress=progress(index, hit, nodes),
        services=services(index, frozenset(nodes), frozenset(lost_before)),
        roles=role_losses(index, nodes),
        calls=calls(hit),
    )


def calls(hit: Iterable[Hit]) -> tuple[Call, ...]:
    """Return whom to call: one entry per namespace, owner and contact, most critical units first."""
    groups: dict[tuple[str | None, str | None, str | None], list[Hit]] = {}
    for h in hit:
        groups.setdefault((h.workload.namespace, h.workload.owner, h.workload.contact), []).append(h)
    found = [_call(who, members) for who, members in groups.items()]
    return tuple(sorted(found, key=_call_order))


def _call(who: tuple[str | None, str | None, str | None], members: list[Hit]) -> Call:
    critical = partial_sum(critical_units(h.workload, h.units_standing) for h in members)
    units = total(h.units_standing for h in members)
    return Call(*who, len(members), units, critical.value, critical.unknown > 0)


def _call_order(call: Call) -> tuple[Number, Number, str, str, str]:
    who = (call.namespace or "", call.owner or "", call.contact or "")
    return (-(call.critical_units or 0), -call.units, *who)
