"""What nodes no longer say of where they stand, and what they say only now."""

from collections.abc import Iterator
from typing import NamedTuple

from topology.kinds import AXES, commodity_of
from topology.model import Estate, Node, Standing


class Said(NamedTuple):
    """Where a node stands on an axis: said on one side of a difference alone."""

    node: str
    axis: str
    standing: Standing


def forgotten_standings(old: Estate, new: Estate) -> tuple[Said, ...]:
    """Return what nodes of both sides no longer say, sorted.

    Nothing is forgotten where they name something else instead that reaches a domain of that kind, nor where
    what they still name falls with it anyway.
    """
    return tuple(
        said
        for said, before, after in _one_sided(old, new)
        if (_fewer(after, before, said.axis) or not _reaches(after, said.axis, new))
        and not _implied(after, said.standing, new)
    )


def said_only_now(old: Estate, new: Estate) -> tuple[Said, ...]:
    """Return what nodes of both sides say of an axis of which they said nothing before, sorted.

    Where power or heat was said to come some other way, it is rewired, and not said only now.
    """
    return tuple(
        said
        for said, after, before in _one_sided(new, old)
        if _kept(before, after, said.axis) and not _reaches(before, said.axis, old)
    )


def _one_sided(one: Estate, other: Estate) -> Iterator[tuple[Said, Node, Node]]:
    """Yield what nodes of both sides say on an axis in `one` alone, each with the node there and here."""
    others = {node.id: node for node in other.nodes}
    for node in sorted(one.nodes, key=lambda node: node.id):
        twin = others.get(node.id)
        if twin is None or twin.standings == node.standings:
            continue
        axes = {standing.axis for standing in twin.standings}
        for standing in sorted(node.standings, key=lambda standing: standing.axis):
            if standing.axis not in axes:
                yield Said(node.id, standing.axis, standing), node, twin


def _kept(less: Node, more: Node, axis: str) -> bool:
    """Return whether one node names all that another does, of what carries the same as the axis."""
    carried = commodity_of(AXES[axis])
    return all(
        standing in more.standings
        for standing in less.standings
        if carried is not None and commodity_of(AXES[standing.axis]) == carried
    )


def _fewer(less: Node, more: Node, axis: str) -> bool:
    """Return whether a node names nothing else of what carries power, or heat, and less of it."""
    return commodity_of(AXES[axis]) is not None and _kept(less, more, axis)


def _reaches(node: Node, axis: str, estate: Estate) -> bool:
    """Return whether a node reaches a domain of the axis' kind; power and heat come by their own ways."""
    carried = commodity_of(AXES[axis])
    queue = [
        name
        for standing in node.standings
        if carried in (None, commodity_of(AXES[standing.axis]))
        for name in standing.ids
    ]
    seen = set(queue)
    for name in queue:
        domain = estate.domains[name]
        if domain.kind == AXES[axis]:
            return True
        if carried in (None, commodity_of(domain.kind)):
            above = {*domain.feeds, *(() if domain.parent is None else (domain.parent,))} - seen
            seen |= above
            queue.extend(above)
    return False


def _implied(node: Node, standing: Standing, estate: Estate) -> bool:
    """Return whether what a node names hangs from that one domain by parents alone, and falls with it."""
    if len(standing.ids) != 1:
        return False
    for named in node.standings:
        at: str | None = named.ids[0] if len(named.ids) == 1 else None
        while at is not None:
            if at == standing.ids[0]:
                return True
            at = estate.domains[at].parent
    return False
