"""Public data sets that cannot be copied here: found through TOPO_PUBLIC_DATA, else skipped."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.collector.direct import by_id, estate_of
from tests.collector.stub_server import Cluster, ok
from topo import collect

MUST_GATHER = "must-gather/kind/namespace-inspect/namespaces"


def dataset(public_data: Path, name: str) -> Path:
    """Return one data set's folder; the test is skipped without it."""
    folder = public_data / name
    if not folder.is_dir():
        pytest.skip(f"no {name} in {public_data}")
    return folder


def items(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a YAML list file."""
    found: list[dict[str, Any]] = (yaml.load(path.read_text(), Loader=yaml.CSafeLoader) or {}).get(
        "items"
    ) or []
    return found


class TestOpenb:
    """A production trace: 1,213 nodes, 6,212 GPUs, 8,152 pods of which 5,193 run."""

    @pytest.mark.parametrize("server_filters", [True, False])
    def test_allocated_gpus_are_4186_never_6571(self, public_data: Path, server_filters: bool) -> None:
        folder = dataset(public_data, "openb")
        cluster = Cluster(honours_field_selector=server_filters)
        for name in ("nodes", "pods"):
            read = json.loads(gzip.decompress((folder / f"{name}.json.gz").read_bytes()))
            cluster.objects[f"/api/v1/{name}"] = read["items"]
        estate = estate_of(cluster, "--dcgm", "off")
        assert len(estate["nodes"]) == 1213
        assert sum(one["installed"] for one in estate["nodes"]) == 6212
        assert sum(one["allocated"] for one in estate["nodes"]) == 4186
        assert sum(units for work in estate["workloads"] for units in work["placements"].values()) == 4186


class TestMustGather:
    """Dumps of a small cluster: 21 events of two examples have no lastTimestamp."""

    def test_every_event_has_a_time(self, public_data: Path) -> None:
        folder = dataset(public_data, MUST_GATHER)
        found = [one for path in sorted(folder.glob("*/core/events.yaml")) for one in items(path)]
        without = [one for one in found if one.get("lastTimestamp") in (None, "", "null")]
        assert len(found) > len(without) > 0
        assert all(collect.trim_event(one) is not None for one in found)

    def test_owners_are_climbed(self, public_data: Path) -> None:
        folder = dataset(public_data, MUST_GATHER)
        cluster = Cluster()
        for path, kind in (
            ("core/pods", "/api/v1/pods"),
            ("apps/replicasets", "/apis/apps/v1/replicasets"),
            ("apps/deployments", "/apis/apps/v1/deployments"),
        ):
            cluster.objects[kind] = items(folder / f"my-ns/{path}.yaml")
        names = {one["spec"]["nodeName"] for one in cluster.objects["/api/v1/pods"]}
        shown = [
            {"kind": "Node", "metadata": {"name": name}, "status": {"capacity": {"cpu": "64"}}}
            for name in sorted(names)
        ]
        estate = estate_of(cluster.add(*shown), "--unit", "cpu")
        works = by_id(estate["workloads"])
        assert works["my-ns/backstage/my-rhdh"]["kind"] == "inference"
        assert works["my-ns/statefulset/backstage-psql-my-rhdh"]["kind"] == "unknown"


class TestPopeye:
    """Small odd objects: conditions of no type, parts that are null, metrics above capacity."""

    def test_odd_objects_are_read(self, public_data: Path) -> None:
        folder = dataset(public_data, "popeye")
        cluster = Cluster(answers={collect.METRICS.path: ok({"items": items(folder / "mx/node/1.yaml")})})
        lists = {
            "core/node/1": "/api/v1/nodes",
            "core/pod/2": "/api/v1/pods",
            "batch/job/1": "/apis/batch/v1/jobs",
            "pol/pdb/1": "/apis/policy/v1/poddisruptionbudgets",
        }
        for name, path in lists.items():
            cluster.objects[path] = items(folder / f"{name}.yaml")
        for one in cluster.objects["/api/v1/pods"]:
            one["spec"]["nodeName"] = "n1"
        nodes = by_id(estate_of(cluster, "--unit", "cpu")["nodes"])
        assert nodes["n1"]["utilization"] == round(0.144965184 / 10, 6)
        assert nodes["n1"]["roles"] == ["control-plane"]
        assert nodes["n2"]["utilizationBasis"] == "requests"
        assert nodes["n3"]["ready"] is True
        assert (nodes["n4"]["ready"], nodes["n4"]["schedulable"]) == (False, False)
        assert "utilization" not in nodes["n5"]
