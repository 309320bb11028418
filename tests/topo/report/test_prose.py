"""The prose of a definition names every constant with the value that it has now."""

import pytest

from findings import constants
from findings.constants import table
from topo.report.prose import passages


@pytest.mark.parametrize("name", [each.name for each in table() if each.name != "RELATIVE_TOLERANCE"])
def test_each_constant_follows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, name, 4711)
    text = "\n".join(piece for passage in passages().values() for _, piece in passage)
    assert "4711" in text
