"""The rules of validation in words, from their registry: for the terminal and for the documentation."""

import textwrap
from collections.abc import Iterable
from typing import Final

from topo.text.page import sentence
from topo.text.style import Style
from topology.registry import REGISTRY
from topology.rule_info import RuleInfo

_PREFACE: Final = """\
`topo validate` reports every fault of a file in one run, each with its rule. Errors forbid the analysis;
warnings fail with `--strict`; infos never do. Rule ids never change meaning. This page is written by
`topo explain-rule --format markdown`."""


def rule_list() -> str:
    """Return every rule with its severity and what it means."""
    lines = ["topo explain-rule RULE says why a rule matters, with a wrong and a right example.", ""]
    for info in REGISTRY.values():
        lines.append(f"{info.id}  ({info.severity})")
        lines += sentence(info.meaning)
    return "\n".join(lines) + "\n"


def rule_page(info: RuleInfo, style: Style) -> str:
    """Return what a rule means, why it matters, a wrong and a right example."""
    lines = [
        f"{style(info.id, 'bold')}  ({severity_words(info)})",
        "",
        *sentence(info.meaning, first="", then=""),
        "",
        *sentence(info.why, first="", then=""),
        "",
        *_beside(info),
        style("wrong:", "red", "bold"),
        textwrap.indent(info.wrong, "  "),
        style("right:", "cyan", "bold"),
        textwrap.indent(info.right, "  ").rstrip(),
    ]
    return "\n".join(lines) + "\n"


def _beside(info: RuleInfo) -> list[str]:
    return ["laid with --topology over:", textwrap.indent(info.estate, "  ")] if info.estate else []


def rules_markdown(rules: Iterable[RuleInfo] = REGISTRY.values()) -> str:
    """Return the page of the documentation (docs/rules.md is this text, and a test keeps it so)."""
    parts = [
        "# Validation rules",
        _PREFACE,
        "| rule | severity | what |\n|---|---|---|\n"
        + "\n".join(
            f"| [`{info.id}`](#{info.id}) | {severity_words(info)} | {info.meaning} |" for info in rules
        ),
    ]
    parts += [_section(info) for info in rules]
    return "\n\n".join(parts) + "\n"


def severity_words(info: RuleInfo) -> str:
    """Return a rule's severity, with the exception if it has one."""
    return f"{info.severity}; {info.softer}" if info.softer else info.severity


def _section(info: RuleInfo) -> str:
    fence = f"```{info.example}"
    beside = f"Laid with `--topology` over:\n\n```json\n{info.estate}```\n\n" if info.estate else ""
    return (
        f"## {info.id}\n\n{severity_words(info).capitalize()}. {info.meaning}\n\n{info.why}\n\n"
        f"{beside}Wrong:\n\n{fence}\n{info.wrong}```\n\nRight:\n\n{fence}\n{info.right}```"
    )
