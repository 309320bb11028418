"""The driver of the conformance suite: estate in, figures out. README.md says how another one is written."""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from closure.compiled import compile_facility
from findings.document import findings_document
from findings.scenario import whatif, whatif_to_json
from topology.load import load_estate_text

FOLDER = Path(__file__).parent
NOW = "2026-12-01T00:00:00Z"


@cache
def cases() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{path.stem}: {case['name']}", case)
        for path in sorted(FOLDER.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]


def figures(case: dict[str, Any]) -> dict[str, Any]:
    """What this implementation makes of a case: a what-if where something fails, else the findings."""
    result = load_estate_text(json.dumps(case["estate"]), case["name"])
    assert result.estate is not None, [str(diagnostic) for diagnostic in result.diagnostics]
    load = case.get("load", "allocated")
    if "fail" in case:
        return whatif_to_json(whatif(compile_facility(result.estate, load), case["fail"]))
    return findings_document(result.estate, now=case.get("now", NOW), load=load)


def at(document: Any, pointer: str) -> Any:
    """Follow a pointer; `key=value` selects from a list the row whose `key` is that."""
    for step in pointer.strip("/").split("/"):
        if isinstance(document, list):
            key, selects, value = step.partition("=")
            rows = [row for row in document if str(row[key]) == value] if selects else [document[int(step)]]
            assert len(rows) == 1, f"{pointer}: {len(rows)} rows at {step}"
            document = rows[0]
        else:
            document = document[step]
    return document


def same(found: Any, expected: Any) -> bool:
    """Numbers agree within 1e-9, everything else exactly; null is only null."""
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        is_number = isinstance(found, (int, float)) and not isinstance(found, bool)
        return is_number and math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(expected, list):
        pairs = zip(found, expected, strict=True) if len(found) == len(expected) else None
        return pairs is not None and all(same(a, b) for a, b in pairs)
    if isinstance(expected, dict):
        return found.keys() >= expected.keys() and all(same(found[key], expected[key]) for key in expected)
    return bool(found == expected) and isinstance(found, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in cases()])
def test_case(case: dict[str, Any]) -> None:
    document = figures(case)
    found = {pointer: at(document, pointer) for pointer in case["expect"]}
    wrong = {
        p: (found[p], expected) for p, expected in case["expect"].items() if not same(found[p], expected)
    }
    assert not wrong, case["why"]


def test_every_case_says_why_and_the_suite_is_large_enough() -> None:
    assert all(case["why"] and case["expect"] for _, case in cases())
    assert len({name for name, _ in cases()}) == len(cases()) >= 60
