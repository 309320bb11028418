"""20,000 pods on 1,000 nodes: under 200 MB here, under 100 MB in any kubectl."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.collector import tools
from tests.collector.build import node, owner, pod
from tests.collector.stub_server import Cluster, serving, write_kubeconfig
from topo import collect

NODES, PODS = 1_000, 20_000
OWN_LIMIT_MB, KUBECTL_LIMIT_MB = 200, 100

MEASURE = """
import json, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as ended:
    # not ru_maxrss, which is never less than that of the process that started this one
    peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(json.dumps({"code": ended.code, "own_mb": int(peak.split()[1]) / 1024}))
"""
KUBECTL = """#!{python} -IS
import os, sys
child = os.posix_spawn({kubectl!r}, [{kubectl!r}, *sys.argv[1:]], os.environ)
_, status, usage = os.wait4(child, 0)
with open({log!r}, "a") as log:
    log.write(f"{{usage.ru_maxrss}}\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""


def weighty(item: dict[str, Any], index: int) -> dict[str, Any]:
    """Return an object as heavy as real ones: managed fields, environment, conditions."""
    item["metadata"]["managedFields"] = [
        {"manager": "kubelet", "fieldsV1": {f"f:field-{part}": {} for part in range(60)}}
    ]
    item["metadata"]["uid"] = f"00000000-0000-0000-0000-{index:012d}"
    for one in item["spec"].get("containers", []):
        one["env"] = [{"name": f"VARIABLE_{part}", "value": "x" * 40} for part in range(20)]
    return item


def large_cluster() -> Cluster:
    """Return the cluster."""
    cluster = Cluster()
    for index in range(NODES):
        labels = {f"feature.node.kubernetes.io/cpu-{part}": "true" for part in range(60)}
        labels["iverson.gpu/rack"] = f"rack-{index // 8}"
        cluster.add(weighty(node(f"node-{index:04d}", gpus=8, labels=labels), index))
    for index in range(PODS):
        job = owner("PyTorchJob", f"job-{index // 16}", "kubeflow.org/v1")
        shape: dict[str, Any] = {
            "owner": job,
            "labels": {"app": f"app-{index % 50}", "pod-index": str(index)},
        }
        gpus = 1 if index < 8 * NODES else None
        cluster.add(
            weighty(
                pod(f"job-{index // 16}-worker-{index}", f"node-{index % NODES:04d}", gpus=gpus, **shape),
                index,
            )
        )
    return cluster


@pytest.mark.extra
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory(tmp_path: Path) -> None:
    log, kubectl = tmp_path / "peaks", tmp_path / "kubectl"
    real = str(tools.installed_kubectl())
    kubectl.write_text(KUBECTL.format(python=sys.executable, kubectl=real, log=str(log)))
    kubectl.chmod(0o755)
    with serving(large_cluster()) as address:
        config = write_kubeconfig(tmp_path / "config", address)
        flags = ["--kubectl", str(kubectl), "--kubeconfig", str(config), "--dcgm", "off"]
        command = [sys.executable, "-I", "-S", "-c", MEASURE, collect.__file__, *flags]
        output = ["-o", str(tmp_path / "estate.json")]
        done = subprocess.run([*command, *output], capture_output=True, text=True, timeout=600)
    measured = json.loads(done.stdout)
    assert measured["code"] == 0, done.stderr
    estate = json.loads((tmp_path / "estate.json").read_text())
    assert sum(one["allocated"] for one in estate["nodes"]) == 8 * NODES
    peaks_mb = [int(line) / 1024 for line in log.read_text().split()]
    sys.stderr.write(f"collector {measured['own_mb']:.0f} MB, kubectl {max(peaks_mb):.0f} MB\n")
    assert measured["own_mb"] < OWN_LIMIT_MB
    assert max(peaks_mb) < KUBECTL_LIMIT_MB
