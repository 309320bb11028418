"""What is said about an input: one value per fault, comparable and printable, placed by a route of keys."""

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]
Route = tuple[str | int, ...]
"""The path of keys and indices from the top of a file to the thing at fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault before its file position is known: rules say *where* by route, never by line.

    `at` says whether the key or its value is meant. `related` are other routes worth pointing at
    (the first of two duplicates, each hop of a cycle), each with a word on what it is.
    """

    rule: str
    severity: Severity
    message: str
    route: Route
    hint: str
    ids: tuple[str, ...] = ()
    at: Literal["key", "value"] = "value"
    related: tuple[tuple[Route, str], ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """A fault at its place in a file: `line` and `column` count from 1."""

    file: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    ids: tuple[str, ...]
    hint: str
    related: tuple[tuple[int, int, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.rule}]: {self.message}"


class InvalidInput(Exception):
    """An input that cannot be used, as data: every diagnostic that was found."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join(str(diagnostic) for diagnostic in self.diagnostics)
