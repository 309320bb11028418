"""Minimal cut sets of anything that can be lost, against trying every set of domains."""

from __future__ import annotations

from random import Random

import pytest

from closure import cut_sets_algebra, cut_sets_amount
from closure.cut_sets import MAX_ORDER, CutSet, Goal, TooManyCutSets, cut_sets, cut_sets_of
from closure.cut_sets_algebra import all_of, any_of, minimal
from closure.losing_sets import LosingSets
from tests.closure.losing import every_set, minimal_sets

COUNT = 7


def random_family(random: Random) -> tuple[CutSet, ...]:
    """Minimal losing sets of up to three of seven domains; sometimes none, or lost already."""
    if random.random() < 0.08:
        return ((),)
    sets = {
        tuple(sorted(random.sample(range(COUNT), random.choice((1, 2, 2, 2, 3)))))
        for _ in range(random.randrange(5))
    }
    return minimal(sets, 3)


def losing_of(
    domains: tuple[tuple[CutSet, ...], ...] = (), groups: tuple[tuple[CutSet, ...], ...] = ()
) -> LosingSets:
    return LosingSets(3, dict(enumerate(domains)), dict(enumerate(groups)))


def lost(cut: CutSet, family: tuple[CutSet, ...]) -> bool:
    return any(set(part) <= set(cut) for part in family)


def brute(goal: Goal, losing: LosingSets, order: int) -> list[CutSet]:
    """Every minimal set, by trying them all."""

    def down(cut: CutSet) -> bool:
        domains = {d for d in goal.domains if lost(cut, losing.domains[d])}
        return goal.reached(domains, {g for g in goal.groups if lost(cut, losing.groups[g])})

    return minimal_sets(down, COUNT, order)


class TestCutSets:
    """A set is a cut set when what it loses weighs at least `need`, and minimal when none of its parts is."""

    @pytest.mark.parametrize("seed", range(120))
    def test_every_minimal_set_is_found_and_nothing_else(self, seed: int) -> None:
        random = Random(seed)
        things = 1 + random.randrange(6)
        losing = losing_of(groups=tuple(random_family(random) for _ in range(things)))
        weights = {g: random.choice((1, 1, 2, 3, 5, 0.5)) for g in range(things)}
        goal = Goal(random.uniform(0.4, sum(weights.values()) + 0.5), weights)
        for order in (1, 2, 3):
            assert list(cut_sets(goal, losing, order)) == brute(goal, losing, order)

    @pytest.mark.parametrize("need", [1, 2, 3])
    def test_domains_and_groups_count_alike(self, need: int) -> None:
        losing = losing_of(domains=(((0,), (1, 2)),), groups=(((0,),), ((1,), (2, 3))))
        goal = Goal(need, {0: 1, 1: 1}, {0: 1})
        assert list(cut_sets(goal, losing, 3)) == brute(goal, losing, 3)

    def test_three_pairs_that_are_coupled_with_each_other(self) -> None:
        """No two of the pairs lose enough; the third pair comes with them, and adds what it loses."""
        losing = losing_of(groups=(((0, 1),), ((1, 2),), ((0, 2),), ((3,),)))
        assert cut_sets(Goal(3, {0: 1, 1: 1, 2: 1, 3: 1}), losing, 3) == ((0, 1, 2),)

    def test_a_light_pair_between_two_heavy_ones(self) -> None:
        losing = losing_of(groups=(((0, 1),), ((0, 2),), ((0, 3),)))
        assert cut_sets(Goal(10, {0: 5, 1: 1, 2: 5}), losing, 3) == ((0, 1, 3),)
        assert cut_sets(Goal(10, {0: 1, 1: 5, 2: 5}), losing, 3) == ((0, 2, 3),)

    def test_what_is_lost_twice_counts_once(self) -> None:
        losing = losing_of(groups=(((0,), (1,)), ((0,), (2,)), ((3,),)))
        assert cut_sets(Goal(3, {0: 1, 1: 1, 2: 1}), losing, 3) == ((0, 3), (1, 2, 3))

    def test_three_heavy_ones_beside_a_light_one(self) -> None:
        losing = losing_of(groups=tuple(((d,),) for d in range(4)))
        assert cut_sets(Goal(12, {0: 4, 1: 4, 2: 4, 3: 1}), losing, 3) == ((0, 1, 2),)

    def test_already_lost_needs_no_failure(self) -> None:
        losing = losing_of(groups=(((),), ((0,),)))
        assert cut_sets(Goal(1, {0: 1, 1: 1}), losing, 3) == ((),)
        assert cut_sets(Goal(2, {0: 1, 1: 1}), losing, 3) == ((0,),)

    def test_more_than_there_is_cannot_be_lost(self) -> None:
        assert cut_sets(Goal(3, {0: 2}), losing_of(groups=(((0,),),)), 3) == ()

    def test_a_goal_out_of_reach_of_the_order(self) -> None:
        losing = losing_of(groups=(((0, 1, 2),),))
        assert cut_sets(Goal(1, {0: 1}), losing, 2) == ()

    def test_orders_up_to_3_can_be_asked_for(self) -> None:
        """docs/cutsets.md: up to three failures."""
        assert MAX_ORDER == 3

    def test_a_block_is_its_goals_one_by_one(self) -> None:
        losing = losing_of(groups=(((0,),), ((1,),), ((2,),)))
        goals = [Goal(need, {0: 1, 1: 1, 2: 1}) for need in (1, 2, 3)]
        assert list(cut_sets_of(goals, losing, 3)) == [
            ((0,), (1,), (2,)),
            ((0, 1), (0, 2), (1, 2)),
            ((0, 1, 2),),
        ]


class TestAlgebra:
    """any_of is the union, all_of the product; both leave out what contains another set."""

    @pytest.mark.parametrize("seed", range(40))
    def test_all_of(self, seed: int) -> None:
        random = Random(seed)
        families = [random_family(random) for _ in range(1 + random.randrange(4))]
        expected = minimal_sets(lambda cut: all(lost(cut, family) for family in families), COUNT, 3)
        assert list(all_of(families, 3)) == expected

    @pytest.mark.parametrize("seed", range(40))
    def test_any_of(self, seed: int) -> None:
        random = Random(seed)
        families = [random_family(random) for _ in range(random.randrange(4))]
        expected = minimal_sets(lambda cut: any(lost(cut, family) for family in families), COUNT, 3)
        assert list(any_of(families, 3)) == expected

    def test_minimal_keeps_no_set_that_contains_another(self) -> None:
        sets = set(every_set(4, 3)) - {(), (0,), (1,), (2,), (3,), (0, 1)}
        assert minimal(sets, 3) == ((0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
        assert minimal({(), (1,)}, 3) == ((),)


class TestTooMany:
    """The search is refused as a whole, never cut short."""

    def test_a_union(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cut_sets_algebra, "MAX_SETS", 5)
        with pytest.raises(TooManyCutSets, match="more than 5"):
            minimal({(d,) for d in range(6)}, 3)

    def test_a_product(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cut_sets_algebra, "MAX_SETS", 5)
        with pytest.raises(TooManyCutSets):
            all_of([((0,), (1,), (2,)), ((3,), (4,), (5,))], 3)

    @pytest.mark.parametrize(("order", "candidates"), [(2, 6), (3, 10)])
    def test_as_many_as_the_limit_are_looked_at(
        self, order: int, candidates: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Four alike: 6 pairs lose 2, and 4 triples lose 3."""
        losing = losing_of(groups=tuple(((d,),) for d in range(4)))
        goal = Goal(order, dict.fromkeys(range(4), 1))
        monkeypatch.setattr(cut_sets_amount, "MAX_SETS", candidates)
        assert len(cut_sets(goal, losing, order)) == (6 if order == 2 else 4)
        monkeypatch.setattr(cut_sets_amount, "MAX_SETS", candidates - 1)
        with pytest.raises(TooManyCutSets):
            cut_sets(goal, losing, order)

    def test_as_many_as_the_limit_are_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cut_sets_algebra, "MAX_SETS", 4)
        assert minimal({(d,) for d in range(4)}, 3) == ((0,), (1,), (2,), (3,))
        assert len(all_of([((0,), (1,)), ((2,), (3,))], 3)) == 4
        monkeypatch.setattr(cut_sets_algebra, "MAX_SETS", 3)
        with pytest.raises(TooManyCutSets):
            all_of([((0,), (1,)), ((2,), (3,))], 3)

    def test_an_amount(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cut_sets_amount, "MAX_SETS", 5)
        losing = losing_of(groups=tuple(((d,),) for d in range(7)))
        with pytest.raises(TooManyCutSets) as refused:
            cut_sets(Goal(3, dict.fromkeys(range(7), 1)), losing, 3)
        assert (refused.value.order, refused.value.limit) == (3, 5)
