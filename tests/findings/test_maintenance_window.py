"""Work on something that is in use: jobs to move or checkpoint first, and when it may start."""

from __future__ import annotations

import pytest

from findings.drain import Drain
from findings.maintenance.plan import window
from tests.findings.test_maintenance import NOW, pair, plan


class TestJobsAndWindow:
    """Latest start = until − duration; latest safe start = that − the worst drain of the jobs to move."""

    JOBS = (
        {"id": "t", "kind": "training", "checkpointMinutes": 30, "placements": {"n1": 4}},
        {"id": "i", "kind": "inference", "placements": {"n1": 2}},
    )

    def test_jobs_on_lost_nodes_make_way_first(self) -> None:
        found = plan(pair(workloads=self.JOBS), "pdu-1")
        assert [(job.hit.workload.id, job.action, job.drain) for job in found.jobs] == [
            ("i", "move", Drain(1, 1)),
            ("t", "checkpoint", Drain(15, 30)),
        ]
        assert found.drain == Drain(15, 30)

    def test_both_starts(self) -> None:
        found = window(NOW, 120, "2026-11-30T18:00:00+02:00", Drain(15, 30))
        assert (found.latest_start, found.latest_safe_start, found.in_time) == (
            "2026-11-30T14:00:00Z",
            "2026-11-30T13:30:00Z",
            True,
        )

    def test_now_is_still_in_time_and_a_minute_later_is_not(self) -> None:
        assert window(NOW, 60, "2026-11-30T14:30:00Z", Drain(15, 30)).in_time is True
        assert window("2026-11-30T13:01:00Z", 60, "2026-11-30T14:30:00Z", Drain(15, 30)).in_time is False

    @pytest.mark.parametrize(("minutes", "until"), [(None, "2026-11-30T18:00:00Z"), (60, None)])
    def test_half_a_window_is_unknown(self, minutes: float | None, until: str | None) -> None:
        found = window(NOW, minutes, until, Drain(0, 0))
        assert (found.latest_start, found.latest_safe_start, found.in_time) == (None, None, None)

    def test_a_drain_that_cannot_be_timed_leaves_the_safe_start_unknown(self) -> None:
        found = window(NOW, 60, "2026-11-30T18:00:00Z", Drain(None, None))
        assert (found.latest_safe_start, found.in_time) == (None, None)
        assert window(NOW, 60, NOW, Drain(None, None)).in_time is False

    def test_a_drain_longer_than_the_calendar_is_not_in_time(self) -> None:
        """Known: whenever the calendar began, that has passed. What cannot be said is the date."""
        found = window(NOW, 0, "9999-12-31T23:59:59Z", Drain(9e14, 9e14))
        assert (found.latest_start, found.latest_safe_start) == ("9999-12-31T23:59:59Z", None)
        assert (found.in_time, found.why) == (False, "before-calendar")
        assert window(NOW, 0, None, Drain(0, 0)).why == "no-window"
        assert window(NOW, 0, NOW, Drain(None, None)).why == "drain-unknown"
        assert window(NOW, 0, NOW, Drain(1, 1)).why is None

    def test_too_late_is_a_verdict_of_its_own(self) -> None:
        assert plan(pair(), "ups-a", duration_minutes=60, until=NOW).verdict == "too-late"
        assert plan(pair(), "ups-a", duration_minutes=0, until=NOW).verdict == "safe"
