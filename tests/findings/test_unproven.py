"""What is not proven safe: survivors that nobody can vouch for are no all-clear, in any row or verdict."""

from typing import ClassVar

import pytest

from closure.compiled import compile_facility
from findings.index import EstateIndex
from findings.maintenance.safety import Scene, judge
from findings.pairs.rows import pair_sweep
from findings.rescue.plan import plan_rescue
from findings.scenario import whatif, whatif_to_json
from findings.sweep_rows import SweepRow, sweep_row_to_json, sweep_rows
from tests.estates import estate_of, on
from tests.generator import seeded_scenario
from topology.model import Estate

NOW = "2026-12-01T00:00:00Z"
FED = {"rack": {"kind": "rack", "feeds": ["a", "b"]}, "a": {"kind": "power"}}


def by_id(estate: Estate) -> dict[str, SweepRow]:
    return {row.failed: row for row in sweep_rows(compile_facility(estate))}


def two_pdus(*, kw: float | None) -> Estate:
    """Two rated PDUs, a machine of 1 kW on both, and one of `kW` on the second."""
    domains = {name: {"kind": "power", "ratedKw": 9} for name in ("a", "b")}
    nodes = {"both": on(["a", "b"], kwPerUnit=1), "one": on("b", kwPerUnit=kw)}
    return estate_of(domains, nodes, wattsPerUnitKw=None)


class TestUnproven:
    """Survivors without rating or of unknown draw; load that shifts onto a flow that is a lower bound."""

    def test_a_feed_that_holds_without_rating(self) -> None:
        nodes = {"n": {"allocated": 1, "installed": 1, "domains": {"rack": "rack"}}}
        rows = by_id(estate_of({**FED, "b": {"kind": "power"}}, nodes))
        assert rows["a"].leading.nodes == 0
        assert rows["a"].unproven
        assert sweep_row_to_json(rows["a"])["unproven"] is True

    def test_a_feed_that_is_rated_for_it(self) -> None:
        nodes = {"n": {"allocated": 1, "installed": 1, "domains": {"rack": "rack"}}}
        assert not by_id(estate_of({**FED, "b": {"kind": "power", "ratedKw": 9}}, nodes))["a"].unproven

    def test_load_shifts_onto_a_rated_flow_that_is_a_lower_bound(self) -> None:
        estate = two_pdus(kw=None)
        found = whatif(compile_facility(estate), ["a"])
        assert by_id(estate)["a"].unproven
        assert not found.closure.electrically_unverified
        assert found.verdict == "unknown"

    def test_unknown_load_shifts_from_a_feed_that_only_the_strict_check_loses(self) -> None:
        """`f` fails: 6 of 12 kW each on `s` (rated 5) and `t`. `s` trips, and `b` alone carries `pdu-2`."""
        rated = {name: {"kind": "ups", "ratedKw": kw} for name, kw in (("f", 99), ("s", 5), ("t", 99))}
        domains = {
            **rated,
            "b": {"kind": "ups", "ratedKw": 99},
            "pdu-1": {"kind": "power", "feeds": ["f", "s", "t"]},
            "pdu-2": {"kind": "power", "feeds": ["s", "b"]},
        }

        def row_of(kw: float | None) -> SweepRow:
            nodes = {"n1": on("pdu-1", 12, kwPerUnit=1), "n2": on("pdu-2", 2, kwPerUnit=kw)}
            return by_id(estate_of(domains, nodes, wattsPerUnitKw=None))["f"]

        assert "electrically-unverified" not in row_of(None).basis
        assert (row_of(None).unproven, row_of(1).unproven) == (True, False)

    def test_all_of_the_load_is_known(self) -> None:
        assert not by_id(two_pdus(kw=1))["a"].unproven


class TestUnplaced:
    """A node with units of which the map does not say where the power comes from that is lost."""

    DOMAINS: ClassVar = {
        "ups": {"kind": "ups", "ratedKw": 9},
        "pdu": {"kind": "power", "parent": "ups", "ratedKw": 9},
        "idle": {"kind": "power", "parent": "ups", "ratedKw": 9},
        "spine": {"kind": "network"},
    }

    def estate(self, units: int) -> Estate:
        return estate_of(self.DOMAINS, {"a": on("pdu"), "b": {"allocated": units, "domains": {}}})

    def test_every_answer_doubts_the_same(self) -> None:
        facility = compile_facility(self.estate(1))
        found = whatif(facility, ["idle"])
        assert (found.verdict, found.overloadable) == ("unknown", False)
        assert whatif_to_json(found)["unplaced"] == [{"id": "b", "commodity": "power", "why": "unnamed"}]
        assert by_id(self.estate(1))["idle"].unproven
        safety = judge(Scene(facility, EstateIndex(facility.estate)), ["idle"])
        assert [(each.id, each.why) for each in safety.doubts] == [("b", "power-unnamed")]
        assert safety.safe is None
        assert plan_rescue(facility, ["idle"], now=NOW).verdict == "unknown"

    def test_pairs_too(self) -> None:
        rows = {row.failed: row for row in pair_sweep(compile_facility(self.estate(1))).rows}
        assert rows["idle", "spine"].unproven

    @pytest.mark.parametrize(("failed", "units"), [("spine", 1), ("idle", 0)])
    def test_other_failures_and_nodes_without_units_are_no_doubt(self, failed: str, units: int) -> None:
        assert whatif(compile_facility(self.estate(units)), [failed]).verdict == "ok"

    def test_a_node_that_fails_itself_is_known_to_be_lost(self) -> None:
        found = whatif(compile_facility(self.estate(1)), ["b", "idle"])
        assert (found.verdict, found.unproven) == ("outage", False)

    def test_a_caveat_says_so_on_every_page(self) -> None:
        said = whatif(compile_facility(self.estate(1)), ["spine"]).caveats
        assert any(each.startswith("Nodes that name no power source (pdu, ups, rack)") for each in said)
        assert not any(
            "power source" in each for each in whatif(compile_facility(self.estate(0)), []).caveats
        )


def test_the_laws_below_meet_such_nodes() -> None:
    facilities = [compile_facility(seeded_scenario(seed)[0]) for seed in range(60)]
    assert sum(bool(facility.unplaced.behind) for facility in facilities) > 5


@pytest.mark.parametrize("seed", range(60))
def test_rows_say_what_their_scenario_says(seed: int) -> None:
    facility = compile_facility(seeded_scenario(seed)[0])
    for row in sweep_rows(facility):
        found = whatif(facility, [row.failed])
        assert row.unproven == found.unproven
        assert (found.verdict == "outage") == (row.leading.nodes > 0)
    for pair in pair_sweep(facility, top=5).rows:
        assert pair.unproven == whatif(facility, pair.failed).unproven


@pytest.mark.parametrize(
    ("failed", "verdict"), [("a", "unknown"), ("rack", "outage"), ("s", "degraded"), ("x", "ok")]
)
def test_one_word_says_it(failed: str, verdict: str) -> None:
    domains = {
        **FED,
        "b": {"kind": "power"},
        "x": {"kind": "network"},
        "s": {"kind": "network"},
        "t": {"kind": "network"},
        "leaf": {"kind": "network", "feeds": ["s", "t"]},
    }
    nodes = {"n": {"allocated": 1, "installed": 1, "domains": {"rack": "rack", "network": "leaf"}}}
    assert whatif(compile_facility(estate_of(domains, nodes)), [failed]).verdict == verdict
