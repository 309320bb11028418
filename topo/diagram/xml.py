"""Text made safe for XML: whatever an id holds, the document stays well-formed."""

import re
from typing import Final

from topo.text.clean import clean

_FORBIDDEN: Final = re.compile("[\ufffe\uffff]")
"""Characters that XML 1.0 does not allow and that `clean` leaves."""


def escaped(text: str) -> str:
    """Return `text` as XML character data; line breaks stay."""
    lines = (_FORBIDDEN.sub("\ufffd", clean(line)) for line in text.split("\n"))
    return "\n".join(lines).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def attribute(text: str) -> str:
    """Return `text` for a double-quoted XML attribute."""
    return escaped(text).replace('"', "&quot;")
