"""What a map leaves out, or says beside itself: legal, and hardly meant."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from topology.chains import hangs_from
from topology.diagnostics import Fault, Severity
from topology.kinds import HEAT, POWER, Commodity, is_facility
from topology.model import Domain, Estate, Topology
from topology.rules.common import commodity, fault, plural, quoted
from topology.rules.facts import Facts, Nodes
from topology.supply import SUPPLY_AXES

if TYPE_CHECKING:
    from topology.routes import Routes


def empty_map(topology: Topology) -> list[Fault]:
    """A map without a node and without a domain."""
    if topology.nodes or topology.domains:
        return []
    message = "the map has neither a node nor a domain: nothing can be lost under it"
    hint = "Did its export fail? Say where nodes stand (`nodes:`) and what feeds what (`domains:`)."
    return [fault("empty-map", message, (), hint, [])]


def unplaced_node(topology: Topology, routes: "Routes") -> list[Fault]:
    """Nodes of a map that name no axis."""
    unplaced = sorted(node for node, standings in topology.nodes.items() if not standings)
    if not unplaced:
        return []
    verb = "names" if len(unplaced) == 1 else "name"
    message = f"{plural(len(unplaced), 'node')} ({quoted(unplaced)}) {verb} no axis: no failure reaches them"
    if len(unplaced) == 1:
        message = f"'{unplaced[0]}' names no axis: no failure reaches it"
    hint = "Say where it stands ({rack: ..}), or leave it out where its labels do."
    return [fault("unplaced-node", message, routes.node(unplaced[0]), hint, unplaced, key=True)]


_WANTED: Final[Mapping[Commodity, tuple[str, str, str]]] = {
    POWER: (
        "a power source (pdu, ups, rack)",
        "no power failure reaches",
        "Say what powers it: {rack: ..} or {pdu: ..}, here or in its labels.",
    ),
    HEAT: (
        "a cooling domain",
        "no cooling failure reaches",
        "Say what cools it, here or in its labels; air-cooled: declare a cooling domain for it, and name it.",
    ),
}
"""Commodity -> what names it, what follows where none does, what to do about it."""


def missing_supply(nodes: Nodes, routes: "Routes", severity: Severity | None = None) -> list[Fault]:
    """Nodes that name no power, or no cooling, while others do: one line for each of the two.

    A map alone does not know which of its nodes hold units: there it is no more than worth a look.
    """
    named: dict[int, set[str]] = {}
    said = [
        (node, named.setdefault(id(standings), {each.axis for each in standings}))
        for node, standings in nodes
    ]
    faults = []
    for carried, axes in SUPPLY_AXES.items():
        lacking = sorted(node for node, its in said if its.isdisjoint(axes))
        if not lacking or len(lacking) == len(said):
            continue
        what, follows, hint = _WANTED[carried]
        have = len(said) - len(lacking)
        count = f"{have:,} of {plural(len(said), 'node')} {'names' if have == 1 else 'name'} {what}, "
        verb, it = ("does", "it") if len(lacking) == 1 else ("do", "them")
        message = f"{count}{quoted(lacking)} {verb} not: {follows} {it}"
        faults.append(
            fault(
                "missing-supply", message, routes.node(lacking[0]), hint, lacking, key=True, severity=severity
            )
        )
    return faults


def nodes_with_units(estate: Estate) -> Nodes:
    """Yield the nodes of a snapshot that hold units, or could."""
    return ((node.id, node.standings) for node in estate.nodes if node.allocated or node.installed)


def lone_feed(facts: Facts, routes: "Routes") -> list[Fault]:
    """`feeds` of one id, where most others of the kind that hang from it have several."""
    by_feed: dict[tuple[str, str], list[Domain]] = {}
    for domain in facts.declared:
        for feed in dict.fromkeys(domain.feeds):
            by_feed.setdefault((domain.kind, feed), []).append(domain)
    faults = []
    for (_, feed), sisters in sorted(by_feed.items()):
        lone = [each for each in sisters if len(each.feeds) == 1]
        several = sum(len(set(each.feeds)) > 1 for each in sisters)
        if several <= len(lone):
            continue
        faults += [
            fault(
                "lone-feed",
                f"'{domain.id}' has one feed, '{feed}', while {plural(several, 'other')} of its kind on "
                f"'{feed}' {'has' if several == 1 else 'have'} more",
                routes.domain(domain.id, "feeds"),
                f"Name the other feed; where there is none, write parent: {feed}.",
                [domain.id, feed],
            )
            for domain in lone
        ]
    return faults


def parent_among_feeds(facts: Facts, routes: "Routes") -> list[Fault]:
    """A parent that is one of more feeds than are needed."""
    return [
        fault(
            "parent-among-feeds",
            f"'{domain.id}' has '{domain.parent}' as its parent and among its feeds: it is lost with "
            f"'{domain.parent}', whatever the other feeds do",
            routes.domain(domain.id, "parent"),
            "Leave parent out: the feeds say it, and that one of them is enough.",
            [domain.id, domain.parent],
            related=((routes.domain(domain.id, "feeds"), "the feeds"),),
        )
        for domain in facts.declared
        if domain.parent is not None
        and domain.parent in domain.feeds
        and len(set(domain.feeds)) > max(1, domain.feeds_needed)
    ]


def power_from_cooling(facts: Facts, routes: "Routes") -> list[Fault]:
    """Power equipment that hangs from cooling alone."""
    faults = []
    for domain in facts.declared:
        upstream = tuple(dict.fromkeys(hangs_from(domain)))
        if not upstream or commodity(domain) != POWER or not is_facility(domain.kind):
            continue
        if all(_carries(facts.domains, each, HEAT) for each in upstream):
            faults.append(
                fault(
                    "power-from-cooling",
                    f"'{domain.id}' ({domain.kind}) hangs from cooling alone ({quoted(upstream)}): what "
                    "feeds it with power is not said",
                    routes.domain(domain.id, "parent" if domain.parent else "feeds"),
                    "Name what feeds it. Where it needs cooling too, one is the parent, the other in feeds.",
                    [domain.id, *upstream],
                )
            )
    return faults


def _carries(domains: Mapping[str, Domain], domain_id: str, what: str) -> bool:
    return domain_id in domains and commodity(domains[domain_id]) == what
