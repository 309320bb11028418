"""Nodes that broke other tools: slices, unhealthy, cordoned, claims, decoys; cases 15, 16, 22, 24, 26."""

from __future__ import annotations

from typing import Any

import pytest

from tests.collector.build import node, pod
from tests.collector.cases import collected
from tests.collector.direct import by_id, caveats


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
