"""`topo report FILE -o report.html`: the Exposure Report, one file that opens offline."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "report",
        help="the Exposure Report: one page, offline, alive",
        description="Write the Exposure Report: one HTML file that opens from disk, requests nothing, and "
        "shows what every single failure takes down when it is clicked.",
    )
    common.add_input(parser)
    parser.add_argument("-o", "--output", metavar="PATH", default="-", help="report.html; default: stdout")
    common.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Compute and write the page."""
    from topo.report import render_report

    if args.output == "-" and sys.stdout.isatty():
        raise common.UsageError(
            "a report is a page, not something for a terminal", "Say where: -o report.html."
        )
    page = render_report(common.load(args).estate, now=common.clock_now(args), load=args.load)
    common.write_output(args.output, page)
    return common.OK
