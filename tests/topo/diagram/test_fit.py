"""Text fitted by the bundled font's metrics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topo.diagram.fit import clipped, covered, fitted, text_width, wrapped


class TestWidth:
    """Width = the sum of advances, in font units over units per em, times the size."""

    @pytest.mark.parametrize(("text", "units"), [("0", 1303), ("M", 1767), ("", 0), ("00", 2606)])
    def test_published_advances(self, text: str, units: int) -> None:
        """DejaVu Sans 2.37, `hmtx`: zero 1303, M 1767 of 2048 units."""
        assert text_width(text, 2048) == pytest.approx(units)

    def test_bold_is_wider(self) -> None:
        assert text_width("rack", 10, bold=True) > text_width("rack", 10)

    def test_characters_outside_the_font_count_as_one_em(self) -> None:
        assert text_width("機", 10) == 10
        assert not covered("機")
        assert covered("rack-1 ◐ ⚡ ≥ → …")


class TestFit:
    """Nothing is ever wider than its room."""

    @given(st.text(max_size=400), st.floats(20, 300))
    def test_clipped_text_fits(self, text: str, room: float) -> None:
        assert text_width(clipped(text, room, 10), 10) <= room

    def test_the_middle_gives_way(self) -> None:
        cut = clipped("a-very-long-rack-name-0042", 100, 10)
        assert cut.startswith("a-")
        assert cut.endswith("42")
        assert "…" in cut

    def test_the_first_candidate_that_fits_wins(self) -> None:
        assert fitted(["12,345,678 GPU", "12.3 M GPU"], 70, 10) == "12.3 M GPU"

    @given(st.lists(st.text("abc", min_size=1, max_size=30), max_size=20), st.floats(30, 200))
    def test_wrapped_lines_fit_and_keep_every_short_word(self, words: list[str], room: float) -> None:
        lines = wrapped(" ".join(words), room, 10)
        assert all(text_width(line, 10) <= room for line in lines)
        short = [word for word in words if text_width(word, 10) <= room]
        kept = " ".join(lines).split(" ")
        assert [word for word in kept if word in short] == short or len(short) < len(words)
