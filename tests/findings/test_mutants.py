"""Small behaviours that no other test would miss: each was found by changing one thing in the source."""

from dataclasses import replace

import pytest

from closure.compiled import compile_facility
from findings.context import Context
from findings.document import findings_document
from findings.finding import Badge, Finding
from findings.index import EstateIndex
from findings.ledger import ledger
from findings.maintenance.plan import plan_maintenance
from findings.power_capped import caps
from findings.reclaim import reclaim
from findings.stoppers import stops
from findings.sweep_rows import size, sweep_document, sweep_rows
from findings.tally import Tally
from findings.term import term
from findings.traced.nodes import idle_of_node
from tests.findings.small import estate_of_json, node
from topology.model import ClusterTerms, Workload

NOW = "2026-12-01T00:00:00Z"


def test_one_mapped_node_is_enough_for_physical_findings() -> None:
    """Methodology: "Without a facility map, physical-domain findings degrade to zone/host level"."""
    estate = estate_of_json([node("n1", domains={"pdu": "p"}), node("n2")], {"p": {"kind": "power"}})
    assert EstateIndex(estate).mapped
    assert not EstateIndex(estate_of_json([node("n1"), node("n2")])).mapped


def test_a_cluster_that_holds_nothing_has_a_row_of_its_own() -> None:
    """Methodology, fleet reclaim: "Σ over clusters", of which there is always one."""
    found = reclaim(EstateIndex(estate_of_json([node("n1")])))
    assert [each.cluster for each in found.clusters] == ["c"]


def test_clusters_are_listed_by_id() -> None:
    terms = tuple(ClusterTerms(name, "2026-12-01T00:00:00Z") for name in ("b", "a"))
    estate = replace(estate_of_json([node("n1")]), clusters=terms)
    assert [each.cluster for each in reclaim(EstateIndex(estate)).clusters] == ["a", "b"]


@pytest.mark.parametrize(
    ("hours", "confidence"), [(0.99, "Low"), (1, "Med"), (23.9, "Med"), (24, "High"), (None, "Low")]
)
def test_how_long_an_idle_node_was_watched(hours: float | None, confidence: str) -> None:
    """Spec 5: one scrape is Low, a window of an hour Med, a measured history High."""
    watched = {} if hours is None else {"utilizationWindowHours": hours}
    idle = node("n1", allocated=8, utilization=0.01, utilizationBasis="dcgm", **watched)
    found = idle_of_node(Context(estate_of_json([idle], pricePerUnitHour=2.0), NOW), "n1")
    assert found is not None
    assert found.badge.level == confidence


def test_what_is_unknown_counts_as_nothing_where_failures_are_compared() -> None:
    tally = Tally(2, 5, 0, 0.0, 5, 5, None, None, 0, 0, 0)
    assert size(tally) == (0, 5, 2)
    assert size(replace(tally, units=None, critical_units=None)) == (0, 0, 2)


def test_a_workload_stops_with_the_last_node_that_holds_units_of_it() -> None:
    job = Workload("w", "batch", {"n1": 2, "n2": 0})
    assert stops(job, ["n1"])
    assert not stops(job, [])


def test_a_row_without_the_strict_check_speaks_for_the_closure() -> None:
    estate = estate_of_json([node("n1", allocated=8, domains={"pdu": "p"})], {"p": {"kind": "power"}})
    (row,) = sweep_rows(compile_facility(estate), strict=False)
    assert (row.strict, row.by_strict, row.leading) == (None, False, row.tally)


def test_a_single_critical_unit_comes_before_any_number_of_others() -> None:
    """Spec 5, exposure: ranked by critical units, then by units; a second failure during work likewise."""
    nodes = [node(f"n{x}", allocated=8, domains={"pdu": x}) for x in "ab"]
    nodes.append(node("work"))
    jobs = [{"id": "w", "kind": "batch", "critical": True, "placements": {"nb": 1}}]
    jobs.append({"id": "v", "kind": "batch", "critical": False, "placements": {"na": 8}})
    estate = estate_of_json(nodes, {name: {"kind": "power"} for name in "ab"}, workloads=jobs)
    fewer = [replace(each, allocated=1) if each.id == "nb" else each for each in estate.nodes]
    facility = compile_facility(replace(estate, nodes=tuple(fewer)))
    document = sweep_document(sweep_rows(facility), load="allocated")
    assert [row["failed"] for row in document["scenarios"]] == [["b"], ["a"]]
    assert [each.id for each in plan_maintenance(facility, ["work"], now=NOW).second.losing] == ["b", "a"]


def test_a_maintenance_that_nobody_can_judge_is_unknown_and_not_safe() -> None:
    """A survivor of unknown load is left with one feed: nobody can say whether that feed carries it."""
    estate = estate_of_json(
        [node("n1", allocated=8, domains={"rack": "r"})],
        {
            "a": {"kind": "ups", "ratedKw": 10},
            "b": {"kind": "ups", "ratedKw": 10},
            "r": {"kind": "rack", "feeds": ["a", "b"]},
        },
    )
    result = plan_maintenance(compile_facility(estate), ["a"], now=NOW)
    assert result.safety.safe is None
    assert result.verdict == "unknown"


def test_as_many_candidates_as_the_limit_are_still_searched_exactly() -> None:
    """docs/maintenance.md: up to 20 candidates the answer is exact."""
    names = [f"p{number:02}" for number in range(20)]
    estate = estate_of_json([node("n1")], {name: {"kind": "power"} for name in names})
    largest = plan_maintenance(compile_facility(estate), names, now=NOW, max_together=30).largest
    assert largest is not None
    assert largest.exact


def test_the_greedy_choice_keeps_the_limit() -> None:
    names = [f"p{number:02}" for number in range(21)]
    estate = estate_of_json([node("n1")], {name: {"kind": "power"} for name in names})
    largest = plan_maintenance(compile_facility(estate), names, now=NOW, max_together=3).largest
    assert largest is not None
    assert largest.ids == tuple(names[:3])
    assert not largest.exact


@pytest.mark.parametrize(("free", "fragmented"), [(7, 7), (8, 0), (9, 0)])
def test_free_units_that_hold_a_full_gang_are_no_fragment(free: int, fragmented: int) -> None:
    """Spec 5: fragmented where free < min(8, installed)."""
    estate = estate_of_json([node("n1", installed=16, allocated=16 - free)])
    assert ledger(EstateIndex(estate), compile_facility(estate)).fragmented == fragmented


def test_what_a_rack_can_still_energize_goes_by_the_ids_of_its_nodes() -> None:
    """Spec 5: "in id order", whatever comes first in the file; 3 kW are left for 2 + 2 units."""
    nodes = [node(name, installed=4, allocated=2, domains={"rack": "r"}) for name in ("n2", "n1")]
    estate = estate_of_json(nodes, {"r": {"kind": "rack", "ratedKw": 7}}, wattsPerUnitKw=1)
    found = caps(EstateIndex(estate), compile_facility(estate), [(each, 2) for each in estate.nodes])
    assert [(cap.node, cap.capped) for cap in found] == [("n1", 0), ("n2", 1)]


def test_a_sum_with_unknown_terms_is_a_lower_bound_and_a_share_is_not() -> None:
    """Both sides of a share may leave terms out."""
    root = term("figure", 0.5, "")
    low = Badge("Low")
    assert Finding("idle-allocation", "Idle", root, low, unknown=1).lower_bound
    assert not Finding("idle-allocation", "Idle", root, low).lower_bound
    assert not Finding("critical-share", "Share", root, low, unknown=1).lower_bound


def test_an_idle_node_without_a_price_says_that_its_spend_is_unknown() -> None:
    idle = node("n1", allocated=8, utilization=0.01, utilizationBasis="dcgm", utilizationWindowHours=2)
    priced = findings_document(estate_of_json([idle], pricePerUnitHour=2.0), now=NOW)
    unpriced = findings_document(estate_of_json([idle]), now=NOW)

    def confidence(document: dict[str, object]) -> list[object]:
        findings = document["findings"]
        assert isinstance(findings, list)
        return [each["confidence"] for each in findings if each["id"] == "idle-allocation/n1"]

    assert confidence(priced) == ["Med"]
    assert confidence(unpriced) == ["Low"]


def test_the_shortest_window_decides_how_far_idle_spend_can_be_trusted() -> None:
    signs = {"allocated": 8, "utilization": 0.01, "utilizationBasis": "dcgm"}
    nodes = [node("n1", utilizationWindowHours=2, **signs), node("n2", utilizationWindowHours=48, **signs)]
    document = findings_document(estate_of_json(nodes, pricePerUnitHour=2.0), now=NOW)
    found = {each["id"]: each["confidence"] for each in document["findings"]}
    assert found["idle-allocation/n2"] == "High"
    assert found["idle-allocation"] == "Med"
