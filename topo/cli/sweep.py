"""`topo sweep FILE`: every single-domain failure, or every pair, ranked."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options, values
from topo.output import UsageError

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from closure.compiled import Facility
    from closure.pair_sums import TooManyExceptions
    from findings.index import EstateIndex
    from findings.pairs.rows import PairSweep


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "sweep",
        help="every single failure or pair, ranked by what it takes down",
        description="Fail every domain, one at a time or two, and rank what each failure takes down.",
    )
    options.add_input(parser)
    options.add_format(parser, "table", "json")
    parser.add_argument(
        "--order",
        type=values.positive,
        choices=(1, 2),
        default=1,
        help="how many domains fail together (default: 1)",
    )
    parser.add_argument(
        "--top",
        metavar="N",
        type=values.positive,
        help="with --order 2: how many pairs each list holds (default: 100)",
    )
    parser.add_argument("--no-strict", action="store_true", help="leave out the strict electrical check")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    options.add_workers(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the ranking or the document."""
    from closure.compiled import compile_facility
    from findings.index import EstateIndex

    if args.top is not None and args.order == 1:
        raise UsageError("--top belongs to --order 2", "Order 1 always gives every domain; see --rows.")
    loaded = common.load(args)
    index = EstateIndex(loaded.estate)
    facility = compile_facility(loaded.estate, args.load)
    answer = _pairs if args.order == 2 else _singles
    sys.stdout.write(answer(facility, index, args))
    return common.OK


def _singles(facility: "Facility", index: "EstateIndex", args: argparse.Namespace) -> str:
    from findings.sweep_rows import sweep_document, sweep_rows
    from topo.executors import workers_for
    from topo.text.progress import progress_bar
    from topo.text.sweep import sweep_page

    progress = progress_bar("failing every domain")
    with workers_for(processes=args.workers, scheduler=args.scheduler) as workers:
        rows = sweep_rows(
            facility, index=index, strict=not args.no_strict, progress=progress, workers=workers
        )
    if args.format == "json":
        return common.dated_json(sweep_document(rows, load=args.load), args)
    ages = common.ages(index.estate, args)
    return sweep_page(index.estate, rows, _caveats(index), ages, common.page_options(args))


def _pairs(facility: "Facility", index: "EstateIndex", args: argparse.Namespace) -> str:
    from findings.pairs.document import pair_document
    from topo.text.pairs import pairs_page

    sweep = _pair_sweep(facility, index, args)
    if args.format == "json":
        return common.dated_json(pair_document(sweep, load=args.load), args)
    ages = common.ages(index.estate, args)
    return pairs_page(index.estate, sweep, _caveats(index), ages, common.page_options(args))


def _pair_sweep(facility: "Facility", index: "EstateIndex", args: argparse.Namespace) -> "PairSweep":
    from closure.losing_sets import TooManyLosingSets
    from closure.pair_sums import TooManyExceptions
    from findings.pairs.rows import DEFAULT_TOP, pair_sweep
    from topo.executors import workers_for
    from topo.text.progress import progress_bar

    progress = progress_bar("failing pairs of domains")
    try:
        with workers_for(processes=args.workers, scheduler=args.scheduler) as workers:
            return pair_sweep(
                facility,
                index=index,
                top=args.top or DEFAULT_TOP,
                strict=not args.no_strict,
                progress=progress,
                workers=workers,
            )
    except TooManyLosingSets as refusal:
        raise UsageError(
            str(refusal), "Sweep a part of the facility at a time, or look into one pair with `topo whatif`."
        ) from None
    except TooManyExceptions as refusal:
        raise UsageError(*_too_many(refusal, facility)) from None


def _too_many(refusal: "TooManyExceptions", facility: "Facility") -> tuple[str, str]:
    """Return why not and what to do, with the domains that take the same down in the largest number."""
    from topo.text.page import short
    from topo.text.words import some

    same = [short(facility.domain_ids[failure]) for failure in refusal.failures]
    hint = "Keep in the map only one of those that always fail together, or look into one pair: "
    return (
        f"{refusal}; {len(same):,} domains each take the same down: {some(same, 3)}",
        hint + "topo whatif --fail A --fail B FILE",
    )


def _caveats(index: "EstateIndex") -> tuple[str, ...]:
    from findings.caveats import distinct, estate_caveats, unsaid_caveats
    from topology.notes import CRITICALITY_CAVEAT, SELF_REPORTED_NOTE

    notes = () if index.estate.bare else (CRITICALITY_CAVEAT, SELF_REPORTED_NOTE)
    return distinct([*estate_caveats(index), *notes, *unsaid_caveats(index)])
