"""The answers on record, as a digest each, and what differs from them now.

They were computed by an engine that agrees with the naive engines on the same estates (`disagreements` asks
both, every time), and are kept so that nothing changes unseen. They are no oracle for the methodology's
formulas: those have tests of their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from findings.context import LOADS
from tests.answers.documents import answers, digest
from tests.answers.estates import estates
from tests.differential.compare import Comparison, Tally
from topology.model import Estate

RECORD = Path(__file__).parent / "golden.json"


@cache
def remember() -> tuple[tuple[str, Estate], ...]:
    """Return every estate with its name, made once."""
    return tuple(estates())


def record() -> dict[str, dict[str, str]]:
    """Compute the digest of every answer: estate -> answer -> digest."""
    return {name: {key: digest(make()) for key, make in answers(estate)} for name, estate in estates()}


def differences(name: str, estate: Estate) -> Iterator[str]:
    """Yield the answers to one estate that are not those on record."""
    expected = json.loads(RECORD.read_text(encoding="utf-8")).get(name, {})
    for key, make in answers(estate):
        if expected.pop(key, None) != digest(make()):
            yield f"{name}: {key}"
    yield from (f"{name}: {key} is gone" for key in expected)


def disagreements(name: str, estate: Estate) -> Iterator[str]:
    """Yield where the engine disagrees with the naive ones on one estate, at either load."""
    for load in LOADS:
        for complaint in Comparison(estate, load, Tally()).run(Random(name)):
            yield f"{name}: {complaint}"


def first_fault() -> str | None:
    """Return the first thing that is not as it was, or on which the engines disagree; None: nothing."""
    return next(
        (
            fault
            for name, estate in remember()
            for check in (differences, disagreements)
            for fault in check(name, estate)
        ),
        None,
    )
