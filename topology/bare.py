"""A topology without any snapshot, standing in for an estate: who is lost, without units (spec 6)."""

from typing import Final

from topology.model import Estate, Node, Topology

_NO_CLUSTER: Final = "topology"
_NO_SNAPSHOT: Final = "1970-01-01T00:00:00Z"


def estate_of(topology: Topology) -> Estate:
    """Return an estate of the map's nodes, every unit unknown; `bare`: no snapshot stands behind it."""
    return Estate(
        cluster=_NO_CLUSTER,
        unit="gpu",
        snapshot_at=_NO_SNAPSHOT,
        nodes=tuple(
            Node(node_id, allocated=None, standings=standings)
            for node_id, standings in topology.nodes.items()
        ),
        domains=topology.domains,
        verified_at=topology.verified_at,
        bare=True,
    )
