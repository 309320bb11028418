"""What a curtailment makes of the unknown: what paused units still draw, and what is critical."""

from __future__ import annotations

import dataclasses

from tests.findings.curtail.test_curtailment import estate, job, paused, plan


class TestUpperBound:
    """docs/curtailment.md: of an upper bound "whether it is enough cannot be decided. So pauses with a known
    saving go first".
    """

    def test_whether_an_upper_bound_is_enough_is_unknown(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=None), amount=4)
        assert (result.feasible, paused(result), result.plan.upper_bound) == (None, ["b"], True)

    def test_not_even_an_upper_bound_is_short(self) -> None:
        result = plan(estate(job("b", "batch", 4), idle_kw_per_unit=None), amount=5)
        assert (result.feasible, result.shortfall_kw) == (False, 1)

    def test_a_known_saving_goes_first(self) -> None:
        """`t` costs 8 × 20 × 3 / 60 = 8 $ and sheds 8 kW; of `b`, which costs nothing, nobody knows."""
        one = estate(
            job("b", "batch", 8),
            job("t", "training", 8, checkpoint_minutes=5, restart_minutes=20),
            idle_kw_per_unit=None,
        )
        known = [
            dataclasses.replace(node, idle_kw_per_unit=0) if node.id == "n-t" else node for node in one.nodes
        ]
        result = plan(dataclasses.replace(one, nodes=tuple(known)), amount=8)
        assert (result.feasible, paused(result)) == (True, ["t"])
        assert plan(dataclasses.replace(one, nodes=tuple(known)), amount=9).feasible is None

    def test_lifting_is_enough_only_for_certain(self) -> None:
        one = estate(job("s", "training", 8, checkpoint_minutes=60), idle_kw_per_unit=None)
        result = plan(one, amount=8, within_minutes=5)
        assert ("within", 8, None) in [(each.constraint, each.kw, each.enough) for each in result.binding]
        assert result.smallest_lift is None


class TestProtected:
    def test_what_does_not_say_is_protected_too(self) -> None:
        """docs/curtailment.md: "keeps every workload that is not known to be uncritical"."""
        one = estate(job("a", "inference", 8, critical=None), job("b", "inference", 4))
        result = plan(one, amount=8, protect_critical=True)
        assert (result.feasible, paused(result)) == (False, ["b"])
        assert [(each.pause.workload.id, each.reasons) for each in result.excluded] == [
            ("a", ("protect-critical",))
        ]
