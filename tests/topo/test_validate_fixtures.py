"""Every refusal has a fixture named for it; each says exactly what it must, at its place, in its words."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from topo.cli import main
from topology.registry import REGISTRY

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
GOLDEN = Path(__file__).resolve().parent / "golden"
EXPECTED = {
    folder: json.loads((FIXTURES / folder / "expected.json").read_text(encoding="utf-8"))
    for folder in ("invalid", "valid")
}
CASES = [(folder, name) for folder, table in EXPECTED.items() for name in table]
SHOWN = [
    ("invalid", "cycle.yaml"),
    ("invalid", "duplicate-key.json"),
    ("invalid", "hostile-ids.yaml"),
    ("invalid", "many-faults.yaml"),
    ("invalid", "slurm-file.yaml"),
    ("invalid", "yaml-syntax.yaml"),
    ("valid", "fake-redundancy.yaml"),
    ("valid", "load-mismatch.json"),
    ("valid", "methodology.yaml"),
    ("valid", "version-1.yaml"),
]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def diagnostics(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    code = main(["validate", "--format", "json", *arguments])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, json.loads(captured.out)["diagnostics"]


@pytest.mark.parametrize(("folder", "name"), CASES)
def test_says_exactly_what_it_must(
    folder: str, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FIXTURES / folder)
    code, found = diagnostics(capsys, name)
    assert [[d["rule"], d["severity"], d["line"], d["column"]] for d in found] == EXPECTED[folder][name]
    assert code == (1 if folder == "invalid" else 0)
    assert all(d["message"] and d["hint"] for d in found)


@pytest.mark.parametrize("folder", ["invalid", "valid"])
def test_every_file_is_in_the_table(folder: str) -> None:
    files = {path.name for path in (FIXTURES / folder).iterdir()} - {"expected.json"}
    assert files == set(EXPECTED[folder])


@pytest.mark.parametrize("rule", [rule for rule, info in REGISTRY.items() if not info.estate])
def test_every_rule_has_a_fixture_that_is_named_for_it(rule: str) -> None:
    folder = "invalid" if REGISTRY[rule].severity == "error" else "valid"
    named = [name for name in EXPECTED[folder] if name.startswith(rule.removesuffix("-syntax"))]
    assert any(rule in {said[0] for said in EXPECTED[folder][name]} for name in named)


@pytest.mark.parametrize("rule", [rule for rule, info in REGISTRY.items() if info.severity == "error"])
def test_a_fixture_for_one_refusal_says_nothing_else(rule: str) -> None:
    for name, said in EXPECTED["invalid"].items():
        if name.partition(".")[0] == rule:
            assert {each[0] for each in said} == {rule}


def test_the_methodologys_own_example_has_infos_only() -> None:
    assert {said[1] for said in EXPECTED["valid"]["methodology.yaml"]} == {"info"}


@pytest.mark.parametrize(("folder", "name"), SHOWN)
def test_the_text_is_the_golden_one(
    folder: str, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """TOPO_UPDATE_GOLDEN=1 writes the files anew: read the difference."""
    monkeypatch.chdir(FIXTURES / folder)
    main(["validate", name])
    shown = capsys.readouterr().out
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("TOPO_UPDATE_GOLDEN"):
        golden.write_text(shown, encoding="utf-8")
    assert shown == golden.read_text(encoding="utf-8")
