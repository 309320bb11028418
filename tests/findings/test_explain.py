"""Every finding can be redone from the terms that are printed behind it."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from findings.context import Context
from findings.explain import explanation_to_json
from findings.formulas import formulas
from findings.registry import OF_SUBJECT, all_findings, find
from tests import strategies
from tests.findings.calculator import arithmetic, redo
from tests.findings.small import estate_of_json, node
from topology.load import load_estate_text
from topology.model import Estate

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*/*.json"))
NOW = "2026-12-01T00:00:00Z"


def redo_all(ctx: Context) -> None:
    findings = list(all_findings(ctx))
    assert len({finding.id for finding in findings}) == len(findings)
    for finding in findings:
        printed = json.loads(json.dumps(explanation_to_json(finding), allow_nan=False))
        redo(printed)
        assert printed["formulaText"] == formulas()[finding.formula].text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_examples_with_a_calculator(path: Path) -> None:
    estate = load_estate_text(path.read_bytes(), path.name).estate
    assert estate is not None
    ctx = Context(estate, NOW)
    redo_all(ctx)
    for finding in all_findings(ctx):
        found = find(ctx, finding.id)
        assert found is not None
        assert (found.id, found.value) == (finding.id, finding.value)


@given(estate=strategies.estates())
def test_any_estate_with_a_calculator(estate: Estate) -> None:
    redo_all(Context(estate, NOW, "installed"))


@given(estate=strategies.estates())
def test_any_subject_with_a_calculator(estate: Estate) -> None:
    """Formulas can be asked about any domain, node, workload or kind, listed or not."""
    ctx = Context(estate, NOW)
    subjects = [
        *estate.domains,
        *(node.id for node in estate.nodes),
        *(w.id for w in estate.workloads),
        "rack",
    ]
    for formula in OF_SUBJECT:
        for subject in subjects:
            finding = find(ctx, f"{formula}/{subject}")
            if finding is not None:
                assert finding.id == f"{formula}/{subject}"
                redo(explanation_to_json(finding))


def test_what_nothing_answers_to() -> None:
    ctx = Context(strategies.ladder(3), NOW)
    assert find(ctx, "no-such-formula") is None
    assert find(ctx, "critical-share/no-such-domain") is None
    assert find(ctx, "lemon-score/") is None


def test_the_calculator_itself() -> None:
    assert arithmetic("6 × 35 × 2.5 ÷ 60") == 8.75
    assert arithmetic("44 ≥ 40") == 1
    with pytest.raises(AssertionError):
        redo({"how": "2 + 2", "value": 5, "basis": "measured"})
    with pytest.raises(AssertionError):
        arithmetic("__import__('os')")


def test_a_flow_that_is_not_known_is_no_number() -> None:
    estate = estate_of_json(
        [node("a", allocated=8, domains={"rack": "r"})], {"r": {"kind": "rack", "ratedKw": 6}}
    )
    for name, how in (("overcommitted", "unknown > 6"), ("stranded-capacity", "max(0, 6 − unknown)")):
        found = find(Context(estate, NOW), f"{name}@allocated")
        assert found is not None
        (first, *_) = found.root.parts()
        (rack,) = first.parts()
        assert how in (rack.how, *(part.how for part in rack.parts()))


def test_a_share_of_no_nodes_is_no_number() -> None:
    found = find(Context(estate_of_json([]), NOW), "facility-coverage")
    assert found is not None
    assert (found.root.value, found.root.how) == (None, "unknown")
