"""An estate file's raw values into the model; every fault of shape in one run (spec 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, cast

from topology.columns import records
from topology.decode_domains import decode_domains, implicit_roots
from topology.decode_standings import StandingReader
from topology.diagnostics import Fault
from topology.estate_shapes import ESTATE, LOOP, WORKLOAD, Embedded, node_shape
from topology.fields import Shape
from topology.frozen import maker_of
from topology.model import Estate, Loop, Node, Provenance, Workload
from topology.readers import Wrong, located

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """An estate as far as its file can be read; `*_places` say which entry of the file each thing was.

    `cluster_places` is empty where a cluster cannot be read.

    `every_node_named`: no node was left out for want of an id, so that an unknown name is one.
    """

    estate: Estate
    node_places: Sequence[int]
    workload_places: Sequence[int]
    loop_places: Sequence[int]
    cluster_places: Sequence[int]
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
    raw_workloads = values.pop("workloads", [])
    known = {"standings": standings.read_all(raw_nodes)}
    nodes, node_places = _records("node", raw_nodes, node_shape(standings), Node, faults, known)
    workloads, workload_places = _records("workload", raw_workloads, WORKLOAD, Workload, faults, {})
    loops, loop_places = _records("loop", values.pop("loops", []), LOOP, Loop, faults, {})
    domains = decode_domains(values.pop("domains", {}), faults)
    clusters = len(values.get("clusters") or ())
    every_cluster = not any(fault.route[:1] == ("clusters",) for fault in faults)
    cluster_places = range(clusters if every_cluster else 0)
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
        estate,
        node_places,
        workload_places,
        loop_places,
        cluster_places,
        every_node_named=len(nodes) == len(raw_nodes),
        embedded=embedded,
    ), faults


_FILLED_IN: Final[dict[str, dict[str, Any]]] = {
    "node": {"allocated": None},
    "workload": {"kind": "unknown", "placements": {}},
    "loop": {"hourly_actions": ()},
}
"""What stands in for a required value that is missing or wrong, so that the rest is checked all the same."""


def _records(
    name: str,
    raw: list[Any],
    shape: Shape,
    kind: type[T],
    faults: list[Fault],
    known: Mapping[str, Sequence[Any]],
) -> tuple[tuple[T, ...], Sequence[int]]:
    """Return the entries of a list that have an id, and their places in it."""
    make = maker_of(kind)
    things = records(shape, kind, raw, known)
    if all(thing is not None for thing in things):  # `None in things` would compare every one of them
        return tuple(cast(list[T], things)), range(len(raw))
    made = []
    places = []
    for place, item in enumerate(raw):
        thing = things[place]
        if thing is not None:
            made.append(thing)
            places.append(place)
            continue
        try:
            values = shape.read(item)
        except Wrong as wrong:
            values = wrong.partial if isinstance(wrong.partial, dict) else {}
            faults += located(wrong, (f"{name}s", place), name, values.get("id"))
            if "id" not in values:
                continue
            values = {**_FILLED_IN[name], **values}
        made.append(make(**values))
        places.append(place)
    return tuple(made), range(len(raw)) if len(places) == len(raw) else places
