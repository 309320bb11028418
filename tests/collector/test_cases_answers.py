"""Answers that broke other tools: budgets, odd lists, partial lists; cases 19, 21, 23, 25."""

from __future__ import annotations

from typing import Any

import pytest

from tests.collector.build import budget, container, node, pod
from tests.collector.cases import METRICS, NODES, PDBS, PODS, collected
from tests.collector.direct import by_id, caveats
from tests.collector.stub_server import Cluster, expired_after, ok, status
from topo import collect


class TestCase19BudgetSelectors:
    """{}: everything in policy/v1, nothing in v1beta1; none: nothing; expressions; own namespace only."""

    @pytest.mark.parametrize(
        ("selector", "critical"),
        [
            ({}, True),
            (None, False),
            ({"matchLabels": {"app": "a"}}, True),
            ({"matchLabels": {"app": "a", "x": "1"}}, False),
            ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["a", "b"]}]}, True),
            ({"matchExpressions": [{"key": "app", "operator": "In", "values": []}]}, False),
            ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["a"]}]}, False),
            ({"matchExpressions": [{"key": "absent", "operator": "NotIn", "values": ["a"]}]}, True),
            ({"matchExpressions": [{"key": "app", "operator": "Exists"}]}, True),
            ({"matchExpressions": [{"key": "absent", "operator": "Exists"}]}, False),
            ({"matchExpressions": [{"key": "absent", "operator": "DoesNotExist"}]}, True),
            ({"matchExpressions": [{"key": "app", "operator": "Near", "values": ["a"]}]}, False),
            (
                {
                    "matchLabels": {"app": "a"},
                    "matchExpressions": [{"key": "app", "operator": "DoesNotExist"}],
                },
                False,
            ),
        ],
    )
    def test_selectors(self, selector: dict[str, Any] | None, critical: bool) -> None:
        work = collected(node("n1"), pod("p", labels={"app": "a"}), budget("b", selector, minAvailable=1))[
            "workloads"
        ][0]
        assert work["critical"] is critical
        assert work["criticalBasis"] == ("pdb:b" if critical else "none")

    def test_own_namespace_only(self) -> None:
        estate = collected(node("n1"), pod("p"), budget("b", {}, namespace="other"))
        assert estate["workloads"][0]["critical"] is False

    def test_empty_selects_nothing_in_v1beta1(self) -> None:
        old = {**budget("b", {}), "apiVersion": "policy/v1beta1"}
        assert collected(node("n1"), pod("p"), old)["workloads"][0]["critical"] is False

    def test_budgets_that_cannot_be_read_do_not_make_nothing_critical(self) -> None:
        cluster = Cluster(answers={PDBS: status(403)})
        pods = [
            pod("p"),
            pod("q", labels={"iverson.gpu/critical": "false"}),
            pod("r", priority="system-cluster-critical"),
        ]
        works = by_id(collected(node("n1"), *pods, cluster=cluster)["workloads"])
        assert [works[f"ml/pod/{name}"].get("critical") for name in "pqr"] == [None, False, True]

    def test_one_unreadable_half_way_is_not_the_readable_half(self) -> None:
        cluster = Cluster()
        cluster.add(*(budget(f"b{index}", {"matchLabels": {"x": "y"}}) for index in range(501)))
        cluster.answers[PDBS] = lambda query: (
            status(500) if "continue" in query else ok(cluster._page(PDBS, query))
        )
        estate = collected(node("n1"), pod("p"), cluster=cluster)
        assert "critical" not in estate["workloads"][0]
        assert estate["provenance"]["signals"]["poddisruptionbudgets"]["reachable"] is False


class TestCase21MissingNodeMetrics:
    """Nodes missing from NodeMetricsList fall back to requests, those only, labelled."""

    def test_fallback_is_per_node(self) -> None:
        body = {
            "kind": "NodeMetricsList",
            "items": [{"metadata": {"name": "n1"}, "usage": {"cpu": "16000m"}}],
        }
        cluster = Cluster(answers={METRICS: ok(body)})
        asks = pod("p", on="n2", containers=[container(cpu="32")])
        nodes = by_id(
            collected(node("n1"), node("n2"), asks, cluster=cluster, flags=("--unit", "cpu"))["nodes"]
        )
        assert (nodes["n1"]["utilization"], nodes["n1"]["utilizationBasis"]) == (0.25, "metrics")
        assert (nodes["n2"]["utilization"], nodes["n2"]["utilizationBasis"]) == (0.5, "requests")

    def test_more_cores_used_than_there_are_is_no_reading(self) -> None:
        body = {
            "items": [
                {"metadata": {"name": "n1"}, "usage": {"cpu": "200"}},
                {"metadata": {"name": "n2"}, "usage": {"cpu": "65"}},
            ]
        }
        cluster = Cluster(answers={METRICS: ok(body)})
        nodes = by_id(collected(node("n1"), node("n2"), cluster=cluster, flags=("--unit", "cpu"))["nodes"])
        assert "utilization" not in nodes["n1"]
        assert nodes["n2"]["utilization"] == 1


class TestCase23OddLists:
    """items: null; a bare object instead of a list; pods on nodes that are not there; a providerID twice."""

    def test_null_items_are_an_empty_list(self) -> None:
        cluster = Cluster(answers={PODS: ok({"kind": "PodList", "items": None})})
        assert collected(node("n1"), cluster=cluster)["nodes"][0]["allocated"] == 0

    def test_a_bare_object_is_a_list_of_one(self) -> None:
        cluster = Cluster(answers={PODS: ok(pod("p"))})
        assert collected(node("n1"), cluster=cluster)["nodes"][0]["allocated"] == 1

    def test_null_objects_and_parts_are_nothing(self) -> None:
        hollow = {"metadata": {"name": "h", "labels": None}, "spec": None, "status": None}
        cluster = Cluster(
            answers={
                PODS: ok({"items": [None, hollow, {}]}),
                NODES: ok({"items": [node("n1"), {**hollow, "kind": "Node"}]}),
            }
        )
        assert [one["id"] for one in collected(cluster=cluster)["nodes"]] == ["h", "n1"]

    @pytest.mark.parametrize(
        "body",
        [b"", b"[]", b"{", b'{"items": 7}', b"{}", b'{"kind": "NodeList", "metadata": {}}', b"[" * 100_000],
    )
    def test_what_is_no_list_is_a_failure(self, body: bytes) -> None:
        with pytest.raises(collect.Refusal) as refusal:
            collected(cluster=Cluster(answers={NODES: ok(body)}))
        assert refusal.value.code == 4

    def test_pods_on_unknown_nodes_are_counted_out_loud(self) -> None:
        estate = collected(node("n1"), pod("p", on="gone"))
        assert estate["workloads"] == []
        assert "ml/p" in caveats(estate)

    def test_two_nodes_with_one_provider_id(self) -> None:
        estate = collected(node("n1", providerID="aws:///i-1"), node("n2", providerID="aws:///i-1"))
        assert len(estate["nodes"]) == 2
        assert "providerID with another node" in caveats(estate)


class TestCase25PartialAnswers:
    """kubectl fails half way through a large list; 403 on one resource; metrics.k8s.io absent."""

    @pytest.mark.parametrize("code", [401, 403, 500, 503, 504])
    @pytest.mark.parametrize("path", [NODES, PODS])
    def test_no_estate_of_half_a_list(self, path: str, code: int) -> None:
        cluster = Cluster()
        cluster.add(*(node(f"n{index}") for index in range(600)), *(pod(f"p{index}") for index in range(600)))
        cluster.answers[path] = lambda query: (
            status(code) if "continue" in query else ok(cluster._page(path, query))
        )
        with pytest.raises(collect.Refusal) as refusal:
            collected(cluster=cluster)
        assert refusal.value.code == 4

    @pytest.mark.parametrize("times", [1, 2])
    def test_an_expired_token_begins_the_list_anew(self, times: int) -> None:
        cluster = Cluster()
        cluster.add(node("n1", gpus=2000), *(pod(f"p{index}") for index in range(1200)))
        cluster.answers[PODS] = expired_after(cluster, PODS, pages=2, times=times)
        estate = collected(cluster=cluster)
        assert estate["nodes"][0]["allocated"] == 1200
        assert (
            estate["provenance"]["signals"]["pods"]["detail"] == f"restarted {times} time{'s' * (times > 1)}"
        )

    @pytest.mark.parametrize(
        "name",
        [
            "replicasets",
            "deployments",
            "statefulsets",
            "daemonsets",
            "jobs",
            "cronjobs",
            "poddisruptionbudgets",
            "events",
        ],
    )
    def test_403_on_one_resource_is_a_signal_and_a_caveat(self, name: str) -> None:
        cluster = Cluster(answers={collect.RESOURCES[name].path: status(403)})
        estate = collected(node("n1"), pod("p"), cluster=cluster)
        assert estate["provenance"]["signals"][name]["reachable"] is False
        assert name in caveats(estate).lower().replace(" ", "")

    @pytest.mark.parametrize("code", [403, 404, 503])
    def test_metrics_absent(self, code: int) -> None:
        cluster = Cluster(answers={METRICS: status(code)})
        estate = collected(node("n1"), cluster=cluster, flags=("--unit", "cpu"))
        assert estate["provenance"]["signals"]["metrics"]["reachable"] is False
        assert estate["nodes"][0]["utilizationBasis"] == "requests"
        assert "metrics.k8s.io was not reachable" in caveats(estate)
