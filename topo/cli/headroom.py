"""`topo headroom estate.json`: the kW that can still be added, every single failure staying survivable."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.headroom_rooms import HeadroomReport


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "headroom",
        help="the kW that can still be added, and the kW that are stranded",
        description="Per rated domain, what can still be added so that no single failure overloads a "
        "survivor, and what is rated but cannot be used.",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.headroom_document import headroom_to_json
    from findings.headroom_rooms import headroom_report

    report = headroom_report(compile_facility(common.load_snapshot(args), args.load))
    if args.format == "json":
        sys.stdout.write(common.dated_json(headroom_to_json(report), args))
    else:
        sys.stdout.write(_page(report, args))
    return common.OK


def _page(report: "HeadroomReport", args: argparse.Namespace) -> str:
    from topo.text.headroom import headroom_page

    return headroom_page(report, common.ages(report.estate, args), common.page_options(args))
