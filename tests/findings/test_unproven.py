"""What is not proven safe: survivors that nobody can vouch for are no all-clear, in any row or verdict."""

import pytest

from closure.compiled import compile_facility
from findings.pairs.rows import pair_sweep
from findings.scenario import whatif
from findings.sweep_rows import SweepRow, sweep_row_to_json, sweep_rows
from tests.estates import estate_of, on
from tests.generator import seeded_scenario
from topology.model import Estate

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
