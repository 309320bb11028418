"""The page of definitions names every formula and every constant, and the outputs follow the constants."""

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from findings import constants
from findings.constants import table
from findings.document import findings_document
from findings.formulas import formulas
from topology.load import load_estate_text
from topology.model import Estate

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "methodology.md").read_text(encoding="utf-8")
NOW = "2026-12-02T00:00:00Z"


@pytest.fixture(scope="module")
def estate() -> Estate:
    path = ROOT / "examples" / "two-halls" / "estate.json"
    loaded = load_estate_text(path.read_bytes(), path.name).estate
    assert loaded is not None
    return loaded


def test_every_formula_has_one_anchor_and_a_heading_with_its_title() -> None:
    for formula in formulas().values():
        assert PAGE.count(f'<a id="{formula.id}"></a>\n### {formula.title}\n') == 1, formula.id
    assert len(re.findall("<a id=", PAGE)) == len(formulas())


def test_every_constant_is_named_with_its_value_unit_and_source() -> None:
    public = {name for name in vars(constants) if name.isupper() and not name.startswith("_")}
    assert {constant.name for constant in table()} == public
    for constant in table():
        assert f"`{constant.name}`" in PAGE, constant.name
        near = PAGE[PAGE.index(f"`{constant.name}`") :]
        assert re.search(rf"\b{re.escape(str(constant.value))}\b", near[:80]), constant.name
        assert constant.unit
        assert constant.source


def test_every_finding_links_to_its_anchor(estate: Estate) -> None:
    for finding in findings_document(estate, now=NOW)["findings"]:
        path, _, anchor = finding["docs"].partition("#")
        assert (ROOT / path).is_file()
        assert f'<a id="{anchor}"></a>' in PAGE


def telling(estate: Estate) -> Estate:
    """The estate without its default restart, and with half an hour as an idle node's window."""
    nodes = (
        dataclasses.replace(node, utilization_window_hours=0.5) if node.id == "gpu-h1-094" else node
        for node in estate.nodes
    )
    return dataclasses.replace(estate, default_restart_minutes=None, nodes=tuple(nodes))


MUTATIONS = {
    "LEMON_WEIGHT_ECC": 2,
    "LEMON_WEIGHT_JOB_FAILURE": 9,
    "LEMON_WEIGHT_XID": 5,
    "LEMON_THRESHOLD": 50,
    "IDLE_UTILIZATION": 0.5,
    "IDLE_WINDOW_MED_HOURS": 0,
    "IDLE_WINDOW_HIGH_HOURS": 100_000,
    "HOURS_PER_MONTH": 700,
    "GANG_SIZE": 2,
    "DEFAULT_RESTART_MINUTES": 60,
    "CHECKPOINT_EXPECTED_SHARE": 0.25,
    "DRAIN_IMMEDIATE_MINUTES": 2,
    "COLLISION_ACTIONS": 3,
    "COLLISION_LOOPS": 3,
    "STALE_HOURS": 48,
    "RECLAIM_REALIZATION": 0.5,
    "METER_TOLERANCE": 0.9,
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_figures_follow_the_constants(name: str, monkeypatch: pytest.MonkeyPatch, estate: Estate) -> None:
    def figures() -> dict[str, Any]:
        document = findings_document(telling(estate), now=NOW)
        return {**document["metrics"], "findings": document["findings"], "beyond": document["beyond"]}

    before = json.dumps(figures())
    monkeypatch.setattr(constants, name, MUTATIONS[name])
    assert json.dumps(figures()) != before


def test_the_remaining_constants_are_a_format_and_a_float_tolerance() -> None:
    assert {c.name for c in table()} - MUTATIONS.keys() == {"HOURS_OBSERVED", "RELATIVE_TOLERANCE"}
