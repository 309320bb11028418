"""One hall of a generated campus: 54 racks of eight 8-GPU nodes, and everything that feeds and cools them."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from topology.model import Domain, Standing

RACKS_PER_HALL = 54
NODES_PER_RACK = 8
PDU_PAIRS = 14
HALLS_PER_CAMPUS = 8
WEAK_PDU_KW = 60
DESIGNS = ("2N", "4-to-make-3", "catcher")
UPS_KW = {"2N": (1800, 1800), "4-to-make-3": (1100, 900), "catcher": (1300, 1300)}
"""What a UPS system carries, and what it carries in three halls of ten: too little after a failure."""


@dataclass
class Hall:
    """A hall under construction: its domains, and the standings of each rack's nodes."""

    number: int
    racks: int
    random: Random
    domains: list[Domain] = field(default_factory=list)
    standings: list[tuple[Standing, ...]] = field(default_factory=list)
    said: dict[tuple[str, str], Standing] = field(default_factory=dict)

    def add(self, id_: str, kind: str, **fields: Any) -> str:
        """Add a domain and return its id."""
        self.domains.append(Domain(id_, kind, **fields))
        return id_

    def stands(self, axis: str, id_: str) -> Standing:
        """Return a standing on one id, the same object for the same words, as loaded files have it."""
        return self.said.setdefault((axis, id_), Standing(axis, "one", (id_,)))

    def name(self, part: str) -> str:
        """Return the id of a part of this hall."""
        return f"h{self.number:04}-{part}"

    @property
    def campus(self) -> str:
        """The prefix of what halls share: utilities, medium-voltage buses and the zone."""
        return f"c{self.number // HALLS_PER_CAMPUS:03}"

    @property
    def design(self) -> str:
        """How this hall's UPS systems back each other up."""
        return DESIGNS[self.number % len(DESIGNS)]


def build_hall(number: int, racks: int, random: Random) -> Hall:
    """Return a hall with `racks` racks, its facility complete whatever their number."""
    hall = Hall(number, racks, random)
    boards, ups = _boards_and_ups(hall)
    pdus = [_pdu_pair(hall, pair, ups) for pair in range(min(PDU_PAIRS, max(1, -(-racks // 4))))]
    loops = _loops(hall, boards, ups)
    leafs = _fabric(hall, pdus)
    for rack in range(racks):
        _rack(hall, rack, pdus[rack % len(pdus)], loops[rack // 6], leafs[rack // 2])
    return hall


def campus_domains(campus: str) -> list[Domain]:
    """Return what the halls of a campus share."""
    utilities = [Domain(f"{campus}-utility-{side}", "utility", rated_kw=40_000) for side in "ab"]
    buses = [
        Domain(f"{campus}-mv-{side}", "switchgear", feeds=tuple(feeds), transfer="preferred", rated_kw=40_000)
        for side, feeds in (
            ("a", [utility.id for utility in utilities]),
            ("b", [utility.id for utility in utilities[::-1]]),
        )
    ]
    return [*utilities, *buses, Domain(f"{campus}-zone", "zone")]


def _boards_and_ups(hall: Hall) -> tuple[list[str], list[str]]:
    gensets = hall.number % 2 == 0
    if gensets:
        sets = tuple(hall.add(hall.name(f"gen-{n}"), "generator", rated_kw=2000) for n in range(3))
        hall.add(hall.name("gen-bus"), "switchgear", feeds=sets, min_feeds=2, rated_kw=6000)
    rating = UPS_KW[hall.design][hall.random.random() < 0.3]
    boards, systems = [], []
    for n in range(4):
        side = "ab"[n % 2]
        source = hall.add(
            hall.name(f"xfmr-{n}"), "transformer", parent=f"{hall.campus}-mv-{side}", rated_kw=2250
        )
        if gensets:
            feeds = (source, hall.name("gen-bus"))
            source = hall.add(hall.name(f"ats-{n}"), "ats", feeds=feeds, transfer="preferred", rated_kw=2250)
        boards.append(source)
        systems.append(hall.add(hall.name(f"ups-{n}"), "ups", parent=source, rated_kw=rating))
    return boards, systems


def _pdu_pair(hall: Hall, pair: int, ups: list[str]) -> tuple[str, str]:
    """Add an A and a B PDU: 6 % of the pairs are weak, 10 % have no rating."""
    kind = hall.random.random()
    rating = WEAK_PDU_KW if kind < 0.06 else None if kind < 0.16 else 250
    names = []
    for offset, side in enumerate("ab"):
        name = hall.name(f"pdu-{pair:02}{side}")
        if hall.design == "catcher":
            feeds = (ups[(pair + offset) % 3], ups[3])
            hall.add(name, "power", feeds=feeds, transfer="preferred", rated_kw=rating)
        else:
            first = 2 * (pair % 2) if hall.design == "2N" else pair
            hall.add(name, "power", parent=ups[(first + offset) % 4], rated_kw=rating)
        names.append(name)
    return names[0], names[1]


def _loops(hall: Hall, boards: list[str], ups: list[str]) -> list[str]:
    """Add one cooling loop per six racks: on five shared chillers, or on three pumps of its own."""
    count = -(-hall.racks // 6)
    if hall.number % 2:
        panel = hall.add(hall.name("mcc"), "power", feeds=(boards[0], boards[1]), rated_kw=2000)
        chillers = tuple(
            hall.add(hall.name(f"chiller-{n}"), "cooling", parent=panel, rated_kw=1000, own_load_kw=200)
            for n in range(5)
        )
        feeds = [chillers] * count
        needed = 4
    else:
        feeds = []
        for loop in range(count):
            pumps = (
                hall.add(hall.name(f"pump-{loop}-{n}"), "cooling", parent=ups[n], rated_kw=250, own_load_kw=4)
                for n in range(3)
            )
            feeds.append(tuple(pumps))
        needed = 2
    loops = []
    for loop in range(count):
        minutes = 1 + int(5 * hall.random.random())
        name = hall.name(f"cdu-{loop}")
        hall.add(
            name, "cooling", feeds=feeds[loop], min_feeds=needed, rated_kw=500, ride_through_minutes=minutes
        )
        loops.append(name)
    return loops


def _fabric(hall: Hall, pdus: list[tuple[str, str]]) -> list[str]:
    spines = tuple(
        hall.add(hall.name(f"spine-{n}"), "network", feeds=pdus[n % len(pdus)], own_load_kw=3)
        for n in range(4)
    )
    return [
        hall.add(hall.name(f"leaf-{n:02}"), "network", feeds=spines, min_feeds=2)
        for n in range(-(-hall.racks // 2))
    ]


def _rack(hall: Hall, number: int, pdus: tuple[str, str], loop: str, leaf: str) -> None:
    """Add a rack and the standings that its nodes share; one in ten is single-corded."""
    name = hall.name(f"rack-{number:02}")
    if hall.random.random() < 0.1:
        hall.add(name, "rack", parent=pdus[number % 2], rated_kw=70)
    else:
        hall.add(name, "rack", feeds=pdus, rated_kw=70)
    standings = [("rack", name), ("cooling", loop), ("network", leaf)]
    if number % 2:
        standings.append(("nvlink", hall.add(hall.name(f"nvlink-{number:02}"), "nvlink", parent=name)))
    standings.append(("zone", f"{hall.campus}-zone"))
    hall.standings.append(tuple(hall.stands(axis, id_) for axis, id_ in standings))
