"""The facility under the load that is left when some workloads are paused."""

import math
from collections.abc import Iterable
from dataclasses import replace

from closure.compiled import Facility
from findings.curtail.pauses import Pause, Savings


def reduced(facility: Facility, paused: Iterable[Pause], saved: Savings) -> Facility:
    """Return the facility when these workloads draw no more than their paused units do."""
    terms: dict[int, list[float]] = {}
    for pause in paused:
        for node_id, units in pause.workload.placements.items():
            terms.setdefault(facility.node_index[node_id], []).append(units * saved.kw.get(node_id, 0.0))
    node_kw = tuple(
        kw if kw is None or node not in terms else max(0.0, math.fsum((kw, *(-term for term in terms[node]))))
        for node, kw in enumerate(facility.node_kw)
    )
    groups = tuple(
        group._replace(kw=math.fsum(kw for node in group.nodes if (kw := node_kw[node]) is not None))
        for group in facility.groups
    )
    return replace(facility, node_kw=node_kw, groups=groups)
