"""A facility map beside the snapshot that it is laid over: nodes that only one of the two names."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from topology.closest import Closest
from topology.diagnostics import Fault
from topology.model import Estate, Topology
from topology.rules.common import fault, plural, quoted

if TYPE_CHECKING:
    from topology.routes import Routes


def absent_node(
    estate: Estate, topology: Topology, routes: "Routes", elsewhere: Collection[str] = ()
) -> list[Fault]:
    """Nodes of the map that the snapshot has not: each that looks like another's name, the others counted.

    `elsewhere` are nodes of other snapshots under the same map.
    """
    snapshot = {node.id for node in estate.nodes}
    absent = sorted(set(topology.nodes).difference(snapshot, elsewhere))
    unmapped = snapshot.difference(topology.nodes)
    meant = _meant(absent, unmapped)
    faults = [
        fault(
            "absent-node",
            f"node '{name}' of the facility map is not in the snapshot, but '{other}' is, which the map "
            "lacks",
            routes.node(name),
            f"If '{other}' is meant, write it so: until then it has none of what '{name}' says.",
            [name, other],
            key=True,
        )
        for name, other in meant.items()
    ]
    if rest := [name for name in absent if name not in meant]:
        lacking = f"The map lacks {quoted(sorted(unmapped))} of the snapshot: " if unmapped else ""
        faults.append(
            fault(
                "absent-node",
                f"{plural(len(rest), 'node')} of the facility map {'is' if len(rest) == 1 else 'are'} not in "
                f"the snapshot: {quoted(rest)}",
                routes.node(rest[0]),
                f"{lacking}{'c' if lacking else 'C'}heck the spelling; what is not registered, or gone for "
                "good, may stay in the map or leave it.",
                rest,
                key=True,
            )
        )
    return faults


def unmapped_node(estate: Estate, topology: Topology, routes: "Routes") -> list[Fault]:
    """Nodes of the snapshot that the map has not, counted; a map without any node leaves that to labels."""
    unmapped = sorted(node.id for node in estate.nodes if node.id not in topology.nodes)
    if not topology.nodes or not unmapped:
        return []
    place = quoted(unmapped)
    of = f"of the {plural(len(estate.nodes), 'node')} of the snapshot"
    if len(unmapped) == len(estate.nodes):
        said = f"none {of} is in the facility map: {place}"
        hint = "Is it the map of this cluster, with the names that its nodes are registered by?"
    else:
        said = (
            f"{len(unmapped):,} {of} {'is' if len(unmapped) == 1 else 'are'} not in the facility map: {place}"
        )
        hint = "Place it in the map: until then a node stands where its labels say, or nowhere."
    return [
        fault(
            "unmapped-node",
            said,
            routes.node(unmapped[0]),
            hint,
            unmapped,
            severity="warning" if len(unmapped) == len(estate.nodes) else "info",
        )
    ]


def _meant(absent: Collection[str], unmapped: Collection[str]) -> Mapping[str, str]:
    """Return names of the map -> the unmapped node of the snapshot that each is most like, if any is."""
    if not unmapped:
        return {}
    closest = Closest(unmapped)
    by_short: dict[str, str] = {}
    for name in sorted(unmapped):
        by_short.setdefault(_short(name), name)
    found = {name: by_short.get(_short(name)) or closest.to(name) for name in absent}
    return {name: other for name, other in found.items() if other is not None}


def _short(name: str) -> str:
    """The first part of a host's name: `gpu-1` of `gpu-1.example.com`."""
    return name.partition(".")[0].casefold()
