"""The judges of outputs would notice an attack that got through."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.hostile import judges


def _bad(judge: Callable[..., object], *outputs: str) -> None:
    with pytest.raises(AssertionError):
        judge(*outputs)


@pytest.mark.parametrize(
    "output", ["a\x1b[2Jb\n", "a\rb\n", "\u202ea\n", "\x9b31m\n", "a\u2028b\n", "\x00\n", "\x07\n"]
)
def test_text(output: str) -> None:
    _bad(judges.text, output)
    judges.text("\x1b[1mbold\x1b[0m and plain\n")


@pytest.mark.parametrize(
    "output",
    [
        "<b>x</b>\n",
        "[a](b)\n",
        "![a](b)\n",
        "| a | b |\n|---|---|\n| x | y | z |\n",
        "# a~role\n",
        "`a` <b> `c`\n",
    ],
)
def test_markdown(output: str) -> None:
    _bad(judges.markdown, output)
    judges.markdown("# Findings\n\n| a | b |\n|---|---|\n| `<b>` | \\<b\\> \\| |\n")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "@SUM(A1)", "-x", "\tx", '"a\rb"'])
def test_comma_separated(cell: str) -> None:
    _bad(judges.comma_separated, f"a,b\r\n1,{cell}\r\n")
    judges.comma_separated("a,b\r\n1,-2.5\r\n")


@pytest.mark.parametrize(
    "output", ["::error file=a,line=1,col=1,title=x::y\n::stop-commands::z\n", "words\n"]
)
def test_github(output: str) -> None:
    _bad(judges.github, output)
    judges.github("::error file=a%3A,line=1,col=1,title=x::50%25\n")


@pytest.mark.parametrize(
    "inside", ["<img>", "<p onclick='x'>", "<a href=' java\tscript:x'>", "<p class='x'>"]
)
def test_page(inside: str) -> None:
    _bad(judges.page, f"<p>{inside}</p>", "<p>a</p>")
    judges.page("<p>&lt;img&gt;</p>", "<p>a</p>")


@pytest.mark.parametrize("inside", ['"a" b [label="x"]; "c" -> "d" [URL=`x`]', '"a" "', "<b>", '"\\N"'])
def test_dot(inside: str) -> None:
    _bad(judges.dot, f"digraph {{ {inside} }}\n")
    judges.dot('digraph {\n  "a \\" b" -> "c\\\\" [label="x\\ny"];\n}\n')


@pytest.mark.parametrize("line", ['  b1["a"]:::lost', "  click b1 x", '  b1["a"b"]', '  b1["a"]\n  b2["c"]'])
def test_mermaid(line: str) -> None:
    twin = 'flowchart TB\n  b0["z"]\n'
    _bad(judges.mermaid, f"flowchart TB\n{line}\n", twin)
    judges.mermaid('flowchart TB\n  b7["-->"]\n', twin)


@pytest.mark.parametrize("output", ['{"schemaVersion": 1, "valid": true}', '{"a": NaN}', '{"a": "é"}', "{"])
def test_json(output: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        judges.json_of("validate", output)
