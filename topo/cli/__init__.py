"""The `topo` command: one module per command, imported only when it is the one that was asked for.

This module itself imports nothing that Python has not loaded when it starts: `topo --help` must feel instant.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Final, NoReturn, TextIO

COMMANDS: "Final[dict[str, tuple[str, str]]]" = {
    "validate": ("validate", "check topology.yaml or estate.json, every fault at its line"),
    "whatif": ("whatif", "what is lost when these things fail"),
    "why": ("why", "the chain of causes from a failure to one thing"),
    "sweep": ("sweep", "every single failure, ranked by what it takes down"),
    "cutsets": ("cutsets", "the smallest sets of failures that take a target down"),
    "findings": ("findings", "every figure of the methodology, in one document"),
    "explain": ("explain", "one finding's formula with this estate's numbers"),
    "report": ("report", "the Exposure Report: one page, offline, alive"),
    "diagram": ("diagram", "draw the facility and a blast radius"),
    "curtail": ("curtail", "which workloads to pause to shed kW, by when, at what price"),
    "rescue": ("rescue", "the smallest shed that keeps a failure from cascading"),
    "headroom": ("headroom", "the kW that can still be added, and the kW that are stranded"),
    "ok-to-take-out": ("ok_to_take_out", "may this be taken out for maintenance now?"),
    "diff": ("diff", "what changed between two estates or maps, for a pull request"),
    "merge": ("merge", "several clusters on one facility, as one estate"),
    "collect": ("collect", "write estate.json from a cluster (read-only)"),
    "explain-rule": ("explain_rule", "what a validation rule means, wrong and right"),
}
"""Command -> (module below topo.cli, one line for `topo --help`)."""

DESCRIPTION: "Final" = "Failure domains of a GPU cluster: what fails together, and what it costs."

EPILOG: "Final" = """\
start here:
  topo validate topology.yaml
  topo whatif --fail ups-a estate.json

exit codes: 0 done, 1 the input is invalid, 2 wrong usage or unreadable file,
3 a gate failed or cannot be decided, 4 cluster unreachable or unauthorised
"""


def overview() -> str:
    """Return `topo --help`: written by hand, so that it costs no import."""
    lines = [f"  {name:<16}{summary}" for name, (_, summary) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: topo COMMAND [options] FILE",
            "",
            DESCRIPTION,
            "",
            "commands:",
            *lines,
            "",
            "  topo COMMAND --help    the options of one command",
            "  topo --version",
            "",
            EPILOG,
        ]
    )


def build_parser(
    selected: str | None, commands: "dict[str, tuple[str, str]]" = COMMANDS
) -> "argparse.ArgumentParser":
    """Return the parser: every command named, but the arguments of the `selected` one only (all: None)."""
    import argparse
    import importlib

    from topo.cli.parser import Parser

    parser = Parser(
        prog="topo",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"topo {_version()}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", required=True)
    for name, (module, summary) in commands.items():
        if selected in (None, name):
            importlib.import_module(f"topo.cli.{module}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=summary, add_help=False)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (spec 6)."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments in ([], ["-h"], ["--help"]):
        sys.stdout.write(overview())
        return 0 if arguments else 2
    if arguments[0] == "help":
        return main([*(word for word in arguments[1:2] if word not in ("-h", "--help", "help")), "--help"])
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_spelling())
    selected = next((word for word in arguments if not word.startswith("-")), "")
    if selected and selected not in COMMANDS and arguments[0] == selected:
        return _no_command(selected)
    args = build_parser(selected).parse_args(arguments)
    from topo.cli.common import run_command

    return run_command(args)


def _no_command(word: str) -> int:
    from topo.cli.common import USAGE, complain
    from topo.cli.parser import meant

    complain(f"there is no command {word!r}", f"{meant(word, COMMANDS)}`topo --help` lists them all.")
    return USAGE


_SPELLED: "Final" = {"×": "x", "÷": "/", "−": "-", "≥": ">=", "≤": "<=", "Σ": "sum", "–": "-", "·": "*"}
"""Symbols of formulas -> what a stream that cannot show them gets; anything else becomes an escape."""


def _spelling() -> str:
    """Return the name of the error handler that spells what a stream's encoding cannot say."""
    import codecs

    def spell(error: UnicodeError) -> "tuple[str | bytes, int]":
        if not isinstance(error, UnicodeEncodeError):
            raise error
        symbols = error.object[error.start : error.end]
        spelled = (
            _SPELLED.get(char) or char.encode("ascii", "backslashreplace").decode() for char in symbols
        )
        return "".join(spelled), error.end

    codecs.register_error("topo-spelled", spell)
    return "topo-spelled"


NO_MEMORY: "Final" = """\
not enough memory: nothing was written
  help: Run it where there is more, or raise the limit that is set (`ulimit -v`, a container's)."""


def entry() -> "NoReturn":
    """The console script: `main`, quiet when the reader of a pipe has gone."""
    sys.stderr = _Heedless(sys.stderr)
    if sys.stdout is None:  # closed by whoever started us
        _complain("standard output is closed")
        sys.exit(2)
    exhausted, code = False, 2
    try:
        code = main()
        sys.stdout.flush()
    except MemoryError:
        exhausted = True
    except BrokenPipeError:
        _forget_output()
        code = 141
    except OSError as error:
        from errno import ENOMEM

        _forget_output()
        exhausted = error.errno == ENOMEM
        if not exhausted:
            _complain(f"cannot write to standard output: {error.strerror or error}")
        code = 2
    except KeyboardInterrupt:
        code = 130
    except RuntimeError as error:  # what Python 3.11 makes of Control-C within a class body
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        code = 130
    except SystemExit as leaving:
        code = _flushed(leaving.code)
    if exhausted:  # said here, where what filled the memory has gone
        _forget_output()
        _complain(NO_MEMORY)
    sys.exit(code)


def _flushed(code: object) -> int:
    """Return an exit code, or 2 where what was printed before it cannot be written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _forget_output()
        _complain(f"cannot write to standard output: {error.strerror or error}")
        return 2
    return code if isinstance(code, int) else 0


def _forget_output() -> None:
    """Let nothing more be written: the interpreter would try again, and complain, when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> None:
    sys.stderr.write(f"topo: error: {message}\n")


class _Heedless:
    """Standard error that may be closed, full or left by its reader: what is said there is never a result."""

    def __init__(self, stream: "TextIO | None") -> None:
        self._stream = stream if stream is not None else open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            return

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def _version() -> str:
    from topo import __version__

    return __version__
