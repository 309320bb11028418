"""`topo explain FINDING FILE`: one finding's formula, with this estate's numbers, down to the nodes."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options, values

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from findings.context import Context


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "explain",
        help="one finding's formula with this estate's numbers",
        description="The formula, the same formula with this estate's numbers, and the nodes or workloads "
        "behind each term: enough to redo it with a calculator. FINDING is an id that `topo findings` "
        "lists, or FORMULA/SUBJECT, like critical-share/ups-a or drain-latency/WORKLOAD.",
    )
    parser.add_argument(
        "finding",
        metavar="FINDING",
        type=values.identifier,
        help="id of a finding, like lemon-score/gpu-node-01",
    )
    options.add_input(parser, what="estate.json; - is stdin")
    options.add_format(parser, "table", "json")
    options.add_rows(parser, 20)
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print the explanation."""
    from findings.context import Context
    from findings.explain import explanation_to_json
    from findings.registry import find

    estate = common.load_snapshot(args)
    ctx = Context(estate, common.clock_now(args), args.load, common.now_basis(args))
    finding = find(ctx, args.finding)
    if finding is None:
        raise _unknown(ctx, args.finding)
    if args.format == "json":
        sys.stdout.write(common.to_json({**explanation_to_json(finding), "now": ctx.now}))
    else:
        from topo.text.explain import explain_page

        sys.stdout.write(explain_page(finding, ctx, common.page_options(args)))
    return common.OK


def _unknown(ctx: "Context", wanted: str) -> common.UsageError:
    from findings.registry import OF_SUBJECT, all_findings
    from topology.closest import Closest

    known = [finding.id for finding in all_findings(ctx)]
    formula = wanted.partition("/")[0]
    if formula in OF_SUBJECT and "/" in wanted:
        return common.UsageError(
            f"the estate has no subject for the finding '{wanted}'",
            "`topo findings FILE` lists the findings.",
        )
    closest = Closest(known).to(wanted)
    hint = f"Did you mean '{closest}'? " if closest else ""
    return common.UsageError(f"there is no finding '{wanted}'", f"{hint}`topo findings FILE` lists them.")
