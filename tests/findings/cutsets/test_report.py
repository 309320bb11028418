"""The figures of a target on an estate: SCRAM's example, by hand, explained, and what is unknown."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given

from closure.compiled import compile_facility
from findings.cutsets import analysis
from findings.cutsets.analysis import CutRow, CutSets, StrictFigures
from findings.cutsets.document import cut_sets_to_json
from findings.cutsets.figures import figures
from findings.cutsets.rates import rate_of, unavailability
from tests.estates import estate_of, on
from tests.findings.calculator import arithmetic
from tests.findings.cutsets.trains import caveats, figure, rated, report, sets, two_trains
from tests.strategies import estates, hostile_ids, renamed
from topology.model import Domain, Estate


class TestOrder:
    """By size, then the likeliest first; of what nobody knows, the ids decide."""

    def test_what_never_fails_comes_after_what_does(self) -> None:
        domains = {
            "u": {"kind": "ups", **rated(1, 876)},
            "p": {"kind": "power", "parent": "u", **rated(0, 876)},
        }
        assert sets(report(estate_of(domains, {"n": on("p")}))) == [("u",), ("p",)]
        unknown = {"u": {"kind": "ups"}, "p": {"kind": "power", "parent": "u"}}
        assert sets(report(estate_of(unknown, {"n": on("p")}))) == [("p",), ("u",)]


class TestTwoTrains:
    """SCRAM: cut sets {V1,V2} {V1,P2} {P1,V2} {P1,P2}; p(top) = 0.7225; Birnbaum V 0.255, P 0.425."""

    RESULT = report(two_trains())

    def test_up_to_three_failures_unless_asked_otherwise(self) -> None:
        assert analysis.cut_sets_report(compile_facility(two_trains()), "node:n").order == 3

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

    def test_what_never_fails_adds_nothing_to_the_frequency(self) -> None:
        document = cut_sets_to_json(report(two_trains(v1=rated(0, 8760))), ())
        rows = {row["domain"]: row["frequencyPerYear"] for row in document["importance"]}
        assert rows["v1"] == 0
        assert rows["v2"] > 0

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
