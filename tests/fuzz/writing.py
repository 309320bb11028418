"""Values as text, in every style that the language allows and a few that it does not."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*\Z")


def json_text(value: Any, dice: Random) -> bytes:
    """Return a value as JSON, sometimes with a key said twice; NaN and Infinity as they are."""
    indent = dice.choice((None, None, 1, 2, "\t"))
    ascii_only = dice.random() < 0.5
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    if dice.random() < 0.03:
        text = re.sub(r'("[^"\\]*": ?)("[^"\\]*"|\d+)', r"\1\2, \1\2", text, count=1)
    return _bytes(text, dice)


def yaml_text(value: Any, dice: Random) -> bytes:
    """Return a value as YAML, each part in a style of its own."""
    writer = _Yaml(dice)
    start = dice.choice(("", "", "", "---\n", "# a map\n", "%YAML 1.1\n---\n", "\ufeff"))
    body = writer.block(value, 0) if isinstance(value, dict | list) and value else writer.flow(value) + "\n"
    return _bytes(start + body.lstrip("\n") + dice.choice(("", "", "...\n", "\n\n")), dice)


def _bytes(text: str, dice: Random) -> bytes:
    if dice.random() < 0.02:
        return text.encode(dice.choice(("utf-16", "utf-32", "utf-8-sig", "utf-16-le")), "surrogatepass")
    if dice.random() < 0.05:
        text = text.replace("\n", dice.choice(("\r\n", "\r", "\n\n", "\x85")))
    return text.encode("utf-8", "surrogatepass" if dice.random() < 0.5 else "replace")


class _Yaml:
    """Writes one document; what was anchored may come back as an alias."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._anchors: list[str] = []

    def block(self, value: Any, indent: int) -> str:
        """Return a mapping or list in block style, on lines of its own."""
        if not isinstance(value, dict | list) or not value or self._dice.random() < 0.3:
            return f" {self._maybe_anchored(self.flow(value))}{self._comment()}\n"
        pad = " " * indent
        if isinstance(value, dict):
            deeper = indent + self._dice.choice((2, 2, 2, 1, 4))
            lines = [f"{pad}{self._key(key)}:{self.block(one, deeper)}" for key, one in value.items()]
            if self._anchors and self._dice.random() < 0.05:
                lines.append(f"{pad}<<: *{self._dice.choice(self._anchors)}\n")
        else:
            lines = [f"{pad}-{self.block(one, indent + 2)}" for one in value]
        return "\n" + "".join(lines)

    def flow(self, value: Any) -> str:
        """Return a value on one line."""
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self._key(key)}: {self.flow(one)}" for key, one in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(self.flow(one) for one in value) + "]"
        if self._anchors and self._dice.random() < 0.03:
            return f"*{self._dice.choice(self._anchors)}"
        return self._scalar(value)

    def _scalar(self, value: Any) -> str:
        if isinstance(value, bool):
            return self._dice.choice(("true", "false", "yes", "on"))
        if value is None:
            return self._dice.choice(("null", "~", ""))
        if isinstance(value, str):
            return self._text(value)
        return str(value)

    def _text(self, text: str) -> str:
        style = self._dice.random()
        if _PLAIN.match(text) and style < 0.8:
            return text
        if style < 0.9 or not text.isprintable():
            return json.dumps(text, ensure_ascii=self._dice.random() < 0.5)
        return "'" + text.replace("'", "''") + "'" if style < 0.97 else text

    def _key(self, key: Any) -> str:
        return self._text(key) if isinstance(key, str) else self._scalar(key)

    def _maybe_anchored(self, text: str) -> str:
        if self._dice.random() > 0.05 or text.startswith("*"):
            return text
        name = f"a{len(self._anchors)}"
        self._anchors.append(name)
        return f"&{name} {text}"

    def _comment(self) -> str:
        return "  # why" if self._dice.random() < 0.02 else ""
