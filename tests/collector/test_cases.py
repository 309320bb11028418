"""Inputs that broke other tools, each with its right value. Every estate must load without a fault."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from tests.collector.build import budget, container, event, node, owner, parent, pod
from tests.collector.direct import by_id, caveats, estate_of
from tests.collector.stub_server import Cluster, expired_after, ok, status
from topo import collect
from topology.load import load_estate_text

PODS, NODES = "/api/v1/pods", "/api/v1/nodes"
PDBS = "/apis/policy/v1/poddisruptionbudgets"
METRICS = "/apis/metrics.k8s.io/v1beta1/nodes"
SERVICES, DCGM = "/api/v1/services", "/api/v1/namespaces/gpu/services/dcgm:9400/proxy/metrics"


def collected(
    *objects: dict[str, Any], flags: tuple[str, ...] = ("--dcgm", "off"), cluster: Cluster | None = None
) -> dict[str, Any]:
    """Return the estate of some objects; it must be valid."""
    estate = estate_of((cluster or Cluster()).add(*objects), *flags)
    result = load_estate_text(json.dumps(estate), "estate.json")
    assert result.estate is not None, [str(one) for one in result.diagnostics]
    return estate


def scraped(text: str, *objects: dict[str, Any]) -> dict[str, Any]:
    """Return the estate of some objects whose exporter answers with `text`."""
    cluster = Cluster(answers={DCGM: ok(text)})
    return collected(*objects, flags=("--dcgm", "gpu/dcgm:9400"), cluster=cluster)


class TestCase14FinishedAndPendingPods:
    """Succeeded and Failed pods hold nothing; a Pending pod already bound to a node does."""

    @pytest.mark.parametrize(
        ("phase", "held"), [("Running", 1), ("Pending", 1), ("Unknown", 1), ("Succeeded", 0), ("Failed", 0)]
    )
    @pytest.mark.parametrize("server_filters", [True, False])
    def test_what_a_bound_pod_holds(self, phase: str, held: int, server_filters: bool) -> None:
        cluster = Cluster(honours_field_selector=server_filters)
        estate = collected(node("n1"), pod("p", phase=phase), cluster=cluster)
        assert estate["nodes"][0]["allocated"] == held
        assert len(estate["workloads"]) == held

    def test_an_unbound_pod_is_demand_not_allocation(self) -> None:
        assert collected(node("n1"), pod("p", on=None, phase="Pending"))["nodes"][0]["allocated"] == 0

    def test_a_terminating_pod_holds_until_it_is_gone(self) -> None:
        leaving = pod("p")
        leaving["metadata"]["deletionTimestamp"] = "2026-12-01T12:00:00Z"
        assert collected(node("n1"), leaving)["nodes"][0]["allocated"] == 1

    def test_only_running_replicas_count_as_running(self) -> None:
        pods = [
            pod("a", owner=owner("StatefulSet", "s")),
            pod("b", owner=owner("StatefulSet", "s"), phase="Pending"),
        ]
        work = collected(node("n1"), *pods)["workloads"][0]
        assert (work["placements"], work["replicas"]) == ({"n1": 2}, {"n1": 1})


class TestCase15SlicesAreNotGpus:
    """A node with gpu: 0 and mig-* must not vanish; nothing is counted twice; slices are not GPUs."""

    def test_mig_mixed_with_no_whole_gpu(self) -> None:
        shown = node(
            "n1", gpus=0, capacity={"nvidia.com/mig-1g.10gb": "14"}, labels={"nvidia.com/gpu.count": "2"}
        )
        asks = pod("p", containers=[{"resources": {"limits": {"nvidia.com/mig-1g.10gb": "7"}}}])
        one = collected(shown, asks)["nodes"][0]
        assert (one["installed"], one["allocated"]) == (2, 1)

    def test_mig_beside_whole_gpus_is_not_added(self) -> None:
        shown = node(
            "n1", gpus=4, capacity={"nvidia.com/mig-3g.40gb": "8"}, labels={"nvidia.com/gpu.count": "8"}
        )
        assert collected(shown)["nodes"][0]["installed"] == 8

    def test_mig_without_a_count_is_unknown_not_its_slices(self) -> None:
        estate = collected(node("n1", gpus=0, capacity={"nvidia.com/mig-1g.10gb": "14"}))
        assert "installed" not in estate["nodes"][0]
        assert "MIG" in caveats(estate)

    def test_mig_single_advertises_slices_as_gpus(self) -> None:
        labels = {"nvidia.com/gpu.count": "56", "nvidia.com/gpu.product": "A100-SXM4-40GB-MIG-1g.5gb"}
        one = collected(node("n1", gpus=56, labels=labels), pod("p", gpus=7))["nodes"][0]
        assert "installed" not in one
        assert one["allocated"] == 1

    def test_an_invalid_mig_configuration_is_unknown_not_zero(self) -> None:
        labels = {"nvidia.com/gpu.count": "0", "nvidia.com/gpu.product": "A100-MIG-INVALID"}
        assert "installed" not in collected(node("n1", gpus=0, labels=labels))["nodes"][0]

    @pytest.mark.parametrize("resource", ["nvidia.com/gpu", "nvidia.com/gpu.shared"])
    def test_time_slices_count_as_shares_of_physical_gpus(self, resource: str) -> None:
        labels = {"nvidia.com/gpu.count": "8", "nvidia.com/gpu.replicas": "10"}
        shown = node("n1", gpus=None, capacity={resource: "80"}, labels=labels)
        asks = pod("p", containers=[{"resources": {"requests": {resource: "40"}}}])
        one = collected(shown, asks)["nodes"][0]
        assert (one["installed"], one["allocated"]) == (8, 4)

    def test_more_advertised_than_counted_is_sharing_whatever_the_labels_say(self) -> None:
        one = collected(node("n1", gpus=80, labels={"nvidia.com/gpu.count": "8"}), pod("p", gpus=40))[
            "nodes"
        ][0]
        assert (one["installed"], one["allocated"]) == (8, 4)

    def test_a_replicas_label_that_does_not_divide_is_stale(self) -> None:
        labels = {"nvidia.com/gpu.count": "8", "nvidia.com/gpu.replicas": "10"}
        assert collected(node("n1", gpus=8, labels=labels), pod("p", gpus=2))["nodes"][0]["allocated"] == 2

    def test_a_gpu_node_whose_plugin_is_down_is_unknown_not_zero(self) -> None:
        estate = collected(node("n1", gpus=None, labels={"nvidia.com/gpu.present": "true"}))
        assert "installed" not in estate["nodes"][0]

    @pytest.mark.parametrize("advertised", [None, 0])
    def test_a_counted_gpu_that_is_not_advertised_is_unhealthy(self, advertised: int | None) -> None:
        one = collected(node("n1", gpus=advertised, labels={"nvidia.com/gpu.count": "8"}))["nodes"][0]
        assert (one["installed"], one["unhealthy"]) == (8, 8)

    def test_a_node_without_gpus_has_none(self) -> None:
        assert collected(node("n1", gpus=None))["nodes"][0]["installed"] == 0


class TestCase16UnhealthyGpus:
    """capacity 8, allocatable 7: installed is capacity; the eighth is unhealthy, not free."""

    def test_installed_is_capacity(self) -> None:
        one = collected(node("n1", allocatable=7))["nodes"][0]
        assert (one["installed"], one["unhealthy"]) == (8, 1)

    def test_healthy_is_a_known_zero(self) -> None:
        assert collected(node("n1"))["nodes"][0]["unhealthy"] == 0


class TestCase17EffectiveRequest:
    """max(largest init step, sum of containers + restartable sidecars) + overhead."""

    @pytest.mark.parametrize(
        ("spec", "held"),
        [
            ({"containers": [container(1), container(2)]}, 3),
            ({"containers": [container(1)], "initContainers": [container(4)]}, 4),
            ({"containers": [container(3)], "initContainers": [container(2), container(1)]}, 3),
            ({"containers": [container(1)], "initContainers": [container(2, restartPolicy="Always")]}, 3),
            (
                {
                    "containers": [container(1)],
                    "initContainers": [container(2, restartPolicy="Always"), container(4)],
                },
                6,
            ),
            (
                {
                    "containers": [container(1)],
                    "initContainers": [container(4), container(2, restartPolicy="Always")],
                },
                4,
            ),
            ({"containers": [container(1)], "overhead": {"nvidia.com/gpu": "1"}}, 2),
            ({"containers": [{"resources": {"limits": {"nvidia.com/gpu": "2"}}}]}, 2),
            ({"containers": None, "initContainers": None}, 0),
        ],
    )
    def test_gpus(self, spec: dict[str, Any], held: int) -> None:
        containers = spec.pop("containers")
        asks = pod("p", containers=containers or [], **spec)
        assert collected(node("n1"), asks)["nodes"][0]["allocated"] == held

    def test_pod_level_cores_override_and_overhead_is_added(self) -> None:
        asks = pod(
            "p",
            containers=[container(cpu="1")],
            resources={"requests": {"cpu": "3"}},
            overhead={"cpu": "250m"},
        )
        estate = collected(node("n1"), asks, flags=("--unit", "cpu"))
        assert estate["nodes"][0]["allocated"] == 3.25

    def test_a_resize_in_place_counts_the_larger(self) -> None:
        asks = pod("p", containers=[container(cpu="1")])
        asks["status"]["containerStatuses"] = [{"name": "c", "allocatedResources": {"cpu": "2"}}]
        assert collected(node("n1"), asks, flags=("--unit", "cpu"))["nodes"][0]["allocated"] == 2

    def test_an_infeasible_resize_counts_what_is_held(self) -> None:
        asks = pod("p", containers=[container(cpu="99")])
        asks["status"]["containerStatuses"] = [{"name": "c", "allocatedResources": {"cpu": "2"}}]
        asks["status"]["conditions"] = [
            {"type": "PodResizePending", "reason": "Infeasible", "status": "True"}
        ]
        assert collected(node("n1"), asks, flags=("--unit", "cpu"))["nodes"][0]["allocated"] == 2


class TestCase18Quantities:
    """Every notation of a Kubernetes quantity, exactly."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("3060164198400m", Fraction(30601641984, 10)),
            ("131072k", 131072000),
            ("129e6", 129000000),
            ("78061175n", Fraction(78061175, 10**9)),
            ("1e3", 1000),
            ("1E3", 1000),
            ("1E", 10**18),
            ("0.5", Fraction(1, 2)),
            (".5", Fraction(1, 2)),
            ("5.", 5),
            ("100Mi", 104857600),
            ("2113Gi", 2113 * 2**30),
            ("191500m", Fraction(383, 2)),
            ("+1", 1),
            ("-1", -1),
            (8, 8),
            (0.5, Fraction(1, 2)),
        ],
    )
    def test_read(self, text: Any, value: Any) -> None:
        assert collect.quantity(text) == value

    @pytest.mark.parametrize(
        "text", ["", "m", "1 ", "0x1", "1Kib", "1e", "∞", "٣", None, True, [], "9" * 70, "10E", "1e999"]
    )
    def test_refused(self, text: Any) -> None:
        assert collect.quantity(text) is None

    def test_devices_come_in_whole_numbers(self) -> None:
        estate = collected(node("n1"), pod("p", gpus="500m"), pod("q", gpus="2"))
        assert estate["nodes"][0]["allocated"] == 2
        assert "amounts that cannot be read" in caveats(estate)

    def test_a_capacity_that_cannot_be_read_is_unknown_not_zero(self) -> None:
        assert "installed" not in collected(node("n1", gpus="eight"))["nodes"][0]


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


class TestCase20Events:
    """Null times and counts, series, a count over 40 days; what was not observed is null."""

    def test_an_hour_that_was_seen_and_one_that_was_not(self) -> None:
        loop = collected(
            node("n1"),
            event(
                "SuccessfulRescale",
                "horizontal-pod-autoscaler",
                first="2026-12-01T12:05:00Z",
                last="2026-12-01T12:06:00Z",
                count=9,
            ),
        )
        assert loop["loops"] == [{"id": "hpa", "hourlyActions": [None] * 23 + [9]}]

    def test_new_recorder_without_times_or_count(self) -> None:
        bare = event("Scheduled", "default-scheduler", source={}, eventTime="2026-12-01T12:10:00.123456Z")
        again = event(
            "Scheduled",
            "default-scheduler",
            eventTime="2026-12-01T11:50:00Z",
            series={"count": 3, "lastObservedTime": "2026-12-01T11:55:00Z"},
        )
        loops = collected(node("n1"), bare, again)["loops"]
        assert loops == [{"id": "scheduler", "hourlyActions": [None] * 22 + [3, 1]}]

    def test_nothing_but_a_creation_time(self) -> None:
        bare = event("Disrupted", "karpenter")
        bare["metadata"]["creationTimestamp"] = "2026-12-01T12:01:00Z"
        assert collected(node("n1"), bare)["loops"][0]["hourlyActions"][-1] == 1

    def test_a_count_that_spans_40_days_is_not_one_hour(self) -> None:
        old = event(
            "SuccessfulRescale",
            "horizontal-pod-autoscaler",
            first="2026-10-22T00:00:00Z",
            last="2026-12-01T12:01:00Z",
            count=4000,
        )
        estate = collected(node("n1"), old)
        assert estate["loops"][0]["hourlyActions"] == [None] * 23 + [1]
        assert "3,999 repeated control-loop actions" in caveats(estate)

    def test_a_count_over_two_hours_places_its_ends(self) -> None:
        spread = event(
            "SuccessfulRescale",
            "horizontal-pod-autoscaler",
            first="2026-12-01T11:10:00Z",
            last="2026-12-01T12:10:00Z",
            count=5,
        )
        oldest = event("Pulled", "kubelet", last="2026-12-01T10:30:00Z")
        assert collected(node("n1"), spread, oldest)["loops"][0]["hourlyActions"] == [None] * 22 + [1, 1]

    def test_a_quiet_hour_that_was_observed_is_zero_and_a_partial_one_is_not(self) -> None:
        acted = event("SuccessfulRescale", "horizontal-pod-autoscaler", last="2026-12-01T12:10:00Z")
        oldest = event("Pulled", "kubelet", last="2026-12-01T09:30:00Z")
        assert collected(node("n1"), acted, oldest)["loops"][0]["hourlyActions"][-4:] == [None, 0, 0, 1]

    def test_the_window_is_said(self) -> None:
        estate = collected(node("n1"), event("Pulled", "kubelet", last="2026-12-01T11:30:00Z"))
        assert "Events cover 2026-12-01T11:30:00Z to 2026-12-01T12:30:00Z (60 minutes" in caveats(estate)
        assert estate["loops"] == []

    def test_no_events_is_unobserved_not_quiet(self) -> None:
        assert "unobserved" in caveats(collected(node("n1")))


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


class TestCase22CordonedAndNotReady:
    """Counted, and not schedulable capacity."""

    @pytest.mark.parametrize(
        ("shape", "ready", "schedulable"),
        [
            ({}, True, True),
            ({"unschedulable": True}, True, False),
            ({"ready": "False"}, False, False),
            ({"ready": "Unknown"}, False, False),
            ({"ready": None}, None, True),
            ({"taints": ["node.kubernetes.io/unreachable"]}, True, False),
            ({"taints": ["nvidia.com/gpu"]}, True, True),
        ],
    )
    def test_shapes(self, shape: dict[str, Any], ready: bool | None, schedulable: bool) -> None:
        one = collected(node("n1", **shape))["nodes"][0]
        assert (one.get("ready"), one["schedulable"], one["installed"]) == (ready, schedulable, 8)


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


class TestCase24ResourceClaims:
    """GPUs held through DRA claims are not in pod requests: never 0 without a caveat."""

    def test_a_caveat_and_no_installed_count(self) -> None:
        asks = pod("p", gpus=None, resourceClaims=[{"name": "gpu", "resourceClaimName": "c"}])
        estate = collected(node("n1", gpus=None), asks)
        assert "installed" not in estate["nodes"][0]
        assert "GPUs held through ResourceClaims (DRA) are not counted" in caveats(estate)

    def test_more_held_than_shown_is_unknown_not_an_overflow(self) -> None:
        estate = collected(node("n1", gpus=None), pod("p", gpus=4))
        assert "installed" not in estate["nodes"][0]
        assert estate["nodes"][0]["allocated"] == 4


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


class TestCase26DecoyLabels:
    """Keys that only look like ours; zone "0" and empty zone values."""

    def test_decoys_are_not_read(self) -> None:
        labels = {
            "x.io/zone-owner": "bob",
            "iverson.gpu/rack-note": "r",
            "not-iverson.gpu/rack": "r",
            "zone": "z",
        }
        assert collected(node("n1", labels=labels))["nodes"][0]["domains"] == {}

    def test_zone_0_is_a_zone_and_an_empty_value_is_none(self) -> None:
        zone = "topology.kubernetes.io/zone"
        nodes = by_id(collected(node("n1", labels={zone: "0"}), node("n2", labels={zone: ""}))["nodes"])
        assert (nodes["n1"]["domains"], nodes["n2"]["domains"]) == ({"zone": "0"}, {})


GPU_UTIL = 'DCGM_FI_DEV_GPU_UTIL{{gpu="{gpu}",UUID="{gpu}",Hostname="{host}"{more}}} {value}\n'


def series(
    value: object, *, gpu: str = "0", host: str = "n1", more: str = "", metric: str = "DCGM_FI_DEV_GPU_UTIL"
) -> str:
    """Return one line of an exporter's answer."""
    return GPU_UTIL.format(value=value, gpu=gpu, host=host, more=more).replace("DCGM_FI_DEV_GPU_UTIL", metric)


class TestCase27XidIsTheLastCode:
    """DCGM_FI_DEV_XID_ERRORS is the last code seen: 79 is not 79 events."""

    def test_xid_events_stay_unknown(self) -> None:
        text = series(50) + 'DCGM_FI_DEV_XID_ERRORS{gpu="0",Hostname="n1"} 79\n'
        estate = scraped(text, node("n1", gpus=1))
        assert estate["nodes"][0]["xidEvents90d"] is None
        assert estate["nodes"][0]["utilization"] == 0.5
        assert "last code seen, not a count" in caveats(estate)


class TestCase28Sentinels:
    """Blank values of DCGM are dropped and counted."""

    @pytest.mark.parametrize(
        "value",
        [4294967295, 140737488355328, 9223372036854775792, 9223372036854775794, "NaN", "+Inf", -1, 101.5],
    )
    def test_dropped_and_counted(self, value: object) -> None:
        estate = scraped(series(value) + series(40, gpu="1"), node("n1", gpus=2))
        assert estate["nodes"][0]["utilization"] == 0.4
        assert "Dropped as sentinels or out of range: 1 utilization reading." in caveats(estate)

    def test_nothing_left_is_unknown_not_zero(self) -> None:
        assert "utilization" not in scraped(series(4294967295), node("n1", gpus=1))["nodes"][0]


class TestCase29Mig:
    """GPU_UTIL is 0 or absent under MIG: the profiling metric, or unknown."""

    def test_gpu_util_says_nothing_under_mig(self) -> None:
        text = series(0, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"')
        estate = scraped(text, node("n1"))
        assert "utilization" not in estate["nodes"][0]
        assert "without a usable reading" in caveats(estate)

    def test_a_node_that_is_labelled_mig_is_mig(self) -> None:
        shown = node("n1", gpus=7, labels={"nvidia.com/gpu.product": "H100-MIG-1g.10gb"})
        assert "utilization" not in scraped(series(0), shown)["nodes"][0]

    def test_instances_weigh_by_their_compute_slices(self) -> None:
        active = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
        small = series(0.1, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="1"', metric=active)
        large = series(0.9, more=',GPU_I_PROFILE="3g.40gb",GPU_I_ID="2"', metric=active)
        whole_gpu = series(0.5, metric=active)
        assert scraped(small + large + whole_gpu, node("n1"))["nodes"][0]["utilization"] == 0.7

    def test_a_whole_gpu_beside_instances_weighs_as_all_its_slices(self) -> None:
        active = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
        small = series(0.8, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="1"', metric=active)
        estate = scraped(small + series(0, gpu="1", metric=active), node("n1"))
        assert estate["nodes"][0]["utilization"] == 0.1


class TestCase30Hosts:
    """Hostname is the exporter's pod in old versions; a series that is missing is not 0."""

    def test_through_the_exporters_pod(self) -> None:
        exporter = pod("dcgm-exporter-x7", on="n1", gpus=None, namespace="gpu")
        assert (
            scraped(series(30, host="dcgm-exporter-x7"), node("n1", gpus=1), exporter)["nodes"][0][
                "utilization"
            ]
            == 0.3
        )

    def test_short_and_full_names_and_the_renamed_label(self) -> None:
        text = series(30, host="gpu-1").replace("Hostname", "hostname")
        assert scraped(text, node("gpu-1.example.com", gpus=1))["nodes"][0]["utilization"] == 0.3

    def test_an_ambiguous_short_name_is_no_node(self) -> None:
        estate = scraped(series(30, host="gpu-1"), node("gpu-1.a.com", gpus=1), node("gpu-1.b.com", gpus=1))
        assert {one["utilizationBasis"] for one in estate["nodes"]} == {"requests"}

    def test_a_missing_gpu_is_left_out_not_zero(self) -> None:
        estate = scraped(series(60) + series(80, gpu="1"), node("n1", gpus=8))
        assert estate["nodes"][0]["utilization"] == 0.7
        assert "fewer GPUs than are installed" in caveats(estate)

    def test_a_node_that_dcgm_does_not_name_falls_back_labelled(self) -> None:
        estate = scraped(series(60), node("n1", gpus=1), node("n2"), pod("p", on="n2", gpus=2))
        assert by_id(estate["nodes"])["n2"]["utilizationBasis"] == "requests"
        assert estate["provenance"]["signals"]["dcgm"]["detail"] == "seen on 1 of 2 GPU nodes"


def test_parents_are_read_through_their_lists() -> None:
    """The objects of this file reach the collector the way a cluster's do."""
    chain = [parent("ReplicaSet", "d-1", owner=owner("Deployment", "d")), parent("Deployment", "d")]
    estate = collected(node("n1"), *chain, pod("p", owner=owner("ReplicaSet", "d-1")))
    assert [work["id"] for work in estate["workloads"]] == ["ml/deployment/d"]
