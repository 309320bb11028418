"""Laws of the findings, on generated estates."""

import dataclasses
import json
import math
import random

import pytest
from hypothesis import given

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from findings.context import Context
from findings.document import document_of, findings_document
from findings.impact import assess
from findings.index import EstateIndex
from findings.ledger import ledger
from findings.race import races
from findings.scenario import whatif, whatif_to_json
from findings.survey import Survey
from findings.sweep_rows import sweep_row_to_json, sweep_rows
from findings.worst_survivor import worst_survivors
from tests import strategies
from topology.model import Estate

NOW = "2026-12-01T00:00:00Z"


class TestSurvey:
    """The sums over groups of nodes equal the sums over the nodes of each scenario."""

    @given(estate=strategies.estates(max_nodes=9))
    def test_every_single_failure_is_assessed_alike(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        survey = Survey(facility, EstateIndex(estate))
        for domain_id, one in survey.singles.items():
            closure = close(facility, [domain_id])
            impact = assess(survey.index, (node.id for node in closure.nodes))
            tally = one.tally
            assert survey.node_ids(one.groups) == list(impact.nodes)
            assert (tally.nodes, tally.units) == (impact.exposure.nodes, impact.exposure.units)
            assert tally.critical_units == impact.exposure.critical_units
            assert tally.critical_share == impact.exposure.critical_share
            if tally.units == 0:
                assert (tally.critical_units, tally.critical_share) == (0, 0)
            assert tally.units_stalled == impact.units_stalled
            assert tally.amplification == impact.amplification
            assert (tally.usd, tally.gang_usd) == (impact.progress.usd, impact.progress.gang_usd)
            assert tally.unpriced_workloads == impact.progress.unpriced_workloads
            assert tally.unknown == impact.progress.unknown

    @given(estate=strategies.estates(max_nodes=9))
    def test_a_cooling_domains_race_is_that_of_its_scenario(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        survey = Survey(facility, EstateIndex(estate))
        for race in survey.races:
            closure = close(facility, [race.domain])
            assert race in races(survey.index, closure)

    @given(estate=strategies.estates(max_nodes=9))
    def test_sweep_rows_say_what_each_scenario_says(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        for row in map(sweep_row_to_json, sweep_rows(facility)):
            document = whatif_to_json(whatif(facility, row["failed"]))
            assert row["domains"] == len(document["lost"]["domains"])
            assert row["nodes"] == document["exposure"]["nodes"]
            assert row["units"] == document["exposure"]["units"]
            assert row["criticalUnits"] == document["exposure"]["criticalUnits"]
            assert row["unitsStalled"] == document["unitsStalled"]
            assert row["progressAtRiskUsd"] == document["progressAtRisk"]["usd"]
            assert row["basis"] == document["basis"]
            assert row["strict"]["agrees"] == document["strict"]["agrees"]
            assert row["strict"]["nodes"] == len(document["strict"]["lost"]["nodes"])
            assert row["strict"]["units"] == document["strict"]["exposure"]["units"]


class TestLedger:
    """raw_free = fragmented + power_capped + on_lemon + safe, and each free unit lands in one bucket."""

    @given(estate=strategies.estates(max_nodes=9))
    def test_it_reconciles(self, estate: Estate) -> None:
        book = ledger(EstateIndex(estate), compile_facility(estate))
        for row in book.rows:
            buckets = (row.power_capped, row.on_lemon, row.fragmented, row.safe)
            assert sum(buckets) == row.free
            assert min(buckets) >= 0
        if book.rows:
            parts = (book.power_capped, book.on_lemon, book.fragmented, book.safe_usable)
            assert sum(part or 0 for part in parts) == book.raw_free
            assert (book.installed or 0) - (book.allocated or 0) == book.raw_free
        assert len(book.rows) + book.nodes_outside == len(estate.nodes)

    @given(estate=strategies.estates(max_nodes=9, kw_known=True))
    def test_a_rated_rack_never_energizes_more_than_its_headroom(self, estate: Estate) -> None:
        facility, index = compile_facility(estate), EstateIndex(estate)
        energized: dict[str, list[float]] = {}
        headroom: dict[str, float] = {}
        for row in ledger(index, facility).rows:
            by = row.cap.by
            if by is not None and estate.domains[by.domain].kind == "rack":
                used = float((row.free - row.power_capped) * (row.cap.unit_kw or 0))
                energized.setdefault(by.domain, []).append(used)
                headroom[by.domain] = max(0.0, by.kw) + by.rated_kw * 2e-9
        assert all(math.fsum(energized[rack]) <= headroom[rack] for rack in energized)


class TestEntropy:
    """H_norm = H / ln(max(2, domain_count)) ∈ [0, 1]."""

    @given(estate=strategies.estates(max_nodes=9))
    def test_it_is_always_in_its_interval(self, estate: Estate) -> None:
        for each in Context(estate, NOW).entropies:
            if each.h is None:
                assert not sum(each.units.values())
                continue
            assert each.h_norm is not None
            assert each.effective is not None
            assert 0 <= each.h_norm <= 1
            assert 1 <= each.effective <= len(each.units) * (1 + 1e-9)


class TestDocument:
    """Same estate, same bytes: the order of nodes, workloads and domains decides nothing."""

    @given(estate=strategies.estates())
    def test_it_does_not_depend_on_the_order_of_the_input(self, estate: Estate) -> None:
        turned = dataclasses.replace(
            estate,
            nodes=tuple(reversed(estate.nodes)),
            workloads=tuple(reversed(estate.workloads)),
            loops=tuple(reversed(estate.loops)),
            domains=dict(reversed(list(estate.domains.items()))),
        )
        assert json.dumps(findings_document(estate, now=NOW)) == json.dumps(
            findings_document(turned, now=NOW)
        )

    @given(estate=strategies.estates())
    def test_a_whatif_does_not_either(self, estate: Estate) -> None:
        shuffled = list(estate.nodes)
        random.Random(1).shuffle(shuffled)
        turned = dataclasses.replace(
            estate, nodes=tuple(shuffled), workloads=tuple(reversed(estate.workloads))
        )
        failed = [min(estate.domains)]
        documents = [whatif_to_json(whatif(compile_facility(each), failed)) for each in (estate, turned)]
        assert json.dumps(documents[0]) == json.dumps(documents[1])

    @given(estate=strategies.estates())
    def test_every_number_is_finite_and_every_finding_complete(self, estate: Estate) -> None:
        document = findings_document(estate, now=NOW)
        json.dumps(document, allow_nan=False)
        for finding in document["findings"]:
            assert (finding["basis"] == "unknown") == (finding["value"] is None), finding
            assert finding["confidence"] in {"High", "Med", "Low"}
            assert (finding["confidenceSignal"] is None) == (finding["confidence"] == "High"), finding
            if finding["value"] is None:
                assert finding["confidence"] == "Low", finding


def test_a_chain_of_five_thousand_domains() -> None:
    document = document_of(Context(strategies.ladder(300), NOW))
    assert document["metrics"]["coverage"]["facilityShare"] == 1
    assert len(document["metrics"]["exposure"]) == 300


@pytest.mark.parametrize("load", ["allocated", "installed"])
def test_an_empty_estate(load: str) -> None:
    estate = Estate("c", "gpu", NOW, (), {})
    document = findings_document(estate, now=NOW, load="installed" if load == "installed" else "allocated")
    assert document["metrics"]["ledger"]["rawFree"] is None
    assert document["metrics"]["coverage"]["facilityShare"] is None
    assert document["metrics"]["exposure"] == []


class TestWorstSurvivor:
    """The worst survivor of a failure is the worst of the strict check's survivors."""

    @given(estate=strategies.estates())
    def test_it_is_the_strict_checks(self, estate: Estate) -> None:
        facility = compile_facility(estate)
        worst = {row.failed: row for row in worst_survivors(facility)}
        for domain_id in estate.domains:
            strict = strict_check(facility, [domain_id], close(facility, [domain_id]))
            shares = [each.after_kw / each.rated_kw for each in strict.survivors if each.rated_kw]
            assert (domain_id in worst) == bool(shares)
            if shares:
                assert math.isclose(worst[domain_id].share, max(shares), rel_tol=1e-9)
