"""`topo cutsets --target TARGET estate.json`: the smallest sets of failures that take a target down."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options, values
from topo.output import UsageError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from closure.compiled import Facility
    from findings.cutsets.analysis import CutSets
    from findings.index import EstateIndex


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "cutsets",
        help="the smallest sets of failures that take a target down",
        description="Every minimal set of domain failures that takes a target down, with its probability and "
        "the importance of every domain where the map says how often domains fail.",
    )
    options.add_input(parser)
    parser.add_argument(
        "--target",
        metavar="TARGET",
        required=True,
        type=values.identifier,
        help="a workload, node or domain (also workload:ID, node:ID, domain:ID), critical:50%%, units:1000",
    )
    parser.add_argument(
        "--order",
        type=values.positive,
        choices=(1, 2, 3),
        default=3,
        help="the most domains in a set (default: 3)",
    )
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 10)
    parser.add_argument("--top", dest="rows", type=values.rows, default=10, help=argparse.SUPPRESS)
    options.add_assumptions(parser)
    options.add_workers(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.cutsets.document import cut_sets_to_json
    from findings.cutsets.remarks import cut_set_caveats
    from findings.index import EstateIndex

    estate = common.load(args).estate
    index, facility = EstateIndex(estate), compile_facility(estate, args.load)
    result = _found(facility, index, args)
    caveats = cut_set_caveats(index, result, kw_known=facility.kw_known)
    if args.format == "json":
        sys.stdout.write(common.dated_json(cut_sets_to_json(result, caveats), args))
    else:
        from topo.text.cutsets import cut_sets_page

        ages = common.ages(estate, args)
        sys.stdout.write(cut_sets_page(result, caveats, ages, common.page_options(args)))
    return common.OK


def _found(facility: "Facility", index: "EstateIndex", args: argparse.Namespace) -> "CutSets":
    from closure.cut_sets import TooManyCutSets
    from closure.losing_sets import TooManyLosingSets
    from findings.cutsets.analysis import cut_sets_report
    from findings.cutsets.targets import TargetRefused
    from topo.executors import workers_for
    from topo.text.progress import progress_bar

    progress = progress_bar("the strict check")
    try:
        with workers_for(processes=args.workers, scheduler=args.scheduler) as workers:
            return cut_sets_report(
                facility, args.target, args.order, index=index, progress=progress, workers=workers
            )
    except TargetRefused as refusal:
        raise UsageError(refusal.message, refusal.hint) from None
    except (TooManyCutSets, TooManyLosingSets) as refusal:
        smaller = f"Say --order {args.order - 1}" if args.order > 1 else "Choose a smaller target"
        raise UsageError(str(refusal), f"{smaller}; nothing is cut short silently.") from None
