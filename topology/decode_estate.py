"""An estate file's raw values into the model; every fault of shape in one run (spec 2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from topology.decode_domains import decode_domains, implicit_roots
from topology.decode_standings import StandingReader
from topology.diagnostics import Fault
from topology.estate_shapes import ESTATE, LOOP, WORKLOAD, Embedded, node_shape
from topology.fields import Shape
from topology.model import Estate, Loop, Node, Provenance, Workload
from topology.readers import Wrong, located

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """An estate as far as its file can be read; `*_places` say which entry of the file each thing was.

    `every_node_named`: no node was left out for want of an id, so that an unknown name is one.
    """

    estate: Estate
    node_places: Sequence[int]
    workload_places: Sequence[int]
    loop_places: Sequence[int]
    every_node_named: bool
    embedded: Embedded | None


def decode_estate(raw: object) -> tuple[Draft, list[Fault]]:
    """Return the estate as far as it can be read, and every fault of its shape."""
    faults: list[Fault] = []
    values: dict[str, Any]
    try:
        values = ESTATE.read(raw)
    except Wrong as wrong:
        faults += located(wrong, ())
        values = wrong.partial if isinstance(wrong.partial, dict) else {}
    values.pop("schema_version", None)
    values.pop("schema", None)
    embedded = values.pop("topology", None)
    standings = StandingReader()
    raw_nodes = values.pop("nodes", [])
    nodes, node_places = _records(raw_nodes, node_shape(standings), _node, "node", faults)
    workloads, workload_places = _records(
        values.pop("workloads", []), WORKLOAD, _workload, "workload", faults
    )
    loops, loop_places = _records(values.pop("loops", []), LOOP, _loop, "loop", faults)
    domains = decode_domains(values.pop("domains", {}), faults)
    estate = Estate(
        cluster=values.pop("cluster", ""),
        unit=values.pop("unit", "gpu"),
        snapshot_at=values.pop("snapshot_at", ""),
        nodes=nodes,
        domains={**domains, **implicit_roots(domains, standings.distinct)},
        workloads=workloads,
        loops=loops,
        provenance=values.pop("provenance", Provenance()),
        **values,
    )
    return Draft(
        estate, node_places, workload_places, loop_places, len(nodes) == len(raw_nodes), embedded
    ), faults


def _records(
    raw: list[Any], shape: Shape, build: Callable[[dict[str, Any]], T], name: str, faults: list[Fault]
) -> tuple[tuple[T, ...], Sequence[int]]:
    """Return the entries of a list that have an id, and their places in it."""
    things = []
    places = []
    for place, item in enumerate(raw):
        try:
            values = shape.read(item)
        except Wrong as wrong:
            values = wrong.partial if isinstance(wrong.partial, dict) else {}
            faults += located(wrong, (f"{name}s", place), name, values.get("id"))
            if "id" not in values:
                continue
        things.append(build(values))
        places.append(place)
    return tuple(things), range(len(raw)) if len(places) == len(raw) else places


def _node(values: dict[str, Any]) -> Node:
    if "allocated" not in values:
        values["allocated"] = None
    return Node(**values)


def _workload(values: dict[str, Any]) -> Workload:
    return Workload(**{"kind": "unknown", "placements": {}, **values})


def _loop(values: dict[str, Any]) -> Loop:
    return Loop(**{"hourly_actions": (), **values})
