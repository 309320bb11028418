"""The merge refuses rather than fudges: every reason at once, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from topology.quoting import quoted

Rule = Literal[
    "unit-mix",
    "cluster-twice",
    "same-cluster",
    "kind-conflict",
    "upstream-conflict",
    "rating-conflict",
    "ride-through-conflict",
    "load-conflict",
    "id-clash",
    "invalid-together",
]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why files cannot be merged: `values[i]` is what `files[i]` says about `subject`."""

    rule: Rule
    subject: str
    files: tuple[str, ...]
    values: tuple[str, ...]
    message: str
    hint: str

    def __str__(self) -> str:
        return f"[{self.rule}] {self.message}"


class MergeRefused(Exception):
    """Estates that do not go together, with every reason that was found."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__(refusals)
        self.refusals = refusals

    def __str__(self) -> str:
        return "\n".join(str(refusal) for refusal in self.refusals)


def says(values: Sequence[tuple[str, str]]) -> str:
    """Return `a.json says X, b.json says Y`."""
    return ", ".join(f"{file} says {value}" for file, value in values)


def conflict(rule: Rule, what: str, subject: str, values: Sequence[tuple[str, str]], hint: str) -> Refusal:
    """Return the refusal of one thing that (file, value) pairs tell differently."""
    return Refusal(
        rule,
        subject,
        tuple(file for file, _ in values),
        tuple(value for _, value in values),
        f"{what} {quoted(subject)}: {says(values)}",
        hint,
    )
