"""Every pair of failures, against assessing each of them (spec: topo sweep, order 2)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings

from closure.compiled import Facility, compile_facility
from findings.pairs.document import pair_document
from findings.pairs.rows import LOSS_SHARES, PairRow, PairSweep, Size, pair_sweep
from findings.scenario import WhatIf, whatif
from tests import strategies
from tests.estates import estate_of, on
from tests.findings.test_cli import schema
from topology.model import Estate


def _every(facility: Facility) -> dict[tuple[str, str], WhatIf]:
    return {pair: whatif(facility, pair) for pair in combinations(sorted(facility.domain_ids), 2)}


def _size(result: WhatIf) -> Size:
    exposed = result.impact.exposure
    return exposed.critical_units or 0, exposed.units or 0, exposed.nodes


def _strict_size(result: WhatIf) -> Size:
    exposed = result.strict_impact.exposure
    return exposed.critical_units or 0, exposed.units or 0, exposed.nodes


def _nodes(result: WhatIf) -> tuple[set[str], set[str]]:
    """Return the nodes lost by the closure, and by the strict check."""
    return {lost.id for lost in result.closure.nodes}, set(result.strict.nodes)


def _check_row(row: PairRow, result: WhatIf) -> None:
    impact, strict = result.impact, result.strict_impact
    assert row.domains == len(result.closure.domains)
    assert row.basis == result.closure.basis
    assert row.size == _size(result)
    assert row.tally.units == impact.exposure.units
    assert row.tally.critical_share == impact.exposure.critical_share
    assert (row.tally.usd, row.tally.gang_usd) == (impact.progress.usd, impact.progress.gang_usd)
    assert row.strict is not None
    assert row.strict.agrees == result.strict.agrees
    assert row.strict.domains == len(result.strict.domains)
    assert (row.strict.nodes, row.strict.units) == (strict.exposure.nodes, strict.exposure.units)


class TestAgainstAssessingEach:
    """Lists, rows and counts say what `topo whatif` says of every pair."""

    @given(estate=strategies.estates(max_domains=7))
    def test_lists_rows_and_counts(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        every = _every(facility)
        found = pair_sweep(facility, top=len(every) + 1)
        order = sorted(every, key=lambda pair: (*(-part for part in _size(every[pair])), pair))
        assert [row.failed for row in found.rows] == order
        by_strict = sorted(every, key=lambda pair: (*(-part for part in _strict_size(every[pair])), pair))
        assert found.strict_rows is not None
        assert [row.failed for row in found.strict_rows] == by_strict
        for row in found.rows:
            _check_row(row, every[row.failed])
        assert (found.pairs, found.domains) == (len(every), len(facility.domain_ids))
        assert found.strict is not None
        assert found.strict.differing == sum(not result.strict.agrees for result in every.values())
        if found.reaching is not None:
            shares = [result.impact.exposure.critical_share or 0.0 for result in every.values()]
            assert found.reaching == tuple(sum(s >= share for s in shares) for share in LOSS_SHARES)

    @given(estate=strategies.estates(max_domains=7))
    def test_what_neither_failure_loses_alone(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        alone = {name: whatif(facility, [name]).closure for name in facility.domain_ids}
        found = pair_sweep(facility, strict=False)
        more: dict[tuple[str, str], tuple[int, int]] = {}
        for pair, result in _every(facility).items():
            domains = {lost.id for lost in result.closure.domains}
            nodes = {lost.id for lost in result.closure.nodes}
            for name in pair:
                domains -= {lost.id for lost in alone[name].domains}
                nodes -= {lost.id for lost in alone[name].nodes}
            more[pair] = len(domains), len(nodes)
        assert {row.failed: (row.beyond.domains, row.beyond.nodes) for row in found.rows} == more
        assert found.coupled == sum(counts != (0, 0) for counts in more.values())
        lost = [row.beyond.nodes for row in found.coupled_rows]
        assert sum(map(bool, lost)) == sum(nodes > 0 for _, nodes in more.values())

    @given(estate=strategies.estates(max_domains=7))
    def test_the_worst_beyond_what_either_engine_loses_of_either_failure(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        alone = {name: _nodes(whatif(facility, [name])) for name in facility.domain_ids}
        more: dict[tuple[tuple[str, str], bool], set[str]] = {}
        for pair, result in _every(facility).items():
            for by_strict, lost in enumerate(_nodes(result)):
                more[pair, bool(by_strict)] = lost.difference(
                    *(each for name in pair for each in alone[name])
                )
        found = pair_sweep(facility, top=1).together
        if found is None:
            assert not any(more.values())
            return
        own = more[found.row.failed, found.by_strict]
        assert found.nodes == len(own) > 0
        units = {node.id: node.allocated or 0 for node in estate.nodes}
        if found.units is not None:
            assert found.units == pytest.approx(sum(units[name] for name in own))
        if not estate.workloads:
            assert sum(units[name] for name in own) == pytest.approx(
                max(sum(units[name] for name in lost) for lost in more.values())
            )

    @given(estate=strategies.estates(max_domains=9))
    def test_a_shorter_list_is_the_beginning_of_a_longer_one(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        long, short = pair_sweep(facility), pair_sweep(facility, top=3)
        assert short.rows == long.rows[:3]
        assert short.coupled_rows == long.coupled_rows[:3]
        assert short.strict_rows == (long.strict_rows or ())[:3]

    @settings(max_examples=5)
    @given(estate=strategies.estates(max_domains=9))
    def test_the_document_is_valid(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        for strict in (True, False):
            schema("sweep").validate(pair_document(pair_sweep(facility, strict=strict), load="allocated"))


def _twice(units: float) -> PairSweep:
    """Two nodes, each behind two PDUs of its own."""
    domains = {name: {"kind": "power"} for name in ("a1", "a2", "b1", "b2")}
    nodes = {"a": on(["a1", "a2"], 8), "b": on(["b1", "b2"], units)}
    return pair_sweep(compile_facility(estate_of(domains, nodes)))


class TestRanking:
    """Critical units, units, nodes, then ids; sums are exact."""

    def test_ties_go_by_the_ids(self) -> None:
        assert [row.failed for row in _twice(8).rows[:3]] == [("a1", "a2"), ("b1", "b2"), ("a1", "b1")]

    @pytest.mark.parametrize("units", [8.000000000000002, 8.25])
    def test_the_smallest_difference_counts(self, units: float) -> None:
        assert [row.failed for row in _twice(units).rows[:2]] == [("b1", "b2"), ("a1", "a2")]

    def test_the_worst_is_by_the_engine_that_loses_more(self) -> None:
        """Two UPSs of three fail: the third is enough for each PDU, and not for both; only strict sees it."""
        domains = {
            **{f"ups-{n}": {"kind": "ups", "ratedKw": 10} for n in (1, 2, 3)},
            **{f"pdu-{n}": {"kind": "power", "feeds": ["ups-1", "ups-2", "ups-3"]} for n in (1, 2)},
        }
        nodes = {f"n{n}": on(f"pdu-{n}", 8) for n in (1, 2)}
        found = pair_sweep(compile_facility(estate_of(domains, nodes)))
        worst = found.worst
        assert worst is not None
        assert worst.failed == ("pdu-1", "pdu-2")
        together = next(row for row in found.rows if row.failed == ("ups-1", "ups-2"))
        assert (together.tally.nodes, together.strict and together.strict.nodes) == (0, 2)
        assert found.strict is not None
        assert (found.strict.cascading, found.strict.differing) == (3, 3)

    def test_two_large_failures_side_by_side_do_not_lead(self) -> None:
        """Two racks lose most, all of it alone; two PDUs lose a small one together."""
        domains = {
            **{f"pdu-{n}": {"kind": "power"} for n in (1, 2)},
            "small": {"kind": "rack", "feeds": ["pdu-1", "pdu-2"]},
            **{name: {"kind": "rack"} for name in ("big-1", "big-2")},
        }
        nodes = {
            f"n-{name}": {"allocated": units, "domains": {"rack": name}}
            for name, units in (("big-1", 8), ("big-2", 8), ("small", 2))
        }
        found = pair_sweep(compile_facility(estate_of(domains, nodes)))
        assert found.worst is not None
        assert found.worst.failed == ("big-1", "big-2")
        most = found.together
        assert most is not None
        assert (most.row.failed, most.by_strict, most.nodes, most.units) == (("pdu-1", "pdu-2"), False, 1, 2)

    def test_the_engine_that_alone_sees_it(self) -> None:
        """Any two of three UPSs overload the third by the strict check; the closure loses nothing."""
        names = ["ups-1", "ups-2", "ups-3"]
        domains = {name: {"kind": "ups", "ratedKw": 10} for name in names}
        node = {"allocated": 8, "domains": {"ups": names}}
        facility = compile_facility(estate_of(domains, {"n": node, "m": node}))
        most = pair_sweep(facility).together
        assert most is not None
        assert (most.row.failed, most.by_strict, most.nodes, most.units) == (("ups-1", "ups-2"), True, 2, 16)
        assert pair_sweep(facility, strict=False).together is None

    def test_of_equally_bad_pairs_the_worst_is_the_first_by_id(self) -> None:
        """Any two of three UPSs leave 16 kW on the third, rated 10; the closure loses nothing."""
        names = ["ups-1", "ups-2", "ups-3"]
        domains = {name: {"kind": "ups", "ratedKw": 10} for name in names}
        node = {"allocated": 8, "domains": {"ups": names}}
        found = pair_sweep(compile_facility(estate_of(domains, {"n": node, "m": node})))
        assert found.worst is not None
        assert (found.worst.failed, found.worst.size) == (("ups-1", "ups-2"), (0, 0, 0))
        assert found.worst.strict_size == (0, 16, 2)
        worst = pair_document(found, load="allocated")["aggregate"]["worst"]
        assert worst == {"failed": ["ups-1", "ups-2"], "by": "strict"}

    def test_what_one_failure_brings_down_by_the_strict_check_alone_is_not_lost_together(self) -> None:
        """Each PDU alone fits either UPS, both do not: one UPS that fails trips the other."""
        domains = {
            **{name: {"kind": "ups", "ratedKw": 10} for name in ("ups-1", "ups-2")},
            **{f"pdu-{n}": {"kind": "power", "feeds": ["ups-1", "ups-2"]} for n in (1, 2)},
        }
        facility = compile_facility(estate_of(domains, {f"n{n}": on(f"pdu-{n}", 8) for n in (1, 2)}))
        by_closure = pair_sweep(facility, strict=False).together
        assert by_closure is not None
        assert (by_closure.row.failed, by_closure.nodes) == (("ups-1", "ups-2"), 2)
        assert pair_sweep(facility).together is None

    def test_a_list_holds_a_hundred_unless_said_otherwise(self) -> None:
        """docs/sweep.md: "the `--top` largest (100 unless said otherwise)"."""
        facility = compile_facility(estate_of({f"p{n:02}": {"kind": "power"} for n in range(15)}, {}))
        found = pair_sweep(facility)
        assert (found.pairs, len(found.rows)) == (105, 100)

    def test_without_pairs(self) -> None:
        found = pair_sweep(compile_facility(estate_of({"a": {"kind": "power"}}, {"n": on("a")})))
        assert (found.pairs, found.rows, found.strict_rows, found.worst) == (0, (), (), None)
