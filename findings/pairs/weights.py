"""Critical units, units and nodes of a node group as one whole number, so that every sum of them is exact.

Numbers are put behind one another with room for every sum: comparing two packed losses compares critical
units, then units, then nodes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from findings.tally import GroupTally
from topology.model import Number


@dataclass(frozen=True, slots=True)
class PairWeights:
    """`of_group` by node group; unknown units add nothing, as in a tally's known part."""

    of_group: tuple[int, ...]
    _critical_place: int
    _critical_scale: int

    def reaching(self, critical_units: Fraction) -> int:
        """Return the smallest packed loss with at least so many critical units."""
        return ceil(critical_units * self._critical_scale) * self._critical_place


def pair_weights(groups: Sequence[GroupTally]) -> PairWeights:
    """Return the weights of node groups."""
    critical, scale = _whole([group.critical for group in groups])
    units, _ = _whole([group.units or 0 for group in groups])
    nodes = [group.nodes for group in groups]
    units_place = sum(nodes) + 1
    critical_place = units_place * (sum(units) + 1)
    return PairWeights(
        tuple(
            [c * critical_place + u * units_place + n for c, u, n in zip(critical, units, nodes, strict=True)]
        ),
        critical_place,
        scale,
    )


def _whole(values: Sequence[Number]) -> tuple[list[int], int]:
    """Return values as whole numbers of one small part, and how many parts make one."""
    fractions = [Fraction(value) for value in values]
    scale = lcm(*{value.denominator for value in fractions})
    return [int(value * scale) for value in fractions], scale
