"""What the rules look at, gathered once: the declared domains, the chains, and one walk over the nodes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from topology.chains import Chains, chains_of, hangs_from
from topology.kinds import AXES, KINDS
from topology.model import Domain, Standing

Domains = Mapping[str, Domain]
Nodes = Iterable[tuple[str, tuple[Standing, ...]]]
"""Node ids with what each says on its axes."""


Cords = tuple[str, str, tuple[str, ...]]
"""Axis, mode and ids of a list."""


@dataclass(slots=True)
class Mentions:
    """The nodes that name one id on one axis, in groups that have it at the same index of their value."""

    groups: list[tuple[list[str], int]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many nodes."""
        return sum(len(nodes) for nodes, _ in self.groups)

    @property
    def first(self) -> tuple[str, int]:
        """The first node in id order, and the index."""
        return min((min(nodes), index) for nodes, index in self.groups)

    def all(self) -> list[tuple[str, int]]:
        """Every node with the index."""
        return [(node, index) for nodes, index in self.groups for node in nodes]


@dataclass(slots=True)
class Walk:
    """What one walk over the nodes finds. Nothing in it is in any particular order."""

    singles: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """(axis, id) -> nodes that name just it, for ids that are not declared as what the axis names."""
    lists: dict[Cords, list[str]] = field(default_factory=dict)
    """List -> nodes that say it."""
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
    def declared_ids(self) -> set[str]:
        """The ids of the declared domains."""
        return {domain.id for domain in self.declared}

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
        singles, lists = walk.singles, walk.lists
        sound = self._sound
        several_feeds = {
            rack.id for rack in self.declared if rack.kind == "rack" and len(set(rack.feeds)) > 1
        }
        for standings, nodes in self._alike():
            one: dict[str, str] = {}
            for standing in standings:
                axis, ids = standing.axis, standing.ids
                if len(ids) == 1:
                    name = one[axis] = ids[0]
                    if name not in sound[axis]:
                        singles.setdefault((axis, name), []).extend(nodes)
                elif ids:
                    lists.setdefault((axis, standing.mode, ids), []).extend(nodes)
            rack = one.get("rack")
            if rack is None:
                continue
            if "zone" in one:
                zones = walk.rack_zones.setdefault(rack, {})
                first = min(nodes)
                zones[one["zone"]] = min(first, zones.get(one["zone"], first))
            if rack in several_feeds and "pdu" in one:
                walk.single_corded += ((node_id, rack, one["pdu"]) for node_id in nodes)
        return walk

    def _alike(self) -> Iterable[tuple[tuple[Standing, ...], list[str]]]:
        """Return the nodes in groups that share what they say: the nodes of a rack mostly do."""
        groups: dict[int, tuple[tuple[Standing, ...], list[str]]] = {}
        for node_id, standings in self._nodes:
            group = groups.get(id(standings))
            if group is None:
                group = groups[id(standings)] = (standings, [])
            group[1].append(node_id)
        return groups.values()

    @cached_property
    def _sound(self) -> dict[str, set[str]]:
        """Return, per axis, the declared ids that may be named on it (one of unknown kind may be on any)."""
        by_kind: dict[str, set[str]] = {kind: set() for kind in KINDS}
        faulty: set[str] = set()
        for domain in self.declared:
            by_kind.get(domain.kind, faulty).add(domain.id)
        return {axis: by_kind[kind] | faulty for axis, kind in AXES.items()}

    @cached_property
    def mentions(self) -> dict[str, dict[str, Mentions]]:
        """Id -> axis -> mentions, for every id that is not declared as what the axis names."""
        found: dict[str, dict[str, Mentions]] = {}
        for (axis, name), nodes in self.walk.singles.items():
            found.setdefault(name, {}).setdefault(axis, Mentions()).groups.append((nodes, 0))
        for (axis, _, ids), nodes in self.walk.lists.items():
            for index, name in enumerate(ids):
                if name not in self._sound[axis] and name not in ids[:index]:
                    found.setdefault(name, {}).setdefault(axis, Mentions()).groups.append((nodes, index))
        return found

    @property
    def undeclared(self) -> Iterator[tuple[str, dict[str, Mentions]]]:
        """What only nodes name, in id order: an id that domains name too is a dangling feed."""
        for name, axes in sorted(self.mentions.items()):
            if not self.is_declared(name) and name not in self.named_upstream:
                yield name, axes
