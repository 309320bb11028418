"""Hostile text made harmless: what a file calls its things never steers a terminal."""

import re
from typing import Final

_UNSAFE: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"  # bidi controls, zero width
    "\u2028\u2029\ud800-\udfff]"  # line separators, lone surrogates
)


def clean(text: str) -> str:
    r"""Return `text` with every control, bidi override and lone surrogate made visible, on one line.

    >>> clean("pdu-a\x1b[31m")
    'pdu-a\\x1b[31m'
    >>> clean("rack\u202e1")
    'rack\\u{202e}1'
    """
    return _UNSAFE.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}"
