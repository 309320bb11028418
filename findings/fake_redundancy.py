"""Feeds that meet upstream: redundancy on paper (beyond the methodology; spec 1: fake-redundancy)."""

from dataclasses import dataclass

from topology import meetings as paper
from topology.chains import chains_of
from topology.model import Estate


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


def meetings(estate: Estate) -> tuple[Meeting, ...]:
    """Return the lowest domains in which redundant feeds meet, by id: those that validation warns of."""
    named: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for node in estate.nodes:
        for standing in node.standings:
            if standing.mode == "any":
                named.setdefault((standing.axis, standing.ids), []).append(node.id)
    cords = [paper.Cords(axis, ids, tuple(sorted(nodes))) for (axis, ids), nodes in named.items()]
    found = paper.meetings(estate.domains, chains_of(estate.domains), cords)
    return tuple(
        Meeting(
            domain=each.domain,
            kind=estate.domains[each.domain].kind,
            domains=tuple(each.domains),
            nodes=each.nodes,
            last_resort=each.last_resort,
        )
        for each in found
    )
