"""Declared ids that a reader cannot tell apart, and that mean different things."""

import unicodedata
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault
from topology.rules.common import fault, quoted
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that show nothing."""

_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800") | {
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0100, 0xE01F0)),
}
"""Characters of other categories that show nothing of their own: blanks, joiners, variation selectors."""


def shape_of(name: str) -> str:
    """Return a name as a reader tells it from others: without case, compatibility forms, and what is unseen.

    >>> shape_of(" PDU\u200b-Ａ") == shape_of("pdu-a"), shape_of("pdu-a") == shape_of("pdu_a")
    (True, False)
    """
    if name.isascii() and name.isprintable():
        return name.strip().casefold()
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    kept = (char for char in plain if unicodedata.category(char) not in _UNSEEN and char not in _BLANK)
    return unicodedata.normalize("NFKC", "".join(kept)).strip()


def look_alike_ids(facts: Facts, routes: "Routes") -> list[Fault]:
    """Declared ids of one kind that differ only in case, spaces at their ends, or characters nobody sees."""
    groups: dict[tuple[str, str], list[str]] = {}
    for domain in facts.declared:
        groups.setdefault((domain.kind, shape_of(domain.id)), []).append(domain.id)
    return [
        fault(
            "look-alike-ids",
            f"{quoted(ids)} are {len(ids):,} domains of kind {kind}, and differ only in case, spaces at "
            "their ends, width or invisible characters",
            routes.domain(ids[1]),
            f"If '{ids[0]}' is meant, write it so everywhere; else give them names that can be told apart.",
            ids,
            related=((routes.domain(ids[0]), f"'{ids[0]}' is declared here"),),
            key=True,
        )
        for (kind, _), ids in sorted((key, sorted(ids)) for key, ids in groups.items() if len(ids) > 1)
    ]
