"""Lists of feeds that are not what they claim: repeated ids, mixed commodities, impossible minima."""

from typing import TYPE_CHECKING

from topology.diagnostics import Fault, Route
from topology.kinds import KINDS
from topology.rules.common import commodity, fault
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes


def repeated_feed(facts: Facts, routes: "Routes") -> list[Fault]:
    """The same id twice in `feeds`, or twice in a node's list."""
    faults = []
    for domain in facts.declared:
        for again, first in _repeats(domain.feeds):
            at, before = (routes.domain(domain.id, "feeds", i) for i in (again, first))
            faults.append(_repeated(domain.id, domain.feeds[again], "feeds", at, before))
    for (axis, _, ids), nodes in sorted(facts.walk.lists.items()):
        for again, first in _repeats(ids):
            for node in sorted(nodes):
                at, before = (routes.node_axis(node, axis, i) for i in (again, first))
                faults.append(_repeated(node, ids[again], axis, at, before))
    return faults


def _repeats(ids: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the place of every repeated id with the place of its first."""
    if len(set(ids)) == len(ids):
        return []
    first: dict[str, int] = {}
    return [(i, first[name]) for i, name in enumerate(ids) if first.setdefault(name, i) != i]


def _repeated(owner: str, name: str, where: str, at: Route, before: Route) -> Fault:
    return fault(
        "repeated-feed",
        f"'{owner}' lists '{name}' twice in {where}: that is not redundancy",
        at,
        "Name the other source, or leave the repetition out.",
        [owner, name],
        related=((before, "first listed here"),),
    )


def mixed_commodity(facts: Facts, routes: "Routes") -> list[Fault]:
    """Feeds of one list of different commodities."""
    faults = []
    carrying = {domain.id: commodity(domain) for domain in facts.declared if domain.kind in KINDS}
    for domain in facts.declared:
        if len({carrying[feed] for feed in domain.feeds if feed in carrying}) < 2:
            continue
        known = [(i, feed) for i, feed in enumerate(domain.feeds) if feed in carrying]
        carried = [carrying[feed] for _, feed in known]
        odd = next(n for n, what in enumerate(carried) if what != carried[0])
        (first, feed), (other, stranger) = known[0], known[odd]
        usual, strange = carried[0] or "nothing", carried[odd] or "nothing"
        faults.append(
            fault(
                "mixed-commodity",
                f"the feeds of '{domain.id}' carry different things: '{feed}' {usual}, "
                f"'{stranger}' {strange}",
                routes.domain(domain.id, "feeds", other),
                "Feeds are alternatives of one commodity. Where both are needed, make one the parent.",
                [domain.id, feed, stranger],
                related=((routes.domain(domain.id, "feeds", first), f"'{feed}' carries {usual}"),),
            )
        )
    return faults


def min_feeds(facts: Facts, routes: "Routes") -> list[Fault]:
    """`minFeeds` larger than the number of feeds, or without feeds."""
    return [
        fault(
            "min-feeds",
            f"'{domain.id}' needs {domain.min_feeds:,} of {len(domain.feeds)} feeds"
            if domain.feeds
            else f"'{domain.id}' has minFeeds but no feeds",
            routes.domain(domain.id, "minFeeds"),
            f"Set minFeeds to at most {len(domain.feeds)}, or list the missing feeds."
            if domain.feeds
            else "List the feeds, or leave minFeeds out.",
            [domain.id],
        )
        for domain in facts.declared
        if domain.min_feeds is not None and domain.min_feeds > len(domain.feeds)
    ]
