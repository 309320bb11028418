"""What is stopped, short or lost with nothing failed is no single failure's doing."""

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.difference.compare import compare
from findings.document import findings_document
from findings.index import EstateIndex
from findings.single_points import single_points
from findings.survey import Survey
from tests import naive_engine, strategies
from tests.findings.small import NOW, estate_of_json, node
from tests.findings.test_grave import serving
from topology.assume import assume
from topology.model import Estate, Workload

RACKS: dict[str, Any] = {rack: {"kind": "rack"} for rack in ("r1", "r2", "r3")}
GANG = {"id": "t", "kind": "training", "critical": True, "criticalBasis": "label", "placements": {"a": 8}}
SERVE = {
    "id": "serve",
    "kind": "inference",
    "placements": {"a": 0, "b": 1},
    "replicas": {"a": 1, "b": 1},
    "minAvailable": 2,
}


def estate(*out: str) -> Estate:
    """A gang and two of three voters on a in rack r1, the third on b in r2; r3 carries nothing."""
    nodes = [
        node("a", allocated=8, domains={"rack": "r1"}, roles=["etcd"]),
        node("b", allocated=8, domains={"rack": "r2"}),
        node("c", domains={"rack": "r1"}, roles=["etcd"]),
        node("d", domains={"rack": "r2"}, roles=["etcd"]),
    ]
    found = estate_of_json(nodes, RACKS, workloads=[GANG, SERVE], wattsPerUnitKw=1)
    return assume(found, out=list(out))


def document(*out: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    found = findings_document(estate(*out), now=NOW)
    return found["beyond"]["allocated"], {each["id"]: each for each in found["findings"]}


def test_with_nothing_out_the_failures_are_listed() -> None:
    beyond, findings = document()
    (gang,) = beyond["singlePoints"]
    assert (gang["domains"], gang["ignoringRatings"], gang["stoppedBefore"]) == (["r1"], ["r1"], False)
    assert [each["domain"] for each in beyond["belowMinAvailable"][0]["failures"]] == ["r1", "r2"]
    assert [each["domain"] for each in beyond["quorum"][0]["failures"]] == ["r1"]
    assert findings["single-point@allocated"]["value"] == 1


def test_what_the_baseline_stops_no_failure_stops() -> None:
    beyond, findings = document("r1")
    (gang,) = beyond["singlePoints"]
    assert (gang["domains"], gang["ignoringRatings"], gang["stoppedBefore"]) == ([], [], True)
    assert (beyond["belowMinAvailable"], beyond["quorum"]) == ([], [])
    for name in ("single-point", "below-min-available", "quorum-loss"):
        finding = findings[f"{name}@allocated"]
        assert finding["value"] == 0
        assert any("with nothing failed: 1. No single failure" in caveat for caveat in finding["caveats"])


def test_taking_a_rack_out_makes_no_domain_worse_that_carries_nothing() -> None:
    before, after = compile_facility(estate()), compile_facility(estate("r1"))
    for old, new in ((before, after), (after, before)):
        changes = [each for each in compare(old, new).changes if each.key.topic == "single-point"]
        assert [(each.key.id, each.direction) for each in changes] == [("r1", "changed")]


def short(ran: int) -> Estate:
    """A critical service that needs four replicas and runs `ran` of them, all on a in rack r1, none on b."""
    nodes = [node("a", allocated=2, domains={"rack": "r1"}), node("b", domains={"rack": "r2"})]
    serve = {"placements": {"a": 2, "b": 0}, "replicas": {"a": ran, "b": 0}, "minAvailable": 4}
    return estate_of_json(
        nodes, RACKS, workloads=[{"id": "w", "kind": "inference", "critical": True, **serve}]
    )


def test_a_service_that_is_short_with_nothing_failed_is_no_domains_single_point() -> None:
    found = findings_document(short(2), now=NOW)
    (row,) = found["beyond"]["allocated"]["singlePoints"]
    assert (row["domains"], row["ignoringRatings"], row["stoppedBefore"]) == ([], [], True)
    finding = next(each for each in found["findings"] if each["id"] == "single-point@allocated")
    assert finding["value"] == 0
    assert any("stopped with nothing failed: 1. No single failure" in caveat for caveat in finding["caveats"])


def test_a_service_that_became_short_makes_no_domain_worse() -> None:
    enough, few = compile_facility(short(5)), compile_facility(short(2))
    for old, new in ((enough, few), (few, enough)):
        assert [(each.key.id, each.direction) for each in compare(old, new).changes] == [("r1", "changed")]


def stopped(workload: Workload, lost: set[str]) -> bool:
    """The page's words, again: what stops with these nodes lost."""
    hosting = {name for name, units in workload.placements.items() if units > 0}
    if workload.kind == "training" and workload.gang is not False:
        return not hosting.isdisjoint(lost)
    said = workload.replicas or {}
    if workload.min_available is not None and workload.replicas is not None and hosting <= said.keys():
        return sum(count for name, count in said.items() if name not in lost) < workload.min_available
    return hosting <= lost


@given(estate=strategies.estates(max_nodes=5), seed=st.integers(0, 2**16))
def test_a_single_point_stops_what_runs_with_nothing_failed(estate: Estate, seed: int) -> None:
    services = [replace(each, critical=True) for each in serving(estate, Random(seed)).workloads]
    estate = replace(estate, workloads=(*estate.workloads, *services))
    survey = Survey(compile_facility(estate), EstateIndex(estate))
    before = naive_engine.close(estate, ()).nodes
    closures = {name: naive_engine.close(estate, [name]).nodes for name in estate.domains}
    for row in single_points(survey, survey):
        assert row.stopped_before == stopped(row.workload, before)
        assert set(row.honouring) == {
            name
            for name, lost in closures.items()
            if stopped(row.workload, lost) and not stopped(row.workload, before)
        }
