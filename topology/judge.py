"""Raw values into the model, with every fault of shape and of meaning (spec 1 and 2)."""

from dataclasses import replace
from typing import Final

from topology.apply import faults_together, overlay
from topology.decode_estate import Draft, decode_estate
from topology.decode_topology import decode_topology
from topology.diagnostics import Diagnostic, Fault, Route
from topology.estate_shapes import Embedded
from topology.invariants import INVARIANTS, one_namespace
from topology.model import Estate, Topology
from topology.quoting import quoted
from topology.reading import Reading, Refused, read
from topology.routes import EstateRoutes, TopologyRoutes
from topology.rules import check
from topology.rules.devices import implausible_count
from topology.rules.gaps import empty_map, missing_supply, nodes_with_units, unplaced_node
from topology.rules.idle import idle_above_draw
from topology.rules.plausible import implausible_draw
from topology.rules.roles import misspelt_role

EMBEDDED_ROUTE: Final[Route] = ("topology", "text")
"""Where an estate carries a topology file as text."""


def judge_topology(raw: object) -> tuple[Topology, list[Fault]]:
    """Return the topology as far as it can be read, and every fault."""
    topology, faults = decode_topology(raw)
    routes = TopologyRoutes(raw)
    faults += check(topology.domains, topology.nodes.items(), routes)
    faults += one_namespace(topology.nodes, topology.domains, routes)
    if not any(fault.severity == "error" for fault in faults):  # else something may be there, unread
        faults += empty_map(topology)
        faults += unplaced_node(topology, routes)
        faults += missing_supply(
            [(node, said) for node, said in topology.nodes.items() if said], routes, "info"
        )
    return topology, faults


def judge_estate(raw: object) -> tuple[Estate, list[Fault]]:
    """Return the estate as far as it can be read, its embedded topology applied, and every fault."""
    draft, faults = decode_estate(raw)
    for invariant in INVARIANTS.values():
        faults += invariant(draft)
    estate = draft.estate
    routes = EstateRoutes(raw)
    faults += check(estate.domains, [(node.id, node.standings) for node in estate.nodes], routes)
    faults += one_namespace((node.id for node in estate.nodes), estate.domains, routes)
    faults += [*implausible_draw(estate, routes), *idle_above_draw(estate, routes)]
    faults += misspelt_role(estate, routes)
    faults += implausible_count(estate, routes)
    if draft.embedded is not None:
        estate, embedded_faults = with_embedded(draft, draft.embedded)
        faults += embedded_faults
    if not any(fault.severity == "error" for fault in faults):
        faults += missing_supply(list(nodes_with_units(estate)), routes)
    return estate, faults


def with_embedded(draft: Draft, embedded: Embedded) -> tuple[Estate, list[Fault]]:
    """Return the estate under the topology file that it carries, and what is wrong with that file."""
    estate = draft.estate
    provenance = estate.provenance
    if provenance.topology_file_modified_at is None:
        provenance = replace(provenance, topology_file_modified_at=embedded.modified_at)
    estate = replace(estate, provenance=provenance, verified_at=estate.verified_at or embedded.verified_at)
    if embedded.text is None:
        return estate, []
    topology, said = embedded_topology(embedded.text)
    # Of the snapshot's nodes more is known than the map alone says.
    faults = [_inner_fault(each) for each in said if each.rule != "missing-supply"]
    if topology is None:
        return estate, faults
    applied = overlay(_with_digest_caveat(estate, embedded), topology)
    applied = replace(applied, verified_at=topology.verified_at or estate.verified_at)
    faults += (_outer_fault(fault) for fault in faults_together(applied))
    return applied, faults


def embedded_topology(text: str) -> tuple[Topology | None, tuple[Diagnostic, ...]]:
    """Return the topology in a text (None where it is invalid), and what is said about it."""
    try:
        reading = read(text, "topology.yaml", "topology", None)
    except Refused as refusal:
        return None, (refusal.diagnostic,)
    topology, faults = judge_topology(reading.parsed.value)
    said = diagnostics_of(reading, faults)
    return (None if has_error(said) else topology), said


def diagnostics_of(reading: Reading, faults: list[Fault]) -> tuple[Diagnostic, ...]:
    """Return faults and repeated keys at their places, in file order."""
    source = reading.source
    return tuple(sorted((*source.diagnostics(faults), *source.repeats(reading.parsed.repeats))))


def has_error(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Return whether anything forbids to use the file."""
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


def _inner_fault(diagnostic: Diagnostic) -> Fault:
    where = f"line {diagnostic.line}, column {diagnostic.column} of the embedded topology"
    return Fault(
        diagnostic.rule,
        diagnostic.severity,
        f"{where}: {diagnostic.message}",
        EMBEDDED_ROUTE,
        diagnostic.hint,
        diagnostic.ids,
        at="key",
    )


def _outer_fault(fault: Fault) -> Fault:
    message = f"with the embedded topology: {fault.message}"
    return Fault(fault.rule, fault.severity, message, EMBEDDED_ROUTE, fault.hint, fault.ids, at="key")


def _with_digest_caveat(estate: Estate, embedded: Embedded) -> Estate:
    """Return the estate, with a caveat where the carried text is not the file that was hashed."""
    import hashlib

    digest = hashlib.sha256((embedded.text or "").encode()).hexdigest()
    if embedded.sha256 is None or embedded.sha256.lower() == digest:
        return estate
    caveat = f"The embedded topology text has another SHA-256 than it says: {quoted(embedded.sha256)}"
    caveats = tuple(dict.fromkeys((*estate.provenance.caveats, caveat)))
    return replace(estate, provenance=replace(estate.provenance, caveats=caveats))
