"""What the tests of workloads share: estates on one large node."""

from __future__ import annotations

from typing import Any

from tests.collector.build import node
from tests.collector.direct import estate_of
from tests.collector.stub_server import Cluster

CHECKPOINT = "iverson.gpu/checkpoint-minutes"
RESTART = "iverson.gpu/restart-minutes"
KIND = "iverson.gpu/kind"
CRITICAL = "iverson.gpu/critical"


def collected(*objects: dict[str, Any], cluster: Cluster | None = None) -> dict[str, Any]:
    """Return the estate of some objects on one large node."""
    return estate_of((cluster or Cluster()).add(node("n1", gpus=100), *objects), "--dcgm", "off")


def only(*objects: dict[str, Any], cluster: Cluster | None = None) -> dict[str, Any]:
    """Return the one workload of some objects."""
    works: list[dict[str, Any]] = collected(*objects, cluster=cluster)["workloads"]
    assert len(works) == 1, [work["id"] for work in works]
    return works[0]
