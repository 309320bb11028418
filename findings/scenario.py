"""One scenario, assessed: what is lost, what it costs, who is hit, and what to believe (spec 4 and 6)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from closure.cascade import close, split_ids
from closure.compiled import Facility, Load
from closure.results import Closure, Strict
from closure.strict import simulate, strict_check
from closure.unplaced import Unplaced
from findings.assumptions import Assumption, assumptions
from findings.caveats import (
    distinct,
    estate_caveats,
    exposure_caveats,
    lower_bound_caveats,
    progress_caveats,
    replica_caveats,
)
from findings.degraded import degraded_in_either
from findings.impact import Impact, assess
from findings.index import EstateIndex
from findings.race import Race, races
from findings.scenario_json import whatif_to_json
from findings.unproven import overloadable_by_id, unplaced_by_id
from findings.verdict import Verdict, verdict_of
from topology.model import Estate, Number
from topology.rules.common import plural

__all__ = ["WhatIf", "Worse", "whatif", "whatif_to_json"]

Worse = Literal["same", "closure", "strict"]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A scenario by the closure (`impact`) and by the strict check (`strict_impact`).

    `worse` says which of the two loses more (critical units, units, nodes, domains); "same" when they agree.
    `demoted_flows_kw`: what the strict check has domains carry [kW] that the closure alone demotes;
    there the load counts whole, as if it alone carried everything (spec 4 rule 4).
    What is not proven safe (`findings.unproven`): `overloadable` says that a survivor may carry too much;
    `unplaced` are nodes with units that stand by the map, which does not say where the power or the cooling
    comes from that is lost.
    """

    estate: Estate
    load: Load
    closure: Closure
    strict: Strict
    impact: Impact
    strict_impact: Impact
    worse: Worse
    demoted_flows_kw: tuple[tuple[str, float], ...]
    overloadable: bool
    unplaced: tuple[Unplaced, ...]
    races: tuple[Race, ...]
    facility_contacts: tuple[tuple[str, str], ...]
    assumptions: tuple[Assumption, ...]
    caveats: tuple[str, ...]

    @property
    def worse_impact(self) -> Impact:
        """The impact that leads the page and decides every gate."""
        return self.strict_impact if self.worse == "strict" else self.impact

    @property
    def unproven(self) -> bool:
        """Whether some survivor is not proven safe."""
        return self.overloadable or bool(self.unplaced)

    @property
    def verdict(self) -> Verdict:
        """What the page begins with."""
        return verdict_of(
            nodes=len(self.worse_impact.nodes),
            unproven=self.unproven,
            degraded=bool(degraded_in_either(self)),
        )


def whatif(facility: Facility, failed: Iterable[str], *, index: EstateIndex | None = None) -> WhatIf:
    """Assess the failure of `failed` ids (domains or nodes). Pass an `index` to assess many scenarios.

    Raises UnknownId for ids that are neither domain nor node.
    """
    index = EstateIndex(facility.estate) if index is None else index
    estate = facility.estate
    closure = close(facility, failed)
    strict = strict_check(facility, closure.failed, closure)
    before = closure.baseline_nodes
    impact = assess(index, (node.id for node in closure.nodes), before)
    strict_impact = impact if strict.nodes == impact.nodes else assess(index, strict.nodes, before)
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
        demoted_flows_kw=_demoted_flows_kw(facility, closure, strict),
        overloadable=overloadable_by_id(facility, closure, strict),
        unplaced=unplaced_by_id(facility, closure, strict),
        races=races(index, closure),
        facility_contacts=tuple((domain_id, contact) for domain_id, contact in contacts if contact),
        assumptions=assumptions(estate),
        caveats=distinct(_caveats(index, closure, strict, impact)),
    )


def _demoted_flows_kw(facility: Facility, closure: Closure, strict: Strict) -> tuple[tuple[str, float], ...]:
    standing = [
        loss.id for loss in closure.domains if loss.cause == "demoted" and loss.id not in strict.domains
    ]
    if not standing:
        return ()
    flows_kw = simulate(facility, *split_ids(facility, set(closure.failed)))[-1].flows_kw
    return tuple((each, flows_kw[facility.domain_index[each]]) for each in standing)


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
        domains, nodes = len(closure.baseline_domains), len(closure.baseline_nodes)
        yield (
            f"Already out of service before this failure: {plural(domains, 'domain')}, "
            f"{plural(nodes, 'node')}. They are part of every figure; `baseline` lists them."
        )
    yield from lower_bound_caveats(index.estate, lower_bound=strict.lower_bound)
    yield from exposure_caveats(impact.hits, impact.exposure)
    yield from replica_caveats(
        sum(each.below is None and each.min_available is not None for each in impact.services)
    )
    yield from progress_caveats(impact.progress)
