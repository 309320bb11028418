"""What the tests of the report share: estates, their pages, and what a page carries."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any

from tests.topo.diagram.drawing import example, node, small
from topo.report import render_report
from topology.model import Domain, Estate, Loop, Node, Provenance, Standing, Workload

NOW = "2026-12-01T00:00:00Z"

HOSTILE = (
    "<script>window.hurt=1</script>",
    "</script><img src=x onerror=window.hurt=1>",
    '\'" onload=window.hurt=1 x="',
    "</style></title><!--<script>",
    "{{7*7}}${7*7}",
    "__proto__",
    "constructor",
    "rack\u202egpj.exe",
    "line\u2028break\u0000\u001b[31m",
    "lone\ud800surrogate",
    "&lt;b&gt; &amp; &#x27;",
    "javascript:window.hurt=1",
    "x" * 300,
)


@cache
def page_of(name: str) -> str:
    """Return the report of a shipped estate."""
    return render_report(example(name), now=NOW)


def island(page: str) -> dict[str, Any]:
    """Return the data that the page's script reads."""
    found = re.search(r'<script type="application/json" id="topo-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    document: dict[str, Any] = json.loads(found[1])
    return document


def expand(steps: list[int]) -> list[int]:
    """Return ascending indices from the first one and the steps between them."""
    found, last = [], 0
    for step in steps:
        last += step
        found.append(last)
    return found


class Tree(HTMLParser):
    """Reads a page, and notes what is not well-formed or not allowed."""

    VOID = frozenset({"br", "hr", "input", "meta"})

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"never closed: {tag}" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"closes what is not open: {tag}")

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.texts.append(data)

    @property
    def text(self) -> str:
        """Everything that can be read, on one line."""
        return " ".join(" ".join(self.texts).split())


def hostile() -> Estate:
    """Return an estate whose every id tries to break out."""
    domains = [Domain(f"{text} ups", "ups", rated_kw=8) for text in HOSTILE]
    domains += [
        Domain(f"{text} pdu", "power", feeds=(f"{text} ups",), contact=text, description=text)
        for text in HOSTILE
    ]
    nodes = [
        Node(text, 4, 8, (Standing("pdu", "one", (f"{text} pdu",)),), model=text, ecc_errors_90d=99)
        for text in HOSTILE
    ]
    workloads = [
        Workload(text, "training", {text: 4}, critical=True, owner=text, contact=text, namespace=text)
        for text in HOSTILE
    ]
    estate = small(*domains, nodes=nodes, workloads=workloads)
    loops = tuple(Loop(text, (9, None, *[0] * 22)) for text in HOSTILE)
    caveats = Provenance(caveats=HOSTILE, collector_version=HOSTILE[0])
    return replace(estate, cluster=HOSTILE[1], loops=loops, provenance=caveats, price_per_unit_hour=2)


def telling() -> Estate:
    """Return a small estate in which every threshold of the methodology decides something."""
    domains = (
        Domain("ups-a", "ups", rated_kw=8),
        Domain("ups-b", "ups", rated_kw=4),
        Domain("pdu", "power", feeds=("ups-a", "ups-b"), measured_kw=40),
        Domain("loop", "cooling", ride_through_minutes=20),
    )
    nodes = (
        replace(
            node("n1", 4, pdu="pdu", cooling="loop"),
            installed=8,
            ecc_errors_90d=5,
            job_failures_90d=3,
            xid_events_90d=3,
        ),
        replace(
            node("n2", 8, pdu="pdu"), utilization=0.1, utilization_basis="dcgm", utilization_window_hours=30
        ),
        replace(
            node("n3", 8, pdu="pdu"), utilization=0.3, utilization_basis="dcgm", utilization_window_hours=30
        ),
        replace(node("n4", 5, pdu="pdu"), installed=8),
    )
    workloads = (
        Workload("train", "training", {"n1": 4}, critical=True, checkpoint_minutes=30),
        Workload("chat", "inference", {"n2": 8}),
    )
    loops = (Loop("hpa", (9, 9, *[5] * 22)), Loop("karpenter", (9, 1, *[5] * 22)))
    estate = small(*domains, nodes=nodes, workloads=workloads)
    return replace(estate, loops=loops, price_per_unit_hour=2.0)
