"""Estates for pictures: halls of any size, dual-fed racks, shared chillers, weak and unrated feeds."""

from __future__ import annotations

from topology.model import Domain, Estate, Node, Standing, Workload


def halls(count: int, *, pairs: int = 5, racks: int = 8, nodes: int = 4) -> Estate:
    """Return `count` halls of `pairs` PDU pairs with `racks` racks each, `nodes` nodes of 8 GPUs a rack."""
    domains: list[Domain] = []
    machines: list[Node] = []
    for h in range(1, count + 1):
        domains += _plant(h)
        for p in range(1, pairs + 1):
            domains += _pair(h, p, racks * nodes * 8 * 0.7)
            for r in range(1, racks + 1):
                rack, nodes_here = _rack(h, p, r, nodes)
                domains.append(rack)
                machines += nodes_here
    workloads = (
        Workload("ml/job/llama", "training", {m.id: 8 for m in machines[::3]}, critical=True),
        Workload("web/deployment/chat", "inference", {m.id: 4 for m in machines[1::3]}, critical=False),
    )
    return Estate(
        cluster="halls",
        unit="gpu",
        snapshot_at="2026-11-30T12:00:00Z",
        nodes=tuple(machines),
        domains={domain.id: domain for domain in domains},
        workloads=workloads,
        watts_per_unit_kw=0.7,
    )


def _plant(h: int) -> list[Domain]:
    return [
        Domain(f"zone-{h}", "zone", declared=False),
        *(Domain(f"h{h}-xfmr-{side}", "transformer", rated_kw=9000) for side in "ab"),
        *(Domain(f"h{h}-ups-{side}", "ups", parent=f"h{h}-xfmr-{side}", rated_kw=4000) for side in "ab"),
        *(Domain(f"h{h}-chiller-{c}", "cooling", rated_kw=2500) for c in (1, 2)),
        *(
            Domain(f"h{h}-loop-{c}", "cooling", feeds=(f"h{h}-chiller-1", f"h{h}-chiller-2"))
            for c in (1, 2, 3, 4)
        ),
    ]


def _pair(h: int, p: int, load_kw: float) -> list[Domain]:
    feeds = (f"h{h}-ups-a", f"h{h}-ups-b")
    rated = None if p % 4 == 3 else load_kw * (0.7 if p % 4 == 2 else 1.2)
    return [Domain(f"h{h}-pdu-{p}{side}", "power", feeds=feeds, rated_kw=rated) for side in "ab"]


def _rack(h: int, p: int, r: int, nodes: int) -> tuple[Domain, list[Node]]:
    sides = "ab" if r % 8 else "a"
    feeds = tuple(f"h{h}-pdu-{p}{side}" for side in sides)
    rack = Domain(f"h{h}-rack-{p}-{r}", "rack", feeds=feeds, rated_kw=nodes * 8 * 0.8)
    standings = (
        Standing("rack", "one", (rack.id,)),
        Standing("cooling", "one", (f"h{h}-loop-{(p * 7 + r) % 4 + 1}",)),
        Standing("zone", "one", (f"zone-{h}",)),
    )
    return rack, [Node(f"{rack.id}-n{n}", 8, 8, standings) for n in range(1, nodes + 1)]
