"""One wording for what both YAML parsers refuse: the pure parser's complaints in libyaml's words.

A file is told wrong in the same words wherever it is checked, whichever parser PyYAML was built with.
"""

import re
from typing import Final

_COMMENT: Final = "did not find expected comment or line break"
_PHRASES: Final = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (r"expected <block end>, but found .*", "did not find expected {block}"),
        (r"expected (',' or '[\]}]'), but got .*", r"did not find expected \1"),
        (r"expected '<document start>', but found .*", "did not find expected <document start>"),
        (r"expected the node content, but found .*", "did not find expected node content"),
        (r"(.* are not allowed) here", r"\1 in this context"),
        (r"(?<!block )sequence entries are not allowed(.*)", r"block sequence entries are not allowed\1"),
        (r"found character .* that cannot start any token", "found character that cannot start any token"),
        (r"expected chomping or indentation indicators, but found .*", _COMMENT),
        (r"expected a comment or a line break, but found .*", _COMMENT),
        (r"expected (alphabetic or numeric character), but found .*", r"did not find expected \1"),
        (r"expected escape sequence of .*", "did not find expected hexdecimal number"),
        (r"expected URI, but found .*", "did not find expected tag URI"),
        (r"found unexpected document separator", "found unexpected document indicator"),
        (r"found unknown escape character .*", "found unknown escape character"),
        (r"while scanning a double-quoted scalar", "while parsing a quoted scalar"),
    )
)

_IN_BLOCK_LIST: Final = "while parsing a block collection"


def libyaml_words(said: str | None, context: str | None = None) -> str | None:
    """Return a parser's phrase as libyaml says it, in the `context` in which it is said.

    >>> libyaml_words("expected ',' or '}', but got ':'")
    "did not find expected ',' or '}'"
    """
    if said is None:
        return None
    for pattern, words in _PHRASES:
        said = pattern.sub(words, said)
    return said.replace("{block}", "'-' indicator" if context == _IN_BLOCK_LIST else "key")
