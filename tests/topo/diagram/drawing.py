"""What the tests of pictures share: estate and scenario to picture, and a look at a canvas' parts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from closure.cascade import close
from closure.compiled import compile_facility
from closure.strict import strict_check
from topo.diagram.model import Box, Options, Picture
from topo.diagram.picture import picture
from topology.load import load_text
from topology.model import Domain, Estate, Node, Standing, Workload

ROOT = Path(__file__).resolve().parents[3]


def draw(estate: Estate, failed: Sequence[str] = (), options: Options | None = None) -> Picture:
    """Return the picture of one scenario."""
    facility = compile_facility(estate)
    closure = close(facility, failed)
    return picture(facility, closure, strict_check(facility, failed, closure), options)


def example(name: str) -> Estate:
    """Return a shipped estate."""
    path = ROOT / "examples" / name / "estate.json"
    loaded = load_text(path.read_bytes(), path.name)
    assert loaded.estate is not None, loaded.diagnostics
    return loaded.estate


def estate_of_json(document: dict[str, object]) -> Estate:
    """Return an estate from the contents of a file."""
    defaults = {"schemaVersion": 1, "cluster": "c", "unit": "gpu", "snapshotAt": "2026-11-30T12:00:00Z"}
    loaded = load_text(json.dumps({**defaults, "wattsPerUnitKw": 1.0, **document}), "estate.json")
    assert loaded.estate is not None, loaded.diagnostics
    return loaded.estate


def box(drawn: Picture, member: str) -> Box:
    """Return the one box that holds a domain (or a node outside racks)."""
    (found,) = [box for box in drawn.boxes if member in box.members]
    return found


def small(*domains: Domain, nodes: Sequence[Node] = (), workloads: Sequence[Workload] = ()) -> Estate:
    """Return an estate of given domains, at 1 kW a unit."""
    return Estate(
        cluster="c",
        unit="gpu",
        snapshot_at="2026-11-30T12:00:00Z",
        nodes=tuple(nodes),
        domains={domain.id: domain for domain in domains},
        workloads=tuple(workloads),
        watts_per_unit_kw=1,
    )


def node(name: str, units: int | None = 4, **places: str) -> Node:
    """Return a node of `units` units that stands in given places."""
    return Node(name, units, units, tuple(Standing(axis, "one", (at,)) for axis, at in places.items()))
