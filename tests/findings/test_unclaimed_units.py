"""Allocated units that no workload claims: nobody knows whether they are critical (unknown is never 0)."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest

from closure.compiled import compile_facility
from findings.context import Context
from findings.metrics import metrics
from findings.registry import find
from findings.scenario import whatif
from findings.sweep_rows import sweep_document, sweep_rows
from tests.findings.small import NOW, estate_of_json, node
from topo.report import render_report
from topology.model import Estate

JOB = {"id": "w", "kind": "batch", "critical": True, "criticalBasis": "label", "placements": {"c": 4}}


def estate(*jobs: dict[str, Any]) -> Estate:
    """Ten units of nobody in rack r, four of a critical job and two of nobody in q, none in s."""
    nodes = [
        node("a", installed=16, allocated=10, domains={"rack": "r"}),
        node("b", domains={"rack": "s"}),
        node("c", allocated=6, domains={"rack": "q"}),
    ]
    return estate_of_json(nodes, {rack: {"kind": "rack"} for rack in "rsq"}, workloads=list(jobs))


class TestCriticalUnits:
    """criticalUnits: unknown where that holds for all units there, a lower bound where it holds for some."""

    CASES = (("r", None, None, 1), ("s", 0, 0, 0), ("q", 4, 1, 1))

    @pytest.mark.parametrize(("rack", "critical", "share", "unknown"), CASES)
    def test_a_scenario(self, rack: str, critical: int | None, share: float | None, unknown: int) -> None:
        blast = whatif(compile_facility(estate(JOB)), [rack]).impact.exposure
        said = (blast.critical_units, blast.critical_share, blast.unknown_criticality)
        assert said == (critical, share, unknown)

    @pytest.mark.parametrize(("rack", "critical", "share", "unknown"), CASES)
    def test_the_sweep(self, rack: str, critical: int | None, share: float | None, unknown: int) -> None:
        document = sweep_document(sweep_rows(compile_facility(estate(JOB))), load="allocated")
        (row,) = (each for each in document["scenarios"] if each["failed"] == [rack])
        assert (row["criticalUnits"], row["criticalShare"], row["unknownCriticality"]) == (
            critical,
            share,
            unknown,
        )
        assert row["strict"]["unknownCriticality"] == unknown

    def test_explain(self) -> None:
        found = find(Context(estate(JOB), NOW), "critical-share/q")
        assert found is not None
        assert (found.value, found.unknown) == (1, 1)
        assert any("no workload claims: 1" in caveat for caveat in found.caveats)

    def test_a_blast_without_units_takes_nothing_of_whatever_is_critical(self) -> None:
        """Nobody claims any unit of this estate: of rack s, which holds none, the share is a known 0."""
        facility = compile_facility(estate())
        assert whatif(facility, ["s"]).impact.exposure.critical_share == 0
        shares = {row.failed: row.tally.critical_share for row in sweep_rows(facility)}
        assert shares == {"r": None, "s": 0, "q": None}
        found = find(Context(estate(), NOW), "critical-share/s")
        assert found is not None
        assert (found.value, found.root.how, found.badge.signal) == (0, "0.0", "facility map")

    def test_a_job_over_several_groups_is_one_unknown_term(self) -> None:
        silent = {"id": "v", "kind": "batch", "placements": {"a": 10, "c": 2}}
        facility = compile_facility(estate(JOB, silent))
        (row,) = (each for each in sweep_rows(facility) if each.failed == "r")
        assert row.tally.unknown_criticality == 1


def test_the_report_counts_at_least() -> None:
    page = render_report(estate(JOB), now=NOW)
    assert '<data value="1">at least 1</data>' in page


class TestEverywhere:
    """The units everywhere are counted in the same way."""

    def test_nobody_speaks(self) -> None:
        ctx = Context(estate(), NOW)
        for name in ("criticality", "single-point@allocated", "critical-share/r"):
            found = find(ctx, name)
            assert found is not None
            assert found.value is None, name
            assert found.badge.level == "Low"

    def test_some_speak(self) -> None:
        found = find(Context(estate(JOB), NOW), "criticality")
        assert found is not None
        assert (found.value, found.unknown, found.badge.level) == (4, 2, "Med")


class TestNoWorkloadListed:
    """Spec 2: "Missing means unknown, never zero": what runs on allocated units."""

    NAMES = ("progress-at-risk/r", "drain-latency", "below-min-available@allocated", "single-point@allocated")

    @pytest.mark.parametrize("name", NAMES)
    def test_a_figure_is_unknown_with_a_count(self, name: str) -> None:
        found = find(Context(estate(), NOW), name)
        assert found is not None
        assert (found.value, found.unknown, found.badge.level) == (None, 1 if "/" in name else 2, "Low")

    @pytest.mark.parametrize("name", ["progress-at-risk/s", "drain-latency", "below-min-available@allocated"])
    def test_where_nothing_is_allocated_it_is_a_known_0(self, name: str) -> None:
        of = estate()
        of = replace(of, nodes=tuple(replace(each, allocated=0) for each in of.nodes))
        found = find(Context(of, NOW), name)
        assert found is not None
        assert (found.value, found.unknown) == (0, 0)

    def test_a_scenario_and_its_row_agree(self) -> None:
        facility = compile_facility(estate())
        dollars = whatif(facility, ["r"]).impact.progress
        assert (dollars.usd, dollars.gang_usd, dollars.unknown, dollars.gang_unknown) == (None, None, 1, 1)
        (row,) = (each for each in sweep_rows(facility) if each.failed == "r")
        assert (row.tally.usd, row.tally.gang_usd, row.tally.unknown, row.tally.gang_unknown) == (
            None,
            None,
            1,
            1,
        )
        assert row.grave.services_below is None
        assert row.tally.units_stalled is None
        assert whatif(facility, ["r"]).impact.units_stalled is None
        assert whatif(facility, ["s"]).impact.units_stalled == 0

    @pytest.mark.parametrize(("allocated", "verdict"), [(8, "unknown"), (0, "no-training")])
    def test_whether_training_races_is_unknown(self, allocated: int, verdict: str) -> None:
        of = estate_of_json(
            [node("a", allocated=allocated, domains={"cooling": "loop"})],
            {"loop": {"kind": "cooling", "rideThroughMinutes": 2}},
        )
        assert [race.verdict for race in whatif(compile_facility(of), ["loop"]).races] == [verdict]
        assert [race.verdict for race in Context(of, NOW).races] == [verdict]

    def test_a_race_that_nobody_knows_of_has_no_high_confidence(self) -> None:
        of = estate_of_json(
            [node("a", allocated=8, domains={"cooling": "loop"})],
            {"loop": {"kind": "cooling", "rideThroughMinutes": 2}},
        )
        race = find(Context(of, NOW), "thermal-race/loop")
        assert race is not None
        assert (race.value, race.badge.level, race.unknown) == (None, "Low", 1)


class TestWhatMayBeTraining:
    """docs/methodology.md: "What may be training and nobody knows"."""

    TRAINING: ClassVar[dict[str, Any]] = {
        "id": "t",
        "kind": "training",
        "critical": False,
        "checkpointMinutes": 30,
        "restartMinutes": 30,
        "placements": {"a": 4},
    }
    KINDLESS: ClassVar[dict[str, Any]] = {
        "id": "k",
        "kind": "unknown",
        "critical": False,
        "placements": {"c": 6},
    }

    def estate(self, *jobs: dict[str, Any]) -> Estate:
        return replace(estate(*jobs), price_per_unit_hour=2)

    def agreeing(self, of: Estate, rack: str) -> tuple[float | None, int]:
        """What the finding, a scenario and its row say alike: the dollars, and the terms left out."""
        found = find(Context(of, NOW), f"progress-at-risk/{rack}")
        facility = compile_facility(of)
        dollars = whatif(facility, [rack]).impact.progress
        (row,) = (each for each in sweep_rows(facility) if each.failed == rack)
        assert found is not None
        assert found.value == dollars.usd == row.tally.usd
        assert found.unknown == dollars.unknown == row.tally.unknown == dollars.gang_unknown
        assert (found.badge.level == "High") == (found.unknown == 0)
        return dollars.usd, dollars.unknown

    def test_a_workload_of_unknown_kind(self) -> None:
        of = self.estate(self.KINDLESS)
        assert self.agreeing(of, "q") == (0, 1)
        found = find(Context(of, NOW), "progress-at-risk/q")
        assert found is not None
        assert any("of unknown kind: 1. Whether they are training is" in caveat for caveat in found.caveats)

    def test_units_that_no_workload_claims_beside_training(self) -> None:
        of = self.estate(self.TRAINING, self.KINDLESS)
        assert self.agreeing(of, "r") == (4 * 45 / 60 * 2, 1)
        found = find(Context(of, NOW), "progress-at-risk/r")
        assert found is not None
        assert any("that no workload claims: 1. Whether training runs" in each for each in found.caveats)

    def test_units_that_no_workload_claims_alone(self) -> None:
        assert self.agreeing(self.estate(self.KINDLESS), "r") == (0, 1)

    def test_where_nothing_may_be_training_it_is_a_known_0(self) -> None:
        serving = {**self.KINDLESS, "kind": "inference"}
        of = self.estate(serving)
        assert self.agreeing(of, "q") == (0, 0)
        assert self.agreeing(of, "s") == (0, 0)

    def test_documents_count_the_terms(self) -> None:
        of = self.estate(self.TRAINING, self.KINDLESS)
        rows = sweep_document(sweep_rows(compile_facility(of)), load="allocated")["scenarios"]
        (row,) = (each for each in rows if each["failed"] == ["q"])
        assert (row["progressAtRiskUsd"], row["progressUnknownCount"], row["gangUnknownCount"]) == (
            0,
            1,
            1,
        )
        (row,) = (each for each in metrics(Context(of, NOW))["progressAtRisk"] if each["domain"] == "r")
        assert (row["unknownCount"], row["gangUnknownCount"], row["unpricedWorkloads"]) == (1, 1, 0)
