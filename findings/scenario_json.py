"""A scenario as the document of `topo whatif --format json` (spec 6 contract; more keys, never fewer)."""

from typing import TYPE_CHECKING, Any

from closure.results import Closure, Degraded, LostDomain, LostNode, Strict
from closure.unplaced import Unplaced
from findings.assumptions import Assumption
from findings.exposure import Exposure, Hit
from findings.impact import Call, Impact
from findings.progress import Progress
from findings.race import Race
from findings.roles import RoleLoss
from findings.services import Service

if TYPE_CHECKING:
    from findings.scenario import WhatIf

SCHEMA_VERSION = 1


def whatif_to_json(result: "WhatIf") -> dict[str, Any]:
    """Return the document: complete, deterministic, null where unknown."""
    closure, impact = result.closure, result.impact
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": None if result.estate.bare else result.estate.cluster,
        "unit": None if result.estate.bare else result.estate.unit,
        "load": result.load,
        "failed": list(closure.failed),
        "verdict": result.verdict,
        "worse": result.worse,
        "baseline": {"domains": list(closure.baseline_domains), "nodes": list(closure.baseline_nodes)},
        "lost": {
            "domains": [lost_domain_to_json(domain) for domain in closure.domains],
            "nodes": [lost_node_to_json(node) for node in closure.nodes],
            "workloads": [_hit(hit) for hit in impact.hits],
        },
        "degraded": [degraded_to_json(each) for each in closure.degraded],
        "electricallyUnverified": [
            {"id": each.id, "unratedFeeds": list(each.unrated_feeds), "drawKnown": each.draw_known}
            for each in closure.electrically_unverified
        ],
        "basis": list(closure.basis),
        "unproven": result.unproven,
        "unplaced": [unplaced_to_json(each) for each in result.unplaced],
        **_impact(impact),
        "thermalRaces": [race_to_json(race) for race in result.races],
        "strict": _strict(result.strict, result.strict_impact, closure),
        "facilityContacts": [
            {"domain": domain_id, "contact": contact} for domain_id, contact in result.facility_contacts
        ],
        "assumptions": [assumption_to_json(each) for each in result.assumptions],
        "caveats": list(result.caveats),
    }


def lost_domain_to_json(domain: LostDomain) -> dict[str, Any]:
    """Return a lost domain with its cause; the electrical figures only where it was demoted."""
    row: dict[str, Any] = {
        "id": domain.id,
        "cause": domain.cause,
        "by": list(domain.by),
        "sources": list(domain.sources),
    }
    if domain.cause == "demoted":
        row["loadKw"] = domain.load_kw
        row["survivingRatedKw"] = domain.surviving_rated_kw
        row["survivors"] = list(domain.survivors)
    return row


def lost_node_to_json(node: LostNode) -> dict[str, Any]:
    """Return a lost node with its cause; the axes only where something that it stands on took it."""
    row: dict[str, Any] = {"id": node.id, "cause": node.cause}
    if node.cause == "standing-lost":
        row["axis"] = node.axis
        row["axes"] = list(node.axes)
    row["by"] = list(node.by)
    row["sources"] = list(node.sources)
    return row


def unplaced_to_json(each: Unplaced) -> dict[str, Any]:
    """Return a node that may be lost: of which commodity the map does not know its source, and why."""
    return {"id": each.id, "commodity": each.commodity, "why": each.why}


def race_to_json(race: Race) -> dict[str, Any]:
    """Return a thermal race [min]."""
    return {
        "domain": race.domain,
        "rideThroughMinutes": race.ride_through_minutes,
        "drainExpectedMinutes": race.drain_expected_minutes,
        "drainWorstMinutes": race.drain_worst_minutes,
        "verdict": race.verdict,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "id": hit.workload.id,
        "kind": hit.workload.kind,
        "critical": hit.workload.critical,
        "unitsStanding": hit.units_standing,
        "unitsStalled": hit.units_stalled,
    }


def degraded_to_json(each: Degraded) -> dict[str, Any]:
    """Return a survivor that lost a feed; `spare` is how many more it can lose."""
    row: dict[str, Any] = {
        "id": each.id,
        "type": each.type,
        "lostFeeds": list(each.lost_feeds),
        "survivingFeeds": list(each.surviving_feeds),
        "spare": each.spare,
    }
    if each.type == "node":
        row["axes"] = list(each.axes)
    return row


def _impact(impact: Impact) -> dict[str, Any]:
    return {
        "exposure": _exposure(impact.exposure),
        "unitsStalled": impact.units_stalled,
        "amplification": impact.amplification,
        "progressAtRisk": _progress(impact.progress),
        "services": [_service(service) for service in impact.services],
        "roles": [_role(role) for role in impact.roles],
        "call": [_call(call) for call in impact.calls],
    }


def _exposure(exposure: Exposure) -> dict[str, Any]:
    return {
        "units": exposure.units,
        "criticalUnits": exposure.critical_units,
        "criticalShare": exposure.critical_share,
        "nodes": exposure.nodes,
        "unknownCriticality": exposure.unknown_criticality,
    }


def _progress(progress: Progress) -> dict[str, Any]:
    return {
        "usd": progress.usd,
        "gangUsd": progress.gang_usd,
        "unpricedWorkloads": progress.unpriced_workloads,
        "unknownCount": progress.unknown,
        "gangUnknownCount": progress.gang_unknown,
        "restartBasis": {
            "annotated": progress.annotated,
            "estateDefault": progress.estate_default,
            "assumed": progress.assumed,
        },
    }


def _service(service: Service) -> dict[str, Any]:
    return {
        "id": service.workload.id,
        "replicas": service.replicas,
        "replicasLeft": service.replicas_left,
        "minAvailable": service.min_available,
        "below": service.below,
        "wasBelow": service.was_below,
    }


def _role(role: RoleLoss) -> dict[str, Any]:
    return {
        "cluster": role.cluster,
        "role": role.role,
        "lost": role.lost,
        "total": role.total,
        "quorumLost": role.quorum_lost,
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        "namespace": call.namespace,
        "owner": call.owner,
        "contact": call.contact,
        "workloads": call.workloads,
        "units": call.units,
        "criticalUnits": call.critical_units,
    }


def assumption_to_json(each: Assumption) -> dict[str, Any]:
    """Return an estate-wide figure with its basis."""
    return {"name": each.name, "value": each.value, "unit": each.unit, "basis": each.basis}


def _strict(strict: Strict, impact: Impact, closure: Closure) -> dict[str, Any]:
    domains = {domain.id for domain in closure.domains}
    nodes = {node.id for node in closure.nodes}
    return {
        "agrees": strict.agrees,
        "lost": {"domains": list(strict.domains), "nodes": list(strict.nodes)},
        "more": {
            "domains": [domain_id for domain_id in strict.domains if domain_id not in domains],
            "nodes": [node_id for node_id in strict.nodes if node_id not in nodes],
        },
        "fewer": {
            "domains": sorted(domains.difference(strict.domains)),
            "nodes": sorted(nodes.difference(strict.nodes)),
        },
        "rounds": strict.rounds,
        "lowerBound": strict.lower_bound,
        "tripped": [
            {
                "id": trip.id,
                "round": trip.round,
                "beforeKw": trip.before_kw,
                "afterKw": trip.after_kw,
                "ratedKw": trip.rated_kw,
            }
            for trip in strict.tripped
        ],
        "survivors": [
            {
                "id": survivor.id,
                "beforeKw": survivor.before_kw,
                "afterKw": survivor.after_kw,
                "peakKw": survivor.peak_kw,
                "ratedKw": survivor.rated_kw,
            }
            for survivor in strict.survivors
        ],
        "exposure": _exposure(impact.exposure),
        "unitsStalled": impact.units_stalled,
        "progressAtRisk": _progress(impact.progress),
    }
