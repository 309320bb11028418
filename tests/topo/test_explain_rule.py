"""Every rule is documented, and its examples are what it says they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from topo.cli import main
from topo.text.rules import rules_markdown
from topo.validation import check_file
from topology.load import load_text, load_topology_text
from topology.registry import REGISTRY
from topology.rule_info import RuleInfo
from topology.rules import RULES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules.md"

SPECIFIED = {
    "error": {
        *("yaml-syntax", "json-syntax", "duplicate-key", "schema", "cycle", "self-feed", "dangling-feed"),
        *("repeated-feed", "axis-kind", "upside-down", "mixed-commodity", "min-feeds", "misplaced-rating"),
        *("ambiguous-list", "slurm-file"),
    },
    "warning": {
        *(
            "standing-conflict",
            "load-mismatch",
            "likely-typo",
            "fake-redundancy",
            "overcommitted",
            "split-rack",
            "absent-node",
            "implausible-rating",
            "empty-map",
            "unplaced-node",
            "missing-supply",
            "parent-among-feeds",
            "power-from-cooling",
            "misspelt-role",
            "look-alike-ids",
            "implausible-count",
        ),
    },
    "info": {"unusual-order", "undeclared-domain", "ride-through-optimistic", "unmapped-node", "lone-feed"},
}


def rules_said(info: RuleInfo, text: str) -> set[str]:
    result = load_text(text, f"example.{info.example}")
    if info.estate:
        estate = load_text(info.estate, "estate.json")
        return {each.rule for each in check_file(estate, load_topology_text(text, "map.yaml")).diagnostics}
    return {diagnostic.rule for diagnostic in check_file(result).diagnostics}


class TestRegistry:
    """id, severity, what it means, why it matters, a wrong and a right example."""

    def test_is_the_table_of_the_specification(self) -> None:
        by_severity = {
            severity: {info.id for info in REGISTRY.values() if info.severity == severity}
            for severity in SPECIFIED
        }
        assert by_severity == SPECIFIED
        assert set(RULES) <= set(REGISTRY)

    @pytest.mark.parametrize("info", REGISTRY.values(), ids=list(REGISTRY))
    def test_the_wrong_example_is_wrong_and_the_right_one_right(self, info: RuleInfo) -> None:
        assert info.id in rules_said(info, info.wrong)
        assert info.id not in rules_said(info, info.right)
        assert not {rule for rule in rules_said(info, info.right) if REGISTRY[rule].severity == "error"}

    @pytest.mark.parametrize("info", REGISTRY.values(), ids=list(REGISTRY))
    def test_says_something(self, info: RuleInfo) -> None:
        assert info.meaning.endswith(".")
        assert info.why.endswith(".")


class TestExplainRule:
    """`topo explain-rule [RULE]`."""

    def test_prints_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain-rule", "repeated-feed"]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith("repeated-feed  (error)")
        assert "feeds: [pdu-a, pdu-a]" in shown
        assert "feeds: [pdu-a, pdu-b]" in shown

    def test_lists_all(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain-rule"]) == 0
        shown = capsys.readouterr().out
        assert all(f"\n{rule}  (" in shown for rule in REGISTRY)
        assert max(map(len, shown.splitlines())) <= 90

    def test_an_unknown_rule_names_the_closest(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain-rule", "dangling-feeds"]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Did you mean dangling-feed" in captured.err

    @pytest.mark.parametrize(
        ("name", "offer"),
        [("fake", "Did you mean fake-redundancy? "), ("cycles", "Did you mean cycle? "), ("nosuch", "")],
    )
    def test_only_what_is_like_it_is_offered(
        self, name: str, offer: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["explain-rule", name]) == 2
        assert f"  help: {offer}`topo explain-rule` lists them all." in capsys.readouterr().err

    def test_the_documentation_is_current(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["explain-rule", "--format", "markdown"]) == 0
        assert capsys.readouterr().out == rules_markdown() == PAGE.read_text(encoding="utf-8")
