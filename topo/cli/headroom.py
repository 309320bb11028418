"""`topo headroom estate.json`: the kW that can still be added, every single failure staying survivable."""

import argparse
import sys
from typing import TYPE_CHECKING, Final

from topo.cli import common, options
from topology.kinds import KINDS, KINDS_MEANT

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.headroom.rooms import HeadroomReport

RATED_KINDS: Final = tuple(kind for kind, about in KINDS.items() if about.commodity)
"""Only what carries power or heat has a rating."""


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "headroom",
        help="the kW that can still be added, and the kW that are stranded",
        description="Per rated domain, what can still be added so that no single failure overloads a "
        "survivor, and what is rated but cannot be used.",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    options.add_under(parser, "only what hangs from this domain, or stands there; default: the estate")
    parser.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        default=[],
        type=_kind,
        choices=RATED_KINDS,
        help=f"only domains of this kind; repeatable ({', '.join(RATED_KINDS)})",
    )
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def _kind(word: str) -> str:
    """Return the kind that is meant: a PDU is of kind power."""
    return KINDS_MEANT.get(word.lower(), word)


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.headroom.document import headroom_to_json
    from findings.headroom.rooms import headroom_report

    facility = compile_facility(common.load_snapshot(args), args.load)
    report = headroom_report(facility, under=args.under, kinds=frozenset(args.kind))
    if args.format == "json":
        sys.stdout.write(common.dated_json(headroom_to_json(report), args))
    else:
        sys.stdout.write(_page(report, args))
    return common.OK


def _page(report: "HeadroomReport", args: argparse.Namespace) -> str:
    from topo.text.headroom import headroom_page

    return headroom_page(report, common.ages(report.estate, args), common.page_options(args))
