"""Which known id was probably meant."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

_SEPARATORS: Final = str.maketrans("", "", "-_.")
_LOOK_ALIKE: Final = str.maketrans("IlO", "110")
_LEADING_ZEROS: Final = re.compile(r"(?<![0-9])0+(?=[0-9])")
_COMPARISONS: Final = 50_000
_LENGTH_APART: Final = 3
_LONGEST_COMPARED: Final = 200
_CUTOFF: Final = 0.6


def normal_form(name: str) -> str:
    """Return a name after case folding and dropping `- _ .` and the leading zeros of its numbers.

    >>> normal_form("PDU_A.01") == normal_form("pdu-a-1")
    True
    """
    return _LEADING_ZEROS.sub("", name.casefold()).translate(_SEPARATORS)


def look_of(name: str) -> str:
    """Return the normal form of a name in which l, 1 and I are one sign, and O and 0.

    >>> look_of("h2-Ioop") == look_of("H2_loop"), look_of("cdu-L") == look_of("cdu-1")
    (True, False)
    """
    return normal_form(name.translate(_LOOK_ALIKE))


def looks_mistyped(word: str, known: str) -> bool:
    """Return whether a word is a known one in another form, or with one letter wrong, missing, added or two
    of them swapped.

    >>> [word for word in ("Etcd", "ectd", "etc", "etcdd", "etcd-events") if looks_mistyped(word, "etcd")]
    ['Etcd', 'ectd', 'etc', 'etcdd']
    """
    form, other = normal_form(word[: len(known) * 2 + _LENGTH_APART]), normal_form(known)
    if abs(len(form) - len(other)) > 1:
        return False
    same = next((i for i, pair in enumerate(zip(form, other, strict=False)) if pair[0] != pair[1]), None)
    if same is None:
        return True
    rest, wanted = form[same:], other[same:]
    swapped = rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:]
    return swapped or wanted in (rest[1:], wanted[:1] + rest[1:]) or rest == wanted[1:]


class Closest:
    """Finds the known id that is closest to a word, within a bounded effort over all words."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_form: dict[str, str] = {}
        self._by_length: dict[int, list[str]] = {}
        for name in sorted(known):
            self._by_form.setdefault(normal_form(name), name)
            self._by_length.setdefault(len(name), []).append(name)
        self._left = _COMPARISONS
        self._found: dict[str, str | None] = {}

    def to(self, word: str) -> str | None:
        """Return the closest known id; None where nothing is close, or the effort is spent."""
        if word not in self._found:
            self._found[word] = self._by_form.get(normal_form(word)) or self._similar(word)
        return self._found[word]

    def _similar(self, word: str) -> str | None:
        lengths = range(len(word) - _LENGTH_APART, len(word) + _LENGTH_APART + 1)
        if len(word) > _LONGEST_COMPARED or self._left <= 0:
            return None
        candidates = [name for length in lengths for name in self._by_length.get(length, ())]
        self._left -= len(candidates)
        return most_like(word, dict(zip(candidates, candidates, strict=True)))


def most_like(word: str, names: Mapping[str, str]) -> str | None:
    """Return what `names` has for its key that is most like `word`; None where none is."""
    from difflib import get_close_matches

    return next((names[match] for match in get_close_matches(word, names, 1, _CUTOFF)), None)
