"""Options that several commands share and that refuse what makes no sense, before anything is computed."""

import argparse
from pathlib import PurePath

from topo.cli import values
from topo.output import UsageError, is_stream, mixes_with_stdout


def add_input(
    parser: argparse.ArgumentParser, *, what: str = "estate.json, or a topology.yaml; - is stdin"
) -> None:
    """Add the positional FILE."""
    parser.add_argument("file", metavar="FILE", help=what)


def add_fail(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add --fail ID, repeatable."""
    parser.add_argument(
        "--fail",
        metavar="ID",
        action="append",
        default=[],
        required=required,
        type=values.identifier,
        help="domain or node that fails; repeatable",
    )


def add_under(parser: argparse.ArgumentParser, what: str) -> None:
    """Add --under DOMAIN, which asks about a part of the estate."""
    parser.add_argument("--under", metavar="DOMAIN", type=values.identifier, help=what)


def add_topology(parser: argparse._ActionsContainer, what: str) -> None:
    """Add --topology FILE."""
    parser.add_argument("--topology", metavar="FILE", help=what)


def add_assumptions(parser: argparse.ArgumentParser) -> None:
    """Add the assumptions that every analysis takes (spec 2)."""
    group = parser.add_argument_group("assumptions (a figure that rests on one says `command line`)")
    add_topology(group, "facility map; wins over the estate's own, per axis")
    group.add_argument(
        "--load", choices=("allocated", "installed"), default="allocated", help="which units draw power"
    )
    group.add_argument(
        "--price-per-unit-hour", metavar="USD", type=values.number, help="price of one unit for an hour"
    )
    group.add_argument("--kw-per-unit", metavar="KW", type=values.kw, help="power of one unit")
    group.add_argument(
        "--default-restart-minutes",
        metavar="MIN",
        type=values.minutes,
        help="restart overhead without annotation",
    )
    group.add_argument(
        "--out",
        metavar="ID",
        action="append",
        default=[],
        type=values.identifier,
        help="domain already out of service; repeatable",
    )
    group.add_argument(
        "--now",
        metavar="TIME",
        type=values.timestamp,
        help="the time to measure ages at (RFC 3339); default: the clock",
    )
    add_max_size(group)


def add_max_size(group: argparse._ActionsContainer) -> None:
    """Add --max-size."""
    group.add_argument(
        "--max-size", metavar="SIZE", type=values.size, help="raise the limit on a file's size (64M, 1G)"
    )


def add_format(parser: argparse.ArgumentParser, *formats: str) -> None:
    """Add --format; the first is the default."""
    parser.add_argument("--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")


def add_rows(parser: argparse.ArgumentParser, default: int) -> None:
    """Add --rows."""
    parser.add_argument(
        "--rows",
        metavar="N",
        type=values.rows,
        default=default,
        help=f"rows per table, 0: all (default: {default})",
    )


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add where scenarios are computed."""
    group = parser.add_argument_group("where it is computed (the answer is the same, byte for byte)")
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        metavar="N",
        type=values.workers,
        default=1,
        help="processes of this machine (default: 1)",
    )
    where.add_argument(
        "--scheduler", metavar="tcp://HOST:PORT", help="scheduler of a Dask cluster (extra: dask)"
    )


def add_picture(parser: argparse.ArgumentParser) -> None:
    """Add --picture."""
    parser.add_argument("--picture", metavar="FILE.svg", help="also draw the shed over time")


def check_picture(path: str | None) -> None:
    """Refuse to draw anywhere but into an SVG file.

    Raises:
        UsageError: it is standard output, which belongs to the page, or another kind of file.
    """
    if path is not None and mixes_with_stdout(path):
        raise UsageError(
            "--picture needs a file: the page goes to standard output", "Say --picture shed.svg."
        )
    if path is not None:
        check_ending(path, "the picture is SVG", ".svg")


def check_ending(path: str, what: str, *endings: str) -> None:
    """Refuse a file whose name promises another format than it would hold.

    Raises:
        UsageError: its ending is none of `endings`.
    """
    given = PurePath(path)
    if given.suffix.lower() not in endings and not is_stream(path):
        raise UsageError(f"{what}, and {given.name} is not named so", f"End the name in {endings[0]}.")
