"""What carries more than before, or may, in the strict check of a scenario (beyond).

Known kW carry more where the flow does. Unknown kW may be any: a domain may carry more as soon as it gets a
larger share of some unknown draw than before.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from closure.bounded import bounded_flows, unknown_failed
from closure.compiled import Facility, Group
from closure.effects import is_dark
from closure.flow import behind, passed
from closure.outlets import entry_outlet
from closure.strict import Round
from closure.tolerance import exceeds


@dataclass(frozen=True, slots=True)
class Growth:
    """The domains that carry more than before, or may, in some round, by index.

    `unsure` are those of them of whose flow only a lower bound is known in a round in which they do.
    """

    domains: frozenset[int]
    unsure: frozenset[int]


def growth(
    facility: Facility, before: Sequence[Round], rounds: Iterable[Round], failed_nodes: Collection[int] = ()
) -> Growth:
    """Return what may carry more in some of the rounds than in all `before`, in which no node had failed."""
    peaks_kw = list(map(max, *(each.flows_kw for each in before))) if before[1:] else before[0].flows_kw
    domains: set[int] = set()
    unsure: set[int] = set()
    for now in rounds:
        grown = {
            d
            for d, (kw, before_kw) in enumerate(zip(now.flows_kw, peaks_kw, strict=True))
            if exceeds(kw, before_kw)
        }
        if facility.unsure_groups:
            grown.update(_larger_shares(facility, before, now, failed_nodes))
            unsure |= grown & bounded_flows(facility, now.unpowered, now.lost, failed_nodes)
        domains |= grown
    return Growth(frozenset(domains), frozenset(unsure))


def _larger_shares(
    facility: Facility, before: Sequence[Round], now: Round, failed_nodes: Collection[int]
) -> Iterator[int]:
    """Yield the domains that get a larger share of some unknown draw than before."""
    # Where nothing is other than in the last round before, no share is.
    newly = {*before[-1].lost} ^ {*now.lost}
    newly |= {*before[-1].unpowered} ^ {*now.unpowered}  # what is lost may lose its power, too
    rerouted = newly.union(dependent for d in newly for dependent in facility.dependents[d])
    numbers = {g for d in behind(facility, rerouted) for g in facility.groups_on[d]}
    for g in sorted(numbers):
        group = facility.groups[g]
        if not group.kw_known and not unknown_failed(facility, group.nodes, failed_nodes):
            shares_before = [_shares(facility, group, each) for each in before]
            for d, share in _shares(facility, group, now).items():
                if all(exceeds(share, shares.get(d, 0.0)) for shares in shares_before):
                    yield d


def _shares(facility: Facility, group: Group, now: Round) -> Mapping[int, float]:
    """Return the share of a group's draw, and of its heat, that every domain gets [-]."""
    if is_dark(group, now.unpowered):
        return {}
    shares: dict[int, float] = {}
    for entry, dead in ((group.power_entry, now.unpowered), (group.heat_entry, now.lost)):
        live, share = entry_outlet(entry, 1.0, dead)
        shares.update(passed(facility, dict.fromkeys(live, share), dead))
    return shares
