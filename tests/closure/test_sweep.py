"""The sweep of all single failures says what one scenario at a time says."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close, split_ids
from closure.compiled import Facility, compile_facility
from closure.strict import overloaded, simulate, strict_check
from closure.strict_events import EventDriven
from closure.sweep import sweep
from tests import strategies
from tests.estates import estate_of, on
from tests.generator import seeded_scenario
from topology.model import Estate


def _nodes(facility: Facility, groups: tuple[int, ...]) -> set[str]:
    return {facility.node_ids[node] for g in groups for node in facility.groups[g].nodes}


def _ids(facility: Facility, domains: tuple[int, ...]) -> set[str]:
    return {facility.domain_ids[d] for d in domains}


def _compare(facility: Facility, beside: tuple[str, ...] = ()) -> None:
    """Compare every row with its failure alone, or with some nodes (`beside`) that fail with it."""
    nodes = [facility.node_index[node] for node in beside]
    rows = list(sweep(facility, failed_nodes=nodes))
    assert [facility.domain_ids[row.failed] for row in rows] == list(facility.domain_ids)
    for row in rows:
        failed = [facility.domain_ids[row.failed], *beside]
        closure = close(facility, failed)
        assert _ids(facility, row.domains) == {lost.id for lost in closure.domains}
        assert _nodes(facility, row.groups).union(beside) == {lost.id for lost in closure.nodes}
        assert row.basis == closure.basis
        check = strict_check(facility, failed, closure)
        assert row.strict is not None
        assert _ids(facility, row.strict.domains) == set(check.domains)
        assert _nodes(facility, row.strict.groups).union(beside) == set(check.nodes)
        assert _ids(facility, row.strict.tripped) == {trip.id for trip in check.tripped}
        # A node that fails anyway may hide that the two disagree about its group.
        assert row.strict.agrees == check.agrees or beside


class TestRows:
    """One row per domain, each equal to the closure and the strict check of that domain failing alone."""

    @given(estate=strategies.estates(max_workloads=0))
    def test_every_row_is_its_failure_alone(self, estate: Estate) -> None:
        _compare(compile_facility(estate))

    @pytest.mark.parametrize("block", range(4))
    def test_nodes_may_fail_with_every_domain(self, block: int) -> None:
        for seed in range(block * 15, block * 15 + 15):
            estate, _ = seeded_scenario(seed)
            _compare(compile_facility(estate), tuple(node.id for node in estate.nodes[:: 2 + seed % 2]))

    @pytest.mark.parametrize("block", range(4))
    def test_many_seeds(self, block: int) -> None:
        for seed in range(block * 30, block * 30 + 30):
            estate, _ = seeded_scenario(seed)
            _compare(compile_facility(estate))

    def test_the_strict_check_is_optional(self) -> None:
        facility = compile_facility(strategies.ladder(3))
        assert [row.strict for row in sweep(facility, strict=False)] == [None] * 3

    def test_what_is_out_already_is_part_of_every_row_in_order(self) -> None:
        domains = {f"p{n}": {"kind": "power"} for n in range(9)}
        domains["p1"]["status"] = "out"
        facility = compile_facility(estate_of(domains, {f"n{n}": on(f"p{n}") for n in range(9)}))
        assert [(row.domains, row.groups) for row in sweep(facility)][8] == ((1, 8), (1, 8))

    def test_what_is_lost_with_its_parent_already_is_the_worst_credible_in_every_row(self) -> None:
        """Spec 4: the basis of a scenario names `worst-credible` where a domain is lost with its parent."""
        domains = {"p": {"kind": "power", "status": "out"}, "q": {"kind": "power"}}
        facility = compile_facility(estate_of({**domains, "r": {"kind": "rack", "parent": "p"}}, {}))
        assert [row.basis for row in sweep(facility)] == [close(facility, [name]).basis for name in "pqr"]
        assert [row.basis for row in sweep(facility)][1] == ("worst-credible",)

    def test_progress_ends_with_everything(self) -> None:
        facility = compile_facility(strategies.ladder(1100))
        calls: list[tuple[int, int]] = []
        rows = sum(
            1 for _ in sweep(facility, strict=False, progress=lambda done, total: calls.append((done, total)))
        )
        assert calls == [(1000, rows), (1100, rows)]


class TestEventDriven:
    """Following only what changes gives the rounds of the full recomputation."""

    @given(estate=strategies.estates(max_workloads=0, max_domains=16), data=st.data())
    def test_pairs_and_triples(self, estate: Estate, data: st.DataObject) -> None:
        facility = compile_facility(estate)
        checks = EventDriven(facility)
        everything = st.integers(0, len(facility.domain_ids) - 1)
        for _ in range(4):
            failed = data.draw(st.sets(everything, max_size=3))
            _compare_rounds(checks, failed)

    @pytest.mark.parametrize("block", range(4))
    def test_many_seeds(self, block: int) -> None:
        for seed in range(block * 50, block * 50 + 50):
            estate, failed = seeded_scenario(seed)
            facility = compile_facility(estate)
            _compare_rounds(EventDriven(facility), split_ids(facility, failed)[0])

    def test_what_is_overloaded_anyway_trips_whatever_fails(self) -> None:
        """`o` is out, so `b` carries 8 of its 6 kW; `y` takes 3 of them with it, and `z` nothing."""
        domains = {
            "o": {"kind": "power", "status": "out"},
            "b": {"kind": "power", "ratedKw": 6},
            "y": {"kind": "rack", "parent": "b"},
            "z": {"kind": "power"},
        }
        nodes = {"n1": on(["o", "b"], 5), "n2": {"allocated": 3, "domains": {"rack": "y"}}, "n3": on("z")}
        facility = compile_facility(estate_of(domains, nodes))
        b, y, z = (facility.domain_index[name] for name in "byz")
        checks = EventDriven(facility)
        assert [checks.run(failed).tripped for failed in ((), (z,), (y,))] == [{b: 1}, {b: 1}, {}]
        for failed in ((), (z,), (y,)):
            _compare_rounds(checks, failed)

    def test_flows_that_only_fall_are_followed_where_somebody_wants_to_know_them(self) -> None:
        domains = {"u": {"kind": "ups"}, "p": {"kind": "power", "parent": "u"}}
        facility = compile_facility(
            estate_of(domains, {"n1": on("p", 2), "n2": {"allocated": 3, "domains": {"ups": "u"}}})
        )
        checks, u = EventDriven(facility), facility.domain_index["u"]
        failed = [facility.domain_index["p"]]
        assert checks.run(failed).flow_kw[u] == 3
        assert u not in checks.run(failed, flows=False).flow_kw


def _compare_rounds(checks: EventDriven, failed: Collection[int]) -> None:
    outcome = checks.run(failed)
    rounds = simulate(checks.facility, failed)
    assert set(outcome.domains) == set(rounds[-1].lost)
    tripped = {d: number for number, now in enumerate(rounds, 1) for d in overloaded(checks.facility, now)}
    assert outcome.tripped == tripped
    dead = (rounds[-1].lost, rounds[-1].unpowered)
    for d, kw in enumerate(rounds[-1].flows_kw):
        if d not in dead[checks.carries_power[d]]:
            assert outcome.flow_kw.get(d, checks.flows_kw[d]) == pytest.approx(kw)
