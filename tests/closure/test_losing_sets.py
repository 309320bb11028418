"""Losing sets say of every set of failures within the order what its closure says (spec 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure import losing_sets as losing_sets_module
from closure.cascade import lost_members, settle
from closure.compiled import Facility, compile_facility
from closure.families import Family, listed, united
from closure.losing_sets import LosingSets, Sets, TooManyLosingSets, losing_sets, minimal_sets
from closure.single_losses import single_losses
from tests import naive_engine, strategies
from tests.estates import estate_of, on
from tests.generator import Choices, Size, estate_from, seeded_scenario
from topology.model import Domain, Estate, Node, Standing

GATE_KINDS = ("utility", "utility", "ups", "power", "power", "rack", "cooling")


def subsets(count: int, order: int) -> Iterator[tuple[int, ...]]:
    for size in range(order + 1):
        yield from combinations(range(count), size)


def covered(sets: Sets, failed: tuple[int, ...]) -> bool:
    return any(set(part) <= set(failed) for part in sets)


def assert_minimal(sets: Sets, order: int) -> None:
    assert list(sets) == sorted(set(sets))
    for failures in sets:
        assert len(failures) <= order
        assert list(failures) == sorted(set(failures))
        assert not any(set(other) < set(failures) for other in sets)


def compare(facility: Facility, found: LosingSets) -> None:
    """Every set of failures, by the worklist closure."""
    for failed in subsets(len(facility.domain_ids), found.order):
        lost = settle(facility, failed).lost
        assert {d for d, sets in found.domains.items() if covered(sets, failed)} == set(lost), failed
        groups = {
            g
            for g, group in enumerate(facility.groups)
            if any(lost_members(place, lost) for place in group.places)
        }
        assert {g for g, sets in found.groups.items() if covered(sets, failed)} == groups, failed
    for sets in (*found.domains.values(), *found.groups.values()):
        assert_minimal(sets, found.order)


class TestAgainstTheNaiveEngine:
    """Exactly the closure of every set of at most k failures, in the words of the specification."""

    @pytest.mark.parametrize("order", [1, 2, 3])
    @given(estate=strategies.estates(max_workloads=0, max_domains=7, max_nodes=4))
    def test_every_set(self, order: int, estate: Estate) -> None:
        facility = compile_facility(estate)
        found = losing_sets(facility, order)
        for failed in subsets(len(facility.domain_ids), order):
            closed = naive_engine.close(estate, [facility.domain_ids[d] for d in failed])
            lost = {facility.domain_ids[d] for d, sets in found.domains.items() if covered(sets, failed)}
            assert lost == closed.domains
            nodes = {
                facility.node_ids[node]
                for group, sets in zip(facility.groups, found.groups.values(), strict=True)
                for node in group.nodes
                if covered(sets, failed)
            }
            assert nodes == closed.nodes
        for sets in (*found.domains.values(), *found.groups.values()):
            assert_minimal(sets, order)


class TestAgainstTheWorklist:
    """The same at the size where gates meet gates: reconvergent, rated, thresholds, several orders."""

    @pytest.mark.parametrize("block", range(3))
    def test_orders_up_to_3(self, block: int) -> None:
        for seed in range(block * 6, block * 6 + 6):
            facility = compile_facility(seeded_scenario(seed)[0])
            for order in (1, 2, 3) if len(facility.domain_ids) <= 16 else (1, 2):
                compare(facility, losing_sets(facility, order))

    @pytest.mark.parametrize("block", range(3))
    def test_dense_power(self, block: int) -> None:
        """Few kinds and everything rated: most domains hang from several feeds that share upstreams."""
        for seed in range(block * 8, block * 8 + 8):
            choices = Choices(Random(1000 + seed).randrange)
            facility = compile_facility(estate_from(choices, Size(14, 6, 0, 4, True), GATE_KINDS))
            compare(facility, losing_sets(facility, 3))

    def test_two_pairs_that_lose_a_feed_each(self) -> None:
        feeds = {"x": ["a", "b"], "y": ["c", "d"], "z": ["x", "y"]}
        fed = {name: {"kind": "power", "feeds": said} for name, said in feeds.items()}
        facility = compile_facility(estate_of({name: {"kind": "power"} for name in "abcd"} | fed, {}))
        sets = losing_sets(facility, 4).domains[facility.domain_index["z"]]
        named = {"".join(facility.domain_ids[d] for d in failures) for failures in sets}
        assert named == {"z", "xy", "aby", "cdx", "abcd"}

    @pytest.mark.parametrize("seed", range(6))
    def test_order_4(self, seed: int) -> None:
        choices = Choices(Random(2000 + seed).randrange)
        facility = compile_facility(estate_from(choices, Size(11, 6, 0, 4, True), GATE_KINDS))
        compare(facility, losing_sets(facility, 4))

    @given(estate=strategies.estates(max_workloads=0, max_domains=16))
    def test_order_1_is_the_single_failures(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        found, single = losing_sets(facility, 1), single_losses(facility)
        for d in range(len(facility.domain_ids)):
            lost = {i for i, sets in found.domains.items() if (d,) in sets} - {d}
            assert lost == set(single.domains[d]) - {d}
            assert {g for g, sets in found.groups.items() if (d,) in sets} == set(single.groups[d])
        assert {d for d, sets in found.domains.items() if sets == ((),)} == single.baseline_domains
        assert {g for g, sets in found.groups.items() if sets == ((),)} == single.baseline_groups


def _family(sets: Sets) -> Family:
    alone = frozenset(failures[0] for failures in sets if len(failures) == 1)
    return Family(alone, frozenset(failures for failures in sets if len(failures) > 1))


FAMILIES = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True).map(sorted).map(tuple))


class TestMinimalSets:
    """No set contains another one."""

    @given(first=FAMILIES, second=FAMILIES)
    def test_the_union_of_two_families(
        self, first: list[tuple[int, ...]], second: list[tuple[int, ...]]
    ) -> None:
        families = [_family(minimal_sets(sets)) for sets in (first, second)]
        assert listed(united(*families)) == minimal_sets([*first, *second])

    @pytest.mark.parametrize("size", [2, 3])
    def test_a_set_of_four_goes_with_any_part_of_it(self, size: int) -> None:
        for part in combinations(range(4), size):
            families = [_family(((0, 1, 2, 3), (4, 5))), _family((part,))]
            assert listed(united(*families)) == tuple(sorted([part, (4, 5)]))

    @given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True)))
    def test_against_the_definition(self, drawn: list[list[int]]) -> None:
        candidates = {tuple(sorted(failures)) for failures in drawn}
        expected = sorted(c for c in candidates if not any(set(o) < set(c) for o in candidates))
        assert list(minimal_sets(candidates)) == expected


def _fan(feeds: int, needed: int, *, depth: int = 1, rated_kw: float | None = None) -> Estate:
    """A rack behind `feeds` PDUs, each at the end of its own chain, of which it needs some."""
    chains = [[f"p{feed:03}-{level:05}" for level in range(depth)] for feed in range(feeds)]
    domains = {
        name: Domain(name, "power", parent=above, rated_kw=rated_kw)
        for chain in chains
        for name, above in zip(chain, (None, *chain), strict=False)
    }
    ends = tuple(chain[-1] for chain in chains)
    domains["rack"] = Domain("rack", "rack", feeds=ends, min_feeds=needed)
    node = Node("n", 8, 8, (Standing("rack", "one", ("rack",)),), kw_per_unit=1)
    return Estate("lab", "gpu", strategies.SNAPSHOT_AT, (node,), domains)


class TestOfSomeThings:
    """Whoever asks about some things is answered about those, as if he had asked about all."""

    @given(estate=strategies.estates(max_workloads=0, max_domains=9, max_nodes=5), data=st.data())
    def test_the_same_answers(self, estate: Estate, data: st.DataObject) -> None:
        facility = compile_facility(estate)
        domains = data.draw(st.sets(st.sampled_from(range(len(facility.domain_ids)))), "domains")
        groups = data.draw(st.sets(st.sampled_from(range(len(facility.groups)))), "groups")
        everything, found = losing_sets(facility, 3), losing_sets(facility, 3, domains=domains, groups=groups)
        assert found.groups == {g: everything.groups[g] for g in groups}
        assert domains <= found.domains.keys()
        assert found.domains == {d: everything.domains[d] for d in found.domains}

    def test_what_matters_to_nobody_is_not_looked_at(self) -> None:
        """Two racks of a PDU each, and a node on each: the second rack's set is never made."""
        facility = compile_facility(
            estate_of({name: {"kind": "power"} for name in "ab"}, {f"n{name}": on(name) for name in "ab"})
        )
        found = losing_sets(facility, 3, domains=(), groups=(0,))
        assert (found.domains, found.groups) == ({0: ((0,),)}, {0: ((0,),)})


class TestLargeGates:
    """What explodes when written out stays small where it is not asked for, and is refused where it is."""

    def test_many_feeds_of_which_most_are_needed(self) -> None:
        facility = compile_facility(_fan(24, 22, depth=2))
        rack = facility.domain_index["rack"]
        sets = losing_sets(facility, 3).domains[rack]
        # Any three chains, any domain of each: C(24, 3) × 2³, and the rack itself.
        assert len(sets) == 2024 * 8 + 1
        assert losing_sets(facility, 2).domains[rack] == ((rack,),)

    @pytest.mark.parametrize("rated_kw", [None, 0.01])
    def test_feeds_of_which_no_three_failures_lose_enough(self, rated_kw: float | None) -> None:
        """2,000 feeds of 0.01 kW under 8 kW: any 1,997 of them carry it, and no combination is made."""
        facility = compile_facility(_fan(2000, 190, rated_kw=rated_kw))
        rack = facility.domain_index["rack"]
        assert losing_sets(facility, 3).domains[rack] == ((rack,),)

    def test_feeds_of_which_two_failures_lose_too_much(self) -> None:
        """8 feeds of 1.2 kW under 8 kW: 7 carry 8.4 kW, 6 only 7.2 kW."""
        facility = compile_facility(_fan(8, 1, rated_kw=1.2))
        rack = facility.domain_index["rack"]
        assert losing_sets(facility, 3).domains[rack] == (*combinations(range(8), 2), (rack,))

    def test_a_deep_chain(self) -> None:
        facility = compile_facility(strategies.ladder(4000))
        found = losing_sets(facility, 3)
        assert found.groups == {0: tuple((d,) for d in range(4000))}

    @pytest.mark.parametrize(
        ("estate", "order", "name"),
        [
            (_fan(2, 1, depth=300), 2, "rack"),
            (_fan(200, 198), 3, "rack"),
            (strategies.ladder(2000), 1, "p00446"),
        ],
    )
    def test_the_domain_at_which_a_limit_is_passed_is_named(
        self, estate: Estate, order: int, name: str
    ) -> None:
        facility = compile_facility(estate)
        with pytest.raises(TooManyLosingSets, match=f"more than 100,000 .*'{name}'") as refused:
            losing_sets(facility, order, max_sets=100_000)
        assert (refused.value.order, refused.value.limit) == (order, 100_000)

    def test_no_map_is_answered_that_has_more_sets_than_the_limit(self) -> None:
        """Twenty racks in a row below two chains of ten: each is lost by 100 pairs and the racks above it."""
        above = _fan(2, 1, depth=10)
        row = ["rack", *(f"rack-{n:02}" for n in range(20))]
        below = {name: Domain(name, "rack", parent=parent) for parent, name in pairwise(row)}
        facility = compile_facility(replace(above, domains={**above.domains, **below}))
        found = losing_sets(facility, 2)
        count = sum(len(sets) for sets in (*found.domains.values(), *found.groups.values()))
        with pytest.raises(TooManyLosingSets):
            losing_sets(facility, 2, max_sets=count - 1)

    def test_how_many_sets_there_may_be(self) -> None:
        """docs/sweep.md: "More than 20 million (or 200 for each domain and group of nodes) are refused"."""
        assert (losing_sets_module.MAX_SETS, losing_sets_module.MAX_SETS_EACH) == (20_000_000, 200)

    def test_a_larger_map_may_have_more_sets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Three PDUs with a node each: a set for each domain and each group, against one or two for each."""
        facility = compile_facility(
            estate_of({name: {"kind": "power"} for name in "abc"}, {f"n{name}": on(name) for name in "abc"})
        )
        monkeypatch.setattr(losing_sets_module, "MAX_SETS", 0)
        monkeypatch.setattr(losing_sets_module, "MAX_SETS_EACH", 1)
        assert losing_sets(facility, 3).groups == {0: ((0,),), 1: ((1,),), 2: ((2,),)}

    def test_an_order_of_nothing_is_refused(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            losing_sets(compile_facility(strategies.ladder(2)), 0)
