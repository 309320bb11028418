"""Redundancy on paper: the upstream domains in which the feeds of one thing meet (spec 1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from topology.chains import Chains
from topology.model import Domain
from topology.single_failures import SingleFailures, distinct_feeds

_LAST_RESORT: Final = frozenset({"transformer", "utility"})


@dataclass(frozen=True, slots=True)
class Cords:
    """Redundant ids that nodes name on one axis: lost when all are lost."""

    axis: str
    ids: tuple[str, ...]
    nodes: tuple[str, ...]


@dataclass(slots=True)
class Meeting:
    """A domain whose failure alone, ratings ignored, loses what claims several feeds; nothing lower does.

    `domains` are claimants by id, `cords` those of nodes. `paths` lead from each feed of the first of them
    that is lost up to the domain. `last_resort`: a root transformer or utility.
    """

    domain: str
    last_resort: bool
    paths: tuple[tuple[str, ...], ...]
    domains: list[str] = field(default_factory=list)
    cords: list[Cords] = field(default_factory=list)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that lose all their cords on some axis, sorted."""
        return tuple(sorted({node for cords in self.cords for node in cords.nodes}))


def meetings(domains: Mapping[str, Domain], chains: Chains, cords: Iterable[Cords]) -> list[Meeting]:
    """Return the meetings by id. What needs all its feeds claims no redundancy, and counts for nothing."""
    claims = [*_claims(domains), *_cord_claims(cords)]
    failures = SingleFailures(
        domains,
        chains,
        wanted=(feed for feeds, _, _ in claims for feed in feeds),
        meeting=(feed for feeds, _, claimant in claims if isinstance(claimant, Cords) for feed in feeds),
    )
    found: dict[str, Meeting] = {}
    lowest: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for feeds, fatal, claimant in claims:
        culprits = lowest.get((feeds, fatal))
        if culprits is None:
            culprits = lowest[feeds, fatal] = list(failures.lowest(failures.losing(feeds, fatal)))
        for name in culprits:
            if name not in found:
                paths = tuple(tuple(failures.path(f, name)) for f in feeds if failures.loses(name, f))
                found[name] = Meeting(name, _is_last_resort(domains[name]), paths)
            if isinstance(claimant, Cords):
                found[name].cords.append(claimant)
            else:
                found[name].domains.append(claimant)
    return [found[name] for name in sorted(found)]


def _claims(domains: Mapping[str, Domain]) -> Iterator[tuple[tuple[str, ...], int, str | Cords]]:
    """Yield feeds, how many lost ones are fatal, and the claimant."""
    for name in sorted(domains):
        domain = domains[name]
        feeds = distinct_feeds(domain)
        if len(feeds) > max(1, domain.feeds_needed):
            yield feeds, len(feeds) - domain.feeds_needed + 1, name


def _cord_claims(cords: Iterable[Cords]) -> Iterator[tuple[tuple[str, ...], int, str | Cords]]:
    for each in sorted(cords, key=lambda cord: (cord.ids, cord.axis)):
        feeds = tuple(dict.fromkeys(each.ids))
        if len(feeds) > 1:
            yield feeds, len(feeds), each


def _is_last_resort(domain: Domain) -> bool:
    return domain.kind in _LAST_RESORT and domain.parent is None and not domain.feeds
