"""Words as a shell takes them: they can be pasted, and never steer the terminal that shows them."""

import shlex
from collections.abc import Iterable

from topo.text.clean import clean


def shell_line(words: Iterable[str]) -> str:
    r"""Return words as one line of a shell; what cannot be shown stands in its bytes: $'\xff'.

    >>> shell_line(["topo", "sweep", "a b.json"]), shell_line(["bad\udcff.json"])
    ("topo sweep 'a b.json'", "$'bad\\xff.json'")
    """
    return " ".join(map(_word, words))


def _word(word: str) -> str:
    if clean(word) == word:
        return shlex.quote(word)
    try:
        return "$'" + "".join(map(_spelt, word)) + "'"
    except UnicodeEncodeError:  # half a pair: no file has such a name, and no argument says it
        return shlex.quote(clean(word))


def _spelt(symbol: str) -> str:
    if symbol in ("'", "\\"):
        return f"\\{symbol}"
    if clean(symbol) == symbol:
        return symbol
    return "".join(f"\\x{byte:02x}" for byte in symbol.encode("utf-8", "surrogateescape"))
