"""The findings document (spec 6: topo findings): every figure, every finding, one deterministic whole."""

from typing import Any

from closure.compiled import Load
from findings.assumptions import assumptions
from findings.beyond import beyond_to_json
from findings.caveats import distinct, estate_caveats
from findings.context import LOADS, Context
from findings.fake_redundancy import Meeting
from findings.finding import finding_to_json
from findings.metrics import metrics
from findings.registry import all_findings
from findings.scenario_json import assumption_to_json
from topology.model import Estate
from topology.pause import collector_paused

SCHEMA_VERSION = 1


def findings_document(estate: Estate, *, now: str, load: Load = "allocated") -> dict[str, Any]:
    """Return the document of an estate at `now` (RFC 3339), its failures judged at `load`."""
    return document_of(Context(estate, now, load))


def document_of(ctx: Context) -> dict[str, Any]:
    """Return the document of a context, whose results can be used again."""
    with collector_paused():
        return _document(ctx)


def _document(ctx: Context) -> dict[str, Any]:
    estate = ctx.estate
    return {
        "schemaVersion": SCHEMA_VERSION,
        "now": ctx.now,
        "cluster": estate.cluster,
        "unit": estate.unit,
        "load": ctx.load,
        "sample": estate.sample,
        "assumptions": [assumption_to_json(each) for each in assumptions(estate)],
        "caveats": list(distinct(estate_caveats(ctx.index))),
        "findings": [finding_to_json(finding) for finding in all_findings(ctx)],
        "metrics": metrics(ctx),
        "beyond": {
            "fakeRedundancy": [_meeting(each) for each in ctx.meetings],
            "singleFed": [each.node for each in ctx.cords if each.single_fed],
            **{load: beyond_to_json(ctx.beyond(load)) for load in LOADS},
        },
    }


def _meeting(each: Meeting) -> dict[str, Any]:
    return {
        "domain": each.domain,
        "kind": each.kind,
        "domains": list(each.domains),
        "nodes": list(each.nodes),
        "lastResort": each.last_resort,
    }
