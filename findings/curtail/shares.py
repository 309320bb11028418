"""How much of what a machine draws passes through one domain: the strict flow, followed backwards.

The flow of the strict check is linear in what the nodes draw: it enters at shares of a node's domains and is
passed on in shares. Working from a domain outwards, every domain behind it passes on Σ (share to each of its
live feeds) × (what that feed passes on); a node, likewise, at its entry. So

    kW of a workload under D = Σ over its nodes: units × kW per unit × the node's share through D

which is the workload's part of the node's allocated units times the node's part of D's flow, and sums to D's
flow (without loadKw) over everything that is allocated.
"""

import math
from collections.abc import Collection, Sequence

from closure.compiled import Facility, Place
from closure.effects import is_dark
from closure.flow import onward
from closure.strict import Round
from topology.kinds import POWER


def domain_shares(facility: Facility, through: int, dead: Collection[int]) -> dict[int, float]:
    """Return, by domain index, the share of its flow that passes `through`; absent where it sends none."""
    if through in dead:
        return {}
    shares = {through: 1.0}
    # Parents come first, so every domain is looked at after all that it can send to.
    for d in range(through + 1, len(facility.domain_ids)):
        if facility.commodity[d] != facility.commodity[through] or d in dead:
            continue
        targets = onward(facility, d, dead)
        sent = [shares[target] for target in targets if target in shares]
        if sent:
            shares[d] = math.fsum(sent) / len(targets)
    return shares


def group_shares(facility: Facility, through: int, now: Round) -> list[float]:
    """Return the share of each node group's kW that passes `through` in a round; 0 where it draws nothing."""
    power = facility.commodity[through] == POWER
    dead = now.unpowered if power else now.lost
    shares = domain_shares(facility, through, dead)
    return [
        _entering(group.power_entry if power else group.heat_entry, shares, dead)
        if not is_dark(group, now.unpowered)
        else 0.0
        for group in facility.groups
    ]


def everywhere(facility: Facility, now: Round) -> list[float]:
    """Return 1 for every node group that draws in a round, else 0: the shares of the whole estate."""
    return [0.0 if is_dark(group, now.unpowered) else 1.0 for group in facility.groups]


def _entering(entry: Place | None, shares: dict[int, float], dead: Collection[int]) -> float:
    if entry is None:
        return 0.0
    live: Sequence[int] = [d for d in entry.domains if d not in dead]
    # On an `all` axis every member keeps its fixed share, and a dead member's share goes nowhere.
    parts = len(entry.domains) if entry.mode == "all" else len(live)
    return math.fsum(shares.get(d, 0.0) for d in live) / parts if parts else 0.0
