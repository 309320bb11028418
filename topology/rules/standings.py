"""Nodes that stand where they cannot: wrong kinds, conflicts with their rack, racks in two zones."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from topology.diagnostics import Fault
from topology.kinds import AXES
from topology.rules.common import fault, quoted
from topology.rules.facts import Facts, Mentions

if TYPE_CHECKING:
    from topology.routes import Routes


def axis_kind(facts: Facts, routes: "Routes") -> list[Fault]:
    """A node names on an axis a domain of another kind.

    A domain that only nodes name is of the kind of the axis on which most of them name it; on every
    other axis its first node is reported.
    """
    faults: list[Fault] = []
    for name, axes in sorted(facts.mentions.items()):
        if facts.is_declared(name):
            for axis, mentions in sorted(axes.items()):
                faults += _of_another_kind(name, axis, mentions, facts, routes)
        elif len(axes) > 1:
            faults += _on_two_axes(name, axes, routes)
    return faults


def _of_another_kind(
    name: str, axis: str, mentions: Mentions, facts: Facts, routes: "Routes"
) -> Iterator[Fault]:
    kind = facts.domains[name].kind
    right = next((other for other, means in AXES.items() if means == kind), None)
    way_out = f"name '{name}' on {right}" if right else f"name the {axis} below '{name}'"
    for node, index in sorted(mentions.all()):
        yield fault(
            "axis-kind",
            f"'{node}' names '{name}' on the axis {axis}, but it is declared as {kind}",
            routes.node_axis(node, axis, index),
            f"The axis {axis} names domains of kind {AXES[axis]}: {way_out}, or fix its kind.",
            [node, name],
            related=((routes.domain(name, "kind"), f"declared as {kind} here"),),
        )


def _on_two_axes(name: str, axes: dict[str, Mentions], routes: "Routes") -> Iterator[Fault]:
    order = list(AXES)
    usual = min(axes, key=lambda axis: (-axes[axis].count, order.index(axis)))
    usual_node, usual_index = axes[usual].first
    for axis in sorted(axes.keys() - {usual}):
        node, index = axes[axis].first
        yield fault(
            "axis-kind",
            f"'{node}' names '{name}' on the axis {axis}, but '{usual_node}' on the axis {usual}",
            routes.node_axis(node, axis, index),
            f"One id is one thing of one kind: use another id for the {axis}, or name it on {usual}.",
            [node, name],
            related=((routes.node_axis(usual_node, usual, usual_index), f"named on {usual} here"),),
        )


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
