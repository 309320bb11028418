"""What people call the kinds of domains: one vocabulary, the methodology's, for tables, texts and pictures.

The names of the kinds themselves (`power`, `ups`, spec 1) stay what files and JSON say.
"""

from typing import Final

_WORDS: Final[dict[str, tuple[str, str]]] = {
    "utility": ("utility", "utilities"),
    "generator": ("generator", "generators"),
    "transformer": ("transformer", "transformers"),
    "switchgear": ("switchgear", "switchgear"),
    "ats": ("ATS", "ATSs"),
    "ups": ("UPS", "UPSs"),
    "power": ("PDU", "PDUs"),
    "rack": ("rack", "racks"),
    "nodes": ("node", "nodes"),
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
    """Return what `count` domains of a kind are called.

    >>> kind_word("power"), kind_word("ups", 2)
    ('PDU', 'UPSs')
    """
    return _WORDS[kind][0 if count == 1 else 1]
