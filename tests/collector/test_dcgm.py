"""Utilization from DCGM's exporters, and from Prometheus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import node, pod
from tests.collector.direct import NOW, by_id, caveats, estate_of
from tests.collector.stub_server import Answer, Cluster, Handler, ok, status
from topo import collect

DATA = Path(__file__).parent / "data" / "dcgm"
PROXY = "/api/v1/namespaces/gpu/services/dcgm:9400/proxy/metrics"
QUERY = "/api/v1/namespaces/mon/services/prom:9090/proxy/api/v1/query"
SM, GR, UTIL = collect.UTILIZATION_METRICS


def line(metric: str, value: object, **labels: str) -> str:
    """Return one line of an exposition."""
    return metric + "{" + ",".join(f'{key}="{text}"' for key, text in labels.items()) + "}" + f" {value}\n"


def service(name: str, ports: list[dict[str, Any]], namespace: str = "gpu") -> dict[str, Any]:
    """Return a service."""
    return {"kind": "Service", "metadata": {"name": name, "namespace": namespace}, "spec": {"ports": ports}}


class TestExposition:
    """What exporters answer, as published and as broken."""

    @pytest.mark.parametrize(
        ("file", "samples", "malformed"),
        [
            ("v1.35_kops_tests_TestObservability_AcceleratorMetrics_ViaDCGM_output.prom", 4, 0),
            ("v1.35_vks_accelerator_metrics.prom", 1, 0),
            ("v1.35_viettel_ai_platform_accelerator_metrics.prom", 0, 4),
        ],
    )
    def test_published_answers(self, file: str, samples: int, malformed: int) -> None:
        found, bad = collect.exposition((DATA / file).read_text(), collect.UTILIZATION_METRICS)
        assert (len(found), bad) == (samples, malformed)

    def test_labels_may_hold_anything(self) -> None:
        text = UTIL + r'{a="}, b=\"x\"\\\n",Hostname="n1"} 5 1700000000000'
        assert collect.exposition(text, [UTIL]) == ([(UTIL, {"a": '}, b="x"\\\n', "Hostname": "n1"}, 5.0)], 0)

    @pytest.mark.parametrize("bad", ["{", '{a="1} 5', "{a=1} 5", '{a="1"} x', "", '{a="1" b="2"} 5'])
    def test_malformed_lines_are_counted(self, bad: str) -> None:
        assert collect.exposition(UTIL + bad, [UTIL]) == ([], 1)

    def test_other_metrics_are_skipped(self) -> None:
        assert collect.exposition(f"# HELP {UTIL} x\n{UTIL}_TOTAL 5\nother 1\n", [UTIL]) == ([], 0)


class TestNodeUtilization:
    """The best metric there is; the mean over the GPUs that pods hold, where the exporter says so."""

    def scraped(self, text: str) -> dict[str, Any]:
        cluster = Cluster(answers={PROXY: ok(text)}).add(node("n1", gpus=2))
        return estate_of(cluster, "--dcgm", "gpu/dcgm:9400")

    def test_sm_activity_before_engine_activity_before_gpu_util(self) -> None:
        text = line(UTIL, 100, gpu="0", Hostname="n1") + line(GR, 0.5, gpu="0", Hostname="n1")
        assert self.scraped(text)["nodes"][0]["utilization"] == 0.5
        text += line(SM, 0.25, gpu="0", Hostname="n1")
        estate = self.scraped(text)
        assert estate["nodes"][0]["utilization"] == 0.25
        assert f"Utilization is {SM} (1 node: n1)" in caveats(estate)
        assert estate["nodes"][0]["utilizationBasis"] == "dcgm"
        assert "utilizationWindowHours" not in estate["nodes"][0]

    def test_a_gpu_that_no_pod_holds_does_not_dilute(self) -> None:
        held = line(UTIL, 80, gpu="0", Hostname="n1", pod="train-0", namespace="ml")
        assert self.scraped(held + line(UTIL, 0, gpu="1", Hostname="n1"))["nodes"][0]["utilization"] == 0.8

    def test_all_gpus_where_nothing_is_said_of_pods(self) -> None:
        text = line(UTIL, 80, gpu="0", Hostname="n1") + line(UTIL, 20, gpu="1", Hostname="n1")
        assert self.scraped(text)["nodes"][0]["utilization"] == 0.5

    def test_hosts_that_are_no_nodes_are_said(self) -> None:
        assert "hosts that are no nodes here (1 host: n7)" in caveats(
            self.scraped(line(UTIL, 80, gpu="0", Hostname="n7"))
        )


class TestScraping:
    """A service reaches one exporter per call: repeat, stop when nothing new comes, say what was covered."""

    def rotating(self, *hosts: str) -> Handler:
        calls = iter(range(10_000))

        def handle(_: dict[str, str]) -> Answer:
            host = hosts[next(calls) % len(hosts)]
            return ok(line(UTIL, 50, gpu="0", Hostname=host))

        return handle

    def test_calls_are_repeated_until_every_gpu_node_is_seen(self) -> None:
        cluster = Cluster(answers={PROXY: self.rotating("n1", "n1", "n2", "n3")})
        cluster.add(*(node(f"n{index}", gpus=1) for index in (1, 2, 3)), node("cpu", gpus=None))
        estate = estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert [one.get("utilization") for one in estate["nodes"]] == [None, 0.5, 0.5, 0.5]
        assert sum(PROXY in one for one in cluster.log) == 4
        assert estate["provenance"]["signals"]["dcgm"] == {
            "reachable": True,
            "detail": "seen on 3 of 3 GPU nodes",
        }

    def test_it_gives_up_and_says_so(self) -> None:
        cluster = Cluster(answers={PROXY: self.rotating("n1")}).add(node("n1", gpus=1), node("n2", gpus=1))
        estate = estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert "seen on 1 of 2 GPU nodes" in caveats(estate)
        assert sum(PROXY in one for one in cluster.log) == 1 + collect.DCGM_MAX_FRUITLESS

    @pytest.mark.parametrize("code", [403, 404, 503])
    def test_unreachable(self, code: int) -> None:
        estate = estate_of(Cluster(answers={PROXY: status(code)}).add(node("n1")), "--dcgm", "gpu/dcgm:9400")
        assert estate["provenance"]["signals"]["dcgm"]["reachable"] is False
        assert "DCGM was not reachable: utilization is estimated from requests" in caveats(estate)
        assert estate["nodes"][0]["utilizationBasis"] == "requests"

    def test_off(self) -> None:
        cluster = Cluster().add(node("n1"))
        estate = estate_of(cluster, "--dcgm", "off")
        assert "DCGM was switched off" in caveats(estate)
        assert not any("services" in one for one in cluster.log)

    def test_auto_takes_services_whose_name_has_dcgm(self) -> None:
        cluster = Cluster(answers={PROXY: ok(line(UTIL, 50, gpu="0", Hostname="n1"))}).add(node("n1", gpus=1))
        cluster.add(
            service("dcgm", [{"name": "metrics", "port": 9400}]),
            service("nvidia-dcgm", [{"name": "dcgm", "port": 5555}]),
            service("secrets-vault", [{"name": "metrics", "port": 9400}], "kube-system"),
        )
        assert estate_of(cluster)["nodes"][0]["utilization"] == 0.5
        assert [one for one in cluster.log if "/proxy/" in one] == [PROXY]

    def test_auto_finds_none(self) -> None:
        estate = estate_of(Cluster().add(node("n1"), service("web", [{"port": 80}])))
        assert estate["provenance"]["signals"]["dcgm"] == {
            "reachable": False,
            "detail": "no service matches dcgm",
        }

    def test_without_gpus_nothing_is_asked(self) -> None:
        cluster = Cluster().add(node("n1", gpus=None))
        estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert not any("/proxy/" in one for one in cluster.log)

    @pytest.mark.parametrize(
        "text", ["gpu/dcgm", "dcgm:9400", "gpu/../secrets:1", "gpu/dcgm:9400/x", "on", ""]
    )
    def test_a_target_is_namespace_service_port(self, text: str) -> None:
        with pytest.raises(Exception, match="NAMESPACE/SERVICE:PORT"):
            collect.dcgm_choice(text)

    def test_a_target_may_name_its_scheme(self) -> None:
        assert (
            collect.target("a/https:b:443").path("x") == "/api/v1/namespaces/a/services/https:b:443/proxy/x"
        )


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


def test_a_pod_of_the_exporter_on_an_unknown_node_maps_nowhere() -> None:
    trimmed = collect.trim_pod(pod("dcgm-x", "gone"), lambda _: True)
    assert trimmed is not None
    assert collect.host_names([], [trimmed]) == {}
