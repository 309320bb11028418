"""The cut sets of a target on an estate: published examples, figures by hand, laws."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import Facility, compile_facility
from closure.strict import strict_check
from findings.cutsets import analysis
from findings.cutsets.analysis import CutRow, CutSets, StrictFigures, cut_sets_report
from findings.cutsets.document import cut_sets_to_json
from findings.cutsets.figures import figures
from findings.cutsets.rates import rate_of, unavailability
from findings.cutsets.remarks import cut_set_caveats
from findings.index import EstateIndex
from tests.estates import estate_of, on
from tests.findings.calculator import arithmetic
from tests.strategies import estates, hostile_ids, renamed
from topology.model import Domain, Estate

Sets = list[tuple[str, ...]]


def report(estate: Estate, target: str = "node:n", order: int = 3) -> CutSets:
    return cut_sets_report(compile_facility(estate), target, order)


def sets(result: CutSets, size: int | None = None) -> Sets:
    return [row.domains for row in result.rows if size in (None, len(row.domains))]


def figure(result: CutSets, name: str) -> float | None:
    return next(each.value for each in figures(result) if each.name == name)


def rated(failures_per_year: float, repair_hours: float) -> dict[str, float]:
    return {"failuresPerYear": failures_per_year, "repairHours": repair_hours}


V, P = rated(1, 8760), rated(1, 20440)
"""A valve is down half of the time, a pump 70 % of it."""


def two_trains(**changes: dict[str, Any]) -> Estate:
    """SCRAM's two-train example: the node is down when both trains are; a train when its valve or pump is."""
    domains: dict[str, dict[str, Any]] = {
        "v1": {"kind": "ups", **V},
        "v2": {"kind": "ups", **V},
        "p1": {"kind": "power", "parent": "v1", **P},
        "p2": {"kind": "power", "parent": "v2", **P},
    }
    job = {
        "id": "ml/llama",
        "kind": "training",
        "gang": True,
        "critical": True,
        "checkpointMinutes": 60,
        "restartMinutes": 30,
        "placements": {"n": 8},
    }
    for name, keys in changes.items():
        domains[name] = {key: value for key, value in (domains[name] | keys).items() if value is not None}
    return estate_of(domains, {"n": on(["p1", "p2"], 8)}, workloads=[job], pricePerUnitHour=2)


class TestTwoTrains:
    """SCRAM: cut sets {V1,V2} {V1,P2} {P1,V2} {P1,P2}; p(top) = 0.7225; Birnbaum V 0.255, P 0.425."""

    RESULT = report(two_trains())

    def test_cut_sets(self) -> None:
        assert self.RESULT.counts == (0, 4, 0)
        assert sets(self.RESULT) == [("p1", "p2"), ("p1", "v2"), ("p2", "v1"), ("v1", "v2")]

    def test_probability(self) -> None:
        assert self.RESULT.top.method == "exact"
        assert figure(self.RESULT, "probability") == pytest.approx(0.7225)
        assert [row.probability for row in self.RESULT.rows] == pytest.approx([0.49, 0.35, 0.35, 0.25])

    def test_importance(self) -> None:
        rows = {row.domain: row for row in self.RESULT.top.importances}
        assert rows["v1"].birnbaum == pytest.approx(0.255)
        assert rows["p1"].birnbaum == pytest.approx(0.425)
        assert rows["v1"].diagnosis == pytest.approx(0.588235, rel=1e-6)
        assert rows["p1"].diagnosis == pytest.approx(0.823529, rel=1e-6)
        assert rows["v1"].reduction_worth == pytest.approx(1.21429, rel=1e-5)
        assert rows["p1"].reduction_worth == pytest.approx(1.7)

    def test_hours_lost_in_a_year(self) -> None:
        """expected hours = 8760 × P(top)."""
        assert figure(self.RESULT, "expectedHoursPerYear") == pytest.approx(8760 * 0.7225)

    def test_how_often_it_goes_down(self) -> None:
        """Σ birnbaum × f × (1 − q): 2 × 0.255 × 1 × 0.5 + 2 × 0.425 × 1 × 0.3."""
        assert figure(self.RESULT, "frequencyPerYear") == pytest.approx(0.51)

    def test_dollars(self) -> None:
        """frequency × progress at risk: 0.51 × 8 units × (60/2 + 30) min / 60 × 2 USD/h."""
        assert figure(self.RESULT, "expectedUsdPerYear") == pytest.approx(0.51 * 16)
        assert figure(self.RESULT, "expectedGangUsdPerYear") == pytest.approx(0.51 * 16)

    def test_every_set_takes_the_whole_job(self) -> None:
        for row in self.RESULT.rows:
            assert row.blast is not None
            assert (row.blast.nodes, row.blast.units, row.blast.gang_usd) == (1, 8, 16)
            assert row.strict == StrictFigures(down=True, fewer=())


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


def figure_5() -> Estate:
    domains: dict[str, dict[str, Any]] = {f"u{i}": {"kind": "ups"} for i in (1, 2, 3)}
    for number, sources in (("1", ["u1", "u2"]), ("2", ["u3", "u1"]), ("3", ["u2", "u3"])):
        domains[f"sts{number}"] = {"kind": "ats", "feeds": sources, "transfer": "preferred"}
        domains[f"pdu{number}"] = {"kind": "power", "parent": f"sts{number}"}
    loads = {
        "load1": on("pdu1"),
        "load2": on(["pdu1", "pdu2"]),
        "load3": on("pdu2"),
        "load4": on(["pdu2", "pdu3"]),
        "load5": on("pdu3"),
        "load6": on(["pdu3", "pdu1"]),
    }
    return estate_of(domains, loads)


class TestUnavailability:
    """unavailability = f × r / (8760 + f × r): repair time over time between failures plus repair time."""

    @pytest.mark.parametrize(
        ("failures", "hours", "expected"),
        [
            (1, 8760, 0.5),
            (2, 4380, 0.5),
            (0.1, 4, 0.4 / 8760.4),
            (0, 1e308, 0),
            (1e308, 1e308, 1),
            (5e-324, 1, 0),
            (3, 0, 0),
        ],
    )
    def test_of_rates(self, failures: float, hours: float, expected: float) -> None:
        assert unavailability(failures, hours) == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize(("failures", "hours"), [(None, 4), (0.1, None), (None, None)])
    def test_unknown_rates_stay_unknown(self, failures: float | None, hours: float | None) -> None:
        rate = rate_of(Domain("d", "ups", failures_per_year=failures, repair_hours=hours))
        assert (rate.unavailability, rate.downs_per_year) == (None, None)

    def test_what_never_fails_is_never_down(self) -> None:
        rate = rate_of(Domain("d", "ups", failures_per_year=0))
        assert (rate.unavailability, rate.downs_per_year) == (0.0, 0.0)

    def test_it_fails_only_while_it_works(self) -> None:
        assert rate_of(Domain("d", "ups", failures_per_year=1, repair_hours=8760)).downs_per_year == 0.5


class TestUnknownRates:
    """A set that holds a domain without rates has no probability: null and counted, never 0."""

    def test_half_known(self) -> None:
        result = report(two_trains(p1={"repairHours": None}))
        assert (result.top.known, result.top.unknown) == (2, 2)
        assert figure(result, "probability") == pytest.approx(0.5 * (0.5 + 0.7 - 0.35))
        assert [row.domains for row in result.rows if row.probability is None] == [("p1", "p2"), ("p1", "v2")]
        assert sets(result)[:2] == [("p2", "v1"), ("v1", "v2")]
        assert any("2 of 4" in caveat for caveat in caveats(result))

    def test_nothing_known(self) -> None:
        nothing = {"failuresPerYear": None, "repairHours": None}
        result = report(two_trains(v1=nothing, v2=nothing, p1=nothing, p2=nothing))
        assert [each.value for each in figures(result)] == [None] * 5
        assert [each.basis for each in figures(result)] == ["unknown"] * 5
        assert {row.domain: row.orders for row in result.top.importances} == dict.fromkeys(
            ("p1", "p2", "v1", "v2"), (0, 2)
        )

    def test_unknown_dollars_are_missing_and_counted(self) -> None:
        estate = two_trains()
        (job,) = estate.workloads
        result = report(replace(estate, workloads=(replace(job, checkpoint_minutes=None),)))
        assert figure(result, "expectedGangUsdPerYear") is None
        assert figure(result, "frequencyPerYear") == pytest.approx(0.51)
        assert result.expected.unpriced == 4


def caveats(result: CutSets) -> tuple[str, ...]:
    return cut_set_caveats(EstateIndex(result.estate), result, kw_known=True)


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


class TestRanking:
    """Sets are listed by size, then by probability (unknown last), then by ids."""

    def test_by_probability(self) -> None:
        result = report(two_trains(v1=rated(4, 8760)))
        chances = [row.probability for row in result.rows]
        assert chances == sorted(chances, key=lambda each: -(each or 0))

    def test_only_the_first_are_simulated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(analysis, "ASSESSED", 1)
        result = report(two_trains())
        first, *rest = result.rows
        assert first.blast is not None
        assert {(row.blast, row.strict) for row in rest} == {(None, None)}
        assert result.expected.unpriced == 3
        assert figure(result, "expectedUsdPerYear") == pytest.approx(0.51 * 16 * _share(first, result))

    @given(estates(max_workloads=0))
    def test_the_order_of_the_file_changes_nothing(self, estate: Estate) -> None:
        target = f"node:{estate.nodes[0].id}"
        domains = dict(reversed(list(estate.domains.items())))
        ours, turned = report(estate, target), report(replace(estate, domains=domains), target)
        assert (ours.rows, ours.top) == (turned.rows, turned.top)

    @given(estates(max_workloads=0), hostile_ids())
    def test_ids_are_only_names(self, estate: Estate, name: str) -> None:
        plain = report(estate, f"node:{estate.nodes[0].id}")
        changed = renamed(estate, lambda identifier: name + identifier)
        other = report(changed, f"node:{changed.nodes[0].id}")
        assert sets(other) == [tuple(name + identifier for identifier in cut) for cut in sets(plain)]
        assert other.top.probability == plain.top.probability


def _share(row: CutRow, result: CutSets) -> float:
    assert row.downs_per_year is not None
    return row.downs_per_year / math.fsum(each.downs_per_year or 0 for each in result.rows)


class TestExplained:
    """Every figure of the document follows from what stands beside it, with a calculator."""

    DOCUMENT = cut_sets_to_json(TestTwoTrains.RESULT, ())

    def test_arithmetic(self) -> None:
        lines = [each for each in self.DOCUMENT["figures"] if each["how"]]
        assert len(lines) == 3
        for each in lines:
            assert arithmetic(each["how"]) == pytest.approx(each["value"])

    def test_unavailability(self) -> None:
        for row in self.DOCUMENT["importance"]:
            assert arithmetic(row["how"]) == pytest.approx(row["unavailability"])

    def test_the_frequency_is_the_sum_of_what_each_domain_adds(self) -> None:
        said = {each["name"]: each["value"] for each in self.DOCUMENT["figures"]}
        for row in self.DOCUMENT["importance"]:
            expected = row["birnbaum"] * row["failuresPerYear"] * (1 - row["unavailability"])
            assert row["frequencyPerYear"] == pytest.approx(expected)
        whole = math.fsum(row["frequencyPerYear"] for row in self.DOCUMENT["importance"])
        assert whole == pytest.approx(said["frequencyPerYear"])

    def test_the_dollars_are_the_frequency_times_the_mean(self) -> None:
        said = {each["name"]: each["value"] for each in self.DOCUMENT["figures"]}
        rows = self.DOCUMENT["cutSets"]
        weighted = sum(row["frequencyPerYear"] * row["blast"]["gangUsd"] for row in rows)
        mean = weighted / sum(row["frequencyPerYear"] for row in rows)
        assert said["expectedGangUsdPerYear"] == pytest.approx(said["frequencyPerYear"] * mean)

    def test_every_probability_and_every_dollar_is_labelled(self) -> None:
        labels = {each["name"]: each["label"] for each in self.DOCUMENT["figures"]}
        assert labels == {
            "probability": "independent failures assumed",
            "expectedHoursPerYear": "independent failures assumed",
            "frequencyPerYear": "independent failures assumed",
            "expectedUsdPerYear": "modelled",
            "expectedGangUsdPerYear": "modelled",
        }


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
