"""`topo validate --format github|sarif`: what other programs read, harmless whatever the ids hold."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import hostile_ids
from topo.cli import main
from topo.formats.github import github_annotations
from topo.formats.sarif import sarif_document
from topology.diagnostics import Diagnostic
from topology.registry import REGISTRY

INVALID = "domains:\n  pdu-a: {kind: power, parent: ups-z}\n"
FILES = {
    "invalid.yaml": INVALID,
    "warned.yaml": "nodes:\n  n1: {rack: r, zone: z1}\n  n2: {rack: r, zone: z2}\n",
    "informed.yaml": "domains:\n  cdu-1: {kind: cooling, rideThroughMinutes: 20}\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["validate", *arguments])
    return code, capsys.readouterr().out


def undo(text: str) -> str:
    """What the runner makes of a workflow command's data."""
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def faulty(file: str, message: str, *ids: str, rule: str = "cycle") -> Diagnostic:
    return Diagnostic(file, 3, 7, "error", rule, message, ids, "Fix it.", ((1, 2, "here"),))


class TestGithub:
    """Annotations: `%`, line ends, and in properties `:` and `,`, are escaped."""

    def test_one_command_a_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out = run(capsys, "--format", "github", "invalid.yaml", "warned.yaml", "informed.yaml")
        assert code == 1
        assert [line.split(",")[0] for line in out.splitlines()] == [
            "::error file=invalid.yaml",
            "::warning file=warned.yaml",
            "::notice file=informed.yaml",
        ]

    def test_auto_follows_the_environment(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert run(capsys, "invalid.yaml")[1].startswith("error[")
        monkeypatch.setenv("GITHUB_ACTIONS", "true")
        assert run(capsys, "invalid.yaml")[1].startswith("::error ")
        assert run(capsys, "--format", "text", "invalid.yaml")[1].startswith("error[")

    def test_escapes(self) -> None:
        shown = github_annotations([faulty("a:b,c%.yaml", "50 %\r\n::error::x")])
        assert shown == (
            "::error file=a%3Ab%2Cc%25.yaml,line=3,col=7,title=topo cycle::50 %25%0D%0A::error::x. Fix it.\n"
        )

    @given(hostile_ids(), st.text())
    def test_nothing_breaks_out(self, file: str, message: str) -> None:
        shown = github_annotations([faulty(file, message)])
        assert len(shown.splitlines()) == 1
        properties, _, data = shown.removeprefix("::error ").partition("::")
        assert properties.count(",") == 3
        assert "\x1b" not in undo(data)


class TestSarif:
    """SARIF 2.1.0: rules with help, relative URIs, regions, fingerprints that survive moved lines."""

    def test_the_essentials(self, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
        (folder / "a folder").mkdir()
        path = folder / "a folder" / "map.yaml"
        path.write_text(INVALID, encoding="utf-8")
        code, out = run(capsys, "--format", "sarif", str(path), "warned.yaml")
        assert code == 1
        log = json.loads(out)
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("sarif-schema-2.1.0.json")
        (sarif_run,) = log["runs"]
        rules = sarif_run["tool"]["driver"]["rules"]
        assert [rule["id"] for rule in rules] == list(REGISTRY)
        assert all(rule["help"]["text"] and rule["help"]["markdown"] for rule in rules)
        first, second = sarif_run["results"]
        assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "dangling-feed"
        assert (first["level"], second["level"]) == ("error", "warning")
        assert place(first) == ("a%20folder/map.yaml", {"startLine": 2, "startColumn": 32})
        assert len(second["relatedLocations"]) == 2

    def test_fingerprints_stay_when_lines_move(self) -> None:
        there = faulty("a.yaml", "m", "x")
        moved = Diagnostic("a.yaml", 9, 1, "error", "cycle", "m", ("x",), "")
        other = faulty("a.yaml", "m", "y")
        prints = [
            [result["partialFingerprints"] for result in results(said)]
            for said in ([there, there], [moved, there], [other, there])
        ]
        assert prints[0] == prints[1]
        assert prints[0][0] != prints[0][1]
        assert prints[2][0] not in prints[0]

    def test_hostile_names_are_uris(self) -> None:
        (result,) = results([faulty("a b\ud800%.yaml", "m\ud800")])
        assert re.fullmatch(r"[\w./%-]+", place(result)[0])


def results(diagnostics: list[Diagnostic]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sarif_document(diagnostics, version="1.0.0")["runs"][0]["results"]
    return found


def place(result: dict[str, Any]) -> tuple[str, dict[str, int]]:
    physical = result["locations"][0]["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]
