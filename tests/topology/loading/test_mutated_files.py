"""Damaged files: a diagnostic inside the file or a value, never an exception."""

from __future__ import annotations

import json
import random

import pytest

from tests.topology.loading.test_estate_files import FULL
from tests.topology.loading.test_topology_files import METHODOLOGY
from topology.load import LoadResult, load_text

_JUNK = (
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\t",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"'",
        b'"',
        b"\\",
        b"#",
        b"&a ",
    ),
    *(
        b"*a",
        b"!!x ",
        b"<<: ",
        b"---\n",
        b"...\n",
        b"NaN",
        b"1e999",
        b"null",
        b"~",
        b"\n",
        b"\r",
        "\u2028".encode(),
    ),
)


def mutated(text: bytes, seed: int) -> bytes:
    dice = random.Random(seed)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text) + 1)
        until = min(len(text), at + dice.choice((0, 1, 5, 40)))
        middle = dice.choice((b"", text[at:until] * 2, dice.choice(_JUNK)))
        text = text[:at] + middle + text[until:]
    return text if seed % 10 else text[: dice.randrange(len(text))]


def _holds(result: LoadResult[object]) -> None:
    errors = [each for each in result.diagnostics if each.severity == "error"]
    assert (result.value is None) == bool(errors)
    for each in result.diagnostics:
        assert each.message
        assert each.hint
        line = result.source.line(each.line)
        assert 1 <= each.column <= len(line) + 2
        for line_number, column, _ in each.related:
            assert 1 <= column <= len(result.source.line(line_number)) + 2


class TestMutations:
    """Every damaged file is either read or refused with located diagnostics."""

    @pytest.mark.parametrize("seed", range(120))
    def test_a_topology(self, seed: int) -> None:
        _holds(load_text(mutated(METHODOLOGY.encode(), seed), "topology.yaml"))

    @pytest.mark.parametrize("seed", range(120))
    def test_an_estate(self, seed: int) -> None:
        _holds(load_text(mutated(json.dumps(FULL, indent=1).encode(), seed), "estate.json"))

    @pytest.mark.parametrize("seed", range(40))
    def test_something_from_standard_input(self, seed: int) -> None:
        _holds(load_text(mutated(json.dumps(FULL).encode(), seed), "<stdin>"))
