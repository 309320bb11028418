"""Nodes that stand where they cannot: wrong kinds, conflicts with their rack, racks in two zones."""

from typing import TYPE_CHECKING

from topology.diagnostics import Fault
from topology.kinds import AXES
from topology.rules.common import fault, quoted
from topology.rules.facts import Facts

if TYPE_CHECKING:
    from topology.routes import Routes


def axis_kind(facts: Facts, routes: "Routes") -> list[Fault]:
    """A node names on an axis a domain of another kind.

    A domain that only nodes name is of the kind of the axis on which most of them name it; on every
    other axis its first node is reported.
    """
    faults = []
    for node_id, axis, index, name in sorted(facts.walk.strangers):
        kind = facts.domains[name].kind
        right = next((other for other, means in AXES.items() if means == kind), None)
        way_out = f"name '{name}' on {right}" if right else f"name the {axis} below '{name}'"
        faults.append(
            fault(
                "axis-kind",
                f"'{node_id}' names '{name}' on the axis {axis}, but it is declared as {kind}",
                routes.node_axis(node_id, axis, index),
                f"The axis {axis} names domains of kind {AXES[axis]}: {way_out}, or fix its kind.",
                [node_id, name],
                related=((routes.domain(name, "kind"), f"declared as {kind} here"),),
            )
        )
    for name, uses in sorted(facts.walk.uses.items()):
        if len(uses) > 1:
            faults += _two_axes(name, facts, routes)
    return faults


def _two_axes(name: str, facts: Facts, routes: "Routes") -> list[Fault]:
    uses = facts.walk.uses[name]
    order = list(AXES)
    most = min(uses, key=lambda axis: (-uses[axis].nodes, order.index(axis)))
    usual = uses[most]
    return [
        fault(
            "axis-kind",
            f"'{use.first}' names '{name}' on the axis {axis}, but '{usual.first}' on the axis {most}",
            routes.node_axis(use.first, axis, use.index),
            f"One id is one thing of one kind: use another id for the {axis}, or name it on {most}.",
            [use.first, name],
            related=((routes.node_axis(usual.first, most, usual.index), f"named on {most} here"),),
        )
        for axis, use in sorted(uses.items())
        if axis != most
    ]


def standing_conflict(facts: Facts, routes: "Routes") -> list[Fault]:
    """A node names one PDU while its rack has several feeds."""
    faults = []
    for node_id, rack, pdu in sorted(facts.walk.single_corded):
        feeds = facts.domains[rack].feeds
        faults.append(
            fault(
                "standing-conflict",
                f"'{node_id}' names one PDU, '{pdu}', while its rack '{rack}' has {len(feeds)} feeds: "
                "it is treated as single-corded",
                routes.node_axis(node_id, "pdu"),
                "Name every PDU that it is plugged into (pdu: [..]), or leave pdu out: it then stands on "
                f"{quoted(feeds)} through its rack.",
                [node_id, pdu, rack],
                related=((routes.domain(rack, "feeds"), "the rack's feeds"),),
            )
        )
    return faults


def split_rack(facts: Facts, routes: "Routes") -> list[Fault]:
    """One rack id in two zones."""
    faults = []
    for rack, zones in sorted(facts.walk.rack_zones.items()):
        if len(zones) < 2:
            continue
        first, *others = sorted(zones.items())
        faults.append(
            fault(
                "split-rack",
                f"rack '{rack}' stands in {len(zones)} zones: {quoted(sorted(zones))}",
                routes.node_axis(others[0][1], "rack"),
                "Providers reuse rack names in every zone: make each id unique, with the zone before it.",
                [rack, *sorted(zones)],
                related=tuple(
                    (routes.node_axis(node, "zone"), f"'{node}' stands in '{zone}'")
                    for zone, node in (first, *others)
                ),
            )
        )
    return faults
