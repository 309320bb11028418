"""Dynamic resource allocation: GPUs that only ResourceSlices and ResourceClaims show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import node, pod
from tests.collector.direct import by_id, caveats, estate_of
from tests.collector.stub_server import Answer, Cluster, Handler, ok, status
from topo import collect

DATA = Path(__file__).parent / "data" / "kube-api"
SLICES, CLAIMS = (collect.RESOURCES[name].path for name in ("resourceslices", "resourceclaims"))


def gpu_slice(
    on: str,
    devices: int,
    *,
    pool: str | None = None,
    generation: int = 1,
    count: int = 1,
    kind: str = "gpu",
    first: int = 0,
) -> dict[str, Any]:
    """Return a ResourceSlice of a node."""
    shown = [
        {"name": f"gpu-{index}", "attributes": {"type": {"string": kind}}}
        for index in range(first, first + devices)
    ]
    pool_of = {"name": pool or on, "generation": generation, "resourceSliceCount": count}
    return {
        "metadata": {"name": "s"},
        "spec": {"driver": "gpu.nvidia.com", "pool": pool_of, "nodeName": on, "devices": shown},
    }


def claim(name: str, devices: list[str], *users: str, pool: str = "n1", **more: Any) -> dict[str, Any]:
    """Return a ResourceClaim with its allocation."""
    results = [{"driver": "gpu.nvidia.com", "pool": pool, "device": device, **more} for device in devices]
    reserved = [{"resource": "pods", "name": user} for user in users]
    return {
        "metadata": {"name": name, "namespace": "ml"},
        "status": {"allocation": {"devices": {"results": results}}, "reservedFor": reserved},
    }


def claiming(name: str, on: str = "n1", **more: Any) -> dict[str, Any]:
    """Return a pod that holds its GPUs through a claim."""
    return pod(name, on, gpus=None, resourceClaims=[{"name": "gpu"}], **more)


def collected(
    slices: list[Any], claims: list[Any], *objects: dict[str, Any], flags: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return an estate; slices and claims are served."""
    answers: dict[str, Answer | Handler] = {SLICES: ok({"items": slices}), CLAIMS: ok({"items": claims})}
    return estate_of(Cluster(answers=answers).add(*objects), "--dcgm", "off", *flags)


def figures(estate: dict[str, Any], name: str = "n1") -> tuple[Any, Any]:
    """Return installed and allocated of a node."""
    one = by_id(estate["nodes"])[name]
    return one.get("installed"), one["allocated"]


class TestClaims:
    """Every device once, whoever shares it; what the pod's own request counts is not counted again."""

    def test_devices_of_a_claim(self) -> None:
        estate = collected(
            [gpu_slice("n1", 8)], [claim("c", ["gpu-0", "gpu-1"], "p")], node("n1", gpus=None), claiming("p")
        )
        assert figures(estate) == (8, 2)
        assert estate["workloads"][0]["placements"] == {"n1": 2}
        assert "ResourceClaims" not in caveats(estate)

    def test_a_shared_claim_counts_once(self) -> None:
        objects = [node("n1", gpus=None), claiming("p"), claiming("q")]
        assert figures(collected([gpu_slice("n1", 8)], [claim("c", ["gpu-0"], "p", "q")], *objects)) == (8, 1)

    def test_two_shares_of_a_device_count_once(self) -> None:
        claims = [claim("a", ["gpu-0"], "p", shareID="1"), claim("b", ["gpu-0"], "q", shareID="2")]
        assert figures(
            collected([gpu_slice("n1", 8)], claims, node("n1", gpus=None), claiming("p"), claiming("q"))
        ) == (8, 1)

    def test_monitoring_access_holds_nothing(self) -> None:
        claims = [claim("a", ["gpu-0"], "p", adminAccess=True)]
        assert figures(collected([gpu_slice("n1", 8)], claims, node("n1", gpus=None), claiming("p"))) == (
            8,
            0,
        )

    def test_an_extended_resource_and_its_claim_are_the_same_devices(self) -> None:
        asks = pod("p", gpus=2)
        asks["status"]["extendedResourceClaimStatus"] = {"resourceClaimName": "auto"}
        estate = collected(
            [gpu_slice("n1", 8)], [claim("auto", ["gpu-0", "gpu-1"], "p")], node("n1", gpus=None), asks
        )
        assert figures(estate) == (8, 2)

    def test_parts_of_gpus_are_said_not_dropped(self) -> None:
        slices = [gpu_slice("n1", 2), gpu_slice("n1", 1, pool="mig", kind="mig", first=7)]
        estate = collected(
            slices, [claim("c", ["gpu-7"], "p", pool="mig")], node("n1", gpus=None), claiming("p")
        )
        assert figures(estate) == (None, 0)
        assert "Hold parts of GPUs through ResourceClaims (DRA), not counted (1 pod: ml/p)" in caveats(estate)


class TestSlices:
    """The newest generation of each pool; the same devices as the capacity, not more."""

    @pytest.mark.parametrize(
        ("slices", "installed"),
        [
            ([gpu_slice("n1", 8)], 8),
            ([gpu_slice("n1", 4, count=2), gpu_slice("n1", 4, count=2, first=4)], 8),
            ([gpu_slice("n1", 4, count=2)], None),
            ([gpu_slice("n1", 8), gpu_slice("n1", 7, generation=2)], 7),
            ([gpu_slice("n1", 4, pool="a"), gpu_slice("n1", 4, pool="b")], 8),
            ([gpu_slice("n2", 8)], 0),
        ],
    )
    def test_installed(self, slices: list[Any], installed: int | None) -> None:
        assert figures(collected(slices, [], node("n1", gpus=None), flags=("--dra", "on")))[0] == installed

    def test_as_recorded(self) -> None:
        recorded = json.loads((DATA / "k8s-1.36-resourceslices.json").read_text())["items"]
        assert (
            figures(collected(recorded, [], node("gpu-000", gpus=None), flags=("--dra", "on")), "gpu-000")[0]
            == 8
        )

    def test_capacity_and_slices_are_not_added(self) -> None:
        assert figures(collected([gpu_slice("n1", 8)], [], node("n1"), flags=("--dra", "on")))[0] == 8

    def test_a_node_whose_plugin_is_gone_is_known_by_its_slices(self) -> None:
        shown = node("n1", gpus=None, labels={"nvidia.com/gpu.present": "true"})
        assert figures(collected([gpu_slice("n1", 8)], [], shown, flags=("--dra", "on")))[0] == 8


class TestWhenItIsRead:
    """auto: only where a pod or node shows it; off: never, with a caveat; 403: a caveat."""

    def cluster(self, *objects: dict[str, Any]) -> Cluster:
        return Cluster(answers={SLICES: status(403), CLAIMS: status(403)}).add(node("n1"), *objects)

    @pytest.mark.parametrize(
        ("flag", "objects", "asked"),
        [
            ("auto", [], False),
            ("auto", [claiming("p")], True),
            ("auto", [pod("p", gpus=9)], True),
            ("on", [], True),
            ("off", [claiming("p")], False),
        ],
    )
    def test_requests(self, flag: str, objects: list[dict[str, Any]], asked: bool) -> None:
        cluster = self.cluster(*objects)
        estate_of(cluster, "--dcgm", "off", "--dra", flag)
        assert any("resource.k8s.io" in one for one in cluster.log) is asked

    @pytest.mark.parametrize("flag", ["auto", "off"])
    def test_unread_claims_are_said_and_installed_is_unknown(self, flag: str) -> None:
        estate = estate_of(self.cluster(claiming("p")), "--dcgm", "off", "--dra", flag)
        assert figures(estate) == (None, 0)
        assert "are not counted: allocated is a lower bound" in caveats(estate)

    def test_403_is_a_signal(self) -> None:
        estate = estate_of(self.cluster(claiming("p")), "--dcgm", "off")
        assert estate["provenance"]["signals"]["resourceslices"]["reachable"] is False
        assert "could not be read: GPUs that only DRA shows are unknown" in caveats(estate)


@pytest.mark.parametrize(
    "broken", [{}, {"spec": None}, {"spec": {"pool": {"generation": "x"}, "devices": [None]}}]
)
def test_broken_slices_hold_nothing(broken: dict[str, Any]) -> None:
    assert collect.pools([collect.trim_slice(broken)]).installed == {}
