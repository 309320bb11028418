"""What the rules look at, gathered once: the declared domains, the chains, and one walk over the nodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from topology.chains import Chains, chains_of, hangs_from
from topology.kinds import AXES, KINDS
from topology.model import Domain, Standing

Domains = Mapping[str, Domain]
Nodes = Iterable[tuple[str, tuple[Standing, ...]]]
"""Node ids with what each says on its axes."""


@dataclass(slots=True)
class Use:
    """How nodes name an undeclared domain on one axis: how many, and the first of them in id order."""

    nodes: int
    first: str
    index: int
    last_seen: str


@dataclass(slots=True)
class Walk:
    """What one walk over the nodes finds. No list is in any particular order."""

    uses: dict[str, dict[str, Use]] = field(default_factory=dict)
    """Undeclared id -> axis -> use."""
    strangers: list[tuple[str, str, int, str]] = field(default_factory=list)
    """(node, axis, index, domain) where a declared domain is of another kind than the axis names."""
    repeating: list[tuple[str, Standing]] = field(default_factory=list)
    """Lists that hold an id twice."""
    cords: dict[tuple[str, ...], list[tuple[str, str]]] = field(default_factory=dict)
    """Redundant ids -> the (node, axis) that name them."""
    single_corded: list[tuple[str, str, str]] = field(default_factory=list)
    """(node, rack, PDU) where the node names one PDU and its rack has several feeds."""
    rack_zones: dict[str, dict[str, str]] = field(default_factory=dict)
    """Rack -> zone -> the first node in id order that stands in both."""


class Facts:
    """A model that may be partial (whatever could be read of a faulty file), and what follows from it."""

    def __init__(self, domains: Domains, nodes: Nodes) -> None:
        self.domains = domains
        self._nodes = nodes

    @cached_property
    def declared(self) -> list[Domain]:
        """The declared domains in id order: the order of the file never decides what is reported."""
        return [self.domains[name] for name in sorted(self.domains) if self.domains[name].declared]

    @cached_property
    def chains(self) -> Chains:
        """The chains of every domain."""
        return chains_of(self.domains)

    @cached_property
    def named_upstream(self) -> set[str]:
        """Every id that some domain names as its parent or feed."""
        return {name for domain in self.domains.values() for name in hangs_from(domain)}

    def is_declared(self, domain_id: str) -> bool:
        """Return whether `domains:` declares the id."""
        domain = self.domains.get(domain_id)
        return domain is not None and domain.declared

    @cached_property
    def walk(self) -> Walk:
        """What the nodes say."""
        walk = Walk()
        for node_id, standings in self._nodes:
            rack = zone = pdu = None
            for standing in standings:
                ids = standing.ids
                for i, name in enumerate(ids):
                    self._look_at(walk, node_id, standing.axis, i, name)
                if len(ids) == 1:
                    if standing.axis == "rack":
                        rack = ids[0]
                    elif standing.axis == "zone":
                        zone = ids[0]
                    elif standing.axis == "pdu":
                        pdu = ids[0]
                elif ids:
                    _look_at_list(walk, node_id, standing)
            if rack is not None:
                self._look_at_rack(walk, node_id, rack, zone, pdu)
        return walk

    def _look_at(self, walk: Walk, node_id: str, axis: str, index: int, name: str) -> None:
        domain = self.domains.get(name)
        if domain is not None and domain.declared:
            if domain.kind != AXES[axis] and domain.kind in KINDS:
                walk.strangers.append((node_id, axis, index, name))
            return
        uses = walk.uses.setdefault(name, {})
        use = uses.get(axis)
        if use is None:
            uses[axis] = Use(1, node_id, index, node_id)
        elif use.last_seen != node_id:
            use.nodes += 1
            use.last_seen = node_id
            if node_id < use.first:
                use.first, use.index = node_id, index

    def _look_at_rack(self, walk: Walk, node_id: str, rack: str, zone: str | None, pdu: str | None) -> None:
        if zone is not None:
            zones = walk.rack_zones.setdefault(rack, {})
            if node_id < zones.setdefault(zone, node_id):
                zones[zone] = node_id
        if pdu is not None:
            domain = self.domains.get(rack)
            if domain is not None and domain.kind == "rack" and len(set(domain.feeds)) > 1:
                walk.single_corded.append((node_id, rack, pdu))


def _look_at_list(walk: Walk, node_id: str, standing: Standing) -> None:
    distinct = tuple(dict.fromkeys(standing.ids))
    if len(distinct) < len(standing.ids):
        walk.repeating.append((node_id, standing))
    if standing.mode == "any" and len(distinct) > 1:
        walk.cords.setdefault(distinct, []).append((node_id, standing.axis))
