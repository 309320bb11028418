"""What is stopped, short or lost with nothing failed is no single failure's doing."""

from typing import Any

from closure.compiled import compile_facility
from findings.difference.compare import compare
from findings.document import findings_document
from tests.findings.small import NOW, estate_of_json, node
from topology.assume import assume
from topology.model import Estate

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
