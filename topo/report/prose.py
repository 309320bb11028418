"""The page of definitions as passages of plain text, with the constants as they are now."""

import re
from typing import Final, Literal

from findings import constants
from topo.report.policy import asset

Kind = Literal["text", "code", "item"]
Passage = tuple[tuple[Kind, str], ...]
"""Paragraphs of one definition, each with its kind."""

_ANCHOR: Final = re.compile(r'<a id="([a-z0-9-]+)"></a>\n### [^\n]*\n')
_VALUE: Final = re.compile(r"`([A-Z][A-Z0-9_]+)`( \(|, | is )(\d[\d.e+-]*\d|\d)")
_NAME: Final = re.compile(r"\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_STEP: Final = re.compile(r"^(\d+\.|-) ")


def passages() -> dict[str, Passage]:
    """Return the prose of every definition, by formula id."""
    parts = _ANCHOR.split(asset("methodology.txt"))
    return {name: _passage(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _passage(text: str) -> Passage:
    body = text.split("\n## ", 1)[0]
    return tuple(piece for block in re.split(r"\n\s*\n", body.strip("\n")) for piece in _block(block))


def _block(block: str) -> list[tuple[Kind, str]]:
    if block.startswith("    "):
        return [("code", _with_values("\n".join(line[4:] for line in block.split("\n"))))]
    if _STEP.match(block):
        items = re.split(r"\n(?=\d+\. |- )", block)
        return [("item", _plain(item)) for item in items]
    return [("text", _plain(block))]


def _plain(text: str) -> str:
    """Return markdown as text: one line, no marks, `NAME` (value) with the value of now."""
    line = " ".join(text.split())
    line = _VALUE.sub(lambda match: f"{match[1]}{match[2]}{_value(match[1], match[3])}", line)
    return _LINK.sub(r"\1", line).replace("`", "").replace("*", "")


def _with_values(code: str) -> str:
    return _NAME.sub(lambda match: _value(match[1], match[1]), code)


def _value(name: str, otherwise: str) -> str:
    return str(getattr(constants, name, otherwise))
