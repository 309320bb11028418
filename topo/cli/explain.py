"""`topo explain FINDING FILE`: one finding's formula, with this estate's numbers, down to the nodes."""

import argparse
import sys
from typing import TYPE_CHECKING, Final

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

    formula, slash, subject = wanted.partition("/")
    if formula in OF_SUBJECT:
        noun, known = _subjects(ctx, formula)
        closest = Closest(known).to(subject) if subject else None
        meant = f"Did you mean '{formula}/{closest}'? " if closest else ""
        some = ", ".join(f"{formula}/{each}" for each in known[:_SHOWN]) or f"{formula}/NAME"
        return common.UsageError(
            f"'{formula}' is a finding about one {noun}: "
            + (f"the estate has none called '{subject}'" if slash else "about which?"),
            f"{meant}There are {len(known):,}, like {some}. `topo findings FILE` shows them.",
        )
    if about := _about(ctx, wanted):
        return common.UsageError(
            f"there is no finding '{wanted}', but findings about it", f"Say one of: {', '.join(about)}."
        )
    closest = Closest([*OF_SUBJECT, *(finding.id for finding in all_findings(ctx))]).to(wanted)
    hint = f"Did you mean '{closest}'? " if closest else ""
    return common.UsageError(f"there is no finding '{wanted}'", f"{hint}`topo findings FILE` lists them.")


def _about(ctx: "Context", subject: str) -> list[str]:
    """Return the findings that are about one domain, node, workload or kind."""
    from findings.registry import OF_SUBJECT, all_findings, find

    named = [formula for formula in OF_SUBJECT if subject in _subjects(ctx, formula)[1]]
    found = [f"{formula}/{subject}" for formula in named]
    found += [finding.id for finding in all_findings(ctx) if finding.subject == subject]
    return [name for name in dict.fromkeys(found) if find(ctx, name) is not None]


_SHOWN: Final = 3
"""Subjects that a hint names."""


def _subjects(ctx: "Context", formula: str) -> tuple[str, list[str]]:
    """Return what kind of thing a formula is about, and the ids of all such, the most telling first."""
    if formula in ("critical-share", "progress-at-risk"):
        return "domain", [one.domain for one in ctx.survey().ranking]
    if formula == "thermal-race":
        return "cooling domain", [race.domain for race in ctx.races]
    if formula == "drain-latency":
        return "workload", [workload.id for workload in ctx.estate.workloads]
    if formula == "allocation-entropy":
        return "kind", [each.kind for each in ctx.entropies]
    return "node", [node.id for node in ctx.estate.nodes]
