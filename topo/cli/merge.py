"""`topo merge a.json b.json ... -o merged.json`: many clusters on one facility."""

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from topology.model import Estate, Topology


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "merge",
        help="several clusters on one facility, as one estate",
        description="Merge estates on the ids of what they share of the facility. Nodes, workloads and loops "
        "become cluster/id. Contradictions are refused, choices are noted in the result and on stderr.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="estate.json of one cluster (or merged)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="default: - (stdout)")
    options.add_topology(parser, "facility map laid over every file before the merge; it wins")
    options.add_max_size(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Write the merged estate; refusals and notes go to stderr."""
    from topo.text.merge import notes_text, refusal_text
    from topology.dump import estate_to_json
    from topology.merge import MergeRefused, merge_estates

    estates = [(common.display_name(path), _estate(path, args)) for path in args.files]
    try:
        merged = merge_estates(estates, topology=_map(args))
    except MergeRefused as refusal:
        sys.stderr.write(refusal_text(refusal))
        return common.INVALID
    if args.topology and (modified := common.modified_at(args.topology)):
        provenance = replace(merged.provenance, topology_file_modified_at=modified)
        merged = replace(merged, provenance=provenance)
    common.write_output(args.output, common.to_json(estate_to_json(merged)))
    sys.stderr.write(notes_text(merged, args.output))
    return common.OK


def _estate(path: str, args: argparse.Namespace) -> "Estate":
    from topology.diagnostics import InvalidInput
    from topology.load import load_estate_text, load_text

    data, name = common.read_bytes(path, args.max_size), common.display_name(path)
    result = load_estate_text(data, name, max_bytes=args.max_size)
    if result.estate is not None:
        return result.estate
    if load_text(data, name, max_bytes=args.max_size).topology is not None:
        raise common.WrongKind(
            f"merge takes estates, and {name} is a facility map",
            f"Lay it over them: topo merge a.json b.json --topology {name} -o merged.json",
        )
    raise InvalidInput(result.diagnostics)


def _map(args: argparse.Namespace) -> "tuple[str, Topology] | None":
    from topology.diagnostics import InvalidInput
    from topology.load import load_topology_text

    if not args.topology:
        return None
    name = common.display_name(args.topology)
    result = load_topology_text(
        common.read_bytes(args.topology, args.max_size), name, max_bytes=args.max_size
    )
    if result.topology is None:
        raise InvalidInput(result.diagnostics)
    return name, result.topology
