"""Feeds that meet upstream: redundancy on paper (beyond the methodology; spec 1: fake-redundancy)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from topology.chains import chains_of
from topology.model import Estate
from topology.single_failures import SingleFailures, distinct_feeds

_LAST_RESORT: Final = frozenset({"transformer", "utility"})


@dataclass(frozen=True, slots=True)
class Meeting:
    """An upstream domain whose failure alone, ratings ignored, loses what claims several feeds.

    `domains` and `nodes` are the claimants, sorted. `last_resort`: a root transformer or utility, where
    both sides of most facilities end.
    """

    domain: str
    kind: str
    domains: tuple[str, ...]
    nodes: tuple[str, ...]
    last_resort: bool


@dataclass(frozen=True, slots=True)
class _Claim:
    feeds: tuple[str, ...]
    fatal: int
    domain: str | None
    nodes: tuple[str, ...]


def meetings(estate: Estate) -> tuple[Meeting, ...]:
    """Return the lowest domains in which redundant feeds meet, by id."""
    claims = list(_claims(estate))
    failures = SingleFailures(
        estate.domains,
        chains_of(estate.domains),
        wanted=(feed for claim in claims for feed in claim.feeds),
        meeting=(feed for claim in claims if claim.domain is None for feed in claim.feeds),
    )
    victims: dict[str, list[_Claim]] = {}
    for claim in claims:
        for culprit in failures.lowest(failures.losing(claim.feeds, claim.fatal)):
            victims.setdefault(culprit, []).append(claim)
    return tuple(_meeting(estate, culprit, victims[culprit]) for culprit in sorted(victims))


def _claims(estate: Estate) -> Iterator[_Claim]:
    for domain in estate.domains.values():
        feeds = distinct_feeds(domain)
        if len(feeds) > domain.feeds_needed >= 1:
            yield _Claim(feeds, len(feeds) - domain.feeds_needed + 1, domain.id, ())
    cords: dict[tuple[str, ...], list[str]] = {}
    for node in estate.nodes:
        for standing in node.standings:
            if standing.mode == "any" and len(standing.ids) > 1:
                cords.setdefault(standing.ids, []).append(node.id)
    for feeds, nodes in cords.items():
        yield _Claim(feeds, len(feeds), None, tuple(nodes))


def _meeting(estate: Estate, culprit: str, claims: list[_Claim]) -> Meeting:
    domain = estate.domains[culprit]
    root = domain.parent is None and not domain.feeds
    return Meeting(
        domain=culprit,
        kind=domain.kind,
        domains=tuple(sorted(claim.domain for claim in claims if claim.domain is not None)),
        nodes=tuple(sorted({node for claim in claims for node in claim.nodes})),
        last_resort=root and domain.kind in _LAST_RESORT,
    )
