"""`topo findings FILE`: every figure of the methodology, in one document."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.context import Context


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "findings",
        help="every figure of the methodology, in one document",
        description="Lemons, idle allocation, capacity ledger, progress at risk, thermal races, exposure, "
        "entropy, collisions, stamps and reclaim, and what the graph shows beyond them: each figure with its "
        "formula, inputs, basis, confidence and caveats. `topo explain FINDING FILE` redoes any of them.",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    options.add_format(parser, "table", "json", "markdown", "csv")
    options.add_rows(parser, 12)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the findings in the format that was asked for."""
    from findings.context import Context

    estate = common.load_snapshot(args)
    ctx = Context(estate, common.clock_now(args), args.load, common.now_basis(args))
    sys.stdout.write(_written(ctx, args))
    return common.OK


def _written(ctx: "Context", args: argparse.Namespace) -> str:
    if args.format == "json":
        from findings.document import document_of

        return common.to_json(document_of(ctx))
    from topo.text import findings as pages

    if args.format == "markdown":
        return pages.findings_markdown(ctx)
    if args.format == "csv":
        return pages.findings_csv(ctx)
    return pages.findings_page(ctx, common.page_options(args))
