"""The engine against the naive one, on generated estates: closures, loads and strict checks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import Facility, Load, compile_facility
from closure.results import Survivor, Trip
from closure.strict import strict_check
from tests import naive_engine, naive_strict, strategies
from tests.generator import seeded_scenario
from topology.model import Estate

LOADS: st.SearchStrategy[Load] = st.sampled_from(("allocated", "installed"))


class TestLoad:
    """load_kw(D) = Σ units × kW per unit, over the distinct nodes that reach D through its own commodity."""

    @given(load=LOADS, estate=strategies.estates())
    def test_every_load_equals_the_naive_one(self, load: Load, estate: Estate) -> None:
        facility = compile_facility(estate, load)
        for name in estate.domains:
            expected = naive_engine.load_kw(estate, name, load)
            assert facility.load_kw(name) == (None if expected is None else pytest.approx(expected))

    @given(load=LOADS, estate=strategies.estates())
    def test_every_flow_equals_the_naive_one(self, load: Load, estate: Estate) -> None:
        facility = compile_facility(estate, load)
        expected = naive_strict.strict(estate, (), load).before
        for name in estate.domains:
            assert facility.strict_flow_kw(name) == pytest.approx(expected.get(name, 0.0))


class TestClosure:
    """The closure is the least fixpoint of spec 4, rules 1 to 5."""

    @given(load=LOADS, scenario=strategies.scenarios(max_failed=3))
    def test_random_failures(self, load: Load, scenario: tuple[Estate, tuple[str, ...]]) -> None:
        estate, failed = scenario
        _compare_closure(compile_facility(estate, load), failed)

    @given(load=LOADS, estate=strategies.estates())
    def test_every_single_domain(self, load: Load, estate: Estate) -> None:
        facility = compile_facility(estate, load)
        for name in (*estate.domains, *(node.id for node in estate.nodes)):
            _compare_closure(facility, (name,))


BLOCK = 50


@pytest.mark.parametrize("block", range(6))
def test_many_seeds(block: int) -> None:
    """Dense estates, many of them: loads, closure and strict check against the naive engine."""
    _compare_seeds(range(block * BLOCK, (block + 1) * BLOCK))


@pytest.mark.extra
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_seeds(block: int) -> None:
    _compare_seeds(range(1000 * (block + 1), 1000 * (block + 1) + 500))


def _compare_seeds(seeds: range) -> None:
    for seed in seeds:
        estate, failed = seeded_scenario(seed)
        facility = compile_facility(estate, "installed" if seed % 5 == 4 else "allocated")
        _compare_closure(facility, failed)
        _compare_strict(facility, failed)
        for name in estate.domains:
            expected = naive_engine.load_kw(estate, name, facility.load)
            assert facility.load_kw(name) == (None if expected is None else pytest.approx(expected))


def _compare_closure(facility: Facility, failed: tuple[str, ...]) -> None:
    closure = close(facility, failed)
    expected = naive_engine.close(facility.estate, failed, facility.load)
    baseline = naive_engine.close(facility.estate, (), facility.load)
    assert {d.id: d.cause for d in closure.domains} == expected.causes
    assert {n.id for n in closure.nodes} == expected.nodes
    assert {d.id for d in closure.degraded if d.type == "domain"} == expected.degraded_domains
    assert {d.id for d in closure.degraded if d.type == "node"} == expected.degraded_nodes
    assert {u.id: set(u.unrated_feeds) for u in closure.electrically_unverified} == expected.unverified
    assert set(closure.baseline_domains) == baseline.domains
    assert set(closure.baseline_nodes) == baseline.nodes


class TestStrict:
    """The strict check: who is unpowered, where flows go, what trips in which round (spec 4, beyond)."""

    @given(load=LOADS, scenario=strategies.scenarios(max_failed=3, max_workloads=0))
    def test_random_failures(self, load: Load, scenario: tuple[Estate, tuple[str, ...]]) -> None:
        estate, failed = scenario
        _compare_strict(compile_facility(estate, load), failed)

    @given(load=LOADS, estate=strategies.estates(max_workloads=0))
    def test_every_single_domain(self, load: Load, estate: Estate) -> None:
        facility = compile_facility(estate, load)
        for name in estate.domains:
            _compare_strict(facility, (name,))


def _compare_strict(facility: Facility, failed: tuple[str, ...]) -> None:
    closure = close(facility, failed)
    check = strict_check(facility, failed, closure)
    estate = facility.estate
    expected = naive_strict.strict(estate, failed, facility.load)
    assert set(check.domains) == expected.domains
    assert set(check.nodes) == expected.nodes
    assert {t.id: t.round for t in check.tripped} == {
        name: trip[0] for name, trip in expected.tripped.items()
    }
    assert {t.id: t.after_kw for t in check.tripped} == pytest.approx(
        {name: trip[1] for name, trip in expected.tripped.items()}
    )
    assert {s.id: s.after_kw for s in check.survivors} == pytest.approx(
        {name: kw for name, (kw, _) in expected.survivors.items()}
    )
    assert {s.id: s.peak_kw for s in check.survivors} == pytest.approx(
        {name: peak for name, (_, peak) in expected.survivors.items()}
    )
    for changed in (*check.tripped, *check.survivors):
        assert isinstance(changed, Trip | Survivor)
        assert changed.before_kw == pytest.approx(expected.before[changed.id])
    assert check.rounds == expected.rounds
    naive_closure = naive_engine.close(estate, failed, facility.load)
    assert check.agrees == naive_strict.agrees(naive_closure, expected)
    assert check.lower_bound == any(
        naive_engine.node_kw(estate, n, facility.load) is None for n in estate.nodes
    )
