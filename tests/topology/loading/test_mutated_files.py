"""Damaged files: a diagnostic inside the file or a value, never an exception."""

from __future__ import annotations

import json
import random

import pytest

from tests.fuzz.damage import damaged
from tests.topology.loading.test_estate_files import FULL
from tests.topology.loading.test_topology_files import METHODOLOGY
from topology.load import LoadResult, load_text


def mutated(text: bytes, seed: int) -> bytes:
    return damaged(text, random.Random(seed), text)


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
