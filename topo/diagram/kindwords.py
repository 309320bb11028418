"""Where each kind stands in a one-line diagram, and the headings of its rows."""

from typing import Final

from topo.diagram.model import NODES
from topo.kind_words import kind_word

_TOP: Final = ("utility", "transformer", "switchgear", "ats", "ups", "power", "rack", NODES)
_BOTTOM: Final = ("nvlink", "network", "cooling", "row", "room", "building", "zone", "region")

ORDER: Final[dict[str, int]] = {kind: order for order, kind in enumerate(_TOP + _BOTTOM)} | {"generator": 0}
"""Rows from the top: power comes down, machines stand in the middle, cooling and the rest come from below."""

BELOW: Final[frozenset[str]] = frozenset(_BOTTOM)
"""Kinds drawn below the machines: what they depend on hangs further down."""


def row_title(kinds: tuple[str, ...], level: int) -> str:
    """Return the heading of a row of boxes."""
    words = [kind_word(kind, 2) for kind in kinds]
    if kinds == ("cooling",):
        words = ["cooling plant" if level else "cooling loops"]
    heading = ", ".join(words)
    return heading[0].upper() + heading[1:]
