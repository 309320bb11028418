"""docs/cli.md, written from the parsers: every command, every argument, nothing by hand.

`python -m tests.docs.console` writes it, with the console blocks and the pictures.
"""

import argparse
from pathlib import Path

from topo.cli import COMMANDS, build_parser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"

MORE = {
    "validate": "rules.md",
    "sweep": "sweep.md",
    "cutsets": "cutsets.md",
    "findings": "methodology.md",
    "explain": "methodology.md",
    "report": "report.md",
    "diagram": "diagrams.md",
    "curtail": "curtailment.md",
    "rescue": "curtailment.md",
    "headroom": "curtailment.md",
    "ok-to-take-out": "maintenance.md",
    "diff": "diff.md",
    "merge": "merge.md",
    "collect": "collector.md",
    "explain-rule": "rules.md",
}
"""Command -> the page that says more about it, where there is one."""

INTRODUCTION = """\
# Command line

Every command with all its arguments, written from the program itself; `topo COMMAND --help` and
`topo help COMMAND` say the same.
FILE may be `-`: standard input. Results go to standard output, everything else to standard error. Output
files are written whole or not at all.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the input is invalid: every fault is printed, nothing is analysed |
| 2 | wrong usage, an unknown id, a file that cannot be read or written, or not enough memory |
| 3 | a gate that was asked for failed, or cannot be decided |
| 4 | the cluster cannot be reached, or refuses |

`NO_COLOR` is honoured; colour and progress appear on a terminal only. Pages are 80 columns wide, whatever the
terminal: the same input gives the same page. `COLUMNS` changes the width of `--help` alone.
"""

SHARED = "assumptions"
"""How the title of the group begins that every analysis takes: it is shown once."""


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return every command's parser by the command's name."""
    whole = build_parser(None)
    (commands,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    return dict(commands.choices)


def page() -> str:
    """Return docs/cli.md."""
    found = parsers()
    index = "\n".join(f"| [`{name}`](#topo-{name}) | {summary} |" for name, (_, summary) in COMMANDS.items())
    contents = f"| command | what it does |\n|---|---|\n{index}\n"
    sections = (section(name, found[name]) for name in COMMANDS)
    return "\n".join([INTRODUCTION, contents, *sections, assumptions(found["whatif"])])


def section(name: str, parser: argparse.ArgumentParser) -> str:
    """Return one command's part of the page."""
    more = f" See [{MORE[name]}]({MORE[name]})." if name in MORE else ""
    shared = shared_arguments(parser)
    also = f"\nAnd the [assumptions](#{SHARED}).\n" if shared else ""
    own = [action for action in arguments(parser) if action not in shared]
    said = f"{cell(parser.description or '')}{more}"
    return f"## topo {name}\n\n{said}\n\n    {usage(name, parser)}\n\n{table(own)}{also}"


def assumptions(parser: argparse.ArgumentParser) -> str:
    """Return the part about the options that every analysis takes."""
    said = "Every analysis takes these. A figure that rests on one of them says `command line` as its basis."
    return f"## Assumptions\n\n{said}\n\n{table(shared_arguments(parser))}"


def table(actions: list[argparse.Action]) -> str:
    """Return arguments and what they mean."""
    return "| argument | meaning |\n|---|---|\n" + "".join(row(action) + "\n" for action in actions)


def arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return what a command takes, without --help and other names of the same."""
    return [
        action
        for action in parser._actions
        if not isinstance(action, argparse._HelpAction) and action.help != argparse.SUPPRESS
    ]


def shared_arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the assumptions that a command takes."""
    groups = (group for group in parser._action_groups if (group.title or "").startswith(SHARED))
    return [action for group in groups for action in group._group_actions]


def usage(name: str, parser: argparse.ArgumentParser) -> str:
    """Return the shortest form of the command: what must be given."""
    options = [action for action in arguments(parser) if action.option_strings]
    choices = [group._group_actions for group in parser._mutually_exclusive_groups if group.required]
    words = [f"topo {name}", *(spelled(action) for action in options if action.required)]
    words += [f"({' | '.join(map(spelled, group))})" for group in choices]
    if any(not action.required for action in options):
        words.append("[OPTIONS]")
    for action in arguments(parser):
        if not action.option_strings:
            word = spelled(action)
            more = {"+": word if "..." in word else f"{word}...", "*": f"[{word}...]", "?": f"[{word}]"}
            words.append(more.get(str(action.nargs), word))
    return " ".join(words)


def spelled(action: argparse.Action) -> str:
    """Return an argument as one types it."""
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    value = str(action.metavar or choices)
    if not action.option_strings:
        return value
    return action.option_strings[-1] if action.nargs == 0 else f"{action.option_strings[-1]} {value}"


def row(action: argparse.Action) -> str:
    """Return one argument's line of a table."""
    short = [word for word in action.option_strings[:-1] if not word.startswith("--")]
    shown = ", ".join(f"`{word}`" for word in [*short, spelled(action)])
    said = [cell(action.help or "")]
    if action.required and action.option_strings:
        said.append("required")
    default = action.default
    if isinstance(default, (int, float, str)) and not isinstance(default, bool) and "default" not in said[0]:
        said.append(f"default: {default}")
    return f"| {shown.replace('|', chr(92) + '|')} | {'; '.join(part for part in said if part)} |"


def cell(text: str) -> str:
    """Return words that Markdown shows as they are."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("%%", "%")
