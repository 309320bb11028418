"""`topo diff OLD NEW`: what changed in what fails together."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options
from topo.output import is_stdin

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.difference.compare import Difference


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "diff",
        help="what changed between two estates or maps, for a pull request",
        description="What changed in worst-case loss, exposure, single points, redundancy, ratings, wiring.",
    )
    parser.add_argument("old", metavar="OLD", help="estate.json or topology.yaml; - is stdin")
    parser.add_argument("new", metavar="NEW", help="estate.json or topology.yaml; - is stdin")
    parser.add_argument(
        "--under",
        metavar="ESTATE",
        help="estate.json: lay both maps over this one snapshot, and compare what that gives",
    )
    parser.add_argument(
        "--fail-on",
        choices=("worse",),
        help="exit 3 where something is worse, or known before and unknown now",
    )
    options.add_format(parser, "table", "json", "markdown", "sarif")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print what changed."""
    from closure.compiled import compile_facility
    from findings.difference.compare import compare

    if is_stdin(args.topology):
        raise common.UsageError(
            "--topology is read twice, and cannot be standard input", "Give it as a file."
        )
    old, new = (_side(args, path) for path in (args.old, args.new))
    result = compare(compile_facility(old.estate, args.load), compile_facility(new.estate, args.load))
    sys.stdout.write(_render(result, new, args))
    return common.GATE if args.fail_on and result.worse is not False else common.OK


def _side(args: argparse.Namespace, path: str) -> common.Loaded:
    if args.under is None:
        return common.load(argparse.Namespace(**{**vars(args), "file": path}))
    if args.topology:
        raise common.UsageError("--under lays OLD and NEW over the snapshot", "Leave --topology away.")
    if is_stdin(args.under):
        raise common.UsageError("--under is read twice, and cannot be standard input", "Give it as a file.")
    try:
        side = common.load(argparse.Namespace(**{**vars(args), "file": args.under, "topology": path}))
    except common.WrongKind:
        raise common.WrongKind(
            f"with --under, OLD and NEW are facility maps, and {common.display_name(path)} is an estate",
            "Give its map (topology.yaml) instead, or leave --under out to compare two estates.",
        ) from None
    if side.result.kind != "estate":
        raise common.WrongKind(
            f"--under takes an estate, and {common.display_name(args.under)} is a facility map",
            "Give the snapshot (estate.json) that both maps are laid over.",
        )
    return side


def _render(result: "Difference", new: common.Loaded, args: argparse.Namespace) -> str:
    if args.format == "json":
        from findings.difference.document import difference_to_json

        return common.dated_json(difference_to_json(result), args)
    if args.format == "sarif":
        from topo import __version__
        from topo.formats.difference_sarif import difference_sarif
        from topo.places import Files

        overlay = None if new.map_result is None else new.map_result.source
        files = Files(new.estate, new.result.source, overlay)
        source = new.result.source if overlay is None else overlay
        return common.to_json(difference_sarif(result, files, source.path, version=__version__))
    from topo.text.difference import difference_markdown, difference_page
    from topo.text.verdict import unit_word

    units = unit_word(new.estate, None)
    about = {"file": args.new} if args.under is None else {"file": args.under, "topology": args.new}
    options_of_new = common.page_options(argparse.Namespace(**{**vars(args), **about}))
    render = difference_markdown if args.format == "markdown" else difference_page
    return render(result, units, options_of_new)
