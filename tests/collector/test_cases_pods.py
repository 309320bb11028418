"""Pods that broke other tools: phases, effective requests, quantities; cases 14, 17, 18."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.collector.build import container, node, owner, parent, pod
from tests.collector.cases import collected
from tests.collector.direct import caveats
from tests.collector.stub_server import Cluster
from topo import collect


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

    def test_a_node_whose_replicas_do_not_run_has_a_known_0(self) -> None:
        """An estate that leaves a node with units out does not say how many run there."""
        pods = [pod("a", owner=owner("StatefulSet", "s")), pod("b", "n2", owner=owner("StatefulSet", "s"))]
        pods[1]["status"]["phase"] = "Pending"
        work = collected(node("n1"), node("n2"), *pods)["workloads"][0]
        assert (work["placements"], work["replicas"]) == ({"n1": 1, "n2": 1}, {"n1": 1, "n2": 0})


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


def test_parents_are_read_through_their_lists() -> None:
    """The objects of this file reach the collector the way a cluster's do."""
    chain = [parent("ReplicaSet", "d-1", owner=owner("Deployment", "d")), parent("Deployment", "d")]
    estate = collected(node("n1"), *chain, pod("p", owner=owner("ReplicaSet", "d-1")))
    assert [work["id"] for work in estate["workloads"]] == ["ml/deployment/d"]
