"""Roles of nodes that are nearly one of those that analyses know: legal, and hardly meant."""

from typing import TYPE_CHECKING, Final

from topology.closest import looks_mistyped
from topology.diagnostics import Fault
from topology.model import Estate, Node
from topology.rules.common import fault, plural

if TYPE_CHECKING:
    from topology.routes import Routes

KNOWN_ROLES: Final = ("control-plane", "etcd", "storage")
"""The roles that the collector writes and analyses know (spec 2). Others are free text, and never vote."""


def misspelt_role(estate: Estate, routes: "Routes") -> list[Fault]:
    """Roles that differ from a known one in form alone, or by one slip of the hand."""
    bearers: dict[str, list[Node]] = {}
    for node in estate.nodes:
        for role in node.roles:
            bearers.setdefault(role, []).append(node)
    faults = []
    for role, nodes in sorted(bearers.items()):
        meant = next((known for known in KNOWN_ROLES if looks_mistyped(role, known)), None)
        if role in KNOWN_ROLES or meant is None:
            continue
        first = min(nodes, key=lambda node: node.id)
        faults.append(
            fault(
                "misspelt-role",
                f"role '{role}' of {plural(len(nodes), 'node')} is not '{meant}': it is counted apart, and "
                "has no vote",
                (*routes.node(first.id), "roles", first.roles.index(role)),
                f"If '{meant}' is meant, write it so.",
                [role, meant],
            )
        )
    return faults
