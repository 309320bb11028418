"""Options that several commands share and that refuse what makes no sense, before anything is computed."""

import argparse
from pathlib import PurePath

from topo.cli.common import UsageError, number


def positive(text: str) -> int:
    """Read a whole number >= 1 from the command line."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is less than 1")
    return value


def percentage(text: str) -> int | float:
    """Read a percentage from 0 to 100 from the command line."""
    value = number(text)
    if value > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is more than 100 percent")
    return value


def add_rows(parser: argparse.ArgumentParser, default: int) -> None:
    """Add --rows."""
    parser.add_argument(
        "--rows", metavar="N", type=positive, default=default, help=f"rows per table (default: {default})"
    )


def add_picture(parser: argparse.ArgumentParser) -> None:
    """Add --picture."""
    parser.add_argument("--picture", metavar="FILE.svg", help="also draw the shed over time")


def check_picture(path: str | None) -> None:
    """Refuse to draw anywhere but into an SVG file.

    Raises:
        UsageError: it is standard output, which belongs to the page, or another kind of file.
    """
    if path == "-":
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
    if given.suffix.lower() not in endings:
        raise UsageError(f"{what}, and {given.name} is not named so", f"End the name in {endings[0]}.")
