"""Mutants that change nothing that is answered: looked at, on record with the reason, and not run again.

An entry names the line as it stands in the source and the change, so that it holds wherever the line moves,
and no longer once the line reads otherwise.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tests.mutation.operators import Mutant, described

RECORD: Final = Path(__file__).parent / "equivalent.json"
Key = tuple[str, str, str]
"""Path, line without its indentation, change as `described` says it."""


def key_of(mutant: Mutant, source: str) -> Key:
    """Return what an entry says of a mutant."""
    said = described(mutant, source)
    return mutant.path, source.splitlines()[mutant.line - 1].strip(), said.split(": ", 1)[1]


def on_record() -> dict[Key, str]:
    """Return why each mutant on record is equivalent."""
    return {
        (path, each["line"], each["change"]): each["why"]
        for path, entries in json.loads(RECORD.read_text(encoding="utf-8")).items()
        for each in entries
    }


def stale(known: Iterable[Key], sources: dict[str, str]) -> list[Key]:
    """Return the entries whose line is no longer in its module; of modules that are not at hand, nothing."""
    lines = {path: {line.strip() for line in source.splitlines()} for path, source in sources.items()}
    return [key for key in known if key[0] in lines and key[1] not in lines[key[0]]]
