"""The benchmark of the cut sets runs at a tiny size, and agrees with trying every set."""

import pytest

from benchmarks import cutsets


def test_it_agrees_with_trying_every_set() -> None:
    rows = cutsets.compare(60, order=2)

    assert [row.equal for row in rows[-2:]] == [True, True]
    assert rows[-2].sets == rows[-1].sets > 0
    assert len(cutsets.report(rows).splitlines()) == len(rows) + 2


def test_another_answer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutsets, "try_every_set", lambda *_: [])

    with pytest.raises(cutsets.Different):
        cutsets.against_every_set(20, 1)
