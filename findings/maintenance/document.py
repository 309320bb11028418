"""The answer of `topo ok-to-take-out` as a document: complete, null where unknown."""

from typing import Any, Final

from findings.curtail.document import ages_to_json
from findings.maintenance.largest import Largest
from findings.maintenance.load import CarriesMore
from findings.maintenance.plan import Job, Maintenance, Window
from findings.maintenance.roles import QuorumRisk, RoleAtStake
from findings.maintenance.safety import Doubt, Loss
from findings.maintenance.second import SecondFailure
from findings.scenario_json import assumption_to_json, degraded_to_json

SCHEMA_VERSION: Final = 1


def maintenance_to_json(result: Maintenance) -> dict[str, Any]:
    """Return the document."""
    safety, most_added = result.safety, result.second.most_added
    return {
        "schemaVersion": SCHEMA_VERSION,
        "cluster": None if result.estate.bare else result.estate.cluster,
        "unit": None if result.estate.bare else result.estate.unit,
        "load": result.load,
        "takeOut": list(safety.ids),
        "verdict": result.verdict,
        "safe": safety.safe,
        "out": list(result.out),
        "outAlready": list(result.out_already),
        "lostAlready": list(result.lost_already),
        "baseline": {
            "domains": list(safety.closure.baseline_domains),
            "nodes": list(safety.closure.baseline_nodes),
        },
        "lost": _lost(result),
        "roles": None if safety.roles is None else [_role(role) for role in safety.roles],
        "unknown": [doubt_to_json(doubt) for doubt in safety.doubts],
        "ratingsNeeded": [_carried(each) for each in result.ratings_needed],
        "degraded": [degraded_to_json(each) for each in safety.degraded],
        "withoutRedundancy": [each.id for each in safety.without_redundancy],
        "carriesMore": [_carried(each) for each in result.carries_more],
        "secondFailure": {
            "tried": result.second.tried,
            "worst": _second(result.second.losing[0]) if result.second.losing else None,
            "mostAdded": None if most_added is None else _second(most_added),
            "failures": [_second(each) for each in result.second.losing],
            "quorumLost": [_risk(each) for each in result.second.quorums],
        },
        "jobs": [_job(job) for job in result.jobs],
        "drainExpectedMinutes": result.drain.expected_minutes,
        "drainWorstMinutes": result.drain.worst_minutes,
        "window": None if result.window is None else _window(result.window),
        "largest": None if result.largest is None else _largest(result.largest),
        **ages_to_json(result.staleness),
        "assumptions": [assumption_to_json(each) for each in result.assumptions],
        "caveats": list(result.caveats),
    }


def _lost(result: Maintenance) -> dict[str, Any]:
    safety = result.safety
    return {
        "domains": list(safety.domains),
        "nodes": [_loss(loss) for loss in safety.losses],
        "allocatedNodes": len(safety.allocated),
        "units": result.impact.exposure.units,
        "criticalUnits": result.impact.exposure.critical_units,
        "tripped": list(safety.tripped),
    }


def _loss(loss: Loss) -> dict[str, Any]:
    return {"id": loss.node, "allocated": loss.allocated, "closure": loss.closure, "strict": loss.strict}


def _role(role: RoleAtStake) -> dict[str, Any]:
    return {
        "cluster": role.cluster,
        "role": role.role,
        "lost": role.lost,
        "lostAlready": role.lost_already,
        "total": role.total,
        "quorumLost": role.quorum_lost,
        "quorumLostAlready": role.quorum_lost_already,
    }


def _risk(each: QuorumRisk) -> dict[str, Any]:
    return {"cluster": each.cluster, "role": each.role, "failures": list(each.failures)}


def doubt_to_json(doubt: Doubt) -> dict[str, Any]:
    """Return where something is unknown that an answer needs, and why."""
    return {"id": doubt.id, "why": doubt.why, "unratedFeeds": list(doubt.feeds)}


def _carried(each: CarriesMore) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind,
        "beforeKw": each.before_kw,
        "beforeExact": each.before_exact,
        "duringKw": each.during_kw,
        "duringExact": each.during_exact,
        "ratedKw": each.rated_kw,
        "share": each.share,
    }


def _second(each: SecondFailure) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind,
        "by": each.by,
        "nodes": each.nodes,
        "units": each.units,
        "criticalUnits": each.critical_units,
        "nodesWithoutWork": each.nodes_without,
        "nodesAdded": each.nodes_added,
    }


def _job(job: Job) -> dict[str, Any]:
    workload = job.hit.workload
    return {
        "id": workload.id,
        "kind": workload.kind,
        "critical": workload.critical,
        "owner": workload.owner,
        "contact": workload.contact,
        "action": job.action,
        "nodes": list(job.hit.nodes),
        "unitsStanding": job.hit.units_standing,
        "unitsStalled": job.hit.units_stalled,
        "drainExpectedMinutes": job.drain.expected_minutes,
        "drainWorstMinutes": job.drain.worst_minutes,
    }


def _window(window: Window) -> dict[str, Any]:
    return {
        "durationMinutes": window.duration_minutes,
        "until": window.until,
        "latestStart": window.latest_start,
        "latestSafeStart": window.latest_safe_start,
        "why": window.why,
        "inTime": window.in_time,
    }


def _largest(largest: Largest) -> dict[str, Any]:
    return {
        "max": largest.limit,
        "candidates": largest.candidates,
        "exact": largest.exact,
        "ids": list(largest.ids),
    }
