"""SARIF 2.1.0 for code scanning: the rules with their help, the results at their places."""

import hashlib
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from topology.diagnostics import Diagnostic
from topology.registry import REGISTRY
from topology.rule_info import RuleInfo

SCHEMA_URI: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}
_ROOT: Final = "%SRCROOT%"


def sarif_document(diagnostics: Sequence[Diagnostic], *, version: str) -> dict[str, Any]:
    """Return the log of one run, with every rule of the registry. Places count in characters."""
    seen: Counter[str] = Counter()
    rules = [_rule(info) for info in REGISTRY.values()]
    return sarif_log(rules, [_result(diagnostic, seen) for diagnostic in diagnostics], version=version)


def sarif_log(
    rules: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]], *, version: str
) -> dict[str, Any]:
    """Return the log of one run of this program: its rules and its results."""
    driver = {"name": "topo", "semanticVersion": version, "rules": list(rules)}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": list(results)}
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _rule(info: RuleInfo) -> dict[str, Any]:
    examples = f"Wrong:\n\n{info.wrong}\nRight:\n\n{info.right}"
    fence = f"```{info.example}"
    return {
        "id": info.id,
        "name": "".join(word.capitalize() for word in info.id.split("-")),
        "shortDescription": {"text": info.meaning},
        "fullDescription": {"text": f"{info.meaning} {info.why}"},
        "help": {
            "text": f"{info.why}\n\n{examples}",
            "markdown": f"{info.why}\n\nWrong:\n\n{fence}\n{info.wrong}```\n\n"
            f"Right:\n\n{fence}\n{info.right}```\n",
        },
        "defaultConfiguration": {"level": _LEVELS[info.severity]},
    }


def _result(diagnostic: Diagnostic, seen: Counter[str]) -> dict[str, Any]:
    uri = file_uri(diagnostic.file)
    result: dict[str, Any] = {
        "ruleId": diagnostic.rule,
        "ruleIndex": list(REGISTRY).index(diagnostic.rule),
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": f"{diagnostic.message}. {diagnostic.hint}"},
        "locations": [location(diagnostic.file, diagnostic.line, diagnostic.column)],
        "partialFingerprints": {"topoRuleAndIds/v1": _fingerprint(diagnostic, uri, seen)},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **location(diagnostic.file, line, column), "message": {"text": word}}
            for number, (line, column, word) in enumerate(diagnostic.related, 1)
        ]
    return result


def location(file: str, line: int, column: int) -> dict[str, Any]:
    """Return a place (from 1) in a file."""
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": file_uri(file), "uriBaseId": _ROOT},
            "region": {"startLine": line, "startColumn": column},
        }
    }


def file_uri(file: str) -> str:
    """Return the file relative to the working directory, as a URI reference."""
    path = Path(os.path.relpath(file)) if Path(file).is_absolute() else Path(file)
    return quote(path.as_posix(), errors="surrogatepass")


def _fingerprint(diagnostic: Diagnostic, uri: str, seen: Counter[str]) -> str:
    """Return what stays when lines move: rule, file and ids, numbered where they repeat."""
    text = "\0".join((diagnostic.rule, uri, *diagnostic.ids))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    seen[digest] += 1
    return f"{digest}:{seen[digest]}"
