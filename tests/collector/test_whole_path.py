"""The whole path: a cluster, `topo collect --topology`, and what the other commands make of the estate."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.collector import tools
from tests.collector.build import event, node, owner, pod
from tests.collector.stub_server import Cluster, serving, write_kubeconfig
from topo import collect
from topology.load import load_estate_text

ROOT = Path(__file__).resolve().parents[2]
TOPOLOGY = """\
verifiedAt: 2026-10-01T00:00:00Z
nodes:
  gpu-1: {rack: r1, pdu: [pdu-a, pdu-b], cooling: loop-1}
  gpu-2: {rack: r1, pdu: [pdu-a, pdu-b], cooling: loop-1}
  gpu-9: {rack: r2, pdu: pdu-a}
domains:
  pdu-a: {kind: power, parent: ups-a}
  pdu-b: {kind: power, parent: ups-b}
  ups-a: {kind: ups, ratedKw: 40}
  ups-b: {kind: ups, ratedKw: 40}
  loop-1: {kind: cooling, rideThroughMinutes: 4}
"""


def small_cluster() -> Cluster:
    """Return two GPU nodes, one training job over both, one service."""
    job = owner("PyTorchJob", "llama", "kubeflow.org/v1")
    note = {"iverson.gpu/checkpoint-minutes": "30"}
    serving_label = {"iverson.gpu/critical": "true"}
    return Cluster().add(
        *(node(f"gpu-{index}", labels={"topology.kubernetes.io/zone": "z1"}) for index in (1, 2)),
        *(pod(f"llama-{index}", f"gpu-{index}", gpus=6, owner=job, annotations=note) for index in (1, 2)),
        pod("web", "gpu-1", gpus=1, owner=owner("Deployment", "web"), labels=serving_label),
        event("SuccessfulRescale", "horizontal-pod-autoscaler", last="2026-12-01T12:10:00Z"),
    )


def topo(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "-m", "topo", *arguments]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(cwd)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the map and the estate that `topo collect` wrote."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "topology.yaml").write_text(TOPOLOGY)
    with serving(small_cluster()) as address:
        write_kubeconfig(folder / "config", address)
        flags = ["--kubectl", str(tools.installed_kubectl()), "--kubeconfig", "config", "--dcgm", "off"]
        terms = ["--price-per-unit-hour", "2.5", "--kw-per-unit", "1", "--topology", "topology.yaml"]
        done = topo("collect", *flags, *terms, "-o", "estate.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return the JSON that a command printed."""
    assert done.returncode == 0, done.stderr
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def test_the_map_is_parsed_and_laid_over_the_labels(collected: Path) -> None:
    estate = json.loads((collected / "estate.json").read_text())
    assert estate["nodes"][0]["domains"] == {
        "rack": "r1",
        "pdu": ["pdu-a", "pdu-b"],
        "cooling": "loop-1",
        "zone": "z1",
    }
    assert estate["domains"]["loop-1"] == {"kind": "cooling", "rideThroughMinutes": 4}
    assert "text" not in estate["topology"]
    assert estate["topology"]["verifiedAt"] == "2026-10-01T00:00:00Z"
    assert any("not in the cluster (1 node: gpu-9)" in one for one in estate["provenance"]["caveats"])


def test_validate(collected: Path) -> None:
    assert document(topo("validate", "estate.json", "--format", "json", cwd=collected))["valid"] is True


def test_whatif(collected: Path) -> None:
    found = document(topo("whatif", "--fail", "loop-1", "estate.json", "--format", "json", cwd=collected))
    assert [one["id"] for one in found["lost"]["nodes"]] == ["gpu-1", "gpu-2"]
    assert (found["exposure"]["units"], found["exposure"]["criticalUnits"]) == (13, 1)
    assert found["thermalRaces"][0]["verdict"] == "not-checkpointable"


def test_findings(collected: Path) -> None:
    metrics = document(topo("findings", "estate.json", "--format", "json", cwd=collected))["metrics"]
    assert (metrics["ledger"]["installed"], metrics["ledger"]["allocated"]) == (16, 13)
    assert metrics["idle"]["nodes"] == []
    assert metrics["lemons"] == [
        {
            "node": name,
            "score": None,
            "lemon": None,
            "unknownTerms": ["eccErrors90d", "jobFailures90d", "xidEvents90d"],
        }
        for name in ("gpu-1", "gpu-2")
    ]


def test_an_invalid_map_is_1_before_the_cluster_is_asked(tmp_path: Path) -> None:
    (tmp_path / "topology.yaml").write_text("domains: {a: {kind: power, parent: b}}\n")
    done = topo("collect", "--topology", "topology.yaml", "--kubectl", sys.executable, cwd=tmp_path)
    assert done.returncode == 1
    assert "dangling-feed" in done.stderr
    assert not (tmp_path / "estate.json").exists()


def test_a_map_that_the_file_alone_embeds_is_parsed_by_the_analyser(tmp_path: Path) -> None:
    from tests.collector.direct import estate_of

    (tmp_path / "topology.yaml").write_text(TOPOLOGY)
    map_file = collect.read_map(str(tmp_path / "topology.yaml"), None)
    text = json.dumps(estate_of(small_cluster(), "--dcgm", "off", map_file=map_file))
    assert json.loads(text)["topology"]["text"] == TOPOLOGY
    estate = load_estate_text(text, "estate.json").estate
    assert estate is not None
    assert estate.domains["loop-1"].ride_through_minutes == 4
    standings = {node.id: {one.axis: one.ids for one in node.standings} for node in estate.nodes}
    assert standings["gpu-1"]["pdu"] == ("pdu-a", "pdu-b")
