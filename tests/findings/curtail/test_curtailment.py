"""Methodology: Curtailment drain latency; which workloads to pause at least harm."""

from __future__ import annotations

import dataclasses
import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.compiled import compile_facility
from findings.curtail.ask import Ask, NothingFlows
from findings.curtail.curtailment import Curtailment, plan_curtailment
from findings.curtail.document import curtailment_to_json
from findings.curtail.pauses import Pause
from findings.curtail.remarks import UPPER_BOUND_CAVEAT, YESTERDAY_CAVEAT
from tests.strategies import estates
from topology.model import Domain, Estate, Node, Standing, Workload
from topology.notes import SELF_REPORTED_NOTE
from topology.unknown_id import UnknownId

NOW = "2026-11-30T13:00:00Z"
SCHEMA = Path(__file__).resolve().parents[3] / "schemas" / "curtail.schema.json"


def job(name: str, kind: str, units: int, **values: Any) -> Workload:
    return Workload(name, kind, {f"n-{name}": units}, **{"critical": False, **values})


def estate(*jobs: Workload, **values: Any) -> Estate:
    """Every job on a node of its own, all on one PDU; 1 kW and 3 $/h a unit, nothing when paused."""
    nodes = tuple(
        Node(node, units, standings=(Standing("pdu", "one", ("pdu",)),))
        for each in jobs
        for node, units in each.placements.items()
    )
    options: dict[str, Any] = {"price_per_unit_hour": 3, "watts_per_unit_kw": 1.0, "idle_kw_per_unit": 0}
    return Estate(
        "c",
        "gpu",
        "2026-11-30T12:00:00Z",
        nodes,
        {"pdu": Domain("pdu", "power")},
        jobs,
        **{**options, **values},
    )


def plan(one: Estate, kind: Any = "shed-kw", amount: float = 1, **limits: Any) -> Curtailment:
    return plan_curtailment(compile_facility(one), Ask(kind, amount, **limits), now=NOW)


def paused(result: Curtailment) -> list[str]:
    return [pause.workload.id for pause in result.plan.pauses]


class TestDrain:
    """inference / batch: 1 min; training, known cadence: expected checkpoint_interval / 2, worst the FULL
    interval; time_to_target = slowest expected drain, time_to_target_worst = slowest worst-case drain."""

    def test_the_slowest_drain_is_the_clock(self) -> None:
        one = estate(job("t", "training", 8, checkpoint_minutes=30), job("i", "inference", 4))
        result = plan(one, amount=12)
        assert (result.plan.time.expected_minutes, result.plan.time.worst_minutes) == (15, 30)
        assert [(step.minutes, step.expected_kw, step.worst_kw) for step in result.plan.staircase] == [
            (0, 0, 0),
            (1, 4, 4),
            (15, 12, 4),
            (30, 12, 12),
        ]

    def test_unknown_cadence_is_never_chosen_unasked(self) -> None:
        one = estate(job("t", "training", 8), job("s", "interactive", 8))
        result = plan(one, amount=4)
        assert (result.feasible, result.most_kw, result.shortfall_kw) == (False, 0, 4)
        assert [each.reasons for each in result.excluded] == [("unknown-cadence",), ("unknown-cadence",)]

    def test_with_it_no_time_can_be_promised(self) -> None:
        result = plan(estate(job("t", "training", 8)), amount=4, allow_unknown=True)
        assert result.feasible
        assert result.plan.time.worst_minutes is None
        assert result.plan.untimed_kw == 8
        assert not result.plan.promised

    def test_a_deadline_is_kept_at_worst(self) -> None:
        one = estate(job("slow", "training", 8, checkpoint_minutes=60), job("z", "batch", 8))
        assert paused(plan(one, amount=8, within_minutes=59)) == ["z"]
        late = plan(one, amount=16, within_minutes=59)
        assert (late.feasible, late.shortfall_kw) == (False, 8)
        assert {each.constraint: each.kw for each in late.binding} == {"checkpoint": 8, "within": 8}
        assert plan(one, amount=16, within_minutes=60).feasible


class TestPrice:
    """Dollars of a pause at a checkpoint = restart only, plus checkpoint/2 only when ordered off earlier."""

    one = estate(job("t", "training", 8, checkpoint_minutes=60, restart_minutes=20))

    def test_at_a_checkpoint_the_restart_alone(self) -> None:
        (pause,) = plan(self.one, amount=8).plan.pauses
        assert (pause.mode, pause.usd) == ("checkpoint", 8 * 20 * 3 / 60)

    def test_ordered_off_half_an_interval_more(self) -> None:
        (pause,) = plan(self.one, amount=8, within_minutes=5, allow_early=True).plan.pauses
        assert (pause.mode, pause.usd) == ("ordered-off", 8 * (20 + 30) * 3 / 60)
        assert pause.drain.worst_minutes == 1

    def test_not_when_there_is_time_for_the_checkpoint(self) -> None:
        (pause,) = plan(self.one, amount=8, within_minutes=60, allow_early=True).plan.pauses
        assert pause.mode == "checkpoint"

    def test_an_unknown_price_is_counted_and_not_zero(self) -> None:
        result = plan(dataclasses.replace(self.one, price_per_unit_hour=None), amount=8)
        assert (result.plan.usd.value, result.plan.usd.unknown) == (None, 1)


class TestAsk:
    one = estate(job("a", "batch", 6), job("b", "batch", 4))

    @pytest.mark.parametrize(
        ("kind", "amount", "target"),
        [("shed-kw", 3, 3), ("to-kw", 7, 3), ("percent", 30, 3), ("to-kw", 10, 0), ("to-kw", 99, 0)],
    )
    def test_three_ways_to_say_it(self, kind: str, amount: float, target: float) -> None:
        result = plan(self.one, kind, amount)
        assert result.target_kw == pytest.approx(target)
        assert paused(result) == (["a"] if target else [])

    def test_under_a_domain_only_its_flow_counts(self) -> None:
        assert plan(self.one, "percent", 50, under="pdu").draw_kw == 10
        with pytest.raises(UnknownId):
            plan(self.one, under="nowhere")
        zoned = dataclasses.replace(self.one, domains={**self.one.domains, "z": Domain("z", "zone")})
        with pytest.raises(NothingFlows):
            plan(zoned, under="z")

    def test_a_level_of_an_unknown_draw_cannot_be_decided(self) -> None:
        blind = dataclasses.replace(self.one, watts_per_unit_kw=None)
        assert plan(blind, "percent", 10).feasible is None
        assert plan(blind, "shed-kw", 1).feasible is None

    def test_whether_an_unknown_draw_is_enough_is_unknown(self) -> None:
        blind = dataclasses.replace(self.one, watts_per_unit_kw=None)
        binding = plan(blind, "shed-kw", 1).binding
        assert ("load", None, None) in [(each.constraint, each.kw, each.enough) for each in binding]
        assert not any(each.enough is False for each in binding)

    def test_more_than_there_is(self) -> None:
        result = plan(self.one, amount=11)
        assert (result.feasible, result.shortfall_kw) == (False, 1)
        assert [each.constraint for each in result.binding] == ["load"]


class TestHarm:
    """Critical units first kept, then dollars, then fewest workloads; ties by id."""

    def test_critical_units_are_kept_first(self) -> None:
        one = estate(job("a", "inference", 8, critical=True), job("t", "training", 8, checkpoint_minutes=600))
        assert paused(plan(one, amount=8)) == ["t"]

    def test_protected_ones_are_never_paused(self) -> None:
        one = estate(job("a", "inference", 8, critical=True))
        assert plan(one, amount=8).feasible
        result = plan(one, amount=8, protect_critical=True)
        assert [each.constraint for each in result.binding] == ["protect-critical"]

    def test_then_dollars_then_workloads(self) -> None:
        training = job("t", "training", 8, checkpoint_minutes=5, restart_minutes=5)
        many = [job(f"b{i}", "batch", 2) for i in range(4)]
        assert paused(plan(estate(training, *many), amount=8)) == ["b0", "b1", "b2", "b3"]
        assert paused(plan(estate(job("b9", "batch", 8), *many), amount=8)) == ["b9"]

    def test_ties_go_to_the_lowest_ids_whatever_the_order_of_the_file(self) -> None:
        jobs = [job(name, "batch", 4) for name in "dacb"]
        assert paused(plan(estate(*jobs), amount=8)) == ["a", "b"]
        assert paused(plan(estate(*reversed(jobs)), amount=8)) == ["a", "b"]

    def test_the_order_starts_with_the_least_harm(self) -> None:
        one = estate(
            job("c", "inference", 1, critical=True),
            job("t", "training", 4, checkpoint_minutes=5),
            job("b", "batch", 2),
            job("u", "batch", 1, critical=None),
        )
        assert paused(plan(one, amount=8)) == ["b", "t", "u", "c"]


class TestRemarks:
    def test_unknown_idle_power_makes_an_upper_bound(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=None), amount=4)
        assert result.plan.upper_bound
        assert not result.plan.promised
        assert UPPER_BOUND_CAVEAT in result.caveats

    def test_annotated_cadences_are_marked_self_reported(self) -> None:
        told = plan(estate(job("t", "training", 4, checkpoint_minutes=5)), amount=4)
        assert SELF_REPORTED_NOTE in told.caveats
        assert SELF_REPORTED_NOTE not in plan(estate(job("b", "batch", 4)), amount=4).caveats

    def test_yesterday_s_estate_is_warned_of(self) -> None:
        one = estate(job("b", "batch", 4))
        old = plan_curtailment(compile_facility(one), Ask("shed-kw", 1), now="2026-12-01T12:00:01Z")
        assert (old.staleness.stale, old.caveats[0][:6], old.caveats[1]) == (True, "STALE:", YESTERDAY_CAVEAT)
        assert YESTERDAY_CAVEAT.endswith("is a plan for yesterday's estate: collect again first.")
        assert YESTERDAY_CAVEAT not in plan(one).caveats


def harm(pauses: tuple[Pause, ...]) -> tuple[float, ...]:
    """What the plan minimises, in order."""
    return (
        math.fsum(each.units for each in pauses if each.workload.critical),
        sum(each.usd is None for each in pauses),
        round(math.fsum(each.usd or 0 for each in pauses), 9),
        len(pauses),
    )


@given(estates(max_workloads=6), st.sampled_from([5, 20, 50, 80, 100]), st.data())
def test_no_plan_does_less_harm(one: Estate, percent: int, data: st.DataObject) -> None:
    """Against trying every set of workloads that may be paused."""
    facility = compile_facility(one)
    carrying = [
        None,
        *(name for name in facility.domain_ids if facility.commodity[facility.domain_index[name]]),
    ]
    ask = Ask(
        "percent",
        percent,
        under=data.draw(st.sampled_from(carrying)),
        within_minutes=data.draw(st.sampled_from([None, 1, 10, 60])),
        protect_critical=data.draw(st.booleans()),
        allow_unknown=data.draw(st.booleans()),
        allow_early=data.draw(st.booleans()),
    )
    everything = plan_curtailment(facility, dataclasses.replace(ask, kind="shed-kw", amount=1e9), now=NOW)
    result = plan_curtailment(facility, ask, now=NOW)
    allowed = everything.plan.pauses
    enough = [
        chosen
        for size in range(len(allowed) + 1)
        for chosen in combinations(allowed, size)
        if math.fsum(each.kw for each in chosen) * (1 + 1e-9) >= result.target_kw
    ]
    if not enough:
        assert not result.feasible
        assert result.shortfall_kw == pytest.approx(result.target_kw - result.most_kw)
        return
    assert harm(result.plan.pauses) == min(map(harm, enough))
    assert result.plan.kw * (1 + 1e-9) >= result.target_kw
    assert all(proof.gap == 0 for proof in result.plan.proofs)


@given(estates(max_workloads=4), st.sampled_from([20, 70]), st.randoms(use_true_random=False))
def test_the_order_of_the_file_does_not_matter(one: Estate, percent: int, random: Any) -> None:
    nodes, jobs = list(one.nodes), list(one.workloads)
    random.shuffle(nodes)
    random.shuffle(jobs)
    shuffled = dataclasses.replace(one, nodes=tuple(nodes), workloads=tuple(jobs))
    documents = [
        curtailment_to_json(plan_curtailment(compile_facility(each), Ask("percent", percent), now=NOW))
        for each in (one, shuffled)
    ]
    assert json.dumps(documents[0]) == json.dumps(documents[1])


@given(estates(), st.sampled_from(["shed-kw", "to-kw", "percent"]), st.booleans())
def test_the_document_keeps_to_its_schema(one: Estate, kind: Any, allow: bool) -> None:
    import jsonschema

    ask = Ask(kind, 7, allow_unknown=allow, allow_early=True, within_minutes=None if allow else 5)
    document = curtailment_to_json(plan_curtailment(compile_facility(one), ask, now=NOW))
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(document)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.extra)])
def test_ten_thousand_workloads_in_seconds(count: int) -> None:
    """All different, so that no two are one variable of the model."""
    jobs = [
        job(
            f"w{i:05}",
            ("training", "batch", "inference")[i % 3],
            1 + i % 64,
            critical=i % 7 == 0,
            checkpoint_minutes=5 + i % 50 if i % 3 == 0 else None,
            restart_minutes=1 + (i * 7919) % 83,
        )
        for i in range(count)
    ]
    one = estate(*jobs)
    nodes = tuple(
        dataclasses.replace(each, kw_per_unit=0.7 + (i % 997) / 1000) for i, each in enumerate(one.nodes)
    )
    result = plan(dataclasses.replace(one, nodes=nodes), "percent", 60)
    assert result.feasible
    assert [proof.gap for proof in result.plan.proofs[:4]] == [0, 0, 0, 0]
