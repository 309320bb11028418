"""Quorums and services stand in the first lines: the verdicts of whatif and of ok-to-take-out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.topo.command import topo

ESTATE = "examples/two-halls/estate.json"
NOW = ("--now", "2026-12-01T12:00:00Z")
WHATIF = ("whatif", "--fail", "etcd-1", "--fail", "etcd-2")
VOTES = ("etcd-1", "etcd-2")


def head(text: str) -> str:
    """The verdict as one line."""
    return " ".join(text.split("\n\n", 1)[0].split())


def test_whatif_says_what_units_do_not() -> None:
    assert head(topo(*WHATIF, ESTATE, *NOW).out).endswith("etcd loses its quorum (2 of 3 lost).")
    assert "services below minAvailable." in head(topo("whatif", "--fail", "h2-fabric", ESTATE, *NOW).out)
    assert "quorum" not in head(topo("whatif", "--fail", "etcd-1", ESTATE, *NOW).out)


def test_taking_a_quorum_out_is_not_ok() -> None:
    done = topo("ok-to-take-out", "cp-1", "cp-2", *VOTES, ESTATE, *NOW)
    assert done.code == 3
    assert head(done.out) == (
        "NOT OK taking out cp-1, cp-2, etcd-1, etcd-2 costs etcd its quorum (2 of 3 lost)."
    )


def test_quorum_and_nodes_stand_in_one_sentence() -> None:
    done = topo("ok-to-take-out", "gpu-h1-001", *VOTES, ESTATE, *NOW)
    assert head(done.out).endswith("costs etcd its quorum (2 of 3 lost) and loses 1 allocated node, 8 GPUs.")


def test_what_was_lost_already_has_a_column() -> None:
    done = topo("ok-to-take-out", "etcd-1", "--out", "h1-leaf-4", ESTATE, *NOW)
    assert done.code == 3
    assert "two-halls etcd 1 of 3 1 QUORUM LOST" in " ".join(done.out.split())


def changed(folder: Path, **keys: Any) -> Path:
    """The estate with some keys of every node that has a role."""
    document = json.loads(Path(ESTATE).read_text("utf-8"))
    for node in document["nodes"]:
        if node.get("roles"):
            node.update(keys)
    path = folder / "estate.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"roles": []}, "No node has a role reported. No node with a voting role"),
        ({"roles": ["storage"]}, "two-halls storage 2 of 12 No node with a voting role"),
    ],
)
def test_votes_that_nobody_reported_are_unknown(keys: dict[str, Any], said: str, tmp_path: Path) -> None:
    done = topo("ok-to-take-out", *VOTES, changed(tmp_path, **keys), *NOW)
    assert said in " ".join(done.out.split())


def test_another_clusters_role_is_named_with_it(tmp_path: Path) -> None:
    path = changed(tmp_path, cluster="other", roles=["etcd"])
    done = topo("whatif", "--fail", "h1-fabric", "--fail", "h2-fabric", path, *NOW)
    assert "etcd of other loses its quorum" in head(done.out)
