"""What a curtailment makes of the unknown: what paused units still draw, and what is critical."""

from __future__ import annotations

from tests.findings.curtail.test_curtailment import estate, job, paused, plan


class TestUpperBound:
    """docs/curtailment.md: where idleKwPerUnit is unknown the shed is an "upper bound, not a promise"."""

    def test_the_plan_meets_the_ask_and_says_what_it_is(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=None), amount=4)
        assert (result.feasible, paused(result), result.plan.upper_bound) == (True, ["b"], True)

    def test_what_paused_units_draw_is_known(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=0), amount=4)
        assert (result.feasible, result.plan.upper_bound) == (True, False)

    def test_not_even_an_upper_bound_is_enough(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=None), amount=5)
        assert (result.feasible, result.shortfall_kw) == (False, 1)


class TestProtected:
    def test_what_does_not_say_is_protected_too(self) -> None:
        """docs/curtailment.md: "keeps every workload that is not known to be uncritical"."""
        one = estate(job("a", "inference", 8, critical=None), job("b", "inference", 4))
        result = plan(one, amount=8, protect_critical=True)
        assert (result.feasible, paused(result)) == (False, ["b"])
        assert [(each.pause.workload.id, each.reasons) for each in result.excluded] == [
            ("a", ("protect-critical",))
        ]
