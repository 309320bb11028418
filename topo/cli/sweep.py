"""`topo sweep FILE`: every single-domain failure, ranked."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.index import EstateIndex
    from findings.sweep_rows import SweepRow


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "sweep",
        help="every single failure, ranked by what it takes down",
        description="Fail every domain, one at a time, and rank what each takes down.",
    )
    options.add_input(parser)
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the ranking or the document."""
    from closure.compiled import compile_facility
    from findings.index import EstateIndex
    from findings.sweep_rows import sweep_document, sweep_rows
    from topo.text.progress import progress_bar

    loaded = common.load(args)
    index = EstateIndex(loaded.estate)
    facility = compile_facility(loaded.estate, args.load)
    rows = sweep_rows(facility, index=index, progress=progress_bar("failing every domain"))
    if args.format == "json":
        document = sweep_document(rows, load=args.load)
        sys.stdout.write(common.to_json({**document, "now": args.now} if args.now else document))
    else:
        sys.stdout.write(_page(index, rows, args))
    return common.OK


def _page(index: "EstateIndex", rows: "list[SweepRow]", args: argparse.Namespace) -> str:
    from findings.caveats import distinct, estate_caveats
    from topo.text.sweep import sweep_page
    from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

    notes = () if index.estate.bare else (CRITICALITY_CAVEAT, SELF_REPORTED_NOTE)
    caveats = distinct([*estate_caveats(index), *notes])
    ages = common.ages(index.estate, args)
    return sweep_page(index.estate, rows, caveats, ages, common.page_options(args))
