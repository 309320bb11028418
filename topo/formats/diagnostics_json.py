"""The document of `topo validate --format json` (contract of spec 6)."""

from collections.abc import Sequence
from typing import Any

from topology.diagnostics import Diagnostic


def validate_document(diagnostics: Sequence[Diagnostic], *, valid: bool) -> dict[str, Any]:
    """Return every diagnostic, complete; `related` places where there are some."""
    return {
        "schemaVersion": 1,
        "valid": valid,
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in diagnostics],
    }


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    document: dict[str, Any] = {
        "file": diagnostic.file,
        "line": diagnostic.line,
        "column": diagnostic.column,
        "severity": diagnostic.severity,
        "rule": diagnostic.rule,
        "message": diagnostic.message,
        "ids": list(diagnostic.ids),
        "hint": diagnostic.hint,
    }
    if diagnostic.related:
        document["related"] = [
            {"line": line, "column": column, "message": word} for line, column, word in diagnostic.related
        ]
    return document
