"""Objects of the Kubernetes API, given by mistake: what the collector reads, and nobody else."""

from typing import Final

_SHOWN: Final = 40


def kubernetes_kind(value: object) -> str | None:
    """Return the kind of a Kubernetes object (`kubectl get nodes -o json` is a List), or None.

    >>> kubernetes_kind({"apiVersion": "v1", "kind": "List", "items": []})
    'List'
    """
    if not isinstance(value, dict):
        return None
    kind = value.get("kind")
    return kind[:_SHOWN] if isinstance(kind, str) and isinstance(value.get("apiVersion"), str) else None
