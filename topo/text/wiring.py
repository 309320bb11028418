"""What hangs from something else than before, as a table and in words."""

from collections.abc import Callable, Sequence

from findings.difference.wiring import PROPERTIES, Rewiring, Value
from topo.kind_words import kind_word
from topo.text.page import PageOptions, block, short
from topo.text.table import Column
from topo.text.words import count, some
from topology.model import Standing

_SHOWN = 4


def wiring_section(wiring: Sequence[Rewiring], options: PageOptions) -> list[str]:
    """Return the table of what is wired differently; nothing where nothing is."""
    if not wiring:
        return []
    columns = [
        Column("what", flexible=not options.whole, wraps=options.whole),
        Column("of"),
        Column("was", flexible=not options.whole, wraps=options.whole),
        Column("is", flexible=not options.whole, wraps=options.whole),
    ]
    note = "what hangs from what, of what both have; by itself neither better nor worse"
    return block(("Wiring", note), columns, rewired_rows(wiring, options), options)


def rewired_rows(wiring: Sequence[Rewiring], options: PageOptions) -> list[list[str]]:
    """Return a row each: what changed, which of it, what it was, and what it is."""
    some = options.some
    return [
        [
            some(each.ids, 1),
            each.axis or each.field,
            _said(each, each.old, some),
            _said(each, each.new, some),
        ]
        for each in wiring
    ]


def rewired_counts(wiring: Sequence[Rewiring]) -> str:
    """Return how many connections, and how many kinds and statuses, are others: each of each thing counts."""
    links = sum(len(each.ids) for each in wiring if each.field not in PROPERTIES)
    others = sum(len(each.ids) for each in wiring if each.field in PROPERTIES)
    said = [count(links, "connection")] if links else []
    said += [count(others, "kind or status", "kinds or statuses")] if others else []
    return " and ".join(said)


def rewiring_said(each: Rewiring) -> str:
    """Return a change as a sentence."""
    what = some([short(name) for name in each.ids], _SHOWN)
    was, now = (_said(each, value, some) for value in (each.old, each.new))
    return f"{what}: {each.axis or each.field}: was {was}, is {now}."


def _said(each: Rewiring, value: Value, some: Callable[[Sequence[str], int], str]) -> str:
    if isinstance(value, Standing):
        word = "" if len(value.ids) == 1 else f"{value.mode} of "
        return word + some([short(name) for name in value.ids], _SHOWN)
    if isinstance(value, tuple):
        return some([short(name) for name in value], _SHOWN) if value else "none"
    if value is None:
        return "not said" if each.field == "standing" else "none"
    return kind_word(value) if each.field == "kind" and isinstance(value, str) else short(str(value))
