"""`topo whatif --fail ID [--fail ID ...] FILE`: what is lost, and what it costs."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.scenario import WhatIf


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "whatif",
        help="what is lost when these things fail",
        description="What is lost when these domains or nodes fail: the closure, the strict electrical check "
        "beside it, workloads, dollars, thermal races, and whom to call.",
    )
    options.add_input(parser)
    options.add_fail(parser, required=True)
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 8)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.scenario import whatif, whatif_to_json

    loaded = common.load(args)
    result = whatif(compile_facility(loaded.estate, args.load), args.fail)
    if args.format == "json":
        sys.stdout.write(common.dated_json(whatif_to_json(result), args))
    else:
        sys.stdout.write(_page(result, args))
    return common.OK


def _page(result: "WhatIf", args: argparse.Namespace) -> str:
    from topo.text.whatif import whatif_page

    return whatif_page(result, common.ages(result.estate, args), common.page_options(args))
