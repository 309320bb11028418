"""Redundancy on paper: both feeds end in one upstream domain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from topology.diagnostics import Fault, Route
from topology.rules.chains import hop
from topology.rules.common import chain_text, fault, plural, quoted
from topology.rules.facts import Facts
from topology.single_failures import SingleFailures, distinct_feeds

if TYPE_CHECKING:
    from topology.routes import Routes

_LAST_RESORT: Final = frozenset({"transformer", "utility"})
"""Kinds in which both sides may meet without a warning, where nothing is upstream of them."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """Redundancy that a domain claims, or nodes on one axis: `fatal` lost ones of `feeds` lose them."""

    feeds: tuple[str, ...]
    fatal: int
    domain: str | None = None
    axis: str = ""
    nodes: Sequence[str] = ()


@dataclass(slots=True)
class _Victims:
    domains: list[_Claim] = field(default_factory=list)
    cords: list[_Claim] = field(default_factory=list)


def fake_redundancy(facts: Facts, routes: "Routes") -> list[Fault]:
    """One upstream domain whose failure alone loses all feeds of a domain, or all of a node's list.

    With `minFeeds`, losing so many that too few survive is the same. Only what claims redundancy counts:
    more feeds than it needs.
    """
    claims = list(_claims(facts))
    failures = SingleFailures(
        facts.domains,
        facts.chains,
        wanted=(feed for claim in claims for feed in claim.feeds),
        meeting=(feed for claim in claims if claim.domain is None for feed in claim.feeds),
    )
    victims: dict[str, _Victims] = {}
    for claim in claims:
        for culprit in failures.lowest(failures.losing(claim.feeds, claim.fatal)):
            of_it = victims.setdefault(culprit, _Victims())
            (of_it.cords if claim.domain is None else of_it.domains).append(claim)
    return [_fault(culprit, found, failures, facts, routes) for culprit, found in sorted(victims.items())]


def _claims(facts: Facts) -> Iterator[_Claim]:
    for domain in facts.declared:
        feeds = distinct_feeds(domain)
        if len(feeds) > max(1, domain.feeds_needed):
            yield _Claim(feeds, len(feeds) - domain.feeds_needed + 1, domain=domain.id)
    for (axis, mode, ids), nodes in sorted(facts.walk.lists.items()):
        feeds = tuple(dict.fromkeys(ids))
        if mode == "any" and len(feeds) > 1:
            yield _Claim(feeds, len(feeds), axis=axis, nodes=nodes)


def _fault(
    culprit: str, victims: _Victims, failures: SingleFailures, facts: Facts, routes: "Routes"
) -> Fault:
    domain = facts.domains[culprit]
    domains = [claim.domain for claim in victims.domains if claim.domain is not None]
    nodes = sorted({node for claim in victims.cords for node in claim.nodes})
    first = (victims.domains or victims.cords)[0]
    name, at = _claimant(first, routes)
    paths = [failures.path(feed, culprit) for feed in first.feeds if failures.loses(culprit, feed)]
    root = domain.parent is None and not domain.feeds
    return fault(
        "fake-redundancy",
        f"'{culprit}' alone loses {' and '.join(_counts(domains, nodes))}: "
        + "; ".join(chain_text([name, *path]) for path in paths),
        routes.domain(culprit) if domain.declared else at,
        f"Feed one side of '{name}' from a source that does not hang from '{culprit}'.",
        [culprit, *domains, *nodes],
        related=((at, f"the feeds of '{name}'"), *_hops(paths, facts, routes)),
        severity="info" if root and domain.kind in _LAST_RESORT else None,
        key=domain.declared,
    )


def _claimant(claim: _Claim, routes: "Routes") -> tuple[str, Route]:
    if claim.domain is not None:
        return claim.domain, routes.domain(claim.domain, "feeds")
    node = min(claim.nodes)
    return node, routes.node_axis(node, claim.axis)


def _counts(domains: Sequence[str], nodes: Sequence[str]) -> Iterator[str]:
    if domains:
        yield f"the redundant feeds of {plural(len(domains), 'domain')} ({quoted(domains)})"
    if nodes:
        yield f"all cords of {plural(len(nodes), 'node')} ({quoted(nodes)})"


def _hops(paths: Sequence[Sequence[str]], facts: Facts, routes: "Routes") -> Iterator[tuple[Route, str]]:
    for down, up in dict.fromkeys(step for path in paths for step in pairwise(path)):
        yield hop(facts.domains[down], up, routes)
