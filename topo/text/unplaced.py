"""Nodes that may be lost too: the map does not say where their power, or their cooling, comes from."""

from collections.abc import Sequence
from typing import Final

from closure.unplaced import Unplaced
from topo.text.page import PageOptions, block
from topo.text.table import Column
from topo.text.words import count
from topology.kinds import Commodity
from topology.supply import Supply

SUPPLY_WORDS: Final[dict[Commodity, str]] = {"power": "power", "heat": "cooling"}
"""What a commodity is called where it comes from."""

_DO: Final[dict[tuple[Commodity, Supply], str]] = {
    ("power", "unnamed"): "name its rack, pdu or ups",
    ("power", "undeclared"): "declare the rack, pdu or ups that it names",
    ("heat", "unnamed"): "name its cooling; one of its own if air cools it",
    ("heat", "undeclared"): "declare the cooling that it names",
}


def unplaced_words(unplaced: Sequence[Unplaced]) -> str:
    """Return how many nodes may be lost too, and for want of what; empty: none."""
    if not unplaced:
        return ""
    found = {each.commodity for each in unplaced}
    lacking = " or ".join(word for commodity, word in SUPPLY_WORDS.items() if commodity in found)
    nodes = len({each.id for each in unplaced})
    whose = "its" if nodes == 1 else "their"
    return f"{count(nodes, 'node')} may be lost too: where {whose} {lacking} comes from is not in the map."


def unplaced_section(unplaced: Sequence[Unplaced], options: PageOptions) -> list[str]:
    """Return which ones, and what to do about each; nothing where there are none."""
    if not unplaced:
        return []
    rows = [[each.id, SUPPLY_WORDS[each.commodity], do_words(each)] for each in unplaced]
    columns = [Column("node", flexible=True), Column("unknown"), Column("do", wraps=True)]
    note = "alive by the map, which does not say what they hang from"
    return block(("May be lost too", note), columns, rows, options)


def do_words(each: Unplaced) -> str:
    """Return what to write into the map."""
    return _DO[each.commodity, each.why]
