"""Broken chains: cycles, self-feeds and feeds that nothing declares."""

from typing import TYPE_CHECKING

from topology.chains import shortest_cycles
from topology.closest import Closest
from topology.diagnostics import Fault, Route
from topology.model import Domain
from topology.rules.common import chain_text, fault
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes


def named_upstream(domain: Domain, routes: "Routes") -> list[tuple[str, Route]]:
    """Return every id that a domain names upstream, with its place."""
    places = [(feed, routes.domain(domain.id, "feeds", i)) for i, feed in enumerate(domain.feeds)]
    if domain.parent is not None:
        places.insert(0, (domain.parent, routes.domain(domain.id, "parent")))
    return places


def where_named(domain: Domain, upstream: str, routes: "Routes") -> Route:
    """Return the place at which a domain names `upstream` first."""
    return next(route for name, route in named_upstream(domain, routes) if name == upstream)


def hop(domain: Domain, upstream: str, routes: "Routes") -> tuple[Route, str]:
    """Return a hop of a chain as a place to point at, and its word."""
    return where_named(domain, upstream, routes), f"'{domain.id}' hangs from '{upstream}'"


def cycle(facts: Facts, routes: "Routes") -> list[Fault]:
    """Parents and feeds form a cycle: one shortest per tangle. A domain that feeds itself is no tangle."""
    chains = facts.chains
    faults = []
    for members in shortest_cycles(chains):
        ids = [chains.ids[i] for i in members]
        hops = list(zip(ids, [*ids[1:], ids[0]], strict=True))
        places = [hop(facts.domains[down], up, routes) for down, up in hops]
        faults.append(
            fault(
                "cycle",
                f"parent and feeds form a cycle of {len(ids):,} domains: {chain_text([*ids, ids[0]])}",
                places[0][0],
                "Power and heat flow one way: point the hop that is not in the plant at its real source.",
                ids,
                related=tuple(places),
            )
        )
    return faults


def self_feed(facts: Facts, routes: "Routes") -> list[Fault]:
    """A domain names itself as its parent or among its feeds."""
    return [
        fault(
            "self-feed",
            f"'{domain.id}' feeds itself",
            where_named(domain, domain.id, routes),
            "Name the domain that it really hangs from, or leave the key out if it is a root.",
            [domain.id],
        )
        for domain in facts.declared
        if domain.id == domain.parent or domain.id in domain.feeds
    ]


def dangling_feed(facts: Facts, routes: "Routes") -> list[Fault]:
    """A parent or feed that `domains:` does not declare."""
    known, declared = facts.declared, facts.declared_ids
    closest: Closest | None = None
    faults = []
    for domain in known:
        if (domain.parent is None or domain.parent in declared) and declared.issuperset(domain.feeds):
            continue
        closest = closest or Closest(other.id for other in known)
        reported = {domain.id}
        for upstream, route in named_upstream(domain, routes):
            if upstream not in reported and not facts.is_declared(upstream):
                reported.add(upstream)
                faults.append(_dangling(domain.id, upstream, route, closest.to(upstream)))
    return faults


def _dangling(domain_id: str, upstream: str, route: Route, meant: str | None) -> Fault:
    declare = f"declare '{upstream}' under `domains:`, with its kind."
    return fault(
        "dangling-feed",
        f"'{domain_id}' hangs from '{upstream}', which `domains:` does not declare",
        route,
        f"D{declare[1:]}" if meant in (None, domain_id) else f"Did you mean '{meant}'? Else {declare}",
        [domain_id, upstream],
    )
