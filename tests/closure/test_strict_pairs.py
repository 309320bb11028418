"""The strict check of every pair, of which few are run: the same as running them all (spec 4, beyond)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.pairs import every_pair
from closure.results import Strict
from closure.strict import simulate, strict_check
from closure.strict_pairs import PROGRESS_EVERY, StrictPairs, every_strict_pair, report, strict_singles
from tests import strategies
from tests.generator import SNAPSHOT_AT, Choices, Size, estate_from, seeded_scenario
from topology.model import Domain, Estate, Node, Standing

POWER_KINDS = ("utility", "ups", "ups", "power", "power", "power", "rack", "cooling")


def weights(facility: Facility) -> list[int]:
    return [10 * len(group.nodes) + g for g, group in enumerate(facility.groups)]


def _compare(facility: Facility) -> tuple[int, int]:
    """Every pair run whole; return how many there are, and how many were run."""
    singles = strict_singles(every_pair(facility), weights(facility))
    found = every_strict_pair(singles)
    differing = cascading = 0
    alone = [set(simulate(facility, (d,))[-1].lost) for d in range(len(facility.domain_ids))]
    groups_alone = [set(_nodes(facility, domain_id)) for domain_id in facility.domain_ids]
    both = list(combinations(range(len(facility.domain_ids)), 2))
    for pair in both:
        failed = [facility.domain_ids[d] for d in pair]
        check = strict_check(facility, failed, close(facility, failed))
        lost = {facility.node_index[node] for node in check.nodes}
        groups = [g for g, group in enumerate(facility.groups) if lost.issuperset(group.nodes)]
        assert found.sums.loss(pair) == singles.weight(groups), (failed, check)
        differing += not check.agrees
        domains = {facility.domain_index[name] for name in check.domains}
        cascading += not (
            domains <= alone[pair[0]] | alone[pair[1]]
            and set(check.nodes) <= groups_alone[pair[0]] | groups_alone[pair[1]]
        )
    assert (found.differing, found.cascading) == (differing, cascading)
    return len(both), found.run


def _strict(facility: Facility, failed: str) -> Strict:
    return strict_check(facility, [failed], close(facility, [failed]))


def _nodes(facility: Facility, failed: str) -> tuple[str, ...]:
    return _strict(facility, failed).nodes


class TestEveryPair:
    """Those that cannot meet lose what they lose alone; the others are run."""

    @given(estate=strategies.estates(max_workloads=0, max_domains=12))
    def test_random_estates(self, estate: Estate) -> None:
        _compare(compile_facility(estate))

    @pytest.mark.parametrize("block", range(3))
    def test_many_seeds(self, block: int) -> None:
        counts = [
            _compare(compile_facility(seeded_scenario(seed)[0]))
            for seed in range(block * 10, block * 10 + 10)
        ]
        assert sum(run for _, run in counts) < sum(pairs for pairs, _ in counts)

    @pytest.mark.parametrize(
        ("seed", "size"),
        [(52, Size(18, 2, 0, 6, True)), (905, Size(22, 2, 0, 6, True)), (838, Size(26, 3, 0, 6, False))],
    )
    def test_hardly_a_node(self, seed: int, size: Size) -> None:
        """Where the two rules differ in domains alone, and one failure makes good what the other lost."""
        estate = estate_from(Choices(Random(seed).randrange), size, POWER_KINDS)
        _compare(compile_facility(estate))

    @pytest.mark.parametrize("block", range(3))
    def test_dense_power(self, block: int) -> None:
        """Everything rated and measured, where loads shift and trips follow each other."""
        for seed in range(block * 10, block * 10 + 10):
            choices = Choices(Random(3000 + seed).randrange)
            _compare(compile_facility(estate_from(choices, Size(18, 10, 0, 4, True), POWER_KINDS)))


class TestBesideWhatTrips:
    """Where something trips with nothing failed, its load is there when a failure brings more."""

    def test_a_survivor_of_both(self) -> None:
        """o is out, so b trips at 8 of 6 kW: s takes 8 + 2 of 11 kW, and y brings 2 more; z is far away."""
        racks = (("r0", ("o", "b"), 4), ("r1", ("b", "s"), 8), ("r2", ("y", "s"), 4), ("r3", ("z",), 1))
        domains = {
            "b": Domain("b", "power", rated_kw=6),
            "o": Domain("o", "power", out=True),
            "s": Domain("s", "power", rated_kw=11),
            "y": Domain("y", "power"),
            "z": Domain("z", "power"),
            **{name: Domain(name, "rack", feeds=feeds) for name, feeds, _ in racks},
        }
        nodes = tuple(
            Node(f"n-{name}", kw, standings=(Standing("rack", "one", (name,)),)) for name, _, kw in racks
        )
        facility = compile_facility(Estate("c", "gpu", SNAPSHOT_AT, nodes, domains, watts_per_unit_kw=1.0))
        tripped = {name: {trip.id for trip in _strict(facility, name).tripped} for name in ("z", "y")}
        assert tripped == {"z": {"b"}, "y": {"b", "s"}}
        singles = strict_singles(every_pair(facility), weights(facility))
        for d, name in enumerate(facility.domain_ids):
            apart = singles.apart(singles.prints[d])
            assert {facility.domain_ids[lost] for lost in apart.domains} == set(
                _strict(facility, name).domains
            )
        _compare(facility)


class TestOverloadedTogether:
    """Each failure leaves the survivor within its rating, both overload it, and neither touches the other."""

    @pytest.mark.parametrize(("rated_kw", "lost"), [(12, 0), (11.9, 2), (9, 2)])
    def test_two_feeds_that_share_a_partner(self, rated_kw: float, lost: int) -> None:
        """Racks of 6 kW on x and s, and on y and s: s carries 6, 9 without one, 12 without both."""
        found = self._pairs([("x", 6), ("y", 6)], rated_kw)
        assert found.sums.loss((0, 1)) == 10 * lost
        # Losing s and either feed costs a rack as well.
        assert found.cascading == 2 + bool(lost)

    def test_the_lighter_of_three(self) -> None:
        """s carries 6 kW; x shifts 3 kW onto it, y 2 and z 1: of 10 kW, x and y take more, the others not."""
        found = self._pairs([("x", 6), ("y", 4), ("z", 2)], 10)
        assert [found.sums.loss(pair) > 0 for pair in ((0, 1), (0, 2), (1, 2))] == [True, False, False]

    def test_what_a_feed_carries_for_one_round_counts(self) -> None:
        """`x` shifts 3 kW onto `s`, and trips `t`, which takes 2 off `s`: with the 3 of `y`, too late.

        `s` carries 8, with either 11, and of 13 kW both take 14 before `t` trips; after it 12 would fit.
        """
        racks = (("rx", ("x", "s"), 6), ("ry", ("y", "s"), 6), ("rt", ("x", "t"), 20))
        domains = {name: Domain(name, "power") for name in ("x", "y")}
        domains["s"] = Domain("s", "power", rated_kw=13)
        domains["t"] = Domain("t", "power", rated_kw=15)
        domains |= {name: Domain(name, "rack", feeds=feeds) for name, feeds, _ in racks}
        nodes = [
            Node(f"n-{name}", kw, standings=(Standing("rack", "one", (name,)),)) for name, _, kw in racks
        ]
        nodes.append(Node("n", 4, standings=(Standing("pdu", "all", ("s", "t")),)))
        estate = Estate("c", "gpu", SNAPSHOT_AT, tuple(nodes), domains, watts_per_unit_kw=1.0)
        facility = compile_facility(estate)
        tripped = {failed: {trip.id for trip in _strict(facility, failed).tripped} for failed in ("x", "y")}
        assert tripped == {"x": {"t"}, "y": set()}
        _compare(facility)

    def _pairs(self, racks: list[tuple[str, float]], rated_kw: float) -> StrictPairs:
        domains = {name: Domain(name, "power") for name, _ in racks}
        # Their ids come last, for domains are numbered by id.
        domains["zs"] = Domain("zs", "power", rated_kw=rated_kw)
        domains |= {f"zs{name}": Domain(f"zs{name}", "rack", feeds=(name, "zs")) for name, _ in racks}
        nodes = tuple(
            Node(f"n{name}", kw, standings=(Standing("rack", "one", (f"zs{name}",)),)) for name, kw in racks
        )
        facility = compile_facility(Estate("c", "gpu", SNAPSHOT_AT, nodes, domains, watts_per_unit_kw=1.0))
        assert facility.domain_ids[: len(racks)] == tuple(name for name, _ in racks)
        _compare(facility)
        return every_strict_pair(strict_singles(every_pair(facility), [10] * len(facility.groups)))


def test_progress_is_told_now_and_then_and_at_the_end() -> None:
    calls: list[tuple[int, int]] = []
    for done in range(1, PROGRESS_EVERY + 3):
        report(lambda *told: calls.append(told), done, PROGRESS_EVERY + 2)
    assert calls == [(PROGRESS_EVERY, PROGRESS_EVERY + 2), (PROGRESS_EVERY + 2, PROGRESS_EVERY + 2)]
