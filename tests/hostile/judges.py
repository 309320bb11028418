"""What makes an output safe, format by format. Each judge raises AssertionError with what it found."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_STEERING = {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"}
_ANNOTATION = re.compile(r"::(error|warning|notice) file=[^:,]*,line=\d+,col=\d+,title=[^:,]*::.+\Z")
_MARKUP = re.compile(r"<[a-zA-Z/!]|\]\(|!\[|^#+ .*~|^\s*[*+-] .*~\Z")
_LINKED = re.compile(r"@\w|#\d|\bGH-\d|://|\bwww\.", re.IGNORECASE)
_CODE_OR_ESCAPED = re.compile(r"(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)|\\[!-/:-@\[-`{-~]", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LIVE = ("http-equiv", "srcdoc", "formaction")


def text(output: str) -> None:
    """Nothing that steers a terminal: no control but line ends, nothing invisible, no surrogates."""
    for number, line in enumerate(_COLOUR.sub("", output).split("\n"), 1):
        bad = [char for char in line if _steers(char)]
        assert not bad, f"line {number}: {bad!r} in {line[:200]!r}"


def _steers(char: str) -> bool:
    return (
        unicodedata.category(char) in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
        or unicodedata.bidirectional(char) in _STEERING
        or char in "\u115f\u1160\u3164\uffa0\u2800\ufe00"
    )


def json_of(command: str, output: str) -> Any:
    """ASCII JSON without NaN, valid under the schema of its command where there is one."""
    assert output.isascii()
    document = json.loads(output, parse_constant=_no_constant)
    path = SCHEMAS / f"{command}.schema.json"
    if path.exists() and command not in ("estate", "topology"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        errors = [error.message[:300] for error in Draft202012Validator(schema).iter_errors(document)]
        assert errors == []
    return document


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def markdown(output: str) -> None:
    """No markup comes from a name: no tags, links, images; a table's rows have the columns of its head."""
    text(output)
    columns = 0
    for line in output.split("\n"):
        bare = _CODE_OR_ESCAPED.sub("", line)
        assert not _MARKUP.search(bare), f"markup in {line[:300]!r}"
        assert not _LINKED.search(re.sub(r"&#\d+;", "~", bare)), f"a link in {line[:300]!r}"
        # A pipe ends a cell within a code span too.
        pipes = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert not pipes or not columns or pipes == columns, (
            f"{pipes} and not {columns} cells in {line[:300]!r}"
        )
        columns = pipes


def comma_separated(output: str) -> None:
    """Every row is as long as the head, and no cell is a formula."""
    rows = list(csv.reader(io.StringIO(output, newline="")))
    assert len({len(row) for row in rows}) == 1
    cells = [cell for row in rows for cell in row]
    assert [cell for cell in cells if re.match(r"[=+@\t\r\uff1d\uff0b\uff0d\uff20]|-(?![\d.])", cell)] == []
    text(output.replace("\r\n", "\n"))


def sarif(output: str) -> None:
    """The essentials of SARIF 2.1.0: every result names a rule of the driver, and a place in a file."""
    document = json_of("sarif", output)
    assert (document["version"], len(document["runs"])) == ("2.1.0", 1)
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules) > 0
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note", "none")
        assert result["message"]["text"].strip()
        for place in (*result.get("locations", ()), *result.get("relatedLocations", ())):
            region = place["physicalLocation"].get("region", {"startLine": 1})
            assert region["startLine"] >= 1
            assert re.fullmatch(r"[\w.~/%-]+", place["physicalLocation"]["artifactLocation"]["uri"])


def github(output: str) -> None:
    """One workflow command a line, and nothing else."""
    text(output)
    for line in output.splitlines():
        assert _ANNOTATION.match(line), line[:300]
        assert not re.search(r"%(?!25|0A|0D|3A|2C)", line), line[:300]


class Shape(HTMLParser):
    """What a page consists of: tags with the names of their attributes, and what would act."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[tuple[str, tuple[str, ...]]] = set()
        self.acts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add((tag, tuple(sorted(name for name, _ in attrs))))
        for name, value in attrs:
            target = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or name in _LIVE or target.startswith(("javascript:", "data:text")):
                self.acts.append(f"{tag} {name}={value}")

    def handle_comment(self, _data: str) -> None:
        self.tags.add(("!--", ()))


def page(output: str, twin: str) -> None:
    """A page has no element and no attribute that the page of the harmless twin has not."""
    shape, harmless = Shape(output), Shape(twin)
    assert set(shape.acts) <= set(harmless.acts)
    assert shape.tags - harmless.tags == set()
    assert "\x00" not in output


def drawing(output: str, twin: str) -> None:
    """Well-formed XML, of the elements and attributes of the harmless twin."""
    page(output, twin)
    found, harmless = (
        {(each.tag, *sorted(each.attrib)) for each in ElementTree.fromstring(svg).iter()}
        for svg in (output, twin)
    )
    assert found - harmless == set()


def dot(output: str) -> None:
    """Names stand in quotes alone: without them, only words, numbers and the signs of DOT are left."""
    text(output)
    bare = _QUOTED.sub("Q", output)
    assert '"' not in bare
    assert re.fullmatch(r"[\w\s{}\[\]=;,.#>-]*", bare), re.findall(r"[^\w\s{}\[\]=;,.#>-].{0,80}", bare)[:3]
    assert bare.count("{") == bare.count("}")
    # HTML-like labels would need <...>; escapes that Graphviz replaces (\N, \G) must not come from a name.
    assert not re.search(r"(?<!\\)(?:\\\\)*\\[^\"\\nlr]", output)


def mermaid(output: str, twin: str) -> None:
    """Statements as the harmless twin has them: names stand in quotes, and cannot end them."""
    text(output)
    assert len(output.split("\n")) == len(twin.split("\n"))
    found, harmless = ({_statement(line) for line in drawn.split("\n")} for drawn in (output, twin))
    assert found - harmless == set()


def _statement(line: str) -> str:
    """A line without its names, and without the numbers by which the order of names decides."""
    if line.startswith("title: "):
        assert isinstance(json.loads(line.removeprefix("title: ")), str)
        return "title"
    bare = re.sub(r'"[^"]*"', "Q", line)
    assert '"' not in bare, line[:300]
    return re.sub(r"\d+(,\d+)*", "N", bare)


def picture(output: bytes) -> None:
    """A PNG."""
    assert output.startswith(b"\x89PNG\r\n\x1a\n")
    assert output.rstrip(b"\x00").endswith(b"IEND\xaeB`\x82")
