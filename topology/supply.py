"""Whether the map says where a node gets its power, and its cooling (beyond).

A node that names no power source, or only sources that hang from nothing the map knows, is lost with no
failure further up: by the map it is immune, in the hall it is not.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from topology.kinds import AXES, HEAT, POWER, POWER_ENTRY_AXES, Commodity
from topology.model import Domain, Standing

Supply = Literal["known", "unnamed", "undeclared"]

SUPPLY_AXES: Final[Mapping[Commodity, tuple[str, ...]]] = {POWER: POWER_ENTRY_AXES, HEAT: ("cooling",)}
"""The axes on which a node says where a commodity comes from."""


class Supplies:
    """What nodes say about where their power and their cooling come from, under the domains of one map."""

    def __init__(self, domains: Mapping[str, Domain], shapes: Iterable[tuple[Standing, ...]]) -> None:
        """`shapes` are what the nodes say, each at least once."""
        self._domains = domains
        self._chained = {domain.kind for domain in domains.values() if domain.declared}
        # Where others name a PDU, a rack that nobody declares is a place, not a source.
        if any(standing.axis in ("pdu", "ups") for shape in shapes for standing in shape):
            self._chained.add(AXES["rack"])

    def of(self, standings: Iterable[Standing], commodity: Commodity) -> Supply:
        """Return what a node says: `undeclared` where it names only ids of unknown upstream.

        That of an id is unknown that only nodes name, while others of its kind are declared.
        """
        axes = SUPPLY_AXES[commodity]
        named = [name for standing in standings if standing.axis in axes for name in standing.ids]
        if not named:
            return "unnamed"
        return "known" if any(map(self._is_known, named)) else "undeclared"

    def _is_known(self, domain_id: str) -> bool:
        domain = self._domains.get(domain_id)
        return domain is None or domain.declared or domain.kind not in self._chained
