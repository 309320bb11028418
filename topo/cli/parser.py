"""Wrong usage answered with what was probably meant."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from topology.quoting import quoted

EMPTY = "the word is empty"
EMPTY_HINT = "A variable of the shell that is not set gives such a word."


class Once(argparse._StoreAction):
    """An option that is refused when it is given a second time: the first would be dropped in silence."""

    def __call__(
        self, parser: Any, namespace: argparse.Namespace, values: Any, option_string: str | None = None
    ) -> None:
        """Keep the value."""
        if option_string is not None:
            if self.dest in parser.said:
                raise argparse.ArgumentError(self, "given twice, and it takes one value")
            parser.said.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """The parser of a command: it names the option that comes closest, and what could be given for one."""

    gathers = False
    """Whether the command itself takes in words that stand between its options."""

    _given: Sequence[str] = ()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.said: set[str] = set()
        for action in (None, "store"):
            self.register("action", action, Once)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse, and refuse what looks like an option but is none, in the command that it was given to."""
        self._given = tuple(sys.argv[1:] if args is None else args)
        self.said.clear()
        found, rest = super().parse_known_args(args, namespace)
        if any(word.startswith("-") and word != "-" for word in rest):
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        if rest and self._subparsers is None and not self.gathers:
            self.refuse(*self._left_over(rest))
        return found, rest

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help or the version; what cannot be written is no success, whatever argparse thinks of it."""
        stream = file or sys.stderr
        stream.write(message)
        stream.flush()

    def error(self, message: str) -> NoReturn:
        """Print what is wrong in one line, and what would be right; exit with 2."""
        self.refuse(*self._explained(message))

    def refuse(self, message: str, hint: str = "") -> NoReturn:
        """Print what is wrong in one line, and where the options stand; exit with 2."""
        from topo.text.clean import clean

        more = f"`{self.prog} --help` lists the options."
        self.exit(2, f"topo: error: {clean(message)}\n  help: {clean(f'{hint} {more}'.lstrip())}\n")

    def _explained(self, message: str) -> tuple[str, str]:
        if (strange := self._strange()) is not None:
            return f"there is no option {strange}", meant(strange, self._option_string_actions).rstrip()
        if "required:" in message:
            fails = "--fail" in message
            return message, self._what_could_fail() if fails else f"Say `{self._shape()}`."
        said, _, fix = message.removeprefix("argument ").partition("\n")
        return said, fix

    def _left_over(self, rest: Sequence[str]) -> tuple[str, str]:
        """What is wrong where words are left over: usually several ids behind an option that takes one."""
        from topo.cli.suggest import is_file

        for at, option in enumerate(self._given):
            if not isinstance(self._option_string_actions.get(option), argparse._AppendAction):
                continue
            behind = self._given[at + 1 :]
            end = next((i for i, word in enumerate(behind) if word.startswith("-")), len(behind))
            ids = [word for word in behind[:end] if not is_file(word)]
            if len(ids) > 1:
                each = " ".join(f"{option} {word}" for word in ids)
                return (
                    f"{option} takes one id, and {len(ids)} follow it",
                    f"Each id takes its own option: {each}.",
                )
        return f"nothing takes {' '.join(map(repr, rest))}", f"Say `{self._shape()}`."

    def _shape(self) -> str:
        """What the command needs, in its order: `topo diff OLD NEW`."""
        words = [
            f"{action.option_strings[0]} {action.metavar}" if action.option_strings else str(action.metavar)
            for action in self._actions
            if action.required and action.metavar and action.nargs != 0
        ]
        return " ".join([self.prog, *words])

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Read a value, and refuse an empty word: what a shell makes of a variable that is not set."""
        value = super()._get_value(action, arg_string)
        if not arg_string and action.nargs != argparse.PARSER:  # else the command will see it
            raise argparse.ArgumentError(action, f"{EMPTY}\n{EMPTY_HINT}")
        return value

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is none of the choices, in words."""
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            choices = " or ".join(part for part in (", ".join(known[:-1]), known[-1]) if part)
            raise argparse.ArgumentError(action, f"there is no {quoted(str(value))}, only {choices}")

    def _strange(self) -> str | None:
        """The first word that looks like an option of this command and is none."""
        if self._subparsers is not None:
            return None
        known = tuple(self._option_string_actions)
        words = self._given[: self._given.index("--")] if "--" in self._given else self._given
        names = (word.partition("=")[0] for word in words if word.startswith("--"))
        return next((name for name in names if not any(each.startswith(name) for each in known)), None)

    def _what_could_fail(self) -> str:
        from topo.cli.suggest import worst_failures

        files = [word for word in self._given if not word.startswith("-")]
        ids = self._bare_ids()
        if ids:
            fails = " ".join(f"--fail {each}" for each in ids)
            return f"Say `{self.prog} {fails} {files[-1]}`."
        worst = worst_failures(files[-1]) if files else ()
        tried = f"Among the worst: {', '.join(f'--fail {each}' for each in worst)}. " if worst else ""
        return f"{tried}`topo sweep FILE` ranks every single failure."

    def _bare_ids(self) -> list[str]:
        """The words before the file, last of all, that are no option's value."""
        from topo.cli.suggest import is_file

        *words, last = self._given or ("",)
        if not is_file(last):
            return []
        before = ("", *words)
        return [
            word
            for option, word in zip(before, words, strict=False)
            if not word.startswith("-") and not option.startswith("-") and not is_file(word)
        ]


def meant(word: str, known: Iterable[str]) -> str:
    """Return the question whether the closest known word was meant; nothing where none is close."""
    from difflib import get_close_matches

    closest = next(iter(get_close_matches(word, sorted(known), 1, 0.6)), None)
    return f"Did you mean {closest}? " if closest else ""
