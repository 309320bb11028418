"""The collector with the real kubectl against the stub API server: kubectl's words are matched by text."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.collector import tools
from tests.collector.build import node, pod
from tests.collector.stub_server import Cluster, expired_after, ok, serving, status, write_kubeconfig
from topo import collect

FILE = Path(collect.__file__)
DATA = Path(__file__).parent / "data" / "kube-api"
PODS = "/api/v1/pods"


@dataclass
class Run:
    """One run of the file alone, with the real kubectl."""

    code: int
    stderr: str
    estate: dict[str, Any] | None


Runner = Callable[..., Run]


@pytest.fixture(
    params=[tools.installed_kubectl, pytest.param(tools.other_kubectl, marks=pytest.mark.extra)],
    ids=["installed", "other"],
)
def kubectl(request: pytest.FixtureRequest) -> Path:
    """Each kubectl that is to be had."""
    path: Path = request.param()
    return path


@pytest.fixture
def run(kubectl: Path, tmp_path: Path) -> Runner:
    """Run the file alone against a stub."""

    def runner(cluster: Cluster, *flags: str, address: str | None = None) -> Run:
        place = tmp_path / "estate.json"
        with serving(cluster) as served:
            config = write_kubeconfig(tmp_path / "config", address or served)
            command = [
                sys.executable,
                "-I",
                "-S",
                str(FILE),
                "--kubectl",
                str(kubectl),
                "--kubeconfig",
                str(config),
            ]
            done = subprocess.run(
                [*command, "-o", str(place), *flags], capture_output=True, text=True, timeout=300
            )
        estate = json.loads(place.read_text()) if place.exists() else None
        return Run(done.returncode, done.stderr, estate)

    return runner


def words_of(kubectl: Path, tmp_path: Path, cluster: Cluster, path: str) -> collect.Failure:
    """Return what the real kubectl says of a failing path."""
    with serving(cluster) as address:
        config = write_kubeconfig(tmp_path / "config", address)
        with pytest.raises(collect.Failure) as failure:
            collect.Kubectl([str(kubectl), f"--kubeconfig={config}"], 5).get(path)
    return failure.value


class TestWords:
    """Every failure exits 1: the words tell them apart."""

    @pytest.mark.parametrize(
        ("code", "kind"),
        [
            (401, "unauthorized"),
            (403, "forbidden"),
            (404, "not-found"),
            (410, "expired"),
            (500, "failed"),
            (503, "unavailable"),
            (504, "timeout"),
        ],
    )
    def test_classified(self, kubectl: Path, tmp_path: Path, code: int, kind: str) -> None:
        assert words_of(kubectl, tmp_path, Cluster(answers={PODS: status(code)}), PODS).kind == kind

    @pytest.mark.parametrize("code", [401, 403, 410])
    def test_recorded_bodies(self, kubectl: Path, tmp_path: Path, code: int) -> None:
        body = (DATA / f"k8s-1.36-status-{code}.json").read_bytes()
        failure = words_of(kubectl, tmp_path, Cluster(answers={PODS: (code, body)}), PODS)
        assert failure.kind == {401: "unauthorized", 403: "forbidden", 410: "expired"}[code]

    def test_refused_and_unknown_context(self, kubectl: Path, tmp_path: Path) -> None:
        config = write_kubeconfig(tmp_path / "config", "http://127.0.0.1:1")
        with pytest.raises(collect.Failure) as refused:
            collect.Kubectl([str(kubectl), f"--kubeconfig={config}"], 5).get(PODS)
        assert refused.value.kind == "unreachable"
        with pytest.raises(collect.Failure) as unknown:
            collect.Kubectl([str(kubectl), f"--kubeconfig={config}", "--context=nope"], 5).get(PODS)
        assert "nope" in str(unknown.value)

    def test_a_body_that_breaks_off_is_a_failure(self, kubectl: Path, tmp_path: Path) -> None:
        whole = ok({"items": [pod(f"p{index}") for index in range(1000)]})[1]
        cut = Cluster(answers={PODS: (200, whole[: len(whole) // 2])})
        with serving(cut) as address:
            config = write_kubeconfig(tmp_path / "config", address)
            with pytest.raises(collect.Failure) as failure:
                collect.Kubectl([str(kubectl), f"--kubeconfig={config}"], 5).get_json(PODS)
        assert failure.value.kind == "malformed"

    def test_a_timeout_ends(self, kubectl: Path, tmp_path: Path) -> None:
        slow = Cluster(delays={PODS: 3})
        with serving(slow) as address:
            config = write_kubeconfig(tmp_path / "config", address)
            began = time.monotonic()
            with pytest.raises(collect.Failure) as failure:
                collect.Kubectl([str(kubectl), f"--kubeconfig={config}"], 0.5).get(PODS)
        assert failure.value.kind == "timeout"
        assert time.monotonic() - began < 30


class TestRuns:
    """The file alone, end to end."""

    def test_a_recorded_cluster(self, run: Runner, tmp_path: Path) -> None:
        cluster = Cluster()
        for path, name in (
            ("/api/v1/nodes", "nodes-limit-2"),
            (PODS, "pods-limit-3"),
            ("/api/v1/events", "events"),
            ("/apis/policy/v1/poddisruptionbudgets", "pdbs"),
        ):
            cluster.objects[path] = json.loads((DATA / f"k8s-1.36-{name}.json").read_text())["items"]
        done = run(cluster, "--dcgm", "off")
        assert (done.code, done.stderr.count("\n")) == (0, 1)
        assert done.estate is not None
        assert [(one["installed"], one["allocated"]) for one in done.estate["nodes"]] == [(8, 0), (8, 1)]
        assert done.estate["cluster"] == "lab-1"
        work = done.estate["workloads"][0]
        assert (work["id"], work["kind"], work["criticalBasis"]) == (
            "ml/pytorchjob/llm",
            "training",
            "pdb:empty",
        )
        assert stat.S_IMODE((tmp_path / "estate.json").stat().st_mode) == 0o600

    @pytest.mark.parametrize(
        ("path", "code"), [("/version", 401), ("/api/v1/nodes", 401), ("/api/v1/nodes", 403), (PODS, 403)]
    )
    def test_unauthorised_is_4_and_no_file(self, run: Runner, path: str, code: int) -> None:
        done = run(Cluster(answers={path: status(code)}).add(node("n1")))
        assert (done.code, done.estate) == (4, None)
        assert done.stderr.startswith("topo collect: cannot")
        assert all(line.startswith("  help: ") for line in done.stderr.splitlines()[1:])

    def test_unreachable_is_4_and_no_file(self, run: Runner) -> None:
        done = run(Cluster(), address="http://127.0.0.1:1")
        assert (done.code, done.estate) == (4, None)
        assert "\n  help: `kubectl get nodes` must answer first: see KUBECONFIG" in done.stderr

    @pytest.mark.extra
    def test_an_expired_token_in_the_middle(self, run: Runner) -> None:
        cluster = Cluster().add(node("n1", gpus=2000), *(pod(f"p{index}") for index in range(1200)))
        cluster.answers[PODS] = expired_after(cluster, PODS, pages=1, times=1)
        done = run(cluster, "--dcgm", "off")
        assert done.estate is not None
        assert done.estate["nodes"][0]["allocated"] == 1200

    @pytest.mark.extra
    def test_half_a_list_is_no_list(self, run: Runner) -> None:
        cluster = Cluster().add(node("n1", gpus=2000), *(pod(f"p{index}") for index in range(1200)))
        cluster.answers[PODS] = lambda query: (
            status(500) if query.get("continue") == "1000" else ok(cluster._page(PODS, query))
        )
        done = run(cluster, "--dcgm", "off")
        assert (done.code, done.estate) == (4, None)

    @pytest.mark.extra
    def test_a_broken_metrics_service(self, run: Runner) -> None:
        cluster = Cluster(answers={collect.METRICS.path: status(503)}).add(node("n1"))
        done = run(cluster, "--unit", "cpu")
        assert done.estate is not None
        assert done.estate["provenance"]["signals"]["metrics"]["reachable"] is False

    @pytest.mark.extra
    def test_a_slow_optional_list_is_a_signal(self, run: Runner) -> None:
        cluster = Cluster(delays={"/api/v1/events": 5}).add(node("n1"))
        done = run(cluster, "--dcgm", "off", "--request-timeout", "1")
        assert done.estate is not None
        assert done.estate["provenance"]["signals"]["events"]["reachable"] is False

    @pytest.mark.extra
    def test_impersonation_and_context_are_passed_on(self, run: Runner) -> None:
        done = run(
            Cluster().add(node("n1")),
            "--dcgm",
            "off",
            "--context",
            "lab-1",
            "--as",
            "system:serviceaccount:topo:collector",
        )
        assert done.estate is not None
        assert done.estate["cluster"] == "lab-1"

    @pytest.mark.extra
    def test_the_exporter_and_prometheus_through_the_proxy(self, run: Runner) -> None:
        metrics = 'DCGM_FI_DEV_GPU_UTIL{gpu="0",Hostname="n1"} 50\n'
        cluster = Cluster(
            answers={"/api/v1/namespaces/gpu/services/dcgm:9400/proxy/metrics": ok(metrics)}
        ).add(node("n1", gpus=1))
        done = run(cluster, "--dcgm", "gpu/dcgm:9400", "--prometheus", "mon/https:prom:9090")
        assert done.estate is not None
        assert done.estate["nodes"][0]["utilization"] == 0.5
        assert any("/services/https:prom:9090/proxy/api/v1/query?query=" in one for one in cluster.log)
