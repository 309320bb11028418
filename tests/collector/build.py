"""Kubernetes objects for tests, no more of each than matters."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]


def meta(name: str, namespace: str | None = None, **more: Any) -> Object:
    """Return metadata without empty parts."""
    parts = {"name": name, "namespace": namespace, "creationTimestamp": "2026-11-01T00:00:00Z", **more}
    return {key: value for key, value in parts.items() if value}


def node(
    name: str,
    *,
    gpus: int | str | None = 8,
    allocatable: int | str | None = None,
    capacity: Object | None = None,
    labels: Object | None = None,
    annotations: Object | None = None,
    ready: str | None = "True",
    unschedulable: bool = False,
    taints: list[str] | None = None,
    **spec: Any,
) -> Object:
    """Return a node of `gpus` GPUs (None: no such resource), of which `allocatable` are offered."""
    shown = {"cpu": "64", "memory": "512Gi", **({} if gpus is None else {"nvidia.com/gpu": str(gpus)})}
    shown.update(capacity or {})
    offered = dict(shown)
    if allocatable is not None:
        offered["nvidia.com/gpu"] = str(allocatable)
    conditions = [] if ready is None else [{"type": "Ready", "status": ready}]
    return {
        "kind": "Node",
        "metadata": meta(name, labels=labels, annotations=annotations),
        "spec": {
            "unschedulable": unschedulable,
            "taints": [{"key": key, "effect": "NoSchedule"} for key in taints or []],
            **spec,
        },
        "status": {"capacity": shown, "allocatable": offered, "conditions": conditions, "nodeInfo": {}},
    }


def owner(kind: str, name: str, api_version: str = "apps/v1") -> Object:
    """Return a controlling owner reference."""
    return {"apiVersion": api_version, "kind": kind, "name": name, "controller": True, "uid": f"u-{name}"}


def container(
    gpus: int | str | None = None, *, name: str = "c", cpu: str | None = None, **more: Any
) -> Object:
    """Return a container that asks for GPUs or cores."""
    requests = {"nvidia.com/gpu": None if gpus is None else str(gpus), "cpu": cpu}
    asked = {key: value for key, value in requests.items() if value is not None}
    return {"name": name, "resources": {"requests": asked}, **more}


def pod(
    name: str,
    on: str | None = "n1",
    *,
    gpus: int | str | None = 1,
    namespace: str = "ml",
    phase: str = "Running",
    owner: Object | None = None,
    labels: Object | None = None,
    annotations: Object | None = None,
    priority: str | None = None,
    containers: list[Object] | None = None,
    **spec: Any,
) -> Object:
    """Return a pod bound to a node (None: unbound)."""
    body = {
        "nodeName": on,
        "priorityClassName": priority,
        "containers": containers if containers is not None else [container(gpus)],
        **spec,
    }
    references = [owner] if owner else None
    return {
        "kind": "Pod",
        "metadata": meta(name, namespace, labels=labels, annotations=annotations, ownerReferences=references),
        "spec": {key: value for key, value in body.items() if value is not None},
        "status": {"phase": phase},
    }


def parent(
    kind: str, name: str, *, namespace: str = "ml", owner: Object | None = None, **metadata: Any
) -> Object:
    """Return a controller: a ReplicaSet, Deployment, Job, ..."""
    references = [owner] if owner else None
    return {"kind": kind, "metadata": meta(name, namespace, ownerReferences=references, **metadata)}


def budget(name: str, selector: Object | None, *, namespace: str = "ml", **spec: Any) -> Object:
    """Return a PodDisruptionBudget; without a selector where it is None."""
    body = {**spec, **({} if selector is None else {"selector": selector})}
    return {"kind": "PodDisruptionBudget", "metadata": meta(name, namespace), "spec": body}


def event(
    reason: str,
    component: str,
    *,
    first: str | None = None,
    last: str | None = None,
    count: int | None = None,
    **more: Any,
) -> Object:
    """Return an event of the old recorder (first, last, count) or, with eventTime and series, of the new."""
    return {
        "kind": "Event",
        "metadata": meta(f"{reason}.{component}.{first}.{last}", "ml"),
        "reason": reason,
        "source": {"component": component},
        "reportingComponent": component,
        "firstTimestamp": first,
        "lastTimestamp": last,
        **({} if count is None else {"count": count}),
        **more,
    }
