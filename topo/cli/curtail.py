"""`topo curtail estate.json --shed-kw N`: which workloads to pause, in which order, by when."""

import argparse
from typing import TYPE_CHECKING

from topo.cli import common, options, values

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.curtail.ask import Ask
    from findings.curtail.curtailment import Curtailment


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "curtail",
        help="which workloads to pause to shed kW, by when, at what price",
        description="Plan a curtailment at least harm: critical units are kept first, then dollars, then "
        "workloads. Promises the worst case only. Exit 3: the ask cannot be met, or cannot be decided.",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    ask = parser.add_mutually_exclusive_group(required=True)
    ask.add_argument("--shed-kw", metavar="KW", type=values.kw, help="shed this much")
    ask.add_argument("--to-kw", metavar="KW", type=values.kw, help="shed down to this much")
    ask.add_argument(
        "--percent", metavar="P", type=values.percentage, help="shed this share of what is drawn"
    )
    options.add_under(parser, "count kW through this domain; default: the estate")
    parser.add_argument(
        "--within", metavar="MIN", type=values.minutes, help="deadline for the worst-case drain"
    )
    parser.add_argument(
        "--protect-critical",
        action="store_true",
        help="never pause a workload that is critical, or does not say",
    )
    parser.add_argument(
        "--allow-unknown", action="store_true", help="also pause what nobody can time (no --within then)"
    )
    parser.add_argument(
        "--allow-early",
        action="store_true",
        help="order training off before its checkpoint where --within is too near for it",
    )
    options.add_picture(parser)
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 8)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.curtail.ask import NothingFlows
    from findings.curtail.curtailment import plan_curtailment
    from findings.curtail.document import curtailment_to_json
    from topo.cli.shed import write_shed
    from topo.text.curtail import curtail_page

    options.check_picture(args.picture)
    facility = compile_facility(common.load_snapshot(args), args.load)
    try:
        result = plan_curtailment(facility, _ask(args), now=common.clock_now(args))
    except NothingFlows as refusal:
        hint = "Name a rack, a PDU, a UPS, a transformer or a cooling loop."
        raise common.UsageError(str(refusal), hint) from None
    write_shed(
        args,
        picture=lambda: _picture(result),
        document=lambda: curtailment_to_json(result),
        page=lambda options: curtail_page(result, options),
    )
    return common.OK if result.feasible else common.GATE


def _ask(args: argparse.Namespace) -> "Ask":
    from findings.curtail.ask import Ask

    limits = {
        "under": args.under,
        "within_minutes": args.within,
        "protect_critical": args.protect_critical,
        "allow_unknown": args.allow_unknown,
        "allow_early": args.allow_early,
    }
    if args.shed_kw is not None:
        return Ask("shed-kw", args.shed_kw, **limits)
    if args.to_kw is not None:
        return Ask("to-kw", args.to_kw, **limits)
    return Ask("percent", args.percent, **limits)


def _picture(result: "Curtailment") -> str:
    from topo.charts.staircase import Mark, staircase_svg
    from topo.text.staleness import stale_warning
    from topo.text.words import minutes, number

    ask = result.ask
    where = "" if ask.under is None else f" under {ask.under}"
    title = f"Shed {number(result.target_kw)} kW{where}, cluster {result.estate.cluster}"
    stale = stale_warning(result.estate, result.staleness)
    asked = Mark(result.target_kw, f"asked: {number(result.target_kw)} kW")
    within = ask.within_minutes
    deadline = None if within is None else Mark(within, f"deadline: {minutes(within)}")
    return staircase_svg(result.plan, asked, deadline, title, stale=stale)
