"""Every pair of failures, without closing any: the same as closing all of them (spec 4)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure import pair_sums
from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.pair_sums import PairSums, TooManyExceptions, closure_sums
from closure.pairs import Pair, every_pair
from closure.results import Closure
from tests import naive_engine, strategies
from tests.generator import seeded_scenario
from topology.model import Estate


def weights(facility: Facility) -> list[int]:
    return [10 * len(group.nodes) + g for g, group in enumerate(facility.groups)]


def _ids(closure: Closure) -> set[str]:
    return {domain.id for domain in closure.domains} | {node.id for node in closure.nodes}


def _compare(facility: Facility) -> None:
    pairs = every_pair(facility)
    held = weights(facility)
    sums = closure_sums(pairs, held)
    coupled = 0
    both = list(combinations(range(len(facility.domain_ids)), 2))
    for pair in both:
        first, second = (facility.domain_ids[d] for d in pair)
        closure = close(facility, [first, second])
        assert {facility.domain_ids[d] for d in pairs.domains.by(pair)} == {d.id for d in closure.domains}
        groups = pairs.groups.by(pair)
        nodes = {facility.node_ids[node] for g in groups for node in facility.groups[g].nodes}
        assert nodes == {node.id for node in closure.nodes}
        assert sums.loss(pair) == sum(held[g] for g in groups)
        coupled += not _ids(closure) <= _ids(close(facility, [first])) | _ids(close(facility, [second]))
    assert (pairs.count, len(pairs.coupled)) == (len(both), coupled)


class TestEveryPair:
    """loss(x, y) = A[x] + A[y] + P[x, y], and the sets behind it."""

    @pytest.mark.parametrize("block", range(3))
    def test_every_pair_is_its_closure(self, block: int) -> None:
        for seed in range(block * 8, block * 8 + 8):
            _compare(compile_facility(seeded_scenario(seed)[0]))

    @given(estate=strategies.estates(max_workloads=0, max_domains=8, max_nodes=4))
    def test_in_the_words_of_the_specification(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        pairs = every_pair(facility)
        for pair in combinations(range(len(facility.domain_ids)), 2):
            closed = naive_engine.close(estate, [facility.domain_ids[d] for d in pair])
            assert {facility.domain_ids[d] for d in pairs.domains.by(pair)} == closed.domains
            lost = {n for g in pairs.groups.by(pair) for n in facility.groups[g].nodes}
            assert {facility.node_ids[n] for n in lost} == closed.nodes

    def test_a_map_in_which_most_pairs_overlap_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        facility = compile_facility(strategies.ladder(50))
        pairs = every_pair(facility)
        assert len(closure_sums(pairs, [1]).exact) == 50 * 49 // 2
        monkeypatch.setattr(pair_sums, "MAX_EXCEPTIONS", 1000)
        with pytest.raises(TooManyExceptions, match="more than 1,000 pairs") as refused:
            closure_sums(pairs, [1])
        assert list(refused.value.failures) == list(range(50))

    def test_as_many_as_the_limit_are_added_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three failures that each lose one thing: three pairs lose it in common."""
        monkeypatch.setattr(pair_sums, "MAX_EXCEPTIONS", 3)
        assert pair_sums.overlaps([((0, 1, 2), 7)]) == {(0, 1): -7, (0, 2): -7, (1, 2): -7}
        monkeypatch.setattr(pair_sums, "MAX_EXCEPTIONS", 2)
        with pytest.raises(TooManyExceptions):
            pair_sums.overlaps([((0, 1, 2), 7)])


@st.composite
def _sums(draw: st.DrawFn) -> tuple[PairSums, list[int]]:
    """Few values and many exceptions, so that ties and skipped pairs are the rule."""
    alone = draw(st.lists(st.integers(0, 4), max_size=12))
    count = len(alone)
    everything = list(combinations(range(count), 2))
    exact = draw(st.dictionaries(st.sampled_from(everything), st.integers(0, 12))) if everything else {}
    return PairSums(draw(st.integers(0, 3)), alone, exact), draw(st.permutations(range(count)))


def _order(sums: PairSums, ranks: list[int], pair: Pair) -> tuple[int, list[int]]:
    return -sums.loss(pair), sorted(ranks[d] for d in pair)


class TestSums:
    """The pruned searches against listing every pair."""

    @given(drawn=_sums(), number=st.integers(1, 80))
    def test_the_largest(self, drawn: tuple[PairSums, list[int]], number: int) -> None:
        sums, ranks = drawn
        every = sorted(combinations(range(len(ranks)), 2), key=lambda pair: _order(sums, ranks, pair))
        assert sums.top(number, ranks) == every[:number]

    def test_an_exception_among_the_largest_is_no_bound_for_the_rest(self) -> None:
        """The third largest is 5, a plain sum, although three exceptions are known, of 20, 10 and 1."""
        sums = PairSums(0, [5, 4, 0, 0], {(0, 1): 20, (2, 3): 10, (1, 3): 1})
        assert sums.top(3, range(4)) == [(0, 1), (2, 3), (0, 2)]

    @given(drawn=_sums(), threshold=st.integers(0, 14))
    def test_how_many_reach_a_threshold(self, drawn: tuple[PairSums, list[int]], threshold: int) -> None:
        sums, ranks = drawn
        every = combinations(range(len(ranks)), 2)
        assert sums.at_least(threshold) == sum(sums.loss(pair) >= threshold for pair in every)
