"""What people call the kinds, and where each stands in a one-line diagram."""

from typing import Final

from topo.diagram.model import NODES

_TOP: Final = ("utility", "transformer", "switchgear", "ats", "ups", "power", "rack", NODES)
_BOTTOM: Final = ("nvlink", "network", "cooling", "row", "room", "building", "zone", "region")

ORDER: Final[dict[str, int]] = {kind: order for order, kind in enumerate(_TOP + _BOTTOM)} | {"generator": 0}
"""Rows from the top: power comes down, machines stand in the middle, cooling and the rest come from below."""

BELOW: Final[frozenset[str]] = frozenset(_BOTTOM)
"""Kinds drawn below the machines: what they depend on hangs further down."""

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "utility": ("utility", "utilities"),
    "generator": ("generator", "generators"),
    "transformer": ("transformer", "transformers"),
    "switchgear": ("switchgear", "switchgear"),
    "ats": ("ATS", "ATSs"),
    "ups": ("UPS", "UPSs"),
    "power": ("PDU", "PDUs"),
    "rack": ("rack", "racks"),
    NODES: ("node", "nodes"),
    "nvlink": ("NVLink domain", "NVLink domains"),
    "network": ("network", "networks"),
    "cooling": ("cooling", "cooling units"),
    "row": ("row", "rows"),
    "room": ("room", "rooms"),
    "building": ("building", "buildings"),
    "zone": ("zone", "zones"),
    "region": ("region", "regions"),
}


def kind_word(kind: str, count: int = 1) -> str:
    """Return what `count` domains of a kind are called."""
    return _WORDS[kind][0 if count == 1 else 1]


def row_title(kinds: tuple[str, ...], level: int) -> str:
    """Return the heading of a row of boxes."""
    words = [kind_word(kind, 2) for kind in kinds]
    if kinds == ("cooling",):
        words = ["cooling plant" if level else "cooling loops"]
    heading = ", ".join(words)
    return heading[0].upper() + heading[1:]
