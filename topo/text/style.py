"""Colour for terminals: never the only carrier of meaning, off wherever it could do harm."""

import os
from dataclasses import dataclass
from typing import Final, TextIO

_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
}


@dataclass(frozen=True, slots=True)
class Style:
    """Paints words when `enabled`, else returns them as they are."""

    enabled: bool = False

    def __call__(self, text: str, *names: str) -> str:
        """Return `text` in the named styles."""
        if not self.enabled or not names:
            return text
        return f"\x1b[{';'.join(_CODES[name] for name in names)}m{text}\x1b[0m"


def style_for(stream: TextIO) -> Style:
    """Return colour for a terminal, none for a pipe, NO_COLOR or a dumb terminal; FORCE_COLOR forces it."""
    if os.environ.get("NO_COLOR"):
        return Style(enabled=False)
    if os.environ.get("FORCE_COLOR"):
        return Style(enabled=True)
    return Style(enabled=stream.isatty() and os.environ.get("TERM") != "dumb")
