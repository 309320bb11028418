"""The comparison of the two engines: a small run of it, and that it would notice."""

from __future__ import annotations

import pytest

from closure.losing_sets import losing_sets
from closure.strict_events import EventDriven, StrictOutcome
from tests import naive_engine
from tests.differential import compare
from tests.differential.compare import compare_seed


def _disagreements(seeds: range) -> list[str]:
    return [one for seed in seeds for one in compare_seed(seed).disagreements]


@pytest.mark.parametrize("block", range(4))
def test_no_disagreement(block: int) -> None:
    """Every single failure and 20 pairs of each estate (python3 dev.py differential runs many more)."""
    assert _disagreements(range(block * 12, block * 12 + 12)) == []


def test_electrical_rules_bite() -> None:
    """A comparison of estates in which nothing is demoted and nothing trips would prove little."""
    tallies = [compare_seed(seed) for seed in range(12)]
    assert sum(tally.demotions for tally in tallies) > 10
    assert sum(tally.trips for tally in tallies) > 10


class TestItWouldNotice:
    """A fault in one of the engines is reported."""

    def test_where_nothing_is_ever_demoted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(naive_engine, "over", lambda *_: False)
        assert any("demoted" in one for one in _disagreements(range(20)))

    def test_in_the_event_driven_form(self, monkeypatch: pytest.MonkeyPatch) -> None:
        run = EventDriven.run

        def forgetful(self: EventDriven, failed: list[int], **options: bool) -> StrictOutcome:
            outcome = run(self, failed, **options)
            return StrictOutcome(outcome.domains, outcome.groups, {}, outcome.flow_kw)

        monkeypatch.setattr(EventDriven, "run", forgetful)
        found = _disagreements(range(20))
        assert found
        assert all("event-driven trips" in one or "of the sweep" in one for one in found)

    def test_in_the_losing_sets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(compare, "losing_sets", lambda facility, _: losing_sets(facility, 1))
        found = _disagreements(range(24))
        assert found
        assert all("by losing sets" in one for one in found)

    def test_in_a_flow(self) -> None:
        assert compare.equal({"a": 0.1 + 0.2}, {"a": 0.3})
        assert not compare.equal({"a": 0.1}, {"a": 0.1001})
        assert not compare.equal({"a": 0.1}, {"b": 0.1})
        assert not compare.equal(None, 0.0)
