"""What changed of how things hang together, whether or not a figure follows from it (beyond)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from topology.model import Domain, Estate, Node, Standing

Field = Literal["kind", "parent", "feeds", "minFeeds", "transfer", "status", "standing"]
Value = str | int | tuple[str, ...] | Standing | None
"""A kind, an id, a word, a number of feeds, ids in order, where a node stands; None: nothing is said."""

PROPERTIES: Final = frozenset({"kind", "status"})
"""What a domain is, not what it hangs from."""

_FIELDS: Final[tuple[Field, ...]] = ("kind", "parent", "feeds", "minFeeds", "transfer", "status", "standing")


@dataclass(frozen=True, slots=True)
class Rewiring:
    """What `ids` (sorted) say alike on one `field`, and said alike before; `axis`: of a node's standing."""

    type: Literal["domain", "node"]
    ids: tuple[str, ...]
    field: Field
    axis: str | None
    old: Value
    new: Value


_Said = tuple[Field, str | None, Value, Value]


def rewired(old: Estate, new: Estate) -> tuple[Rewiring, ...]:
    """Return how the domains and nodes that both estates have are wired differently, domains first.

    Things that changed alike are one. What means the same is no change: a default that is written out, ids
    in another order where no order counts, a list of one id.
    """
    alike: dict[tuple[Literal["domain", "node"], _Said], list[str]] = {}
    for domain_id in sorted(old.domains.keys() & new.domains.keys()):
        for said in _of_domain(old.domains[domain_id], new.domains[domain_id]):
            alike.setdefault(("domain", said), []).append(domain_id)
    before = {node.id: node for node in old.nodes}
    for node in sorted(new.nodes, key=lambda node: node.id):
        if node.id in before:
            for said in _of_node(before[node.id], node):
                alike.setdefault(("node", said), []).append(node.id)
    found = [Rewiring(what, tuple(ids), *said) for (what, said), ids in alike.items()]
    return tuple(sorted(found, key=_order))


def _order(each: Rewiring) -> tuple[str, tuple[str, ...], int, str]:
    return (each.type, each.ids, _FIELDS.index(each.field), each.axis or "")


def _of_domain(old: Domain, new: Domain) -> Iterator[_Said]:
    ordered = "preferred" in (old.transfer, new.transfer)
    if old.kind != new.kind:
        yield "kind", None, old.kind, new.kind
    if old.parent != new.parent:
        yield "parent", None, old.parent, new.parent
    if (old.feeds != new.feeds) if ordered else (set(old.feeds) != set(new.feeds)):
        yield "feeds", None, old.feeds, new.feeds
    if old.feeds and new.feeds and old.feeds_needed != new.feeds_needed:
        yield "minFeeds", None, old.feeds_needed, new.feeds_needed
    if (before := old.transfer or "share") != (after := new.transfer or "share"):
        yield "transfer", None, before, after
    if old.out != new.out:
        yield "status", None, _status(old), _status(new)


def _status(domain: Domain) -> str:
    return "out" if domain.out else "in"


def _of_node(old: Node, new: Node) -> Iterator[_Said]:
    before, after = _by_axis(old.standings), _by_axis(new.standings)
    for axis in before.keys() | after.keys():
        one, other = before.get(axis), after.get(axis)
        if _meaning(one) != _meaning(other):
            yield "standing", axis, one, other


def _by_axis(standings: Iterable[Standing]) -> dict[str, Standing]:
    return {standing.axis: standing for standing in standings}


def _meaning(standing: Standing | None) -> tuple[str, frozenset[str]] | None:
    """Return what a standing means: the mode says nothing about a single id."""
    if standing is None:
        return None
    ids = frozenset(standing.ids)
    return ("one" if len(ids) == 1 else standing.mode, ids)
