"""Text damaged byte by byte: cut, doubled, spliced, flipped, with the signs of every language in it."""

from __future__ import annotations

from random import Random

SIGNS = (
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xc3",
        b"\t",
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
    ),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"'",
        b'"',
        b"\\",
        b"#",
        b"-",
        b"- ",
        b"? ",
        b": ",
        b"|",
        b">",
        b"%",
        b"@",
    ),
    *(
        b"&a ",
        b"*a",
        b"!!x ",
        b"!!str ",
        b"!!python/object:os.system ",
        b"<<: ",
        b"<<: *a",
        b"---\n",
        b"...\n",
        b"~",
    ),
    *(
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"1e999",
        b"9" * 40,
        b"null",
        b"true",
        b"\\ud800",
        b"\\u0000",
        b"-0",
        b"0x1",
    ),
    *(
        b"{" * 150,
        b"[" * 150,
        b"- " * 120,
        b'{"a":' * 120,
        b"x" * 1100,
        b"[" * 3000,
        b"%YAML 9.9\n",
        b"/*",
        b"//",
        b"e",
        b"E",
    ),
    *(
        b'"kind":',
        b'"parent":',
        b'"nodes":',
        b"nodes:\n",
        b"domains:\n",
        b'"items":null',
        b"# TYPE",
        b"DCGM_FI_",
    ),
)


def damaged(text: bytes, dice: Random, other: bytes) -> bytes:
    """Return a text with one to five wounds; `other` is a text to take pieces from."""
    for _ in range(dice.choice((1, 1, 1, 2, 2, 3, 5))):
        at = dice.randrange(len(text) + 1)
        until = min(len(text), at + dice.choice((0, 0, 1, 2, 5, 20, 100)))
        text = text[:at] + _piece(text, at, until, dice, other) + text[until:]
    return text[: dice.randrange(len(text) + 1)] if dice.random() < 0.05 else text


def _piece(text: bytes, at: int, until: int, dice: Random, other: bytes) -> bytes:
    kind = dice.randrange(6)
    if kind == 0:
        return b""
    if kind == 1:
        return text[at:until] * dice.choice((2, 2, 3, 50))
    if kind == 2:
        start = dice.randrange(len(other) + 1)
        return other[start : start + dice.choice((1, 10, 60, 300))]
    if kind == 3:
        return bytes(byte ^ (1 << dice.randrange(8)) for byte in text[at:until])
    return dice.choice(SIGNS)
