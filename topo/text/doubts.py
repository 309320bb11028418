"""What an answer needs and nobody knows, as a table."""

from collections.abc import Iterable
from typing import Final

from findings.maintenance.safety import Doubt
from topo.text.page import PageOptions, block
from topo.text.table import Column

_DOUBTS: Final = {
    "allocated-unknown": "would be lost; what is allocated there is unknown",
    "cooling-undeclared": "names cooling of unknown upstream: declare it",
    "cooling-unnamed": "names no cooling domain: name it",
    "draw-unknown": "what it draws from its remaining feeds is unknown",
    "load-unknown": "load shifts onto it, and some of its load is unknown",
    "power-undeclared": "names power of unknown upstream: declare it",
    "power-unnamed": "names no pdu, ups or rack: name it",
    "scene-unknown": "may be lost by what is out already, and the answer hangs on it",
    "unrated": "load shifts onto it, and it has no rating",
    "unrated-feeds": "remaining feeds without a rating",
}


def doubts_section(doubts: Iterable[Doubt], options: PageOptions) -> list[str]:
    """Return where something is needed for an answer and unknown, and what; nothing where nothing is."""
    columns = [Column("at", flexible=True), Column("unknown"), Column("feeds", wraps=True)]
    rows = [[each.id, _DOUBTS[each.why], options.some(each.feeds, 2)] for each in doubts]
    return block(("Unknown", "needed for an answer"), columns, rows, options) if rows else []
