"""Annotations of GitHub Actions: one workflow command per diagnostic, harmless whatever the ids hold."""

from collections.abc import Sequence
from typing import Final

from topo.text.clean import clean
from topology.diagnostics import Diagnostic

_COMMANDS: Final = {"error": "error", "warning": "warning", "info": "notice"}


def github_annotations(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the diagnostics as workflow commands, one a line."""
    return "".join(f"{_annotation(diagnostic)}\n" for diagnostic in diagnostics)


def _annotation(diagnostic: Diagnostic) -> str:
    place = (
        f"file={_property(diagnostic.file)},line={diagnostic.line},col={diagnostic.column},"
        f"title={_property(f'topo {diagnostic.rule}')}"
    )
    return f"::{_COMMANDS[diagnostic.severity]} {place}::{_data(f'{diagnostic.message}. {diagnostic.hint}')}"


def _data(text: str) -> str:
    """Escape as the runner unescapes: `%` first, then line ends; then make the rest visible."""
    return clean(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
