"""Utilization from DCGM's exporters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.collector.build import node, pod
from tests.collector.direct import caveats, estate_of
from tests.collector.exporter import GR, PROXY, SM, UTIL, line
from tests.collector.stub_server import Answer, Cluster, Handler, ok, status
from topo import collect

DATA = Path(__file__).parent / "data" / "dcgm"


def service(name: str, ports: list[dict[str, Any]], namespace: str = "gpu") -> dict[str, Any]:
    """Return a service."""
    return {"kind": "Service", "metadata": {"name": name, "namespace": namespace}, "spec": {"ports": ports}}


class TestExposition:
    """What exporters answer, as published and as broken."""

    @pytest.mark.parametrize(
        ("file", "samples", "malformed"),
        [
            ("v1.35_kops_tests_TestObservability_AcceleratorMetrics_ViaDCGM_output.prom", 4, 0),
            ("v1.35_vks_accelerator_metrics.prom", 1, 0),
            ("v1.35_viettel_ai_platform_accelerator_metrics.prom", 0, 4),
        ],
    )
    def test_published_answers(self, file: str, samples: int, malformed: int) -> None:
        found, bad = collect.exposition((DATA / file).read_text(), collect.UTILIZATION_METRICS)
        assert (len(found), bad) == (samples, malformed)

    def test_labels_may_hold_anything(self) -> None:
        text = UTIL + r'{a="}, b=\"x\"\\\n",Hostname="n1"} 5 1700000000000'
        assert collect.exposition(text, [UTIL]) == ([(UTIL, {"a": '}, b="x"\\\n', "Hostname": "n1"}, 5.0)], 0)

    @pytest.mark.parametrize(
        "bad",
        [
            *("{", '{a="1} 5', "{a=1} 5", '{a="1"} x', "", '{a="1" b="2"} 5'),
            *(" 1_0", " ٥", " 0x10", " 5 ٣", " infinit", " 5e", ' 50\x85{gpu="1"} 90'),
        ],
    )
    def test_malformed_lines_are_counted(self, bad: str) -> None:
        assert collect.exposition(UTIL + bad, [UTIL]) == ([], 1)

    @pytest.mark.parametrize("number", ["5", "+5.", ".5", "-1e3", "1E+3", "Inf", "-inf", "+Infinity", "NaN"])
    def test_numbers(self, number: str) -> None:
        samples, malformed = collect.exposition(f"{UTIL} {number} 1700000000000\r\n", [UTIL])
        assert (len(samples), malformed) == (1, 0)
        assert str(samples[0][2]) == str(float(number))

    def test_other_metrics_are_skipped(self) -> None:
        assert collect.exposition(f"# HELP {UTIL} x\n{UTIL}_TOTAL 5\nother 1\n", [UTIL]) == ([], 0)


class TestNodeUtilization:
    """The best metric there is; the mean over the GPUs that pods hold, where the exporter says so."""

    def scraped(self, text: str) -> dict[str, Any]:
        cluster = Cluster(answers={PROXY: ok(text)}).add(node("n1", gpus=2))
        return estate_of(cluster, "--dcgm", "gpu/dcgm:9400")

    def test_sm_activity_before_engine_activity_before_gpu_util(self) -> None:
        text = line(UTIL, 100, gpu="0", Hostname="n1") + line(GR, 0.5, gpu="0", Hostname="n1")
        assert self.scraped(text)["nodes"][0]["utilization"] == 0.5
        text += line(SM, 0.25, gpu="0", Hostname="n1")
        estate = self.scraped(text)
        assert estate["nodes"][0]["utilization"] == 0.25
        assert f"Utilization is {SM} (1 node: n1)" in caveats(estate)
        assert estate["nodes"][0]["utilizationBasis"] == "dcgm"
        assert "utilizationWindowHours" not in estate["nodes"][0]

    def test_a_gpu_that_no_pod_holds_does_not_dilute(self) -> None:
        held = line(UTIL, 80, gpu="0", Hostname="n1", pod="train-0", namespace="ml")
        assert self.scraped(held + line(UTIL, 0, gpu="1", Hostname="n1"))["nodes"][0]["utilization"] == 0.8

    def test_all_gpus_where_nothing_is_said_of_pods(self) -> None:
        text = line(UTIL, 80, gpu="0", Hostname="n1") + line(UTIL, 20, gpu="1", Hostname="n1")
        assert self.scraped(text)["nodes"][0]["utilization"] == 0.5

    def test_hosts_that_are_no_nodes_are_said(self) -> None:
        assert "hosts that are no nodes here (1 host: n7)" in caveats(
            self.scraped(line(UTIL, 80, gpu="0", Hostname="n7"))
        )


class TestScraping:
    """A service reaches one exporter per call: repeat, stop when nothing new comes, say what was covered."""

    def rotating(self, *hosts: str) -> Handler:
        calls = iter(range(10_000))

        def handle(_: dict[str, str]) -> Answer:
            host = hosts[next(calls) % len(hosts)]
            return ok(line(UTIL, 50, gpu="0", Hostname=host))

        return handle

    def test_calls_are_repeated_until_every_gpu_node_is_seen(self) -> None:
        cluster = Cluster(answers={PROXY: self.rotating("n1", "n1", "n2", "n3")})
        cluster.add(*(node(f"n{index}", gpus=1) for index in (1, 2, 3)), node("cpu", gpus=None))
        estate = estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert [one.get("utilization") for one in estate["nodes"]] == [None, 0.5, 0.5, 0.5]
        assert sum(PROXY in one for one in cluster.log) == 4
        assert estate["provenance"]["signals"]["dcgm"] == {
            "reachable": True,
            "detail": "seen on 3 of 3 GPU nodes",
        }

    def test_it_gives_up_and_says_so(self) -> None:
        cluster = Cluster(answers={PROXY: self.rotating("n1")}).add(node("n1", gpus=1), node("n2", gpus=1))
        estate = estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert "seen on 1 of 2 GPU nodes" in caveats(estate)
        assert sum(PROXY in one for one in cluster.log) == 1 + collect.DCGM_MAX_FRUITLESS

    def test_a_malformed_line_that_is_read_again_counts_once(self) -> None:
        cluster = Cluster(answers={PROXY: ok(f"{UTIL}{{ 5\n")}).add(node("n1", gpus=1))
        estate = estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert sum(PROXY in one for one in cluster.log) == collect.DCGM_MAX_FRUITLESS
        assert "Dropped as malformed: 1 line of DCGM's answers." in caveats(estate)

    @pytest.mark.parametrize("code", [403, 404, 503])
    def test_unreachable(self, code: int) -> None:
        estate = estate_of(Cluster(answers={PROXY: status(code)}).add(node("n1")), "--dcgm", "gpu/dcgm:9400")
        assert estate["provenance"]["signals"]["dcgm"]["reachable"] is False
        assert "DCGM was not reachable: utilization is estimated from requests" in caveats(estate)
        assert estate["nodes"][0]["utilizationBasis"] == "requests"

    def test_off(self) -> None:
        cluster = Cluster().add(node("n1"))
        estate = estate_of(cluster, "--dcgm", "off")
        assert "DCGM was switched off" in caveats(estate)
        assert not any("services" in one for one in cluster.log)

    def test_auto_takes_services_whose_name_has_dcgm(self) -> None:
        cluster = Cluster(answers={PROXY: ok(line(UTIL, 50, gpu="0", Hostname="n1"))}).add(node("n1", gpus=1))
        cluster.add(
            service("dcgm", [{"name": "metrics", "port": 9400}]),
            service("nvidia-dcgm", [{"name": "dcgm", "port": 5555}]),
            service("secrets-vault", [{"name": "metrics", "port": 9400}], "kube-system"),
        )
        assert estate_of(cluster)["nodes"][0]["utilization"] == 0.5
        assert [one for one in cluster.log if "/proxy/" in one] == [PROXY]

    def test_auto_finds_none(self) -> None:
        estate = estate_of(Cluster().add(node("n1"), service("web", [{"port": 80}])))
        assert estate["provenance"]["signals"]["dcgm"] == {
            "reachable": False,
            "detail": "no service matches dcgm",
        }

    def test_without_gpus_nothing_is_asked(self) -> None:
        cluster = Cluster().add(node("n1", gpus=None))
        estate_of(cluster, "--dcgm", "gpu/dcgm:9400")
        assert not any("/proxy/" in one for one in cluster.log)

    @pytest.mark.parametrize(
        "text", ["gpu/dcgm", "dcgm:9400", "gpu/../secrets:1", "gpu/dcgm:9400/x", "on", ""]
    )
    def test_a_target_is_namespace_service_port(self, text: str) -> None:
        with pytest.raises(Exception, match="NAMESPACE/SERVICE:PORT"):
            collect.dcgm_choice(text)

    def test_a_target_may_name_its_scheme(self) -> None:
        assert (
            collect.target("a/https:b:443").path("x") == "/api/v1/namespaces/a/services/https:b:443/proxy/x"
        )


def test_a_pod_of_the_exporter_on_an_unknown_node_maps_nowhere() -> None:
    trimmed = collect.trim_pod(pod("dcgm-x", "gone"), lambda _: True)
    assert trimmed is not None
    assert collect.host_names([], [trimmed]) == {}
