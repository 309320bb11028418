"""Moments of one paragraph are in one time zone."""

from tests.topo.command import topo
from topo.text.words import utc

ESTATE = "examples/two-halls/estate.json"


def test_a_window_is_in_utc_throughout() -> None:
    words = ("--duration", "90", "--until", "2026-12-01T18:00:00+01:00", "--now", "2026-12-01T12:00:00Z")
    page = " ".join(topo("ok-to-take-out", "h1-pdu-1a", *words, ESTATE).out.split())
    assert "done by 2026-12-01T17:00:00Z. It starts by 2026-12-01T15:30:00Z at the latest." in page
    assert "done by 2026-12-01T18:00:00+01:00" not in page


def test_beyond_the_calendar_a_moment_stands_as_given() -> None:
    assert utc("0001-01-01T00:00:00+01:00") == "0001-01-01T00:00:00+01:00"
    assert utc("tonight") == "tonight"
    assert utc("2026-12-01T18:00:00Z") == "2026-12-01T18:00:00Z"
