"""What the commands that plan a shed have in common: a picture, and the page or the document."""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from topo.cli import common

if TYPE_CHECKING:
    from topo.text.page import PageOptions


def write_shed(
    args: argparse.Namespace,
    *,
    picture: Callable[[], str],
    document: Callable[[], dict[str, Any]],
    page: "Callable[[PageOptions], str]",
) -> None:
    """Write the picture where one is wanted, then the document or the page; nothing else is computed."""
    if args.picture:
        common.write_output(args.picture, picture(), option="--picture")
    if args.format == "json":
        sys.stdout.write(common.to_json(document()))
    else:
        sys.stdout.write(page(common.page_options(args)))
