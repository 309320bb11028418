"""DOT, Mermaid, HTML, the terminal tree and PNG: escaped, complete, deterministic."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from hashlib import sha256

import pytest

from tests.strategies import ladder
from tests.topo.diagram.drawing import draw, example, node, small
from tests.topo.diagram.estates import halls
from topo.diagram.dot import render_dot
from topo.diagram.mermaid import TooLargeForMermaid, render_mermaid
from topo.diagram.model import Options, Picture
from topo.diagram.page import render_html
from topo.diagram.png import TooLarge, render_png
from topo.diagram.tree import render_tree
from topo.text.style import Style
from topology.model import Domain

HOSTILE = [
    '"];evil [label="',
    "back\\",
    "<script>alert(1)</script>",
    "a & b",
    "new\nline",
    "\x1b[2J",
    "\ud800",
    "\u202eright",
    "fa:fa-ban",
    "$$x^2$$",
    "end",
    "click b0 call x()",
    "`**bold**`",
    "%%{init: {}}%%",
    "x" * 500,
    "]]>",
    "--></desc>",
]


@pytest.fixture(scope="module")
def hostile() -> Picture:
    """One PDU per hostile id, all on a failed UPS."""
    feeds = [Domain(name, "power", parent="ups") for name in HOSTILE]
    return draw(
        small(Domain("ups", "ups"), *feeds, nodes=[node("n", pdu=HOSTILE[0])]), ["ups"], Options(full=True)
    )


class TestDot:
    """Graphviz reads it, and draws what was meant."""

    def test_every_label_is_one_closed_string(self, hostile: Picture) -> None:
        body = render_dot(hostile)
        assert body.isprintable() or set(re.findall(r"[^\x20-\uffff]", body)) <= {"\n"}
        for line in body.splitlines():
            outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
            assert '"' not in outside
            assert "evil" not in outside

    def test_ids_are_synthetic(self, hostile: Picture) -> None:
        nodes = re.findall(r"^  (\S+) \[label=", render_dot(hostile), re.MULTILINE)
        assert nodes == [f"b{i}" for i in range(len(HOSTILE) + 2)]

    def test_entities_are_not_interpreted(self, hostile: Picture) -> None:
        assert "a &amp; b" in render_dot(hostile)


class TestMermaid:
    """A flowchart that renders in a README."""

    def test_labels_hold_no_syntax(self, hostile: Picture) -> None:
        text = render_mermaid(hostile)
        for label in re.findall(r'^  b\d+\[+"(.*)"\]+:::', text, re.MULTILINE):
            assert not re.search(r"[<>\"'`$\[\]{}&|\\]", label.replace("<br/>", ""))
            assert not re.search(r"#(?!\d+;)", label)
        assert len(re.findall(r":::", text)) == len(hostile.boxes)

    def test_limits_are_refused_rather_than_drawn_as_nothing(self) -> None:
        with pytest.raises(TooLargeForMermaid, match="more than Mermaid draws"):
            render_mermaid(draw(halls(4), options=Options(full=True)))


class TestPage:
    """One file: no script, nothing fetched, the style allowed by its hash alone."""

    def test_the_policy_allows_exactly_the_style(self) -> None:
        html = render_html(draw(example("lab"), ["feed-strong"]))
        (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert f"default-src 'none'; style-src 'sha256-{digest}'" in html
        assert "style=" not in html
        assert "<script" not in html
        assert "prefers-color-scheme:dark" in style

    def test_hostile_ids_are_text(self, hostile: Picture) -> None:
        html = render_html(hostile)
        assert "<script" not in html
        assert "&lt;script&gt;" in html
        assert "\x1b" not in html
        html.encode()


class TestTree:
    """From what failed down; every box once; ASCII where a terminal has nothing else."""

    def test_the_lab(self) -> None:
        lines = render_tree(draw(example("lab"), ["feed-strong"])).splitlines()
        assert lines[0] == "What if feed-strong fails?"
        assert any(line.startswith("× feed-strong (UPS)  FAILED") for line in lines)
        assert any(line.startswith("└─ ▼ lab-panel (PDU)  DEMOTED") for line in lines)
        assert "└─ ▼ lab-panel (PDU)  (shown above)" in lines

    def test_ascii_is_ascii(self) -> None:
        text = render_tree(draw(example("two-halls"), ["h1-ups-a"]), ascii_only=True)
        assert text.isascii()
        assert "`- " in text

    def test_no_line_is_wider_than_asked(self) -> None:
        text = render_tree(draw(example("two-halls"), ["h1-ups-a"]), width=80)
        assert max(map(len, text.splitlines())) <= 80

    def test_colour_only_where_asked(self) -> None:
        drawn = draw(example("lab"), ["feed-strong"])
        assert "\x1b" not in render_tree(drawn)
        assert "\x1b[1;31mFAILED" in render_tree(drawn, style=Style(enabled=True))

    def test_controls_in_ids_are_made_visible(self, hostile: Picture) -> None:
        text = render_tree(hostile)
        assert "\x1b" not in text
        assert "\\x1b[2J" in text
        text.encode()

    def test_a_chain_of_thousands_is_written(self) -> None:
        text = render_tree(draw(ladder(300), ["p00000"], Options(full=True)))
        assert "[299] " in text


class TestPng:
    """The bundled font draws it, the same on every machine."""

    def test_same_bytes_twice_at_twice_the_size(self) -> None:
        drawn = draw(example("lab"), ["feed-strong"])
        png = render_png(drawn)
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert png == render_png(drawn)
        assert struct.unpack(">I", png[16:20])[0] == 1520

    def test_text_is_drawn(self) -> None:
        """A renderer that finds no font drops all text silently: then both pictures would be equal."""
        one = render_png(draw(small(Domain("a", "ups"))))
        other = render_png(draw(small(Domain("b", "ups"))))
        assert one != other

    def test_what_no_png_can_hold_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("topo.diagram.png.MAX_PIXELS", 1000)
        with pytest.raises(TooLarge, match="too large for a PNG"):
            render_png(draw(example("lab")))
