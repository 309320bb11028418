"""The plain figures of the findings document (spec 6: `metrics`), null where unknown."""

from typing import Any

from findings.context import Context
from findings.drain import drain
from findings.scenario_json import race_to_json


def metrics(ctx: Context) -> dict[str, Any]:
    """Return every figure by the contract; lists sorted by id, exposure by its ranking."""
    return {
        "ledger": _ledger(ctx),
        "lemons": [
            {
                "node": each.node,
                "score": each.score,
                "lemon": each.lemon,
                "unknownTerms": list(each.unknown_terms),
            }
            for each in ctx.lemons
        ],
        "idle": _idle(ctx),
        "exposure": _exposure(ctx),
        "progressAtRisk": [
            {
                "domain": domain_id,
                "usd": one.tally.usd,
                "gangUsd": one.tally.gang_usd,
                "unpricedWorkloads": one.tally.unpriced_workloads,
                "unknownCount": one.tally.unknown,
                "gangUnknownCount": one.tally.gang_unknown,
            }
            for domain_id, one in ctx.survey().singles.items()
        ],
        "thermalRaces": [race_to_json(race) for race in ctx.races],
        "drains": _drains(ctx),
        "entropy": _entropy(ctx),
        "collisions": {
            "windows": [{"hour": w.hour, "loops": list(w.loops)} for w in ctx.collisions.windows],
            "unobservedHours": ctx.collisions.unobserved_hours,
        },
        "coverage": {
            "facilityShare": ctx.coverage.share,
            "nodes": ctx.coverage.nodes,
            "nodesCovered": len(ctx.coverage.covered),
        },
        "staleness": {
            "snapshotAgeHours": ctx.staleness.snapshot.hours,
            "stale": ctx.staleness.stale,
            "topologyFileAgeHours": ctx.staleness.topology_file.hours,
        },
        "reclaim": _reclaim(ctx),
    }


def _ledger(ctx: Context) -> dict[str, Any]:
    book = ctx.ledger
    return {
        "installed": book.installed,
        "allocated": book.allocated,
        "rawFree": book.raw_free,
        "powerCapped": book.power_capped,
        "onLemon": book.on_lemon,
        "fragmented": book.fragmented,
        "safeUsable": book.safe_usable,
        "powerUnverified": book.power_unverified,
        "historyUnverified": book.history_unverified,
        "unhealthy": book.unhealthy,
        "notSchedulable": book.not_schedulable,
        "nodesOutside": book.nodes_outside,
    }


def _idle(ctx: Context) -> dict[str, Any]:
    return {
        "units": ctx.idle.units,
        "usdPerMonth": ctx.idle.usd_per_month,
        "nodes": [
            {"node": each.node.id, "units": each.units, "usdPerMonth": each.usd_per_month}
            for each in ctx.idle.nodes
        ],
        "unknownNodes": ctx.idle.unknown_nodes,
    }


def _exposure(ctx: Context) -> list[dict[str, Any]]:
    survey, domains = ctx.survey(), ctx.estate.domains
    rows = []
    for one in survey.ranking:
        units_on, critical_on = survey.standing(one.domain)
        rows.append(
            {
                "domain": one.domain,
                "kind": domains[one.domain].kind,
                "nodes": one.tally.nodes,
                "units": one.tally.units,
                "criticalUnits": one.tally.critical_units,
                "criticalShare": one.tally.critical_share,
                "unknownCriticality": one.tally.unknown_criticality,
                "unitsOn": units_on,
                "criticalUnitsOn": critical_on,
            }
        )
    return rows


def _drains(ctx: Context) -> list[dict[str, Any]]:
    drains = ((workload.id, drain(workload)) for workload in sorted(ctx.estate.workloads, key=lambda w: w.id))
    return [
        {"workload": name, "expectedMinutes": each.expected_minutes, "worstMinutes": each.worst_minutes}
        for name, each in drains
    ]


def _entropy(ctx: Context) -> list[dict[str, Any]]:
    return [
        {
            "kind": each.kind,
            "h": each.h,
            "hNorm": each.h_norm,
            "effectiveDomains": each.effective,
            "domains": len(each.units),
            "topDomain": each.top_domain,
            "topShare": each.top_share,
        }
        for each in ctx.entropies
    ]


def _reclaim(ctx: Context) -> dict[str, Any]:
    from findings import constants

    return {
        "usdPerMonth": ctx.reclaim.usd_per_month,
        "realization": constants.RECLAIM_REALIZATION,
        "clusters": [
            {"cluster": each.cluster, "idleUnits": each.idle_units, "usdPerMonth": each.usd_per_month}
            for each in ctx.reclaim.clusters
        ],
    }
