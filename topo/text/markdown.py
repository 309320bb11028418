"""Markdown in which every text is text, whatever names it holds: one escaping for all outputs."""

import re
from typing import Final

from topo.text.clean import clean

_SPECIAL: Final = re.compile(
    r"(?P<apart>(?<!\w)@(?=\w)|#(?=\w)|(?<!\w)GH(?=-\d))"  # people and issues
    r"|[!\"#$&*+<=>?@\[\\\]^_`{|}~]"  # markup, formulas
    r"|(?<!\d):(?!\s|$)|:(?![\s\d]|$)|(?<=www)\.",  # links, emoji
    re.IGNORECASE,
)
_APART: Final = "&#8203;"
"""A space of no width: a forge seeks people and issues in what is shown, where an escape is gone already."""


def escaped(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, and no forge turns a part of it into a link.

    >>> escaped("<b> https://a.example @team GH-1")
    '&#60;b&#62; https&#58;//a.example &#64;&#8203;team GH&#8203;-1'
    """
    return _SPECIAL.sub(_inert, clean(text))


def _inert(match: re.Match[str]) -> str:
    found = match.group()
    shown = found if len(found) > 1 else f"&#{ord(found)};"
    return shown + _APART if match.group("apart") else shown
