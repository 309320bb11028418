"""Utilization over an hour and 90 days of failures from Prometheus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import node
from tests.collector.direct import NOW, by_id, caveats, estate_of
from tests.collector.exporter import GR, PROXY, QUERY, SM, UTIL, line
from tests.collector.stub_server import Answer, Cluster, Handler, ok, status
from topo import collect

Vector = list[tuple[dict[str, str], object]]


def prometheus(vectors: dict[str, Vector]) -> Handler:
    """Return a stub of the query API that answers the named queries, the others with nothing."""
    by_query = {collect.QUERIES[name]: rows for name, rows in vectors.items()}

    def handle(query: dict[str, str]) -> Answer:
        rows = by_query.get(query["query"], [])
        result = [{"metric": metric, "value": [NOW.timestamp(), str(value)]} for metric, value in rows]
        return ok({"status": "success", "data": {"resultType": "vector", "result": result}})

    return handle


LONG_AGO = NOW.timestamp() - 95 * 86400


HOST = {"Hostname": "n1"}


FULL_HISTORY: dict[str, Vector] = {
    "ecc single-bit": [(HOST, 3.2), ({**HOST, "pod": "other-exporter"}, 1)],
    "ecc double-bit": [(HOST, 0)],
    "ecc since": [(HOST, LONG_AGO)],
    "xid": [(HOST, 2)],
    "xid since": [(HOST, LONG_AGO)],
    "job failures": [({"node": "n1"}, 1)],
    "job failures since": [({"node": "n1"}, LONG_AGO)],
}


def asked(vectors: dict[str, Vector], *nodes: dict[str, Any]) -> dict[str, Any]:
    """Return the estate of some nodes (one, old, by default) with Prometheus."""
    old = node("n1", gpus=1)
    old["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z"
    cluster = Cluster(answers={QUERY: prometheus(vectors)}).add(*(nodes or (old,)))
    return estate_of(cluster, "--prometheus", "mon/prom:9090", "--dcgm", "off")


class TestPrometheus:
    """One hour of utilization and 90 days of failures; what it does not have stays unknown."""

    def test_utilization_over_an_hour(self) -> None:
        one = asked({f"utilization {GR}": [({**HOST, "gpu": "0"}, 0.6)]})["nodes"][0]
        assert (one["utilization"], one["utilizationBasis"], one["utilizationWindowHours"]) == (
            0.6,
            "dcgm",
            1,
        )

    def test_the_exporters_own_pod_is_not_the_holder(self) -> None:
        rows: Vector = [
            ({**HOST, "gpu": "0", "pod": "dcgm-a", "exported_pod": "train"}, 0.8),
            ({**HOST, "gpu": "1", "pod": "dcgm-a"}, 0.0),
        ]
        assert asked({f"utilization {GR}": rows})["nodes"][0]["utilization"] == 0.8

    def test_full_history(self) -> None:
        one = asked(FULL_HISTORY)["nodes"][0]
        assert (one["eccErrors90d"], one["jobFailures90d"], one["xidEvents90d"]) == (4, 1, 2)

    @pytest.mark.parametrize("missing", ["ecc double-bit", "ecc since"])
    def test_a_missing_term_leaves_the_count_unknown(self, missing: str) -> None:
        vectors = {name: rows for name, rows in FULL_HISTORY.items() if name != missing}
        estate = asked(vectors)
        assert estate["nodes"][0]["eccErrors90d"] is None
        assert estate["nodes"][0]["xidEvents90d"] == 2
        assert "eccErrors90d is unknown" in caveats(estate)

    def test_fifteen_days_are_not_ninety(self) -> None:
        short: dict[str, Vector] = {
            name: ([(HOST, NOW.timestamp() - 15 * 86400)] if name == "xid since" else rows)
            for name, rows in FULL_HISTORY.items()
        }
        assert asked(short)["nodes"][0]["xidEvents90d"] is None

    def test_a_young_node_is_complete_since_its_creation(self) -> None:
        young = node("n1", gpus=1)
        young["metadata"]["creationTimestamp"] = "2026-11-20T00:00:00Z"
        short: dict[str, Vector] = {
            name: ([(HOST, NOW.timestamp() - 11 * 86400)] if name.endswith("since") else rows)
            for name, rows in FULL_HISTORY.items()
        }
        assert asked(short, young)["nodes"][0]["xidEvents90d"] == 2

    def test_absent_is_null_with_its_basis(self) -> None:
        estate = estate_of(Cluster().add(node("n1")), "--dcgm", "off")
        assert [estate["nodes"][0][key] for key in collect.HISTORY] == [None, None, None]
        assert estate["provenance"]["signals"]["history"]["reachable"] is False
        assert "Failure history (ECC, job failures, XID) was not observed" in caveats(estate)

    @pytest.mark.parametrize(
        "answer",
        [
            status(403),
            status(503),
            ok({"status": "error", "error": "too many samples"}),
            ok(
                {
                    "status": "success",
                    "data": {"resultType": "vector", "result": []},
                    "warnings": ["store down"],
                }
            ),
            ok({"status": "success", "data": {"resultType": "matrix", "result": []}}),
            ok("no"),
        ],
    )
    def test_no_or_a_partial_answer_is_unreachable(self, answer: Answer) -> None:
        cluster = Cluster(answers={QUERY: answer}).add(node("n1"))
        estate = estate_of(cluster, "--prometheus", "mon/prom:9090", "--dcgm", "off")
        assert estate["provenance"]["signals"]["prometheus"]["reachable"] is False
        assert estate["nodes"][0]["eccErrors90d"] is None
        assert "Prometheus was not reachable" in caveats(estate)

    def test_one_query_that_fails_leaves_the_others(self) -> None:
        stub = prometheus(FULL_HISTORY)

        def handle(query: dict[str, str]) -> Answer:
            return status(504) if query["query"] == collect.QUERIES["xid"] else stub(query)

        estate = estate_of(
            Cluster(answers={QUERY: handle}).add(node("n1", gpus=1)),
            "--prometheus",
            "mon/prom:9090",
            "--dcgm",
            "off",
        )
        one = estate["nodes"][0]
        assert (one["eccErrors90d"], one["xidEvents90d"]) == (4, None)
        assert "xidEvents90d could not be read" in caveats(estate)

    def test_without_dcgm_series_the_exporters_are_asked(self) -> None:
        answers: dict[str, Answer | Handler] = {
            QUERY: prometheus({}),
            PROXY: ok(line(UTIL, 50, gpu="0", Hostname="n1")),
        }
        cluster = Cluster(answers=answers).add(node("n1", gpus=1))
        estate = estate_of(cluster, "--prometheus", "mon/prom:9090", "--dcgm", "gpu/dcgm:9400")
        assert estate["nodes"][0]["utilization"] == 0.5

    def test_queries_are_pinned(self) -> None:
        """The published queries; a change here changes what a figure means."""
        assert json.loads((Path(__file__).parent / "data" / "queries.json").read_text()) == collect.QUERIES

    def test_nodes_are_told_apart(self) -> None:
        rows: Vector = [
            ({"Hostname": "n1", "gpu": "0"}, 0.6),
            ({"hostname": "n2", "gpu": "0"}, 0.2),
        ]
        nodes = by_id(
            asked({f"utilization {SM}": rows}, node("n1", gpus=1), node("n2", gpus=1), node("n3", gpus=1))[
                "nodes"
            ]
        )
        assert [nodes[name].get("utilizationBasis") for name in ("n1", "n2", "n3")] == [
            "dcgm",
            "dcgm",
            "requests",
        ]
