"""The sweep of all single failures says what one scenario at a time says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import simulate, strict_check
from closure.strict_events import EventDriven
from closure.sweep import sweep
from tests import strategies
from topology.model import Estate


def _nodes(facility: Facility, groups: tuple[int, ...]) -> set[str]:
    return {facility.node_ids[node] for g in groups for node in facility.groups[g].nodes}


def _ids(facility: Facility, domains: tuple[int, ...]) -> set[str]:
    return {facility.domain_ids[d] for d in domains}


class TestRows:
    """One row per domain, each equal to the closure and the strict check of that domain failing alone."""

    @given(estate=strategies.estates(max_workloads=0))
    def test_every_row_is_the_closure_of_its_failure(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        rows = list(sweep(facility, strict=False))
        assert [facility.domain_ids[row.failed] for row in rows] == list(facility.domain_ids)
        for row in rows:
            closure = close(facility, [facility.domain_ids[row.failed]])
            assert _ids(facility, row.domains) == {lost.id for lost in closure.domains}
            assert _nodes(facility, row.groups) == {lost.id for lost in closure.nodes}
            assert row.basis == closure.basis
            assert row.strict is None

    @given(estate=strategies.estates(max_workloads=0))
    def test_every_row_has_the_strict_check_of_its_failure(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        for row in sweep(facility):
            failed = [facility.domain_ids[row.failed]]
            check = strict_check(facility, failed, close(facility, failed))
            assert row.strict is not None
            assert _ids(facility, row.strict.domains) == set(check.domains)
            assert _nodes(facility, row.strict.groups) == set(check.nodes)
            assert _ids(facility, row.strict.tripped) == {trip.id for trip in check.tripped}
            assert row.strict.agrees == check.agrees

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
            outcome = checks.run(failed)
            rounds = simulate(facility, failed)
            assert set(outcome.domains) == set(rounds[-1].lost)
            assert max(outcome.tripped.values(), default=0) == len(rounds) - 1
