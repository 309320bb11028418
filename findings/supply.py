"""Nodes with allocated units that do not say where their power, or their cooling, comes from."""

from collections.abc import Mapping

from findings.index import EstateIndex
from topology.kinds import Commodity
from topology.supply import SUPPLY_AXES, Supplies


def unnamed_supplies(index: EstateIndex) -> Mapping[Commodity, tuple[str, ...]]:
    """Return them by id, per commodity of which some other such node says it."""
    supplies = Supplies(index.estate.domains, [group[0].standings for group in index.groups])
    laden = [
        (group[0].standings, [node.id for node in group if node.allocated != 0]) for group in index.groups
    ]
    found: dict[Commodity, tuple[str, ...]] = {}
    for commodity in SUPPLY_AXES:
        said = [(supplies.of(standings, commodity), ids) for standings, ids in laden if ids]
        unnamed = sorted(name for supply, ids in said if supply == "unnamed" for name in ids)
        if unnamed and any(supply == "known" for supply, _ in said):
            found[commodity] = tuple(unnamed)
    return found
