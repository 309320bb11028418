"""Proven safe: no rating and no draw that turns out to be something makes such a failure lose a node."""

from __future__ import annotations

from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.pairs.rows import pair_sweep
from findings.scenario import whatif
from findings.sweep_rows import sweep_rows
from tests.estates import estate_of
from tests.findings.less_known import less_known
from tests.findings.test_unproven import by_id


def proven(seed: int) -> tuple[set[str], set[str]]:
    """The failures that lose nothing and are proven safe, and those that lose a node with more known."""
    more, less = less_known(seed)
    safe = {name for name, row in by_id(less).items() if not row.unproven and not row.leading.nodes}
    return safe, {name for name, row in by_id(more).items() if row.leading.nodes}


class TestMoreIsKnown:
    """docs/concepts.md: unproven where something carries more in some round of the strict check, or may, that
    has no rating or a load of which only a lower bound is known.
    """

    @pytest.mark.parametrize("seeds", range(0, 4000, 500))
    def test_what_is_proven_safe_stays_safe(self, seeds: int) -> None:
        for seed in range(seeds, seeds + 500):
            safe, losing = proven(seed)
            assert safe.isdisjoint(losing), seed

    @pytest.mark.parametrize("seed", range(150))
    def test_so_it_does_of_several_things_that_fail_together(self, seed: int) -> None:
        more, less = map(compile_facility, less_known(seed))
        for row in pair_sweep(less, top=20).rows:
            found = whatif(less, row.failed)
            assert row.unproven == found.unproven
            if not found.unproven and not found.worse_impact.nodes:
                assert not whatif(more, row.failed).worse_impact.nodes
        for node in less.node_ids[:3]:
            for domain in less.domain_ids:
                found = whatif(less, [node, domain])
                if not found.unproven and len(found.worse_impact.nodes) <= 1:
                    assert len(whatif(more, [node, domain]).worse_impact.nodes) <= 1

    @pytest.mark.parametrize("seed", range(200))
    def test_a_row_says_what_its_scenario_says(self, seed: int) -> None:
        facility = compile_facility(less_known(seed)[1])
        for row in sweep_rows(facility):
            assert row.unproven == whatif(facility, [row.failed]).unproven


class TestRounds:
    """Whatever carries more in any round, not in the last alone."""

    def estate(self, s1: dict[str, Any]) -> Any:
        """p3 trips in the first round, in which s1 above it carries 9 kW; it carried 8, and ends at 6."""
        domains = {
            "s1": {"kind": "ups", **s1},
            "p2": {"kind": "power", "ratedKw": 20},
            "p3": {"kind": "power", "ratedKw": 2.5, "parent": "s1"},
            "p4": {"kind": "power", "ratedKw": 20},
            "k1": {"kind": "rack", "ratedKw": 20, "feeds": ["p2", "p3", "p4"]},
        }
        nodes = {
            "n0": {"allocated": 6, "domains": {"ups": "s1"}},
            "n1": {"allocated": 6, "domains": {"rack": "k1"}},
        }
        return estate_of(domains, nodes)

    def test_a_round_that_passes(self) -> None:
        estate = self.estate({})
        assert whatif(compile_facility(estate), ["p2"]).verdict == "unknown"
        assert by_id(estate)["p2"].unproven

    def test_it_would_have_tripped(self) -> None:
        assert whatif(compile_facility(self.estate({"ratedKw": 8.5})), ["p2"]).verdict == "outage"

    def test_it_is_rated_for_it(self) -> None:
        assert whatif(compile_facility(self.estate({"ratedKw": 9})), ["p2"]).verdict == "degraded"

    def test_all_of_unknown_kw_is_lost(self) -> None:
        """The pump moves to s2, whose only load of unknown kW has no power left: what it carries is known."""
        domains = {
            "s1": {"kind": "ups"},
            "s2": {"kind": "ups", "ratedKw": 9},
            "cdu": {"kind": "cooling", "loadKw": 1, "feeds": ["s1", "s2"]},
        }
        nodes = {"n": {"allocated": 1, "domains": {"pdu": "p", "ups": ["s1", "s2"]}}}
        domains["p"] = {"kind": "power", "parent": "s1"}
        found = whatif(compile_facility(estate_of(domains, nodes, wattsPerUnitKw=None)), ["s1"])
        assert (found.verdict, found.unproven) == ("outage", False)
