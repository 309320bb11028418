"""Small estates to merge, and what a merge says against them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from topology.dump import estate_to_json
from topology.merge import MergeRefused, merge_estates
from topology.model import (
    Domain,
    Estate,
    Node,
    Standing,
)

SNAPSHOT = "2026-11-30T12:00:00Z"


def node(name: str, *domains: str, **values: Any) -> Node:
    standings = tuple(Standing("pdu", "one", (domain,)) for domain in domains)
    return Node(name, 4, standings=standings, **values)


def estate(cluster: str, nodes: tuple[Node, ...] = (), *domains: Domain, **values: Any) -> Estate:
    named = {domain.id: domain for domain in domains}
    for each in nodes:
        for standing in each.standings:
            for name in standing.ids:
                named.setdefault(name, Domain(name, "power", declared=False))
    options: dict[str, Any] = {"unit": "gpu", "snapshot_at": SNAPSHOT, **values}
    return Estate(cluster=cluster, nodes=nodes, domains=named, **options)


def refused(*files: tuple[str, Estate], **options: Any) -> dict[str, str]:
    """Rule -> message of every reason."""
    with pytest.raises(MergeRefused) as caught:
        merge_estates(files, **options)
    return {refusal.rule: refusal.message for refusal in caught.value.refusals}


def text_of(merged: Estate) -> str:
    return json.dumps(estate_to_json(merged))
