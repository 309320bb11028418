"""Text measured with the bundled font's metrics, so that it is fitted before anything is drawn."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

ELLIPSIS: Final = "…"
_UNKNOWN_EM: Final = 1.0
"""Width [em] assumed for a character outside the bundled font: that of the widest usual ones."""


@cache
def _advances(bold: bool) -> Mapping[str, float]:
    data = json.loads((files("topo") / "assets/fonts/metrics.json").read_text("ascii"))
    return {
        char: int(units) / data["unitsPerEm"]
        for units, chars in data["advances"]["bold" if bold else "regular"].items()
        for char in chars
    }


def covered(text: str) -> bool:
    """Return whether the bundled fonts have every character of `text`."""
    return all(char in _advances(bold=False) for char in text)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of `text` [px] at a font size [px]."""
    advances = _advances(bold)
    try:
        return size * sum(map(advances.__getitem__, text))
    except KeyError:
        return size * sum(advances.get(char, _unknown(char)) for char in text)


def _unknown(char: str) -> float:
    return 0.0 if unicodedata.combining(char) else _UNKNOWN_EM


def clipped(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Return `text` within `width` [px]: the middle gives way, so that both ends can be told apart."""
    if text_width(text[:1000], size, bold=bold) <= width and len(text) <= 1000:
        return text
    low, high = 0, min(len(text), 1000)
    while low < high:
        kept = (low + high + 1) // 2
        if text_width(_middle_cut(text, kept), size, bold=bold) <= width:
            low = kept
        else:
            high = kept - 1
    return _middle_cut(text, low)


def _middle_cut(text: str, kept: int) -> str:
    tail = kept // 2
    return text[: kept - tail] + ELLIPSIS + (text[-tail:] if tail else "")


def fitted(candidates: Sequence[str], width: float, size: float, *, bold: bool = False) -> str:
    """Return the first candidate within `width` [px], else the last one clipped."""
    for text in candidates:
        if text_width(text, size, bold=bold) <= width:
            return text
    return clipped(candidates[-1], width, size, bold=bold) if candidates else ""


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Return `text` as lines within `width` [px]; a word that is too long is clipped."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        line = clipped(word, width, size, bold=bold)
    return [*lines, line] if line else lines
