"""What YAML texts are refused for, each with its place and what to do (rule yaml-syntax)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from topology.limits import MAX_DEPTH
from topology.quoting import quoted
from topology.slips import glued_line
from topology.unreadable import Unreadable
from topology.yaml_words import libyaml_words

RULE: Final = "yaml-syntax"
TAGS: Final = "tag:yaml.org,2002:"
TEXT_TAGS: Final = frozenset({"!", f"{TAGS}str"})
_KNOWN_TAGS: Final = TEXT_TAGS | {
    f"{TAGS}{name}" for name in ("map", "seq", "int", "float", "null", "timestamp")
}
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_KEY: Final = 1024

Event = Any
"""An event of PyYAML, which ships no types."""


@contextmanager
def explained(text: str) -> Iterator[None]:
    """Turn what the parser of `text` raises into `Unreadable`."""
    import yaml

    try:
        yield
    except yaml.reader.ReaderError:
        raise _unprintable(text) from None
    except yaml.MarkedYAMLError as error:
        raise _syntax(text, error) from None
    except UnicodeEncodeError:
        raise _unprintable(text) from None
    except (ValueError, OverflowError):  # the pure parser, on escapes beyond Unicode
        raise Unreadable(RULE, 0, "an escape sequence is no character", "Correct the \\U escape.") from None


def _syntax(text: str, error: Any) -> Unreadable:
    """Return libyaml's complaint with its place, and the usual cause where one is known."""
    mark = error.problem_mark or error.context_mark
    offset = 0 if mark is None else min(mark.index, len(text))
    context = libyaml_words(error.context)
    problem = libyaml_words(error.problem, context) or context or "not YAML"
    related: tuple[tuple[int, str], ...] = ()
    if error.context_mark is not None and error.context_mark.index != offset:
        related = ((error.context_mark.index, context or "here"),)
    message = f"cannot be parsed as YAML: {context + ': ' if context else ''}{problem}"
    return Unreadable(RULE, offset, message, _syntax_hint(text, offset, problem), related=related)


def _syntax_hint(text: str, offset: int, problem: str) -> str:
    if text[offset : offset + 1] == "\t":
        return "YAML does not indent with tabs: use spaces."
    if "alias" in problem or "anchor" in problem or "cannot start any token" in problem:
        return "Put text that starts with a special character in quotes."
    if "nesting" in problem:
        return f"Flatten it: a valid file needs 5 levels, {MAX_DEPTH} are read."
    if "mapping values" in problem and offset - text.rfind("\n", 0, offset) > _LONGEST_KEY:
        return f"A key in YAML has at most {_LONGEST_KEY} characters, unless it is written with `? `."
    without_space = glued_line(text, offset) if "mapping values" in problem or "':'" in problem else ""
    if without_space:
        return without_space
    if "flow" in problem or "expected ',' or" in problem:
        return "Check that every { and [ is closed, with commas between the entries."
    return "Check indentation, colons and quotes here and on the lines before."


def _unprintable(text: str) -> Unreadable:
    match = _UNPRINTABLE.search(text)
    offset = match.start() if match else 0
    name = f"U+{ord(text[offset]):04X}" if match else "unprintable"
    what = "a NUL byte" if name == "U+0000" else f"the character {name}"
    hint = 'Remove it, or write it as an escape in double quotes ("\\x00"). Is this a text file?'
    return Unreadable(RULE, offset, f"contains {what}, which YAML forbids", hint)


def second_document(event: Event) -> Unreadable:
    """Refuse a second document."""
    hint = "One document per file: split it."
    return Unreadable(RULE, event.start_mark.index, "a second document starts here", hint)


def empty() -> Unreadable:
    """Refuse a file without a document."""
    return Unreadable(RULE, 0, "the file is empty", "Write a `nodes:` mapping.")


def too_many_aliases(event: Event, values: int) -> Unreadable:
    """Refuse aliases that stand for far more than the file holds."""
    message = f"the aliases up to here stand for {values} values, far more than the file holds"
    hint = "Write the values out: aliases of aliases are refused."
    return Unreadable(RULE, event.start_mark.index, message, hint)


def too_deep(offset: int) -> Unreadable:
    """Refuse nesting beyond the deepest level."""
    return Unreadable(
        RULE, offset, f"nested deeper than {MAX_DEPTH} levels", "Flatten it: a valid file needs 5."
    )


def check_tag(tag: str, event: Event) -> None:
    """Refuse a tag that is none of YAML's own."""
    if tag not in _KNOWN_TAGS:
        raise Unreadable(
            RULE,
            event.start_mark.index,
            f"the tag {quoted(tag.replace(TAGS, '!!'))} is not used here",
            "Remove the tag; quote the text if it is an id.",
        )


def not_a_key(event: Event) -> Unreadable:
    """Refuse a key that is no text."""
    return Unreadable(
        RULE,
        event.start_mark.index,
        "a mapping or list cannot be a key",
        "Keys are text: quote them if need be.",
    )


def no_anchor(event: Event, *, inside: bool) -> Unreadable:
    """Refuse an alias without an anchor before it."""
    name = quoted(event.anchor)
    message = f"the alias {name} stands inside what it names" if inside else f"no anchor {name} stands above"
    return Unreadable(
        RULE, event.start_mark.index, message, "Quote the text if it is an id that starts with *."
    )
