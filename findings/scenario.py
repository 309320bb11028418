"""One scenario, assessed: what is lost, what it costs, who is hit, what to believe about it (spec 4 and 6)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from closure.cascade import close
from closure.compiled import Facility, Load
from closure.results import Closure, Strict
from closure.strict import strict_check
from findings.amounts import partial_sum, total
from findings.assumptions import Assumption, assumptions
from findings.caveats import (
    LOWER_BOUND_CAVEAT,
    distinct,
    estate_caveats,
    exposure_caveats,
    progress_caveats,
)
from findings.exposure import Exposure, Hit, exposure, hits
from findings.index import EstateIndex, critical_units
from findings.progress import Progress, progress
from findings.race import Race, races
from findings.roles import RoleLoss, role_losses
from findings.services import Service, services
from topology.model import Estate, Number

Worse = Literal["same", "closure", "strict"]


@dataclass(frozen=True, slots=True)
class Call:
    """Whom to call about the workloads that were hit; None where a workload does not say."""

    namespace: str | None
    owner: str | None
    contact: str | None
    workloads: int
    units: Number
    critical_units: Number | None


@dataclass(frozen=True, slots=True)
class Impact:
    """What a set of lost nodes means. `units_stalled` is the sum over the workloads that were hit."""

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


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A scenario by the closure (`impact`) and by the strict check (`strict_impact`).

    `worse` says which of the two loses more (critical units, units, nodes, domains); "same" when they agree.
    """

    estate: Estate
    load: Load
    closure: Closure
    strict: Strict
    impact: Impact
    strict_impact: Impact
    worse: Worse
    races: tuple[Race, ...]
    facility_contacts: tuple[tuple[str, str], ...]
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]

    @property
    def worse_impact(self) -> Impact:
        """The impact that leads the page and decides every gate."""
        return self.strict_impact if self.worse == "strict" else self.impact


def whatif(facility: Facility, failed: Iterable[str], *, index: EstateIndex | None = None) -> WhatIf:
    """Assess the failure of `failed` ids (domains or nodes). Pass an `index` to assess many scenarios.

    Raises UnknownId for ids that are neither domain nor node.
    """
    index = EstateIndex(facility.estate) if index is None else index
    estate = facility.estate
    closure = close(facility, failed)
    strict = strict_check(facility, closure.failed, closure)
    impact = assess(index, (node.id for node in closure.nodes))
    strict_impact = impact if strict.nodes == impact.nodes else assess(index, strict.nodes)
    domains = {domain.id for domain in closure.domains}.union(strict.domains)
    contacts = ((domain_id, estate.domains[domain_id].contact) for domain_id in sorted(domains))
    return WhatIf(
        estate=estate,
        load=facility.load,
        closure=closure,
        strict=strict,
        impact=impact,
        strict_impact=strict_impact,
        worse=_worse(closure, strict, impact, strict_impact),
        races=races(index, closure),
        facility_contacts=tuple((domain_id, contact) for domain_id, contact in contacts if contact),
        assumptions=assumptions(estate),
        caveats=distinct(_caveats(index, closure, strict, impact)),
    )


def assess(index: EstateIndex, lost_nodes: Iterable[str]) -> Impact:
    """Return what losing these nodes means for workloads, services, roles and people."""
    nodes = tuple(sorted(lost_nodes))
    hit = hits(index, nodes)
    return Impact(
        nodes=nodes,
        exposure=exposure(index, nodes, hit),
        hits=hit,
        units_stalled=None if index.estate.bare else total(h.units_stalled for h in hit),
        progress=progress(index, hit),
        services=services(index, frozenset(nodes)),
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
    return Call(*who, len(members), total(h.units_standing for h in members), critical.value)


def _call_order(call: Call) -> tuple[Number, Number, str, str, str]:
    who = (call.namespace or "", call.owner or "", call.contact or "")
    return (-(call.critical_units or 0), -call.units, *who)


def _worse(closure: Closure, strict: Strict, by_closure: Impact, by_strict: Impact) -> Worse:
    if strict.agrees:
        return "same"
    ours = (_size(by_closure), len(closure.domains))
    theirs = (_size(by_strict), len(strict.domains))
    return "strict" if theirs > ours else "closure"


def _size(impact: Impact) -> tuple[Number, Number, int]:
    return (impact.exposure.critical_units or 0, impact.exposure.units or 0, len(impact.nodes))


def _caveats(index: EstateIndex, closure: Closure, strict: Strict, impact: Impact) -> Iterator[str]:
    yield from estate_caveats(index)
    if closure.baseline_domains:
        yield (
            f"Already out of service before this failure: {len(closure.baseline_domains):,} domains, "
            f"{len(closure.baseline_nodes):,} nodes. They are part of every figure; `baseline` lists them."
        )
    if strict.lower_bound:
        yield LOWER_BOUND_CAVEAT
    yield from exposure_caveats(impact.hits, impact.exposure)
    yield from progress_caveats(impact.progress)
