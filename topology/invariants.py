"""What must hold between the values of an estate, beyond the shape of each (spec 2). Rule `schema`.

Each function is one invariant, and one custom keyword of the JSON Schema.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import Final

from topology.closest import Closest
from topology.decode_estate import Draft
from topology.diagnostics import Fault, Route
from topology.limits import SUM_TOLERANCE
from topology.model import Domain, Number, Workload
from topology.quoting import quoted
from topology.routes import Routes


def unique_ids(draft: Draft) -> list[Fault]:
    """Node, workload, loop and cluster ids are unique, each among its own kind."""
    estate = draft.estate
    clusters = [cluster.id for cluster in estate.clusters[: len(draft.cluster_places)]]
    return [
        *_repeats("node", [node.id for node in estate.nodes], draft.node_places),
        *_repeats("workload", [workload.id for workload in estate.workloads], draft.workload_places),
        *_repeats("loop", [loop.id for loop in estate.loops], draft.loop_places),
        *_repeats("cluster", clusters, draft.cluster_places),
    ]


def _repeats(name: str, ids: list[str], places: Sequence[int]) -> list[Fault]:
    if len(set(ids)) == len(ids):
        return []
    first: dict[str, int] = {}
    faults = []
    for place, thing in zip(places, ids, strict=True):
        if thing in first:
            faults.append(
                Fault(
                    "schema",
                    "error",
                    f"{name} {quoted(thing)} is there twice",
                    (f"{name}s", place, "id"),
                    f"Ids are unique: remove one {name}, or name it differently.",
                    (thing,),
                    related=(((f"{name}s", first[thing], "id"), "first here"),),
                )
            )
        else:
            first[thing] = place
    return faults


def one_namespace(nodes: Iterable[str], domains: Mapping[str, Domain], routes: Routes) -> list[Fault]:
    """Node and domain ids share one namespace: a failed id must say what failed."""
    faults = []
    for node_id in dict.fromkeys(node_id for node_id in nodes if node_id in domains):
        kind = domains[node_id].kind or "domain"
        related: tuple[tuple[Route, str], ...] = ()
        if domains[node_id].declared:
            related = ((routes.domain(node_id), "the domain"),)
        faults.append(
            Fault(
                "schema",
                "error",
                f"{quoted(node_id)} is a node and a {kind} domain",
                routes.node(node_id),
                "Nodes and domains share one namespace: rename one of them.",
                (node_id,),
                at="key",
                related=related,
            )
        )
    return faults


def allocated_fits(draft: Draft) -> list[Fault]:
    """0 ≤ allocated ≤ installed, where installed is known."""
    return [
        Fault(
            "schema",
            "error",
            f"node {quoted(node.id)}: {node.allocated} units are allocated, {node.installed} installed",
            ("nodes", place, "allocated"),
            "allocated is at most installed; leave installed out where it is unknown.",
            (node.id,),
        )
        for place, node in zip(draft.node_places, draft.estate.nodes, strict=True)
        if node.installed is not None and node.allocated is not None and node.allocated > node.installed
    ]


def placements_fit(draft: Draft) -> list[Fault]:
    """Placements and replicas name known nodes; per node, placements sum to at most what is allocated."""
    known = {node.id: node.allocated for node in draft.estate.nodes}
    placed = _placed(draft.estate.workloads)
    strange = not placed.keys() <= known.keys() or any(w.replicas for w in draft.estate.workloads)
    unknown = _unknown_nodes(draft, known) if strange and draft.every_node_named else []
    return unknown + _overplaced(draft, known, placed)


def _placed(workloads: Iterable[Workload]) -> dict[str, Number]:
    """Return the units placed on each node that anything is placed on, known or not."""
    placed: dict[str, Number] = {}
    for workload in workloads:
        for node_id, units in workload.placements.items():
            placed[node_id] = placed.get(node_id, 0) + units
    return placed


def _unknown_nodes(draft: Draft, known: Mapping[str, object]) -> list[Fault]:
    strange: list[tuple[Workload, Route]] = []
    for place, workload in zip(draft.workload_places, draft.estate.workloads, strict=True):
        for key, by_node in (("placements", workload.placements), ("replicas", workload.replicas or {})):
            strange += [
                (workload, ("workloads", place, key, node_id)) for node_id in by_node if node_id not in known
            ]
    finder = Closest(known if strange else ())
    faults = []
    for workload, route in strange:
        key, node_id = str(route[2]), str(route[3])
        meant = finder.to(node_id)
        message = (
            f"workload {quoted(workload.id)}: {key} names {quoted(node_id)}, which is no node of this estate"
        )
        hint = f"Did you mean {quoted(meant)}?" if meant else "Add the node, or leave it out here."
        faults.append(Fault("schema", "error", message, route, hint, (workload.id, node_id), at="key"))
    return faults


def _overplaced(
    draft: Draft, known: Mapping[str, Number | None], placed: Mapping[str, Number]
) -> list[Fault]:
    over: dict[str, list[tuple[Route, Number]]] = {}
    for node_id, allocated in known.items():
        total = placed.get(node_id, 0)
        if allocated is not None and total > allocated and not fits(total, allocated):
            over[node_id] = []
    if not over:
        return []
    for place, workload in zip(draft.workload_places, draft.estate.workloads, strict=True):
        for node_id in workload.placements.keys() & over.keys():
            route = ("workloads", place, "placements", node_id)
            over[node_id].append((route, workload.placements[node_id]))
    return [_overplaced_fault(node_id, known[node_id], terms) for node_id, terms in over.items()]


def _overplaced_fault(node_id: str, allocated: Number | None, terms: list[tuple[Route, Number]]) -> Fault:
    total = exact_sum([units for _, units in terms])
    *others, (route, _) = terms
    return Fault(
        "schema",
        "error",
        f"node {quoted(node_id)}: placements sum to {_shown(total)} units, {allocated} are allocated",
        route,
        "Placements of a node sum to at most its allocated units.",
        (node_id,),
        related=tuple((other, "also placed here") for other, _ in others),
    )


def _shown(total: Number) -> str:
    """Return a sum without the noise of the machine's arithmetic behind its tenth digit."""
    return f"{total:.10g}" if isinstance(total, float) else str(total)


def exact_sum(terms: list[Number]) -> Number:
    """Return a sum that does not depend on the order of its terms."""
    return fsum(terms) if any(type(term) is float for term in terms) else sum(terms)


def fits(amount: Number, room: Number) -> bool:
    """Return whether `amount` is at most `room`, within the tolerance for sums of fractions."""
    return amount <= room * (1 + SUM_TOLERANCE)


INVARIANTS: Final[dict[str, Callable[[Draft], list[Fault]]]] = {
    "x-unique-ids": unique_ids,
    "x-allocated-fits": allocated_fits,
    "x-placements-fit": placements_fit,
}
"""The invariants that an estate alone decides, by their keyword in the schema."""
