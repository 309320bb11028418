"""Bytes to text: UTF-8 and nothing else, with the place of what is not."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from typing import Final

from topology.unreadable import Unreadable

_WIDE_MARKS: Final = (BOM_UTF32_LE, BOM_UTF32_BE, BOM_UTF16_LE, BOM_UTF16_BE)
_UTF8_HINT: Final = "Save the file as UTF-8."


def text_of(data: str | bytes, rule: str) -> str:
    """Return the text of `data`, without a byte order mark. Raises `Unreadable` where it is not UTF-8."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if data.startswith(_WIDE_MARKS) or _looks_wide(data):
        raise Unreadable(rule, 0, "the file is UTF-16 or UTF-32, not UTF-8", _UTF8_HINT)
    body = data.removeprefix(BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        offset = len(body[: error.start].decode("utf-8"))
        message = f"the byte 0x{body[error.start]:02X} is not UTF-8 ({error.reason})"
        raise Unreadable(rule, offset, message, _UTF8_HINT) from None


def readable_part(data: str | bytes) -> str:
    """Return `data` as text for an excerpt, whatever it is."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    return data.removeprefix(BOM_UTF8).decode("utf-8", "replace")


def _looks_wide(data: bytes) -> bool:
    """Return whether a text without a mark is UTF-16: every other one of its first bytes is NUL."""
    head = data[:64]
    even, odd = head[::2], head[1::2]
    return len(head) >= 4 and (not any(even) or not any(odd))
