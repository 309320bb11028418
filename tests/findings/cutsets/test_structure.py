"""Cut sets on Schneider white paper 75, and the strict check beside them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from closure.blocks import BLOCK
from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from findings.cutsets.analysis import StrictFigures, cut_sets_report
from tests.estates import estate_of, figure_5, on
from tests.findings.cutsets.trains import Sets, caveats, figure, report, sets, two_trains
from tests.strategies import estates
from topology.model import Estate

INTAKE: dict[str, dict[str, Any]] = {
    "utility": {"kind": "utility"},
    "generator": {"kind": "generator"},
    "ats": {"kind": "ats", "feeds": ["utility", "generator"]},
    "input-bus": {"kind": "switchgear", "parent": "ats"},
}


class TestWhitePaper75:
    """Schneider white paper 75: the single points of its figures are the cut sets of one."""

    def test_figure_1(self) -> None:
        domains = INTAKE | {
            "ups": {"kind": "ups", "parent": "input-bus"},
            "output-bus": {"kind": "switchgear", "feeds": ["ups", "input-bus"], "transfer": "preferred"},
            "pdu": {"kind": "power", "parent": "output-bus"},
        }
        result = report(estate_of(domains, {"n": on("pdu")}))
        assert sets(result, 1) == [("ats",), ("input-bus",), ("output-bus",), ("pdu",)]
        assert sets(result, 2) == [("generator", "utility")]
        assert sets(result, 3) == []

    def test_figure_3(self) -> None:
        domains = INTAKE | {
            "ups-1": {"kind": "ups", "parent": "input-bus"},
            "ups-2": {"kind": "ups", "parent": "input-bus"},
            "paralleling-bus": {"kind": "switchgear", "feeds": ["ups-1", "ups-2"]},
            "pdu": {"kind": "power", "parent": "paralleling-bus"},
        }
        result = report(estate_of(domains, {"n": on("pdu")}))
        assert sets(result, 1) == [("ats",), ("input-bus",), ("paralleling-bus",), ("pdu",)]
        assert sets(result, 2) == [("generator", "utility"), ("ups-1", "ups-2")]

    @pytest.mark.parametrize(
        ("load", "expected"),
        [
            ("load1", ["pdu1", "sts1"]),
            ("load2", []),
            ("load3", ["pdu2", "sts2"]),
            ("load4", []),
            ("load5", ["pdu3", "sts3"]),
            ("load6", []),
        ],
    )
    def test_figure_5(self, load: str, expected: list[str]) -> None:
        assert sets(report(figure_5(), load), 1) == [(name,) for name in expected]

    def test_figure_5_pairs_and_triples_by_hand(self) -> None:
        """Load 2 hangs on pdu1 (sts1: u1, u2) and pdu2 (sts2: u3, u1)."""
        result = report(figure_5(), "load2")
        assert sets(result, 2) == [("pdu1", "pdu2"), ("pdu1", "sts2"), ("pdu2", "sts1"), ("sts1", "sts2")]
        assert sets(result, 3) == [
            ("pdu1", "u1", "u3"),
            ("pdu2", "u1", "u2"),
            ("sts1", "u1", "u3"),
            ("sts2", "u1", "u2"),
            ("u1", "u2", "u3"),
        ]


class TestStrict:
    """The strict check stands beside the cut sets: what it adds, and what it denies."""

    def test_shared_survivors(self) -> None:
        """Feeds rated 8 kW, two domains of 6 kW on both: one feed is enough in the strict check alone."""
        feeds = {name: {"kind": "ups", "ratedKw": 8} for name in ("a", "b")}
        loads = {name: {"kind": "power", "feeds": ["a", "b"]} for name in ("d1", "d2")}
        estate = estate_of(feeds | loads, {"n": on("d1", 6), "m": on("d2", 6)})
        result = report(estate)
        assert sets(result) == [("d1",), ("a", "b")]
        assert result.strict_only == ("a", "b")
        assert result.rows[1].strict == StrictFigures(down=True, fewer=(("a",), ("b",)))

    def test_block_by_block(self) -> None:
        """Whom to ask about are many blocks; the two that the strict check adds are the last of all."""
        feeds = {name: {"kind": "ups", "ratedKw": 8} for name in ("z-1", "z-2")}
        loads = {name: {"kind": "power", "feeds": ["z-1", "z-2"]} for name in ("y-1", "y-2")}
        others = {f"a{number:03}": {"kind": "network"} for number in range(3 * BLOCK)}
        estate = estate_of(others | feeds | loads, {"n": on("y-1", 6), "m": on("y-2", 6)})
        told: list[tuple[int, int]] = []
        result = cut_sets_report(
            compile_facility(estate), "node:n", progress=lambda done, count: told.append((done, count))
        )
        assert result.strict_only == ("z-1", "z-2")
        assert told == sorted(told)
        assert told[-1][0] == told[-1][1]

    def test_only_the_smallest_parts_are_told(self) -> None:
        """12 kW on three PDUs rated 5 kW: any one leaves 6 kW on either other, so no pair is told of."""
        feeds = {name: {"kind": "power", "ratedKw": 5} for name in ("a", "b", "c")}
        result = report(estate_of(feeds, {"n": on(["a", "b", "c"], 12)}))
        assert sets(result) == [("a", "b", "c")]
        assert result.rows[0].strict == StrictFigures(down=True, fewer=(("a",), ("b",), ("c",)))

    def test_what_the_strict_check_survives(self) -> None:
        """The weak feed carries everything already: nothing trips when the other one fails."""
        domains = {
            "weak": {"kind": "ups", "ratedKw": 4},
            "strong": {"kind": "ups", "ratedKw": 8},
            "d": {"kind": "power", "feeds": ["weak", "strong"], "transfer": "preferred"},
        }
        result = report(estate_of(domains, {"n": on("d", 6)}))
        assert sets(result) == [("d",), ("strong",)]
        assert [row.strict for row in result.rows] == [StrictFigures(True, ()), StrictFigures(False, ())]

    @given(estates(max_workloads=0, kw_known=True))
    def test_it_says_what_the_strict_check_of_each_scenario_says(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        node = estate.nodes[0].id
        result = cut_sets_report(facility, f"node:{node}")

        def down(*failed: str) -> bool:
            return node in strict_check(facility, failed, close(facility, failed)).nodes

        assert result.strict_down == down()
        for row in result.rows:
            assert row.strict is not None
            assert row.strict.down == down(*row.domains)
            assert all(down(*part) for part in row.strict.fewer)
        if not (result.already_down or result.strict_down):
            alone = {name for name in facility.domain_ids if down(name)}
            assert {(name,) for name in result.strict_only} == {(name,) for name in alone} - set(sets(result))


class TestAlreadyDown:
    """What is out of service already takes the target down: the empty set, said plainly."""

    def test_the_empty_set(self) -> None:
        result = report(two_trains(v1={"status": "out"}, p2={"status": "out"}))
        assert result.already_down
        assert sets(result) == [()]
        assert result.out == ("p1", "p2", "v1")
        assert figure(result, "probability") is None
        assert result.strict_only == ()

    def test_one_train_out(self) -> None:
        result = report(two_trains(v1={"status": "out"}))
        assert sets(result) == [("p2",), ("v2",)]
        assert figure(result, "probability") == pytest.approx(0.85)
        assert any("Already out of service: 2 domains" in caveat for caveat in caveats(result))


def test_a_facility_is_asked_once_per_kind_of_load() -> None:
    """The installed units draw more: a feed that carries what runs now does not carry them."""
    domains = {
        "a": {"kind": "ups", "ratedKw": 8},
        "b": {"kind": "ups", "ratedKw": 8},
        "d": {"kind": "power", "feeds": ["a", "b"]},
    }
    estate = estate_of(domains, {"n": {**on("d", 8), "installed": 16}})

    def found(facility: Facility) -> Sets:
        return sets(cut_sets_report(facility, "n"))

    assert found(compile_facility(estate, "allocated")) == [("d",), ("a", "b")]
    assert found(compile_facility(estate, "installed")) == [("a",), ("b",), ("d",)]


class TestService:
    """A target's definition says how many replicas a service needs, of how many."""

    @pytest.mark.parametrize(
        ("needed", "said"),
        [
            (1, "down when fewer than 1 of its 2 replicas are left (minAvailable)"),
            (2, "down when fewer than 2 of its 2 replicas are left (minAvailable)"),
            (3, "down when fewer than 3 replicas are left (minAvailable); it runs 2"),
        ],
    )
    def test_as_many_as_it_runs_are_enough(self, needed: int, said: str) -> None:
        served = {"id": "w", "kind": "inference", "placements": {"n": 8}}
        job = {**served, "replicas": {"n": 2}, "minAvailable": needed}
        estate = estate_of({"p": {"kind": "power"}}, {"n": on("p", 8)}, workloads=[job])
        result = report(estate, "w")
        assert (result.target.definition, sets(result)) == (said, {1: [("p",)], 2: [("p",)], 3: [()]}[needed])
