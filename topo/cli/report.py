"""`topo report FILE -o report.html`: the Exposure Report, one file that opens offline."""

import argparse
import sys
from typing import TYPE_CHECKING, Final

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction

_ASSUMPTIONS: Final = (
    "topology", "load", "price_per_unit_hour", "kw_per_unit", "default_restart_minutes", "out", "now",
    "max_size",
)  # fmt: skip


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "report",
        help="the Exposure Report: one page, offline, alive",
        description="Write the Exposure Report: one HTML file that opens from disk, requests nothing, and "
        "shows what every single failure takes down when it is clicked.",
    )
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="estate.json, or a topology.yaml; - is stdin; not with --live"
    )
    parser.add_argument("-o", "--output", metavar="PATH", default="-", help="report.html; default: stdout")
    parser.add_argument(
        "--live",
        action="store_true",
        help="a page that makes the report of files dropped on it, in the browser",
    )
    parser.add_argument(
        "--runtime", metavar="TARBALL", help="with --live: npm's tarball of Pyodide; default: the cached one"
    )
    options.add_assumptions(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Compute and write the page."""
    if args.output == "-" and sys.stdout.isatty():
        raise common.UsageError(
            "a report is a page, not something for a terminal", "Say where: -o report.html."
        )
    if args.output != "-":
        options.check_ending(args.output, "a report is an HTML page", ".html", ".htm")
    common.write_output(args.output, _live(args) if args.live else _report(args))
    return common.OK


def _report(args: argparse.Namespace) -> str:
    from topo.report import render_report

    if args.file is None or args.runtime:
        raise common.UsageError(
            "--runtime is for --live" if args.runtime else "which estate is the report about?",
            "Give estate.json; or --live for a page that asks for it.",
        )
    return render_report(
        common.load(args).estate,
        now=common.clock_now(args),
        load=args.load,
        now_basis=common.now_basis(args),
    )


def _live(args: argparse.Namespace) -> str:
    from topo.live.page import render_live_page
    from topo.live.runtime import load_runtime
    from topo.live.snapshot import snapshot

    if args.file is not None:
        raise common.UsageError(
            "a live page is made without a file: it is dropped on the page", f"Leave {args.file} out."
        )
    if given := [name for name in _ASSUMPTIONS if getattr(args, name) not in (None, [], "allocated")]:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise common.UsageError(
            f"a live page is made without assumptions: {options}", "Choose the load and the time on the page."
        )
    runtime = load_runtime(args.runtime)
    memory = snapshot(runtime)
    if memory is None:
        sys.stderr.write("No Node.js: this page starts its Python from source, which takes longer.\n")
    return render_live_page(runtime, memory)
