"""`topo rescue --fail ID estate.json`: the smallest shed that keeps a cascade from happening."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.rescue import Rescue


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "rescue",
        help="the smallest shed that keeps a failure from cascading",
        description="The smallest shed after which a failure demotes and trips nothing, against how long the "
        "survivors carry their overload. Exit 3: too slow, not sheddable, or unknown.",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    options.add_fail(parser, required=True)
    options.add_picture(parser)
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 8)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.rescue import plan_rescue
    from findings.rescue_document import rescue_to_json

    options.check_picture(args.picture)
    facility = compile_facility(common.load_snapshot(args), args.load)
    result = plan_rescue(facility, args.fail, now=common.clock_now(args))
    if args.picture:
        common.write_output(args.picture, _picture(result))
    if args.format == "json":
        sys.stdout.write(common.to_json(rescue_to_json(result)))
    else:
        sys.stdout.write(_page(result, args))
    return common.OK if result.verdict in {"nothing-overloads", "sheddable"} else common.GATE


def _page(result: "Rescue", args: argparse.Namespace) -> str:
    from topo.text.page import PageOptions
    from topo.text.rescue import rescue_page
    from topo.text.style import style_for

    return rescue_page(result, PageOptions(style_for(sys.stdout), args.rows, args.file))


def _picture(result: "Rescue") -> str:
    from topo.charts.staircase import staircase_svg

    title = f"Rescue from {', '.join(result.failed)}, cluster {result.estate.cluster}"
    return staircase_svg(result.plan, result.plan.kw, None, title)
