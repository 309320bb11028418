"""Hostile text never steers a terminal."""

from __future__ import annotations

import sys
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
            (
                "a\u00adb\u180e\u115f\u1160\u3164\uffa0\u2800",
                r"a\xadb\u{180e}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{2800}",
            ),
            ("\U000e0041\ue000\U0010ffff", r"\u{e0041}\u{e000}\u{10ffff}"),
            ("a\ufe0f 漢\ufe00 漢\U000e0100", r"a\u{fe0f} 漢\u{fe00} 漢\u{e0100}"),
            ("☀\ufe0f 1\ufe0f ⚡\ufe0e 🖥\ufe0f", "☀\ufe0f 1\ufe0f ⚡\ufe0e 🖥\ufe0f"),
        ],
    )
    def test_examples(self, text: str, shown: str) -> None:
        assert clean(text) == shown

    def test_every_character(self) -> None:
        """By the categories of the Unicode that this Python knows."""
        unseen = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
        for char in map(chr, range(sys.maxunicode + 1)):
            if unicodedata.category(char) in unseen:
                assert clean(char) != char, hex(ord(char))
            elif (
                unicodedata.category(char) not in {"Mn", "Cn"}
                and char not in "\u115f\u1160\u3164\uffa0\u2800"
            ):
                assert clean(char) == char, hex(ord(char))

    @given(st.text(st.characters()))
    def test_nothing_that_steers_is_left(self, text: str) -> None:
        shown = clean(text)
        assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"}]
        assert not [
            char for char in shown if unicodedata.bidirectional(char) in {"RLO", "LRO", "RLE", "LRE", "PDF"}
        ]
        assert clean(shown) == shown
