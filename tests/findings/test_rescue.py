"""The smallest shed that keeps a cascade from happening, against how long the survivors carry it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.rescue.overloads import carry_seconds, weakest
from findings.rescue.plan import plan_rescue
from topology.model import Domain, Estate, Node, Overload, Standing, Workload

NOW = "2026-11-30T13:00:00Z"
SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "rescue.schema.json"


def shared_survivor(
    *jobs: tuple[str, str, int], overload: tuple[Overload, ...] = (), **values: Any
) -> Estate:
    """Feeds a and b rated 8 kW, racks d1 and d2 of 6 kW each on both: when a fails, b carries 12 kW."""
    domains = {
        "a": Domain("a", "power", rated_kw=8),
        "b": Domain("b", "power", rated_kw=8, overload=overload),
        "d1": Domain("d1", "rack", feeds=("a", "b")),
        "d2": Domain("d2", "rack", feeds=("a", "b")),
    }
    nodes = tuple(Node(f"n{i}", 6, standings=(Standing("rack", "one", (f"d{i}",)),)) for i in (1, 2))
    placed: dict[str, int] = {"n1": 0, "n2": 0}
    workloads = []
    for name, kind, units in jobs:
        node = "n1" if placed["n1"] + units <= 6 else "n2"
        placed[node] += units
        workloads.append(Workload(name, kind, {node: units}, critical=False, **values))
    return Estate(
        "c",
        "gpu",
        "2026-11-30T12:00:00Z",
        nodes,
        domains,
        tuple(workloads),
        watts_per_unit_kw=1.0,
        idle_kw_per_unit=0,
        price_per_unit_hour=3,
    )


JOBS = (("w2", "batch", 2), ("x3", "batch", 3), ("y4", "batch", 4), ("z1", "batch", 1))


class TestVerdict:
    def test_sheddable_while_the_survivor_carries_it(self) -> None:
        """b carries 12 of 8 kW, 150 %, for 60 s; 4 kW are 60 s away."""
        estate = shared_survivor(*JOBS, overload=(Overload(150, 60),))
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert result.verdict == "sheddable"
        assert [pause.workload.id for pause in result.plan.pauses] == ["y4"]
        assert (result.plan.kw, result.plan.time.worst_minutes) == (4, 1)
        assert result.before.nodes == 2
        assert (result.after.nodes, result.after.holds) == (0, True)

    @pytest.mark.parametrize(("listed", "seconds"), [(150, 70), (149.5, 80)])
    def test_as_long_as_the_smallest_overload_that_is_as_large(self, listed: float, seconds: int) -> None:
        """12 of 8 kW are 150 % of the rating."""
        overload = (Overload(140, 90), Overload(listed, 70), Overload(200, 80))
        result = plan_rescue(compile_facility(shared_survivor(*JOBS, overload=overload)), ["a"], now=NOW)
        over = result.reliefs[0].over
        assert (over.id, over.percent, over.carry_seconds) == ("b", 150, seconds)

    def test_an_upper_bound_says_that_it_is_one(self) -> None:
        """docs/curtailment.md: where idleKwPerUnit is unknown the shed is an "upper bound, not a promise"."""
        estate = shared_survivor(*JOBS, overload=(Overload(150, 60),))
        result = plan_rescue(
            compile_facility(dataclasses.replace(estate, idle_kw_per_unit=None)), ["a"], now=NOW
        )
        assert (result.verdict, result.in_time, result.plan.upper_bound) == ("sheddable", True, True)
        assert [pause.workload.id for pause in result.plan.pauses] == ["y4"]

    def test_too_slow_names_what_must_go_before(self) -> None:
        """Two published UPS manuals hold 133 % for 3 s and 10 s; the fastest pause order is 60 s."""
        estate = shared_survivor(*JOBS, overload=(Overload(150, 10),))
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert result.verdict == "too-slow"
        (relief,) = result.reliefs
        assert (relief.in_time_kw, relief.cap_before_kw) == (0, 4)
        assert result.after.holds

    def test_what_is_too_slow_must_go_before(self) -> None:
        """Of 4 kW a batch of 2 kW is gone within 60 s; what a training checkpoints in an hour is not."""
        jobs = (("w2", "batch", 2), ("t4", "training", 4))
        estate = shared_survivor(*jobs, overload=(Overload(150, 60),), checkpoint_minutes=60)
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        (relief,) = result.reliefs
        assert result.verdict == "too-slow"
        assert (relief.at_all_kw, relief.in_time_kw, relief.cap_before_kw) == (6, 2, 2)

    def test_unknown_without_an_overload_curve(self) -> None:
        result = plan_rescue(compile_facility(shared_survivor(*JOBS)), ["a"], now=NOW)
        assert result.verdict == "unknown"
        assert result.reliefs[0].cap_before_kw is None
        assert result.after.holds

    def test_not_sheddable_when_the_workloads_do_not_hold_enough(self) -> None:
        estate = shared_survivor(("w2", "batch", 2), overload=(Overload(150, 600),))
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert result.verdict == "not-sheddable"
        assert result.plan.pauses == ()

    def test_what_cannot_be_timed_is_no_rescue(self) -> None:
        estate = shared_survivor(("t4", "training", 4), overload=(Overload(150, 6000),))
        assert plan_rescue(compile_facility(estate), ["a"], now=NOW).verdict == "not-sheddable"

    def test_nothing_to_do(self) -> None:
        estate = shared_survivor(*JOBS)
        domains = {**estate.domains, "b": Domain("b", "power", rated_kw=12)}
        result = plan_rescue(compile_facility(dataclasses.replace(estate, domains=domains)), ["a"], now=NOW)
        assert result.verdict == "nothing-overloads"

    def test_unknown_power_is_not_safe(self) -> None:
        estate = shared_survivor(*JOBS)
        domains = {**estate.domains, "b": Domain("b", "power", rated_kw=12)}
        nodes = (*estate.nodes, Node("n3", 1, standings=(Standing("rack", "one", ("d1",)),)))
        nodes = (
            dataclasses.replace(nodes[0], kw_per_unit=1),
            dataclasses.replace(nodes[1], kw_per_unit=1),
            nodes[2],
        )
        blind = dataclasses.replace(estate, domains=domains, nodes=nodes, watts_per_unit_kw=None)
        assert plan_rescue(compile_facility(blind), ["a"], now=NOW).verdict == "unknown"

    def test_the_smallest_shed_not_the_fewest_pauses(self) -> None:
        estate = shared_survivor(("big", "batch", 6), ("s2", "batch", 2), ("t2", "batch", 2))
        result = plan_rescue(compile_facility(estate), ["a"], now=NOW)
        assert {pause.workload.id for pause in result.plan.pauses} == {"s2", "t2"}


class TestDemotion:
    """Feeds rated 8 kW and 4 kW under 6 kW: losing the strong one demotes (methodology: lab)."""

    def lab(self) -> Estate:
        domains = {
            "strong": Domain("strong", "power", rated_kw=8),
            "weak": Domain("weak", "power", rated_kw=4, overload=(Overload(150, 120),)),
            "panel": Domain("panel", "power", feeds=("strong", "weak")),
        }
        node = Node("n", 6, standings=(Standing("pdu", "one", ("panel",)),))
        jobs = tuple(Workload(f"w{i}", "batch", {"n": i}, critical=False) for i in (1, 2, 3))
        return Estate(
            "lab",
            "gpu",
            "2026-11-30T12:00:00Z",
            (node,),
            domains,
            jobs,
            watts_per_unit_kw=1.0,
            idle_kw_per_unit=0,
        )

    def test_two_kilowatts_save_the_panel(self) -> None:
        result = plan_rescue(compile_facility(self.lab()), ["strong"], now=NOW)
        assert result.before.demoted == ("panel",)
        assert [(each.over.id, each.over.by, each.over.excess_kw) for each in result.reliefs] == [
            ("panel", "demotion", 2),
            ("weak", "strict", 2),
        ]
        assert [pause.workload.id for pause in result.plan.pauses] == ["w2"]
        assert result.verdict == "sheddable"
        assert result.after.holds

    def test_it_is_carried_as_long_as_the_survivors_say(self) -> None:
        """6 of 4 kW are 150 %."""
        lab = self.lab()
        weak = dataclasses.replace(lab.domains["weak"], overload=(Overload(149.5, 90), Overload(150, 120)))
        lab = dataclasses.replace(lab, domains={**lab.domains, "weak": weak})
        reliefs = plan_rescue(compile_facility(lab), ["strong"], now=NOW).reliefs
        assert [(each.over.id, each.over.carry_seconds) for each in reliefs] == [
            ("panel", 120),
            ("weak", 120),
        ]

    def test_losing_the_weak_one_overloads_nothing(self) -> None:
        assert plan_rescue(compile_facility(self.lab()), ["weak"], now=NOW).verdict == "nothing-overloads"


class TestFailedNode:
    """A node that fails draws nothing by the strict check, so pausing what runs on it takes nothing off."""

    def test_its_jobs_are_not_paused(self) -> None:
        """n1 (3 kW) fails with feed a: b, rated 4 kW, carries the 6 kW of n2, of which y4 takes off 4."""
        estate = shared_survivor(*JOBS)
        domains = {**estate.domains, "b": Domain("b", "power", rated_kw=4)}
        nodes = (dataclasses.replace(estate.nodes[0], kw_per_unit=0.5), estate.nodes[1])
        estate = dataclasses.replace(estate, domains=domains, nodes=nodes)
        result = plan_rescue(compile_facility(estate), ["a", "n1"], now=NOW)
        strict = [each for each in result.reliefs if each.over.by == "strict"]
        assert [(each.over.id, each.over.load_kw, each.at_all_kw) for each in strict] == [("b", 6, 4)]


class TestOverBefore:
    """A survivor over its rating before the failure does not trip for it, unless the shed lowers that flow.

    Failing `a` and `q` puts 12 kW on `t` (rated 2) and 6 + 6 kW on `s` (rated 8), which carried 6 + 3 + 12
    before. With 10 of the 12 kW paused it carried 6 + 3 + 2 = 11 before: 12 kW trip it, and 4 more must go.
    """

    def test_what_trips_on_the_lighter_load_is_relieved_too(self) -> None:
        domains = {
            "a": Domain("a", "power"),
            "s": Domain("s", "power", rated_kw=8),
            "t": Domain("t", "power", rated_kw=2),
            "q": Domain("q", "power", parent="s"),
            "rb": Domain("rb", "rack", feeds=("q", "t"), transfer="preferred"),
            "ra": Domain("ra", "rack", feeds=("a", "s")),
            "rc": Domain("rc", "rack", parent="s"),
        }
        nodes = tuple(
            Node(name, kw, standings=(Standing("rack", "one", (rack,)),))
            for name, kw, rack in (("na", 6, "ra"), ("nb", 12, "rb"), ("nc", 6, "rc"))
        )
        jobs = (
            Workload("a4", "batch", {"na": 4}, critical=False),
            Workload("b10", "batch", {"nb": 10}, critical=False),
        )
        estate = Estate(
            "c",
            "gpu",
            "2026-11-30T12:00:00Z",
            nodes,
            domains,
            jobs,
            watts_per_unit_kw=1.0,
            idle_kw_per_unit=0,
        )
        result = plan_rescue(compile_facility(estate), ["a", "q"], now=NOW)
        assert [(each.over.id, each.over.by, each.over.load_kw) for each in result.reliefs] == [
            ("rb", "demotion", 12),
            ("s", "strict", 12),
            ("t", "strict", 12),
        ]
        assert [pause.workload.id for pause in result.plan.pauses] == ["a4", "b10"]
        assert result.before.tripped == ("t",)
        assert result.after.holds


class TestCarrying:
    """The smallest listed overload that is as large; above the largest 0 s; nothing listed: unknown."""

    domain = Domain(
        "x", "ups", rated_kw=8, overload=(Overload(150, 10), Overload(110, 600), Overload(125, 60))
    )

    @pytest.mark.parametrize(
        ("percent", "seconds"), [(101, 600), (110, 600), (110.1, 60), (125, 60), (150, 10), (150.1, 0)]
    )
    def test_never_too_long(self, percent: float, seconds: float) -> None:
        assert carry_seconds(self.domain, percent) == seconds

    def test_unlisted_is_unknown(self) -> None:
        assert carry_seconds(Domain("x", "ups", rated_kw=8), 101) is None


class TestWeakest:
    """docs/curtailment.md: "A demoted domain is carried as long as the weakest of its surviving feeds"."""

    @pytest.mark.parametrize(
        ("carries", "seconds"),
        [([60, 10], 10), ([60, None], None), ([0, None], 0), ([None, 0], 0), ([None], None)],
    )
    def test_nothing_is_weaker_than_0(self, carries: list[int | None], seconds: int | None) -> None:
        """ "where one does not say, that is unknown, unless another carries 0 s"."""
        assert weakest(carries) == seconds
