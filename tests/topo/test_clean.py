"""Hostile text never steers a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topo.text.clean import clean


class TestClean:
    r"""C0 and C1 controls, DEL, bidi controls, line separators and surrogates become \xNN or \u{NNNN}."""

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("\x1b[31m", r"\x1b[31m"),
            ("a\nb\tc\x00", r"a\x0ab\x09c\x00"),
            ("\x7f\x9b", r"\x7f\x9b"),
            ("\u202e\u2066", r"\u{202e}\u{2066}"),
            ("\u2028\ud800", r"\u{2028}\u{d800}"),
            ("Größe 漢字 ✓", "Größe 漢字 ✓"),
        ],
    )
    def test_examples(self, text: str, shown: str) -> None:
        assert clean(text) == shown

    @given(st.text(st.characters()))
    def test_nothing_that_steers_is_left(self, text: str) -> None:
        shown = clean(text)
        assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}]
        assert not [
            char for char in shown if unicodedata.bidirectional(char) in {"RLO", "LRO", "RLE", "LRE", "PDF"}
        ]
        assert clean(shown) == shown
