"""Raw values in messages: short, quoted, named by their type."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from topology.closest import Closest, most_like, normal_form

_SHOWN: Final = 60
_COMPARED: Final = 100
_MEMBERS: Final = 6
_SURELY: Final = 0.75
"""Similarity [-] from which a word was misspelt, and not another word."""

_TELLING: Final = 4
"""Fewer characters tell nothing of a longer word."""


def quoted(text: str) -> str:
    """Return a text in quotes, cut where it is long."""
    return f"'{text}'" if len(text) <= _SHOWN else f"'{text[:_SHOWN]}…' ({len(text)} characters)"


def found(value: object) -> str:
    """Return what a raw value is, in words: `the number 12`, `a list`, `nothing`."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "a mapping" if value else "an empty mapping"


def flow(value: object) -> str:
    """Return a raw value as YAML writes it on one line; `..` stands for what would be long.

    >>> flow({"percent": 125, "seconds": 600}), flow(["a", "b"])
    ('{percent: 125, seconds: 600}', '[a, b]')
    """
    if isinstance(value, list):
        parts, ends = [flow(item) for item in value[:_MEMBERS]], "[]"
    elif isinstance(value, dict):
        parts, ends = [f"{key}: {flow(item)}" for key, item in list(value.items())[:_MEMBERS]], "{}"
    elif isinstance(value, bool):
        return found(value)
    elif isinstance(value, str | int | float) and value != "":
        text = str(value) if isinstance(value, str | float) or abs(value) < 10**20 else ".."
        return text if len(text) <= _SHOWN else ".."
    else:
        return ".."
    whole = f"{ends[0]}{', '.join(parts)}{ends[1]}"
    return whole if len(value) <= _MEMBERS and len(whole) <= _SHOWN else f"{ends[0]}..{ends[1]}"


def _number(value: int | float) -> str:
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    return f"the number {value}"


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was probably meant to be, or None."""
    return _finder(tuple(known)).to(word[:_COMPARED])


def surely(word: str, meant: str) -> bool:
    """Return whether `word` is so like the known one that a fix may say to write that."""
    from difflib import SequenceMatcher

    form, other = normal_form(word[:_COMPARED]), normal_form(meant)
    if form == other or (len(form) >= _TELLING and (other.startswith(form) or form.startswith(other))):
        return True
    return SequenceMatcher(None, form, other).ratio() >= _SURELY


def closest_of_few(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` begins with, begins, or is most like, however long the two are."""
    return _closest_of_few(word[:_COMPARED], tuple(known))


@lru_cache(maxsize=1024)
def _closest_of_few(word: str, known: tuple[str, ...]) -> str | None:
    form = normal_form(word)
    for name in known:
        other = normal_form(name)
        if len(form) >= _TELLING and (other.startswith(form) or form.startswith(other)):
            return name
    return most_like(form, {normal_form(name): name for name in known})


@lru_cache(maxsize=64)
def _finder(known: tuple[str, ...]) -> Closest:
    return Closest(known)
