"""Events and telemetry that broke other tools: cases 20 and 27 to 30."""

from __future__ import annotations

import pytest

from tests.collector.build import event, node, pod
from tests.collector.cases import collected, scraped, series
from tests.collector.direct import by_id, caveats


class TestCase20Events:
    """Null times and counts, series, a count over 40 days; what was not observed is null."""

    def test_an_hour_that_was_seen_and_one_that_was_not(self) -> None:
        loop = collected(
            node("n1"),
            event(
                "SuccessfulRescale",
                "horizontal-pod-autoscaler",
                first="2026-12-01T12:05:00Z",
                last="2026-12-01T12:06:00Z",
                count=9,
            ),
        )
        assert loop["loops"] == [{"id": "hpa", "hourlyActions": [None] * 23 + [9]}]

    def test_new_recorder_without_times_or_count(self) -> None:
        bare = event("Scheduled", "default-scheduler", source={}, eventTime="2026-12-01T12:10:00.123456Z")
        again = event(
            "Scheduled",
            "default-scheduler",
            eventTime="2026-12-01T11:50:00Z",
            series={"count": 3, "lastObservedTime": "2026-12-01T11:55:00Z"},
        )
        loops = collected(node("n1"), bare, again)["loops"]
        assert loops == [{"id": "scheduler", "hourlyActions": [None] * 22 + [3, 1]}]

    def test_nothing_but_a_creation_time(self) -> None:
        bare = event("Disrupted", "karpenter")
        bare["metadata"]["creationTimestamp"] = "2026-12-01T12:01:00Z"
        assert collected(node("n1"), bare)["loops"][0]["hourlyActions"][-1] == 1

    def test_a_count_that_spans_40_days_is_not_one_hour(self) -> None:
        old = event(
            "SuccessfulRescale",
            "horizontal-pod-autoscaler",
            first="2026-10-22T00:00:00Z",
            last="2026-12-01T12:01:00Z",
            count=4000,
        )
        estate = collected(node("n1"), old)
        assert estate["loops"][0]["hourlyActions"] == [None] * 23 + [1]
        assert "3,999 repeated control-loop actions" in caveats(estate)

    def test_a_count_over_two_hours_places_its_ends(self) -> None:
        spread = event(
            "SuccessfulRescale",
            "horizontal-pod-autoscaler",
            first="2026-12-01T11:10:00Z",
            last="2026-12-01T12:10:00Z",
            count=5,
        )
        oldest = event("Pulled", "kubelet", last="2026-12-01T10:30:00Z")
        assert collected(node("n1"), spread, oldest)["loops"][0]["hourlyActions"] == [None] * 22 + [1, 1]

    def test_a_quiet_hour_that_was_observed_is_zero_and_a_partial_one_is_not(self) -> None:
        acted = event("SuccessfulRescale", "horizontal-pod-autoscaler", last="2026-12-01T12:10:00Z")
        oldest = event("Pulled", "kubelet", last="2026-12-01T09:30:00Z")
        assert collected(node("n1"), acted, oldest)["loops"][0]["hourlyActions"][-4:] == [None, 0, 0, 1]

    def test_the_window_is_said(self) -> None:
        estate = collected(node("n1"), event("Pulled", "kubelet", last="2026-12-01T11:30:00Z"))
        assert "Events cover 2026-12-01T11:30:00Z to 2026-12-01T12:30:00Z (60 minutes" in caveats(estate)
        assert estate["loops"] == []

    def test_no_events_is_unobserved_not_quiet(self) -> None:
        assert "unobserved" in caveats(collected(node("n1")))


class TestCase27XidIsTheLastCode:
    """DCGM_FI_DEV_XID_ERRORS is the last code seen: 79 is not 79 events."""

    def test_xid_events_stay_unknown(self) -> None:
        text = series(50) + 'DCGM_FI_DEV_XID_ERRORS{gpu="0",Hostname="n1"} 79\n'
        estate = scraped(text, node("n1", gpus=1))
        assert estate["nodes"][0]["xidEvents90d"] is None
        assert estate["nodes"][0]["utilization"] == 0.5
        assert "last code seen, not a count" in caveats(estate)


class TestCase28Sentinels:
    """Blank values of DCGM are dropped and counted."""

    @pytest.mark.parametrize(
        "value",
        [4294967295, 140737488355328, 9223372036854775792, 9223372036854775794, "NaN", "+Inf", -1, 101.5],
    )
    def test_dropped_and_counted(self, value: object) -> None:
        estate = scraped(series(value) + series(40, gpu="1"), node("n1", gpus=2))
        assert estate["nodes"][0]["utilization"] == 0.4
        assert "Dropped as sentinels or out of range: 1 utilization reading." in caveats(estate)

    def test_nothing_left_is_unknown_not_zero(self) -> None:
        assert "utilization" not in scraped(series(4294967295), node("n1", gpus=1))["nodes"][0]


class TestCase29Mig:
    """GPU_UTIL is 0 or absent under MIG: the profiling metric, or unknown."""

    def test_gpu_util_says_nothing_under_mig(self) -> None:
        text = series(0, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="7"')
        estate = scraped(text, node("n1"))
        assert "utilization" not in estate["nodes"][0]
        assert "without a usable reading" in caveats(estate)

    def test_a_node_that_is_labelled_mig_is_mig(self) -> None:
        shown = node("n1", gpus=7, labels={"nvidia.com/gpu.product": "H100-MIG-1g.10gb"})
        assert "utilization" not in scraped(series(0), shown)["nodes"][0]

    def test_instances_weigh_by_their_compute_slices(self) -> None:
        active = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
        small = series(0.1, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="1"', metric=active)
        large = series(0.9, more=',GPU_I_PROFILE="3g.40gb",GPU_I_ID="2"', metric=active)
        whole_gpu = series(0.5, metric=active)
        assert scraped(small + large + whole_gpu, node("n1"))["nodes"][0]["utilization"] == 0.7

    def test_a_whole_gpu_beside_instances_weighs_as_all_its_slices(self) -> None:
        active = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
        small = series(0.8, more=',GPU_I_PROFILE="1g.10gb",GPU_I_ID="1"', metric=active)
        estate = scraped(small + series(0, gpu="1", metric=active), node("n1"))
        assert estate["nodes"][0]["utilization"] == 0.1


class TestCase30Hosts:
    """Hostname is the exporter's pod in old versions; a series that is missing is not 0."""

    def test_through_the_exporters_pod(self) -> None:
        exporter = pod("dcgm-exporter-x7", on="n1", gpus=None, namespace="gpu")
        assert (
            scraped(series(30, host="dcgm-exporter-x7"), node("n1", gpus=1), exporter)["nodes"][0][
                "utilization"
            ]
            == 0.3
        )

    def test_short_and_full_names_and_the_renamed_label(self) -> None:
        text = series(30, host="gpu-1").replace("Hostname", "hostname")
        assert scraped(text, node("gpu-1.example.com", gpus=1))["nodes"][0]["utilization"] == 0.3

    def test_an_ambiguous_short_name_is_no_node(self) -> None:
        estate = scraped(series(30, host="gpu-1"), node("gpu-1.a.com", gpus=1), node("gpu-1.b.com", gpus=1))
        assert {one["utilizationBasis"] for one in estate["nodes"]} == {"requests"}

    def test_a_missing_gpu_is_left_out_not_zero(self) -> None:
        estate = scraped(series(60) + series(80, gpu="1"), node("n1", gpus=8))
        assert estate["nodes"][0]["utilization"] == 0.7
        assert "fewer GPUs than are installed" in caveats(estate)

    def test_a_node_that_dcgm_does_not_name_falls_back_labelled(self) -> None:
        estate = scraped(series(60), node("n1", gpus=1), node("n2"), pod("p", on="n2", gpus=2))
        assert by_id(estate["nodes"])["n2"]["utilizationBasis"] == "requests"
        assert estate["provenance"]["signals"]["dcgm"]["detail"] == "seen on 1 of 2 GPU nodes"
