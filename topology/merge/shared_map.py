"""One facility map laid over every file before they are merged: it wins over each of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from topology.apply import apply_topology
from topology.diagnostics import InvalidInput
from topology.merge.inputs import SEPARATOR, Input, listed
from topology.merge.refusal import MergeRefused, Refusal
from topology.model import Node, Standing, Topology


def lay_over(
    inputs: Sequence[Input], file: str, topology: Topology
) -> tuple[tuple[Input, ...], tuple[str, ...]]:
    """Return the inputs under a map, and what the merge says about that.

    A map may name a node `cluster/node`, which wins over the bare name. Raises `MergeRefused` where the map
    and a file make no valid facility together.
    """
    laid, refusals = [], []
    for each in inputs:
        places = {
            node.id: standings for node in each.estate.nodes if (standings := _place(each, node, topology))
        }
        try:
            estate = apply_topology(each.estate, replace(topology, nodes=places))
        except InvalidInput as invalid:
            refusals += [
                Refusal(
                    "invalid-together",
                    diagnostic.ids[0] if diagnostic.ids else "",
                    (file, each.file),
                    (),
                    f"{file} laid over {each.file}: {diagnostic.message}",
                    diagnostic.hint,
                )
                for diagnostic in invalid.diagnostics
            ]
        else:
            laid.append(replace(each, estate=estate))
    if refusals:
        raise MergeRefused(tuple(refusals))
    return tuple(laid), _notes(inputs, file, topology)


def _place(each: Input, node: Node, topology: Topology) -> tuple[Standing, ...] | None:
    name = each.name_of(node)
    full = topology.nodes.get(each.cluster_of(node) + SEPARATOR + name)
    return topology.nodes.get(name) if full is None else full


def _notes(inputs: Sequence[Input], file: str, topology: Topology) -> tuple[str, ...]:
    names = Counter(each.name_of(node) for each in inputs for node in each.estate.nodes)
    full = {each.full_id(node) for each in inputs for node in each.estate.nodes}
    overridden = sorted(
        {
            domain.id
            for each in inputs
            for domain in each.estate.domains.values()
            if domain.declared and _overrides(topology, domain.id) and domain != topology.domains[domain.id]
        }
    )
    said = f"{file} was laid over every file before the merge and wins over them"
    notes = [
        f"{said}; it says otherwise of {len(overridden):,} domains: {listed(overridden)}."
        if overridden
        else f"{said}; no file contradicts it."
    ]
    strange = sorted(name for name in topology.nodes if name not in names and name not in full)
    if strange:
        notes.append(f"{len(strange):,} nodes of {file} are in none of the snapshots: {listed(strange)}.")
    twice = sorted(name for name in topology.nodes if names[name] > 1)
    if twice:
        notes.append(
            f"{len(twice):,} node names of {file} belong to several clusters ({listed(twice)}): it places "
            "all of them there. Write cluster/node to tell them apart."
        )
    return tuple(notes)


def _overrides(topology: Topology, domain_id: str) -> bool:
    return domain_id in topology.domains and topology.domains[domain_id].declared
