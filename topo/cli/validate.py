"""`topo validate FILE...`: every fault of every file, each at its line."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from topo.validation import Checked
    from topology.diagnostics import Diagnostic
    from topology.load import LoadResult
    from topology.source import Source

FORMATS: Final = ("auto", "text", "json", "github", "sarif")


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "validate",
        help="check topology.yaml or estate.json, every fault at its line",
        description="Check topology.yaml or estate.json files: every fault of every file, at its line. "
        "`topo explain-rule RULE` says what a rule means.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="topology.yaml or estate.json; - is stdin")
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="auto",
        help="default: auto (github in GitHub Actions, else text)",
    )
    parser.add_argument("--strict", action="store_true", help="warnings fail too (infos never do)")
    options.add_topology(parser, "facility map to lay over each estate")
    parser.add_argument(
        "--jsonschema",
        action="store_true",
        help="ask jsonschema about accepted files too (up to 1 MB; refused ones are always asked about)",
    )
    options.add_max_size(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print what is wrong with the files; exit 1 where one is invalid, 2 where one cannot be read."""
    from topo.validation import beside_snapshots

    readable = True
    loaded: list[LoadResult[Any]] = []
    map_result = _load(args.topology, args) if args.topology else None
    for path in args.files:
        try:
            loaded.append(_load_any(path, args))
        except common.UsageError as refusal:
            readable = False
            common.complain(refusal.message, refusal.hint)
    checked = _check(loaded, map_result)
    results = [one.result for one in checked] + ([map_result] if map_result else [])
    said = [one.diagnostics for one in checked]
    if map_result:
        overlaid = any(result.estate is not None for result in loaded)
        said.append(beside_snapshots(map_result) if overlaid else map_result.diagnostics)
    diagnostics = tuple(dict.fromkeys(diagnostic for group in said for diagnostic in group))
    failing = {"error", "warning"} if args.strict else {"error"}
    valid = _judges_agree(results, always=args.jsonschema) and not any(
        each.severity in failing for each in diagnostics
    )
    sources = {result.source.path: result.source for result in results}
    sys.stdout.write(_render(args, checked, sources, diagnostics, valid=valid and readable))
    if not readable:
        return common.USAGE
    return common.OK if valid else common.INVALID


def _judges_agree(results: "list[LoadResult[Any]]", *, always: bool) -> bool:
    """Return whether jsonschema judges as the native check does; say loudly where not.

    What the native check accepts is not asked twice unless `always`: importing jsonschema takes longer than
    everything else that a small file needs, and the tests prove that both accept the same files.
    """
    from topo.validation import disagreement

    agree = True
    for result in results:
        if result.value is not None and not always:
            continue
        difference = disagreement(result)
        if difference is not None:
            agree = False
            common.complain(
                f"internal error: {result.source.path}: {difference}",
                "This is a bug in topo, not in the file: please report it, with the file.",
            )
    return agree


def _load(path: str, args: argparse.Namespace) -> "LoadResult[Any]":
    from topology.load import load_topology_text

    return load_topology_text(
        common.read_bytes(path, args.max_size), common.display_name(path), max_bytes=args.max_size
    )


def _load_any(path: str, args: argparse.Namespace) -> "LoadResult[Any]":
    from topology.load import load_text

    return load_text(
        common.read_bytes(path, args.max_size), common.display_name(path), max_bytes=args.max_size
    )


def _check(loaded: "list[LoadResult[Any]]", map_result: "LoadResult[Any] | None") -> "list[Checked]":
    """Check each file, under a map that all of them share: a node is missing if none of them has it."""
    from topo.validation import check_file

    shared = map_result is not None and len(loaded) > 1
    nodes = {node.id for each in loaded if shared and each.estate for node in each.estate.nodes}
    return [check_file(each, map_result, nodes) for each in loaded]


def _render(
    args: argparse.Namespace,
    checked: "list[Checked]",
    sources: "dict[str, Source]",
    diagnostics: "tuple[Diagnostic, ...]",
    *,
    valid: bool,
) -> str:
    chosen = args.format
    if chosen == "auto":
        chosen = "github" if os.environ.get("GITHUB_ACTIONS") == "true" else "text"
    if chosen == "json":
        from topo.formats.diagnostics_json import validate_document

        return common.to_json(validate_document(diagnostics, valid=valid))
    if chosen == "sarif":
        from topo import __version__
        from topo.formats.sarif import sarif_document

        return common.to_json(sarif_document(diagnostics, version=__version__))
    if chosen == "github":
        from topo.formats.github import github_annotations

        return github_annotations(diagnostics)
    return _page(checked, sources, diagnostics, args.topology)


def _page(
    checked: "list[Checked]",
    sources: "dict[str, Source]",
    diagnostics: "tuple[Diagnostic, ...]",
    facility_map: str | None,
) -> str:
    from topo.text.diagnostics import render, tally
    from topo.text.style import style_for
    from topo.text.validity import validity_lines
    from topo.text.words import count

    faults = [render(diagnostics, sources, style_for(sys.stdout))] if diagnostics else []
    valid = [
        "\n".join(validity_lines(one.result.source.path, one.estate, facility_map)) + "\n"
        for one in checked
        if one.estate is not None
    ]
    total = [f"{count(len(sources), 'file')}: {tally(diagnostics)}\n"] if sources else []
    return "\n".join([*faults, *valid, *total])
