"""Markdown outputs show names as they are, and link nothing."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.topo.command import topo
from topo.text.clean import clean
from topo.text.markdown import escaped

NAME = (
    "@octocat http://evil.example/x www.evil.example GH-1 gh-2 a/b#3 #4 <b> **c** `d` [e](f) $g$ a@b.example"
)
LINKS = re.compile(r"(?<!\w)@\w|#\w|\bGH-\d|://|www\.|mailto:|[<>*_`\[\]$|]|\w@\w", re.IGNORECASE)
"""What a forge would turn into something, in the source."""
NOW = ("--now", "2026-12-01T00:00:00Z")


def shown(source: str) -> str:
    """Return what Markdown shows of a text that is all text."""
    return html.unescape(source)


class TestEscaped:
    """What is shown is what was said; a forge that looks for people and issues in it finds none."""

    def test_a_name_of_everything(self) -> None:
        source = escaped(NAME)
        assert not LINKS.search(re.sub(r"&#\d+;", "\0", source))
        assert not re.search(r"(?<!\w)@\w|#\w|\bGH-\d", shown(source), re.IGNORECASE)
        assert shown(source).replace("\u200b", "") == NAME

    @pytest.mark.parametrize(
        "text", ["rack-1, pdu-a (8 kW); 50 % / 2: yes", "demotion at 12:30", "2.5 × 3 – 4 … Größe", "GH-x"]
    )
    def test_plain_words_stay(self, text: str) -> None:
        assert escaped(text) == text

    def test_ids_of_findings_can_be_copied(self) -> None:
        assert shown(escaped("single-point@installed")) == "single-point@installed"

    @given(st.text(st.sampled_from(" @#aG1H-:/.w<>&;\\|_*`$[](){}\n")))
    def test_any(self, text: str) -> None:
        source = escaped(text)
        assert shown(source).replace("\u200b", "") == clean(text)
        assert not re.search(r"[<>*_`$|\[\]\\@]|://|www\.", source, re.IGNORECASE)
        assert not [char for char in source if unicodedata.category(char) == "Cc"]


def test_every_markdown_output_escapes_alike(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    for path, rated in ((old, 8), (new, 2)):
        ups = {"kind": "ups", "ratedKw": rated}
        estate = {
            "schemaVersion": 1,
            "cluster": "lab",
            "unit": "gpu",
            "snapshotAt": "2026-11-30T12:00:00Z",
            "wattsPerUnitKw": 1,
            "nodes": [{"id": "n1", "allocated": 6, "installed": 8, "domains": {"pdu": "p"}}],
            "domains": {"p": {"kind": "power", "feeds": [NAME, "u"]}, NAME: ups, "u": ups},
        }
        path.write_text(json.dumps(estate), encoding="utf-8")
    outputs = [
        topo("findings", new, "--format", "markdown", *NOW).out,
        topo("diff", old, new, "--format", "markdown").out,
    ]
    for output in outputs:
        assert escaped(NAME) in output
        bare = re.sub(r"&#\d+;", "\0", output)
        assert not re.search(r"(?<!\w)@\w|\bGH-\d|://|www\.|\[e\]|<b>", bare)
