"""`topo diagram FILE [--fail ID ...] -o x.svg`: the facility and a blast radius, drawn."""

import argparse
import sys
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from topo.cli import common, options, values

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from closure.compiled import Facility
    from topo.diagram.model import Picture

FORMATS: Final = ("svg", "png", "html", "dot", "mmd", "txt")
_TREE_BOXES: Final = 24
"""Boxes in a tree before they are grouped: a terminal shows fewer than a picture."""
_GROUPED_ONLY: Final = frozenset({"dot", "mmd"})


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "diagram",
        help="draw the facility and a blast radius",
        description="Draw the facility as a one-line diagram: power from the top, racks, cooling from below; "
        "what fails, what is lost, what holds. Large facilities are grouped until they can be read.",
    )
    options.add_input(parser)
    options.add_fail(parser, required=False)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        default="-",
        help="x.svg, .png, .html, .dot, .mmd or .txt; - is stdout",
    )
    parser.add_argument(
        "--format", choices=FORMATS, help="default: by the output's ending; txt (a tree) on stdout"
    )
    parser.add_argument(
        "--focus",
        metavar="ID",
        action="append",
        default=[],
        type=values.identifier,
        help="only what this hangs from and carries; repeatable",
    )
    parser.add_argument(
        "--depth",
        metavar="N",
        type=values.whole,
        help="at most N steps from the focus, the failure or the roots",
    )
    parser.add_argument("--full", action="store_true", help="every domain its own box, however many")
    parser.add_argument(
        "--all-kinds", action="store_true", help="also network, NVLink, zones and the like when unaffected"
    )
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Draw, and write the file."""
    from closure.cascade import close
    from closure.compiled import compile_facility
    from closure.strict import strict_check
    from topo.diagram.model import Options
    from topo.diagram.picture import picture
    from topo.text.staleness import stale_warning

    form = _form(args)
    if args.full and form in _GROUPED_ONLY:
        raise common.UsageError(
            f"--full is not drawn as {form}", "Drop --full, or choose svg, png, html or txt."
        )
    estate = common.load(args).estate
    facility = compile_facility(estate, args.load)
    _known(facility, args.focus)
    closure = close(facility, args.fail)
    options = Options(tuple(args.focus), args.depth, full=args.full, all_kinds=args.all_kinds)
    if form == "txt":
        options = replace(options, max_boxes=_TREE_BOXES)
    drawn = picture(facility, closure, strict_check(facility, args.fail, closure), options)
    drawn = replace(drawn, stale=stale_warning(estate, common.ages(estate, args)))
    if form == "txt" and args.output == "-":
        _print_tree(drawn)
    else:
        common.write_output(args.output, _rendered(drawn, form))
    return common.OK


def _form(args: argparse.Namespace) -> str:
    if args.format:
        return str(args.format)
    if args.output == "-":
        return "txt"
    ending = PurePath(args.output).suffix.lower().removeprefix(".")
    ending = {"htm": "html", "gv": "dot", "mermaid": "mmd"}.get(ending, ending)
    if ending not in FORMATS:
        raise common.UsageError(
            f"cannot tell the format of {args.output}",
            f"End it in .{', .'.join(FORMATS)}, or give --format.",
        )
    return ending


def _known(facility: "Facility", ids: list[str]) -> None:
    """Raise UnknownId for a focus that is neither domain nor node."""
    from closure.cascade import split_ids

    split_ids(facility, ids)


def _rendered(drawn: "Picture", form: str) -> str | bytes:
    from topo.diagram.mermaid import TooLargeForMermaid
    from topo.diagram.png import TooLarge
    from topo.diagram.render import render

    try:
        return render(drawn, form)
    except (TooLarge, TooLargeForMermaid) as refusal:
        raise common.UsageError(
            str(refusal), "Narrow it with --focus or --depth, drop --full, or write .svg."
        ) from None


def _print_tree(drawn: "Picture") -> None:
    from topo.diagram.tree import render_tree
    from topo.text.style import style_for

    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    plain = not encoding.startswith("utf")
    sys.stdout.write(render_tree(drawn, ascii_only=plain, style=style_for(sys.stdout)))
