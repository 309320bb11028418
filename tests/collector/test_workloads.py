"""Criticality, minimums, annotations: what is said of a workload, and on what basis."""

from __future__ import annotations

from typing import Any

import pytest

from tests.collector.build import budget, node, owner, parent, pod
from tests.collector.direct import by_id, caveats, estate_of
from tests.collector.stub_server import Cluster
from tests.collector.works import CHECKPOINT, CRITICAL, RESTART, collected, only
from topo import collect


class TestCritical:
    """critical when ANY of: label, a PodDisruptionBudget, system-cluster-critical; the label always wins."""

    @pytest.mark.parametrize(
        ("asks", "critical", "basis"),
        [
            ({"labels": {CRITICAL: "true"}}, True, "label"),
            ({"labels": {CRITICAL: "True"}}, True, "label"),
            ({"labels": {CRITICAL: "false"}, "priority": "system-cluster-critical"}, False, "label"),
            ({"priority": "system-cluster-critical"}, True, "priority:system-cluster-critical"),
            ({"priority": "our-system-cluster-critical-2"}, True, "priority:our-system-cluster-critical-2"),
            ({"priority": "system-node-critical"}, False, "none"),
            ({"labels": {CRITICAL: "yes"}}, False, "none"),
        ],
    )
    def test_bases(self, asks: dict[str, Any], critical: bool, basis: str) -> None:
        work = only(pod("p", **asks))
        assert (work["critical"], work["criticalBasis"]) == (critical, basis)

    def test_false_wins_over_a_budget(self) -> None:
        assert only(pod("p", labels={CRITICAL: "false"}), budget("b", {}))["critical"] is False

    def test_pods_that_disagree_are_critical_out_loud(self) -> None:
        ref = owner("StatefulSet", "s")
        estate = collected(
            pod("a", owner=ref, labels={CRITICAL: "true"}), pod("b", owner=ref, labels={CRITICAL: "false"})
        )
        assert estate["workloads"][0]["critical"] is True
        assert "Pods disagree on being critical" in caveats(estate)

    def test_an_unreadable_label_is_said(self) -> None:
        assert "neither true nor false" in caveats(collected(pod("p", labels={CRITICAL: "maybe"})))


class TestMinimum:
    """minAvailable comes from the one budget over one workload."""

    @pytest.mark.parametrize(
        ("spec", "minimum"),
        [
            ({"minAvailable": 2}, 2),
            ({"minAvailable": "50%"}, 2),
            ({"maxUnavailable": 1}, 2),
            ({"maxUnavailable": "34%"}, 1),
            ({"maxUnavailable": "100%"}, 0),
            ({"minAvailable": "half"}, None),
            ({}, None),
        ],
    )
    def test_of_three_replicas(self, spec: dict[str, Any], minimum: int | None) -> None:
        pods = [pod(f"p{index}", owner=owner("StatefulSet", "s")) for index in range(3)]
        assert only(*pods, budget("b", {}, **spec)).get("minAvailable") == minimum

    def test_the_controllers_own_figure_counts_pods_that_do_not_run(self) -> None:
        guard = {**budget("b", {}, maxUnavailable=1), "status": {"desiredHealthy": 4, "expectedPods": 5}}
        assert only(pod("p", owner=owner("StatefulSet", "s")), guard)["minAvailable"] == 4

    def test_a_budget_over_two_workloads_gives_none(self) -> None:
        estate = collected(pod("a"), pod("b"), budget("all", {}, minAvailable=1))
        assert all("minAvailable" not in work for work in estate["workloads"])
        assert all(work["critical"] for work in estate["workloads"])
        assert "Select several workloads" in caveats(estate)

    def test_a_budget_that_protects_nothing_is_said(self) -> None:
        assert "Allow any disruption" in caveats(collected(pod("a"), budget("b", {}, minAvailable=0)))


class TestAnnotations:
    """The largest valid value among the pods; what is no number > 0 is unknown, with a caveat."""

    @pytest.mark.parametrize(
        ("said", "minutes"),
        [
            (["30"], 30),
            (["30", "45"], 45),
            (["7.5"], 7.5),
            (["x", "20"], 20),
            (["0"], None),
            (["-5"], None),
            (["30m"], None),
            (["inf"], None),
            (["nan"], None),
            (["1e400"], None),
            (["1_0"], None),
        ],
    )
    def test_minutes(self, said: list[str], minutes: float | None) -> None:
        ref = owner("PyTorchJob", "t", "kubeflow.org/v1")
        pods = [
            pod(f"p{index}", owner=ref, annotations={CHECKPOINT: text, RESTART: text})
            for index, text in enumerate(said)
        ]
        estate = collected(*pods)
        work = estate["workloads"][0]
        assert (work.get("checkpointMinutes"), work.get("restartMinutes")) == (minutes, minutes)
        valid = [text for text in said if collect.positive(text) is not None]
        assert ("no number above 0" in caveats(estate)) == (len(valid) < len(said))
        assert (collect.SELF_REPORTED_NOTE in estate["provenance"]["caveats"]) == bool(valid)

    @pytest.mark.parametrize(
        ("more", "gang"),
        [
            ({}, None),
            ({"labels": {"scheduling.x-k8s.io/pod-group": "g"}}, True),
            ({"annotations": {"scheduling.k8s.io/group-name": "g"}}, True),
            ({"annotations": {"iverson.gpu/gang": "false", "scheduling.k8s.io/group-name": "g"}}, False),
        ],
    )
    def test_gang(self, more: dict[str, Any], gang: bool | None) -> None:
        assert only(pod("p", **more)).get("gang") == gang

    def test_people_are_named_by_the_pod_or_its_owner(self) -> None:
        objects = [
            parent(
                "Deployment", "d", labels={"team": "search"}, annotations={"iverson.gpu/contact": "#oncall"}
            )
        ]
        work = only(pod("p", owner=owner("Deployment", "d"), labels={"owner": "ranking"}), *objects)
        assert (work["owner"], work["contact"], work["namespace"]) == ("ranking", "#oncall", "ml")


class TestCasualtiesWithoutGpus:
    """Control plane, storage and what a budget protects count, with units or without."""

    def test_a_static_pod_is_one_workload_on_all_nodes(self) -> None:
        shape: dict[str, Any] = {
            "gpus": None,
            "namespace": "kube-system",
            "labels": {"component": "etcd", "tier": "control-plane"},
        }
        pods = [pod(f"etcd-{name}", name, owner=owner("Node", name, "v1"), **shape) for name in ("n1", "n2")]
        estate = collected(node("n2"), *pods)
        work = estate["workloads"][0]
        assert (work["id"], work["kind"], work["placements"]) == ("kube-system/staticpod/etcd", "system", {})
        assert work["replicas"] == {"n1": 1, "n2": 1}
        assert [one["roles"] for one in estate["nodes"]] == [["etcd"], ["etcd"]]

    def test_roles_of_labels_and_storage_pods(self) -> None:
        labels = {"node-role.kubernetes.io/control-plane": ""}
        estate = collected(
            node("m", gpus=None, labels=labels), pod("osd", "m", gpus=None, labels={"app": "rook-ceph-osd"})
        )
        assert by_id(estate["nodes"])["m"]["roles"] == ["control-plane", "storage"]

    def test_a_budgets_service_without_units_is_kept_and_others_are_not(self) -> None:
        service = [
            pod(f"s{index}", gpus=None, owner=owner("Deployment", "dns"), labels={"app": "dns"})
            for index in range(2)
        ]
        estate = collected(
            *service, pod("idle", gpus=None), budget("b", {"matchLabels": {"app": "dns"}}, minAvailable=1)
        )
        assert [(work["id"], work["minAvailable"]) for work in estate["workloads"]] == [
            ("ml/deployment/dns", 1)
        ]

    def test_identity_of_nodes(self) -> None:
        machine = node("m", providerID="aws:///i-1", labels={"nvidia.com/gpu.product": "NVIDIA-H100"})
        machine["status"]["nodeInfo"]["systemUUID"] = "U-1"
        one = by_id(collected(machine)["nodes"])["m"]
        assert (one["providerID"], one["systemUUID"], one["model"]) == ("aws:///i-1", "U-1", "NVIDIA-H100")


class TestOtherAccelerators:
    """One estate, one unit: what is no GPU is not added silently."""

    def test_they_are_said_and_not_counted(self) -> None:
        estate = collected(node("g", gpus=None, capacity={"habana.ai/gaudi": "8"}))
        assert by_id(estate["nodes"])["g"]["installed"] == 0
        assert "Other accelerators are not counted" in caveats(estate)

    def test_they_can_be_the_unit(self) -> None:
        cluster = Cluster().add(node("g", gpus=None, capacity={"habana.ai/gaudi": "8"}))
        cluster.add(pod("p", "g", containers=[{"resources": {"requests": {"habana.ai/gaudi": "3"}}}]))
        one = estate_of(cluster, "--resource", "habana.ai/gaudi", "--dcgm", "off")["nodes"][0]
        assert (one["installed"], one["allocated"]) == (8, 3)

    def test_gpus_of_two_makes_are_said(self) -> None:
        estate = collected(node("a", gpus=None, capacity={"amd.com/gpu": "8"}))
        assert "amd.com/gpu, nvidia.com/gpu" in caveats(estate)

    def test_a_monitoring_resource_is_no_gpu(self) -> None:
        shown = node(
            "i", gpus=None, capacity={"gpu.intel.com/i915": "2", "gpu.intel.com/i915_monitoring": "1"}
        )
        assert by_id(collected(shown)["nodes"])["i"]["installed"] == 2
