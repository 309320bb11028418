"""`topo ok-to-take-out ID... FILE`: may this be taken out for maintenance now?"""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options, values
from topo.cli.parser import EMPTY, EMPTY_HINT, Parser

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.maintenance.plan import Maintenance


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "ok-to-take-out",
        usage="topo ok-to-take-out ID... [options] FILE",
        help="may this be taken out for maintenance now?",
        description="Whether these domains or nodes can be taken out without losing an allocated node, what "
        "that leaves without redundancy, and what one more failure would take. "
        "Exit 3: not safe, too late, or it cannot be decided.",
    )
    parser.add_argument(
        "words", metavar="ID... FILE", nargs="+", help="domains or nodes, then estate.json or a topology.yaml"
    )
    parser.add_argument(
        "--max",
        metavar="N",
        type=values.positive,
        help="the largest set of at most N of them that is safe together",
    )
    parser.add_argument("--duration", metavar="MIN", type=values.minutes, help="how long the work takes")
    parser.add_argument(
        "--until", metavar="TIME", type=values.timestamp, help="when it must be done (RFC 3339)"
    )
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 8)
    options.add_assumptions(parser)
    _mix(parser)
    parser.set_defaults(func=run)


def _mix(parser: argparse.ArgumentParser) -> None:
    """Let options stand between the ids and the file, which argparse alone does not for several words."""
    assert isinstance(parser, Parser)
    parser.gathers = True
    plain = parser.parse_known_args

    def parse(args: list[str], namespace: None) -> tuple[argparse.Namespace, list[str]]:
        found, rest = plain(args, namespace)
        found.words += [word for word in rest if not word.startswith("-")]
        strange = [word for word in rest if word.startswith("-")]
        if not strange and len(found.words) < 2:
            parser.error("give at least one ID, then FILE")
        if "" in found.words:
            parser.error(f"{EMPTY}\n{EMPTY_HINT}")
        *found.ids, found.file = found.words
        found.ids = [values.identifier(word) for word in found.ids]
        return found, strange

    parser.parse_known_args = parse  # type: ignore[assignment, method-assign]


def run(args: argparse.Namespace) -> int:
    """Print the page or the document."""
    from closure.compiled import compile_facility
    from findings.maintenance.document import maintenance_to_json
    from findings.maintenance.plan import plan_maintenance
    from topo.text.progress import progress_bar

    facility = compile_facility(common.load(args).estate, args.load)
    try:
        result = plan_maintenance(
            facility,
            args.ids,
            now=common.clock_now(args),
            duration_minutes=args.duration,
            until=args.until,
            max_together=args.max,
            progress=progress_bar("failing every other domain"),
        )
    except OverflowError:
        raise common.UsageError(
            "the work would have to start before the calendar does",
            "Check --duration and --until.",
        ) from None
    if args.format == "json":
        sys.stdout.write(common.to_json(maintenance_to_json(result)))
    else:
        sys.stdout.write(_page(result, args))
    return common.OK if result.verdict == "safe" else common.GATE


def _page(result: "Maintenance", args: argparse.Namespace) -> str:
    from topo.text.maintenance import maintenance_page

    return maintenance_page(result, common.page_options(args))
