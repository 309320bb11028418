"""The parts of the page of `topo ok-to-take-out` about nodes with roles: control plane, quorum, storage."""

from collections.abc import Iterable
from typing import Final

from findings.maintenance.plan import Maintenance
from findings.maintenance.roles import RoleAtStake
from findings.roles import QUORUM_ROLES
from topo.text.casualties import QUORUM_UNKNOWN, members_lost, role_name
from topo.text.page import PageOptions, heading, sentence, short
from topo.text.table import Column, table
from topo.text.words import count, number, some
from topology.model import Estate

_NAMED: Final = 3


def costs_words(quorums: Iterable[RoleAtStake], estate: Estate) -> str:
    """Return which roles the work costs their quorum."""
    said = [
        f"{role_name(role.cluster, role.role, estate)} its quorum "
        f"{members_lost(role.lost + role.lost_already, role.total)}"
        for role in quorums
    ]
    return f"costs {some(said, _NAMED)}"


def roles_section(result: Maintenance, options: PageOptions) -> list[str]:
    """Return the roles that would lose nodes; what is unknown or lost by nobody is said as well."""
    lines = heading("Control plane and storage", "beyond what is lost already", options.style)
    roles, nodes = result.safety.roles, result.estate.nodes
    if roles is None:
        return [*lines, *sentence(f"No node has a role reported. {QUORUM_UNKNOWN}")]
    if roles:
        lines += _table(roles)
    else:
        bearers = count(sum(bool(node.roles) for node in nodes), "node")
        lines += sentence(f"None would be lost of {bearers} with a role.")
    voters = any(not QUORUM_ROLES.isdisjoint(node.roles) for node in nodes)
    return lines if voters else [*lines, *sentence(QUORUM_UNKNOWN)]


def _table(roles: tuple[RoleAtStake, ...]) -> list[str]:
    already = any(role.lost_already for role in roles)
    columns = [
        Column("cluster", flexible=True),
        Column("role"),
        Column("lost", right=True),
        *([Column("lost already", right=True)] if already else []),
        Column("quorum"),
    ]
    rows = [
        [
            role.cluster,
            role.role,
            f"{number(role.lost)} of {number(role.total)}",
            *([number(role.lost_already)] if already else []),
            _state(role),
        ]
        for role in roles
    ]
    return table(columns, rows)


def _state(role: RoleAtStake) -> str:
    if role.quorum_lost_already:
        return "lost already"
    return {True: "QUORUM LOST", False: "quorum holds", None: ""}[role.quorum_lost]


def risk_lines(result: Maintenance) -> list[str]:
    """Return the second failures that would cost a role its quorum because of the work."""
    lines = []
    for risk in result.second.quorums:
        name = role_name(risk.cluster, risk.role, result.estate)
        failures = some([short(each) for each in risk.failures], _NAMED)
        lines += sentence(f"Because of the work, {name} would lose its quorum with {failures}.")
    return lines
