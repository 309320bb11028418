"""The excerpt of a line fits the page, whatever the line, and its caret stands under the right word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topo.text.diagnostics import render_one
from topo.text.style import Style
from topo.text.table import PAGE_WIDTH, display_width
from topology.diagnostics import Diagnostic
from topology.source import Source


def excerpt(line: str, column: int) -> tuple[str, str]:
    diagnostic = Diagnostic("t.yaml", 1, column, "error", "schema", "m", (), "h")
    lines = render_one(diagnostic, Source("t.yaml", line, "yaml"), Style()).split("\n")
    return lines[3], lines[4]


class TestExcerpts:
    @pytest.mark.parametrize("before", [0, 10, 40, 70, 200])
    @pytest.mark.parametrize("after", [0, 10, 200])
    def test_the_word_is_under_the_caret(self, before: int, after: int) -> None:
        line = f"{'a, ' * before}word{', b' * after}"
        shown, under = excerpt(line, 3 * before + 1)
        at = under.index("^")
        assert shown[at : at + under.count("^")] == "word"
        assert len(shown) <= PAGE_WIDTH

    def test_what_fits_is_whole(self) -> None:
        line = "x" * (PAGE_WIDTH - len("1 | "))
        assert excerpt(line, 1)[0] == f"1 | {line}"

    @given(
        st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=300), st.integers(1, 300)
    )
    def test_of_any_text(self, line: str, column: int) -> None:
        for each in excerpt(line, min(column, len(line) + 1)):
            assert display_width(each) <= PAGE_WIDTH

    def test_a_long_remark_on_another_place_has_lines_of_its_own(self) -> None:
        related = ((1, 60, "a remark that is much too long to stand beside its dashes"),)
        diagnostic = Diagnostic("t.yaml", 1, 1, "error", "schema", "m", (), "h", related)
        shown = render_one(diagnostic, Source("t.yaml", "x" * 70, "yaml"), Style())
        assert max(map(len, shown.splitlines())) <= PAGE_WIDTH
        assert "a remark that is much too long" in shown
