"""Hostile text made harmless: what a file calls its things steers no terminal, and nothing is unseen."""

import re
from typing import Final

_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad"  # C0, DEL, C1, the soft hyphen
    "\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"  # of scripts
    "\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # of notations
    "\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0d\U000e0000-\U0010ffff]"  # surrogates, private use, variants, tags
    "|(?<![#*0-9\xa9\xae\u203c-\u32ff\U0001f000-\U0001faff])[\ufe0e\ufe0f]"  # colour, where no symbol has one
)
"""Everything that is shown as nothing, or as nobody knows what: the categories Cc, Cf, Co, Cs, Zl and Zp,
the other characters that Unicode calls default-ignorable, the Hangul and Braille blanks."""


def clean(text: str) -> str:
    r"""Return `text` with every control, bidi override, invisible character and lone surrogate made visible.

    It is on one line then. An emoji keeps the mark that gives it its colour.

    >>> clean("pdu-a\x1b[31m")
    'pdu-a\\x1b[31m'
    >>> clean("rack\u202e1")
    'rack\\u{202e}1'
    """
    return _UNSEEN.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:04x}}}"
