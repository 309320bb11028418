"""Hypothesis strategies over the generated estates of tests/generator.py, shared by every test."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from tests.generator import (
    KINDS,
    SNAPSHOT_AT,
    WORKLOAD_KINDS,
    Choices,
    Size,
    estate_from,
    failures_from,
    topology_from,
)
from topology.model import Domain, Estate, Node, Standing, Topology

__all__ = [
    "SNAPSHOT_AT",
    "WORKLOAD_KINDS",
    "estates",
    "failures",
    "hostile_ids",
    "ladder",
    "renamed",
    "scenarios",
    "topologies",
]

_HOSTILE = (
    "<b>",
    "&amp;",
    "\x1b[31m",
    '"',
    "'",
    "\n",
    "\u202e",
    "\ud800",
    "]]>",
    "%s",
    "{}",
    "é",
    "\0",
    "x" * 320,
)


def _choices(draw: st.DrawFn) -> Choices:
    return Choices(lambda count: draw(st.integers(0, count - 1)) if count > 1 else 0)


@st.composite
def estates(
    draw: st.DrawFn,
    /,
    *,
    max_domains: int = 11,
    max_nodes: int = 7,
    max_workloads: int = 3,
    rated: int = 3,
    kw_known: bool | None = None,
    kinds: Sequence[str] = KINDS,
) -> Estate:
    """A valid estate. `rated`: in how many of 4 cases what can be rated is. `kw_known`: see Size."""
    return estate_from(_choices(draw), Size(max_domains, max_nodes, max_workloads, rated, kw_known), kinds)


@st.composite
def topologies(draw: st.DrawFn, /, *, max_domains: int = 11, max_nodes: int = 7) -> Topology:
    """A valid facility map, without any snapshot."""
    return topology_from(_choices(draw), Size(max_domains, max_nodes))


@st.composite
def failures(draw: st.DrawFn, /, estate: Estate, *, min_size: int = 0, max_size: int = 2) -> tuple[str, ...]:
    """Ids to fail: what feeds something above all, any domain, sometimes a node."""
    return failures_from(_choices(draw), estate, min_size, max_size)


@st.composite
def scenarios(
    draw: st.DrawFn,
    /,
    *,
    max_failed: int = 2,
    max_domains: int = 11,
    max_nodes: int = 7,
    max_workloads: int = 3,
    rated: int = 3,
    kw_known: bool | None = None,
) -> tuple[Estate, tuple[str, ...]]:
    """An estate and what fails in it."""
    choices = _choices(draw)
    estate = estate_from(choices, Size(max_domains, max_nodes, max_workloads, rated, kw_known))
    return estate, failures_from(choices, estate, 0, max_failed)


def hostile_ids() -> st.SearchStrategy[str]:
    """Ids as hostile as a file can hold: markup, control characters, surrogates, 300 and more characters."""
    return st.tuples(st.sampled_from(_HOSTILE), st.text(max_size=5)).map("".join)


def renamed(estate: Estate, rename: Callable[[str], str]) -> Estate:
    """Return the estate with every domain and node id (not the workloads') replaced by `rename(id)`."""
    return dataclasses.replace(
        estate,
        nodes=tuple(
            dataclasses.replace(
                node,
                id=rename(node.id),
                standings=tuple(Standing(s.axis, s.mode, tuple(map(rename, s.ids))) for s in node.standings),
            )
            for node in estate.nodes
        ),
        domains={
            rename(domain_id): dataclasses.replace(
                domain,
                id=rename(domain_id),
                parent=None if domain.parent is None else rename(domain.parent),
                feeds=tuple(map(rename, domain.feeds)),
            )
            for domain_id, domain in estate.domains.items()
        },
        workloads=tuple(
            dataclasses.replace(
                job, placements={rename(node): units for node, units in job.placements.items()}
            )
            for job in estate.workloads
        ),
    )


def ladder(depth: int) -> Estate:
    """A chain of `depth` power domains, each hanging from the one before, with one node at its end."""
    names = [f"p{number:05}" for number in range(depth)]
    parents = (None, *names)
    domains = {
        name: Domain(name, "power", parent=parent) for name, parent in zip(names, parents, strict=False)
    }
    node = Node("n", 8, 8, (Standing("pdu", "one", (names[-1],)),), kw_per_unit=1)
    return Estate("lab", "gpu", SNAPSHOT_AT, (node,), domains)
