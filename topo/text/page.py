"""The parts of a page: headings, wrapped sentences, numbered caveats. Nothing is wider than the page."""

import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from topo.text.clean import clean
from topo.text.shell import shell_line
from topo.text.style import Style
from topo.text.table import PAGE_WIDTH, Column, clip, display_width, table
from topo.text.words import fitting, some

_NAMING = ("--fail", "--focus", "--out", "--target", "--under")
"""Options whose value is an id."""

ID_WIDTH = 40
"""Widest id inside a sentence; longer ones are clipped in the middle (JSON never clips)."""


_JOINT: Final = "\x01"
"""Stands for a space where a sentence must not break; no page holds it (`clean`)."""

_NO_UNITS: Final = (
    "and|are|as|at|both|by|fail|fails|fewer|from|in|is|less|lose|more|of|on|or|out|than|that|the|to|with"
)
_NUMBER: Final = re.compile(rf"(?<![\w.:/-])(\d+(?:,\d{{3}})*(?:\.\d+)?) (?=%|(?!(?:{_NO_UNITS})\b)[A-Za-z])")
"""A number, and the space before the word that says of what."""


def short(identifier: str) -> str:
    """Return an id fit for a sentence: harmless and not too long."""
    return clip(clean(identifier), ID_WIDTH)


def heading(title: str, note: str, style: Style) -> list[str]:
    """Return a blank line and a section's title with its note."""
    line = style(title.upper(), "bold")
    if len(title) + 2 + display_width(note) > PAGE_WIDTH:
        return ["", line, *sentence(note)]
    return ["", f"{line}  {note}" if note else line]


def sentence(text: str, *, first: str = "  ", then: str = "  ") -> list[str]:
    """Return a sentence wrapped to the page; a number stays with its unit."""
    lines = textwrap.wrap(
        _NUMBER.sub(rf"\1{_JOINT}", text),
        PAGE_WIDTH,
        initial_indent=first,
        subsequent_indent=then,
        break_on_hyphens=False,
    )
    return [line.replace(_JOINT, " ") for line in lines] or [first.rstrip()]


def numbered(texts: Iterable[str]) -> list[str]:
    """Return texts as a numbered list, each wrapped to the page."""
    lines: list[str] = []
    for position, text in enumerate(texts, 1):
        mark = f"{position:>3}. "
        lines += sentence(clean(text), first=mark, then=" " * len(mark))
    return lines


def care_section(caveats: Iterable[str], options: "PageOptions") -> list[str]:
    """Return what must be read beside the figures; nothing where there is nothing."""
    lines = numbered(caveats)
    return [*heading("Read with care", "", options.style), *lines] if lines else []


def next_command(*words: str) -> str:
    """Return a command to try next, fit to be pasted into a shell, whatever the ids begin with."""
    said: list[str] = []
    for word in words:
        if word.startswith("-") and said and said[-1] in _NAMING:
            said[-1] += f"={word}"
        else:
            said.append(word)
    return f"  {shell_line(said)}"


def command_about(ids: Sequence[str], command: str, *words: str) -> str:
    """Return a command that takes ids by position; of `words` the last is its file, the rest options."""
    if any(name.startswith("-") for name in ids):
        return next_command("topo", command, *words[:-1], "--", *ids, words[-1])
    return next_command("topo", command, *ids, *words)


def next_section(commands: Iterable[Sequence[str]], options: "PageOptions") -> list[str]:
    """Return the commands to try next, each under the assumptions that were given and about the same file.

    What follows "--" in one of them are ids that it takes by position.
    """
    lines = [_proposed(words, options) for words in commands]
    return [*heading("Next", "", options.style), *lines] if lines else []


def _proposed(words: Sequence[str], options: "PageOptions") -> str:
    end = words.index("--") if "--" in words else len(words)
    command, *said = words[:end]
    return command_about(words[end + 1 :], command, *said, *options.words, options.file)


def fails(ids: Iterable[str]) -> tuple[str, ...]:
    """Return `--fail ID` for each id."""
    return tuple(word for identifier in ids for word in ("--fail", identifier))


def more(shown: int, total: int) -> list[str]:
    """Return the line that says how many rows a table leaves out, or nothing."""
    left = total - shown
    return [f"  and {left:,} more (--rows 0 or --format json shows all)"] if left > 0 else []


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How a page is drawn: `rows` per table.

    `file` and `words` (the assumptions given) are what the commands to try next repeat.
    """

    style: Style
    rows: int
    file: str
    words: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is left out: every row, every list to its end (--rows 0)."""
        return self.rows == sys.maxsize

    def some(self, ids: Sequence[str], limit: int) -> str:
        """Return the first `limit` ids and how many more there are; all of them on a whole page."""
        return some(ids, len(ids) if self.whole else limit)

    def fitting(self, ids: Sequence[str], width: int) -> str:
        """Return as many ids as fit `width` cells and how many more there are; all on a whole page."""
        return some(ids, len(ids)) if self.whole else fitting(ids, width)


def rows_of(columns: Sequence[Column], rows: Sequence[Sequence[str]], options: PageOptions) -> list[str]:
    """Return a table of at most `options.rows` rows, and how many it leaves out."""
    return [*table(columns, rows[: options.rows]), *more(options.rows, len(rows))]


def block(
    title: tuple[str, str], columns: Sequence[Column], rows: Sequence[Sequence[str]], options: PageOptions
) -> list[str]:
    """Return a section that is one table: its title and note, then the rows."""
    return [*heading(*title, options.style), *rows_of(columns, rows, options)]
