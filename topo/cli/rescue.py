"""`topo rescue --fail ID estate.json`: the smallest shed that keeps a cascade from happening."""

import argparse
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "rescue",
        help="the smallest shed that keeps a failure from cascading",
        description="The smallest shed after which a failure demotes and trips nothing, against how long the "
        "survivors carry their overload: one that is in time, where there is one. Exit 3: too slow, not "
        "sheddable, or unknown.",
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
    from findings.rescue.case import GOOD
    from findings.rescue.document import rescue_to_json
    from findings.rescue.plan import plan_rescue
    from topo.charts.rescue import rescue_picture
    from topo.cli.shed import write_shed
    from topo.text.rescue import rescue_page

    options.check_picture(args.picture)
    facility = compile_facility(common.load_snapshot(args), args.load)
    result = plan_rescue(facility, args.fail, now=common.clock_now(args))
    write_shed(
        args,
        picture=lambda: rescue_picture(result),
        document=lambda: rescue_to_json(result),
        page=lambda options: rescue_page(result, options),
    )
    return common.OK if result.verdict in GOOD else common.GATE
