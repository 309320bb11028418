"""`topo collect`: the collector, with the operator's map read by the analyser's own validator."""

import argparse
from typing import TYPE_CHECKING

from topo import collect

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from topology.model import Topology


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "collect",
        help="write estate.json from a cluster (read-only)",
        description="Write estate.json from a cluster: verbs get and list only; nothing leaves this machine.",
    )
    collect.add_arguments(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Collect, and return the exit code."""
    return collect.execute(args, parse_map)


def parse_map(raw: bytes, path: str) -> collect.ParsedMap:
    """Return the map in the estate's form, before the cluster is asked anything.

    Raises:
        InvalidInput: the map is invalid; nothing is collected.
    """
    from topology.diagnostics import InvalidInput
    from topology.load import load_topology_text

    result = load_topology_text(raw, path)
    if result.topology is None:
        raise InvalidInput(result.diagnostics)
    return _in_estate_form(result.topology)


def _in_estate_form(topology: "Topology") -> collect.ParsedMap:
    from topology.dump import domains_to_json, standings_to_json

    return collect.ParsedMap(
        nodes={node: standings_to_json(standings) for node, standings in topology.nodes.items()},
        domains=domains_to_json(topology.domains),
        kinds={domain.id: domain.kind for domain in topology.domains.values()},
        verified_at=topology.verified_at,
    )
