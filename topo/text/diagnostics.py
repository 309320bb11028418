"""Diagnostics in a terminal: the sentence, the place, the line with a caret, what to do (spec 1)."""

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from topo.text.clean import clean
from topo.text.page import ID_WIDTH, sentence, short
from topo.text.style import Style
from topo.text.table import PAGE_WIDTH, display_width
from topo.text.words import count
from topology.diagnostics import Diagnostic, Severity
from topology.source import Source

TEXT_LIMIT: Final = 50
"""Diagnostics that one run prints as text; JSON has all (spec 1)."""

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")

_COLOURS: Final = {"error": "red", "warning": "yellow", "info": "cyan"}
_SENTENCE: Final = 600
"""Longest sentence [characters]; beyond, the middle gives way."""
_ELLIPSES: Final = len("... ") + len(" ...")
_LEAD: Final = 0.6
"""Share of a long line's excerpt that stands before the caret [-]."""
_RELATED: Final = 12
"""Related places that are shown."""
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|[^\s,:\[\]{}]+')
_TAB: Final = "  "
_INDENT: Final = "    "
"""Of what goes on from the line above."""


def render(diagnostics: Sequence[Diagnostic], sources: Mapping[str, Source], style: Style) -> str:
    """Return diagnostics as text, errors first, at most 50, and how many more there are."""
    ranked = sorted(diagnostics, key=lambda diagnostic: SEVERITIES.index(diagnostic.severity))
    blocks = [render_one(each, sources.get(each.file), style) for each in ranked[:TEXT_LIMIT]]
    left = ranked[TEXT_LIMIT:]
    if left:
        blocks.append(f"... and {len(left):,} more ({tally(left)}): --format json has all\n")
    return "\n".join(blocks)


def render_refusal(diagnostics: Sequence[Diagnostic]) -> str:
    """Return the errors of an input that a command refuses, without its lines."""
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    files = ", ".join(dict.fromkeys(short(diagnostic.file) for diagnostic in errors))
    said = sentence(
        f"{files}: nothing was analysed. `topo validate` shows the lines.", first="", then=_INDENT
    )
    return f"{render(errors, {}, Style())}\n" + "\n".join(said) + "\n"


def tally(diagnostics: Iterable[Diagnostic]) -> str:
    """Return `1 error, 2 warnings, 3 infos`; `no faults` for none."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counted = [(severities.count(severity), severity) for severity in SEVERITIES]
    return ", ".join(count(number, severity) for number, severity in counted if number) or "no faults"


def render_one(diagnostic: Diagnostic, source: Source | None, style: Style) -> str:
    """Return one diagnostic as text; without a source, without its lines."""
    long_ids = [name for name in diagnostic.ids if len(name) > ID_WIDTH]
    label = f"{diagnostic.severity}[{diagnostic.rule}]"
    related = diagnostic.related[:_RELATED]
    gutter = len(str(max([diagnostic.line, *(line for line, _, _ in related)])))
    margin = " " * gutter
    first, *rest = sentence(f"{label}: {_sentence(diagnostic.message, long_ids)}", first="", then=_INDENT)
    lines = [
        style(label, "bold", _COLOURS[diagnostic.severity]) + first.removeprefix(label),
        *rest,
        f"{margin}{style('-->', 'blue')} {clean(diagnostic.file)}:{diagnostic.line}:{diagnostic.column}",
    ]
    bar = style("|", "blue")
    width = PAGE_WIDTH - gutter - len(" | ")
    if source is not None:
        text, under = _excerpt(source.line(diagnostic.line), diagnostic.column, width)
        lines.append(f"{margin} {bar}")
        lines.append(f"{diagnostic.line:>{gutter}} {bar} {text}")
        lines.append(f"{margin} {bar} {style(under, 'bold', _COLOURS[diagnostic.severity])}")
    for line, column, word in related:
        said = _sentence(word, long_ids)
        if source is None:
            lines += _note(f"{line}:{column}: {said}", margin, style)
            continue
        text, under = _excerpt(source.line(line), column, width)
        lines.append(f"{line:>{gutter}} {bar} {text}")
        beside = len(under) + 1 + display_width(said) <= width
        lines.append(
            f"{margin} {bar} {style(under.replace('^', '-'), 'blue')}" + (f" {said}" if beside else "")
        )
        if not beside:
            lines += [
                f"{margin} {bar} {each}"
                for each in textwrap.wrap(said, width, break_long_words=False, break_on_hyphens=False)
            ]
    if len(diagnostic.related) > _RELATED:
        lines += _note(f"and {len(diagnostic.related) - _RELATED:,} more places", margin, style)
    lines += _note(f"help: {_sentence(diagnostic.hint, long_ids)}", margin, style)
    return "\n".join(lines) + "\n"


def _note(text: str, margin: str, style: Style) -> list[str]:
    """Return a note at the foot of a diagnostic, wrapped to the page."""
    first, *rest = sentence(text, first=f"{margin} = ", then=f"{margin}   ")
    return [first.replace("=", style("=", "blue"), 1), *rest]


def _sentence(text: str, long_ids: Sequence[str]) -> str:
    """Return a sentence on one line, harmless, with long ids shortened."""
    for name in long_ids:
        text = text.replace(name, short(name))
    shown = clean(text)
    if len(shown) <= _SENTENCE:
        return shown
    return f"{shown[: _SENTENCE // 2]} ... {shown[-_SENTENCE // 2 :]}"


def _excerpt(line: str, column: int, width: int) -> tuple[str, str]:
    """Return as much of a line as fits into `width` columns, and the carets under the word at `column`."""
    at = min(column - 1, len(line))
    token = _TOKEN.match(line, at, at + width)
    end = token.end() if token else at + 1
    start, stop = 0, len(line)
    if len(line) > width or display_width(_shown(line)) > width:
        room = width - _ELLIPSES
        rest = display_width(_shown(line[at : at + room]))
        start = _back(line, at, max(round(_LEAD * room), room - rest))
        stop = at + _fitting(line[at:], room - display_width(_shown(line[start:at])))
    before = ("... " if start else "") + _shown(line[start:at])
    word = _shown(line[at : min(end, stop)])
    after = _shown(line[min(end, stop) : stop]) + (" ..." if stop < len(line) else "")
    return (before + word + after).rstrip(), " " * display_width(before) + "^" * max(1, display_width(word))


def _fitting(text: str, width: int) -> int:
    """Return how many characters of a text fit into so many columns."""
    cut = min(len(text), width)
    while cut > 0 and display_width(_shown(text[:cut])) > width:
        cut -= 1
    return cut


def _back(line: str, at: int, width: int) -> int:
    """Return from where the characters before `at` fit into so many columns."""
    start = max(0, at - width)
    while start < at and display_width(_shown(line[start:at])) > width:
        start += 1
    return start


def _shown(text: str) -> str:
    return clean(text.replace("\t", _TAB))
