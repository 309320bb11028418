"""The one table of axes, domain kinds and commodities (spec 1)."""

from dataclasses import dataclass
from typing import Final, Literal

Commodity = Literal["power", "heat"]

POWER: Final[Commodity] = "power"
HEAT: Final[Commodity] = "heat"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a domain of this kind carries, and whether it counts as facility for coverage."""

    name: str
    commodity: Commodity | None
    facility: bool


_POWER_FACILITY = ("power", "ups", "transformer", "ats", "switchgear", "generator", "utility")
_CARRIES_NOTHING = ("network", "nvlink", "row", "room", "building", "zone", "region")

KINDS: Final[dict[str, Kind]] = {
    "rack": Kind("rack", POWER, facility=False),
    **{name: Kind(name, POWER, facility=True) for name in _POWER_FACILITY},
    "cooling": Kind("cooling", HEAT, facility=True),
    **{name: Kind(name, None, facility=False) for name in _CARRIES_NOTHING},
}
"""Every domain kind by name."""

KINDS_MEANT: Final = {
    **dict.fromkeys(("pdu", "rpp", "rppdu", "powerpanel", "busway", "breaker", "circuit"), "power"),
    **dict.fromkeys(("cdu", "chiller", "crac", "crah", "pump", "loop", "coolingloop"), "cooling"),
    **dict.fromkeys(("switch", "leaf", "spine", "tor"), "network"),
    **dict.fromkeys(("genset", "diesel"), "generator"),
    **dict.fromkeys(("xfmr", "trafo"), "transformer"),
    **dict.fromkeys(("grid", "mains"), "utility"),
    "sts": "ats",
    "hall": "room",
    "az": "zone",
}
"""What operators call equipment -> the kind that it is: for hints alone."""

STATUS_MEANT: Final = {
    **dict.fromkeys(
        "down off offline failed broken dead disabled maintenance false no removed".split(), "out"
    ),
    **dict.fromkeys("up on online ok active enabled running healthy true yes inservice".split(), "in"),
    "outofservice": "out",
}
"""What operators call a status -> the status: for hints alone."""

AXES: Final[dict[str, str]] = {
    "rack": "rack",
    "pdu": "power",
    "ups": "ups",
    "cooling": "cooling",
    "network": "network",
    "nvlink": "nvlink",
    "row": "row",
    "room": "room",
    "building": "building",
    "zone": "zone",
    "region": "region",
}
"""Node axis -> the kind that its values name, in the order in which axes are reported."""

LIST_AXES: Final = frozenset({"pdu", "ups"})
"""Axes on which a bare list means redundant cords: lost only when all are lost."""

ANY_ALL_AXES: Final = frozenset({"pdu", "ups", "cooling", "network"})
"""Axes on which `{any: [..]}` and `{all: [..]}` may be said."""

POWER_ENTRY_AXES: Final = ("pdu", "ups", "rack")
"""Where a node's power enters: the first of these axes that it names (spec 4, strict check)."""


def commodity_of(kind: str) -> Commodity | None:
    """Return what a domain of `kind` carries: "power", "heat", or None for kinds that carry nothing."""
    return KINDS[kind].commodity


def is_facility(kind: str) -> bool:
    """Return whether standing on a domain of `kind` counts towards facility coverage."""
    return KINDS[kind].facility
