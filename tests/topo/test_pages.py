"""The pages that people read, word for word, and what they promise."""

import re
from pathlib import Path

import pytest

from tests.topo.command import LAB, TWO_HALLS, golden, topo
from topo.text.page import sentence
from topo.text.table import PAGE_WIDTH, Column, clip, display_width, table
from topo.text.words import count, number, percent, some, usd

NOW = ("--now", "2026-12-01T12:00:00Z")
GOLDEN = Path(__file__).parent / "golden"
PAGES = {
    "whatif-ups": ("whatif", "--fail", "h1-ups-a", "examples/two-halls/estate.json"),
    "whatif-installed": (
        "whatif",
        "--fail",
        "h1-ups-a",
        "--load",
        "installed",
        "examples/two-halls/estate.json",
    ),
    "whatif-node": ("whatif", "--fail", "gpu-h1-001", "examples/two-halls/estate.json"),
    "whatif-harmless": ("whatif", "--fail", "gen-1", "examples/two-halls/estate.json"),
    "whatif-lab-strong": ("whatif", "--fail", "feed-strong", "examples/lab/estate.json"),
    "whatif-bare": ("whatif", "--fail", "ups-a", "examples/methodology/topology.yaml"),
    "whatif-out": ("whatif", "--fail", "h1-ups-b", "--out", "h1-ups-a", "examples/two-halls/estate.json"),
    "why-node": ("why", "gpu-h1-130", "--fail", "h1-ups-a", "examples/two-halls/estate.json"),
    "why-strict": ("why", "h1-leaf-4", "--fail", "h1-ups-a", "examples/two-halls/estate.json"),
    "why-alive": ("why", "h1-pdu-1a", "--fail", "h1-ups-a", "examples/two-halls/estate.json"),
    "why-bare": ("why", "gpu-node-01", "--fail", "ups-a", "examples/methodology/topology.yaml"),
    "sweep": ("sweep", "examples/two-halls/estate.json"),
    "sweep-bare": ("sweep", "examples/methodology/topology.yaml"),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_it_was(name: str) -> None:
    done = topo(*PAGES[name], *NOW)
    assert (done.code, done.err) == (0, "")
    golden(GOLDEN / f"{name}.txt", done.out)


@pytest.mark.parametrize("name", PAGES)
def test_no_line_is_wider_than_the_page(name: str) -> None:
    lines = topo(*PAGES[name], *NOW).out.splitlines()
    commands = [line for line in lines if line.startswith("  topo ")]
    assert all(display_width(line) <= PAGE_WIDTH for line in lines if line not in commands)


class TestVerdictFirst:
    """The worse of the two engines leads, and the page says which (spec 4)."""

    def test_strict_leads_where_it_is_worse(self) -> None:
        first = topo(*PAGES["whatif-ups"]).out.splitlines()[0:2]
        assert first[0].startswith("OUTAGE")
        assert "by the strict check" in " ".join(first)

    def test_stale_is_loud(self) -> None:
        page = topo(
            "whatif", "--fail", "gen-1", TWO_HALLS / "estate.json", "--now", "2026-12-09T00:00:00Z"
        ).out
        assert "STALE" in page

    def test_the_command_line_is_named_as_a_basis(self) -> None:
        page = topo(*PAGES["whatif-ups"], "--price-per-unit-hour", "3").out
        assert "$3.00/GPU-hour (command line)" in page


class TestSentences:
    """A number and its unit stand on one line; `of` is no unit."""

    @pytest.mark.parametrize("pair", ["0.6 %", "29 days", "1,198 GPUs", "45 min"])
    def test_a_number_keeps_its_unit(self, pair: str) -> None:
        for width in range(60, 80):
            assert any(pair in line for line in sentence(f"{'x' * width} {pair} old"))

    def test_a_count_of_a_whole_may_break(self) -> None:
        assert sentence(f"{'x' * 76} 3 of 4")[0].endswith(" 3")


class TestTables:
    def test_ids_are_clipped_in_the_middle_and_harmless(self) -> None:
        lines = table([Column("id", flexible=True), Column("n", right=True)], [["x" * 300 + "\x1b[2J", "1"]])
        assert all(len(line) <= PAGE_WIDTH for line in lines)
        assert "\x1b" not in "".join(lines)
        assert lines[1].rstrip().endswith("1")

    def test_wide_characters_count_twice(self) -> None:
        assert display_width(clip("電" * 50, 21)) <= 21

    @pytest.mark.parametrize(
        ("shown", "expected"),
        [
            (number(None), "unknown"),
            (number(1234567.891), "1,234,567.89"),
            (number(0), "0"),
            (number(29.6, 0), "30"),
            (number(99.96, 1), "100"),
            (usd(None), "unknown"),
            (percent(0), "0 %"),
            (percent(0.0001), "< 0.1 %"),
            (percent(0.341), "34.1 %"),
            (usd(8.754), "$8.75"),
            (count(1, "node"), "1 node"),
            (count(None, "node"), "unknown nodes"),
            (some(["a", "b", "c"], 2), "a, b and 1 more"),
        ],
    )
    def test_one_way_to_write_a_number(self, shown: str, expected: str) -> None:
        assert shown == expected


def test_the_lab_says_what_the_methodology_says() -> None:
    """Losing the weak feed is survivable, losing the strong one a real outage (Rated-feed demotion)."""
    strong = topo("whatif", "--fail", "feed-strong", LAB / "estate.json").out
    weak = topo("whatif", "--fail", "feed-weak", LAB / "estate.json").out
    assert strong.startswith("OUTAGE")
    assert weak.startswith("DEGRADED")


def test_a_row_of_zeros_that_nobody_can_vouch_for_is_marked_and_counted_apart() -> None:
    page = topo("sweep", "--rows", "0", TWO_HALLS / "estate.json", *NOW).out
    assert "1 of them is not proven safe" in " ".join(page.split())
    assert re.search(r"^  h2-pdu-1a +PDU +\?0 ", page, re.MULTILINE)
    assert "? not proven safe" in page


def test_races_say_whose_they_are_where_the_engines_differ() -> None:
    assert "THERMAL RACE  by the closure: " in topo(*PAGES["whatif-ups"], *NOW).out


def test_rows_0_names_everything_that_fails() -> None:
    failed = [f"h1-r1-0{n}" for n in range(1, 7)]
    words = [word for name in failed for word in ("--fail", name)]
    page = topo("whatif", *words, "--rows", "0", TWO_HALLS / "estate.json", *NOW).out
    assert f"{', '.join(failed)} fail:" in " ".join(page.split("LOST")[0].split())
    assert "and 2 more fail:" in topo("whatif", *words, TWO_HALLS / "estate.json", *NOW).out


def test_rows_0_leaves_nothing_out() -> None:
    page = " ".join(topo(*PAGES["whatif-ups"], "--rows", "0", *NOW).out.split())
    assert re.search(r"and \d+ more", page) is None
    assert {"gpu-h1-160", "h1-r4-07,"} <= set(page.split())
