"""`topo explain-rule [RULE]`: what a validation rule means, wrong and right."""

import argparse
import sys
from typing import TYPE_CHECKING

from topo.cli import common, options

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(subparsers: "_SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "explain-rule",
        help="what a validation rule means, wrong and right",
        description="What a validation rule means and why it matters, with a wrong and a right example. "
        "Without RULE: all of them.",
    )
    parser.add_argument("rule", metavar="RULE", nargs="?", help="the name in brackets, like dangling-feed")
    options.add_format(parser, "text", "markdown")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Print one rule, or all."""
    from topo.text.rules import rule_list, rule_page, rules_markdown
    from topo.text.style import style_for
    from topology.registry import REGISTRY

    if args.rule is not None and args.rule not in REGISTRY:
        raise _unknown(args.rule)
    chosen = [REGISTRY[args.rule]] if args.rule is not None else list(REGISTRY.values())
    if args.format == "markdown":
        sys.stdout.write(rules_markdown(chosen))
    elif args.rule is None:
        sys.stdout.write(rule_list())
    else:
        sys.stdout.write(rule_page(chosen[0], style_for(sys.stdout)))
    return common.OK


def _unknown(name: str) -> common.UsageError:
    import difflib

    from topology.registry import REGISTRY

    asked = name.casefold()
    having = [rule for rule in REGISTRY if asked in rule.split("-")]
    closest = having or difflib.get_close_matches(asked, REGISTRY, n=3, cutoff=0.6)
    meant = f"Did you mean {' or '.join(closest)}? " if closest else ""
    return common.UsageError(f"no rule is called {name!r}", f"{meant}`topo explain-rule` lists them all.")
