"""Elements that render as HTML. Text is always escaped; nothing else in the report writes a tag."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from topo.diagram.xml import attribute, escaped

Value = str | int | bool | None
"""An attribute's value: False and None leave the attribute out, True writes it without one."""

_VOID: Final = frozenset({"br", "hr", "input", "meta"})


@dataclass(frozen=True, slots=True)
class Element:
    """A tag with its attributes and what is inside."""

    tag: str
    attributes: Mapping[str, Value]
    children: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Text that is written as it is: only what this package made itself, never what a file says."""

    text: str


Node = Element | Verbatim | str | None
"""What an element holds; None is nothing, a string is text."""


def el(tag: str, attributes: Mapping[str, Value] | None = None, *children: Node) -> Element:
    """Return an element.

    >>> render(el("p", {"class": "note"}, "a < b & c"))
    '<p class="note">a &lt; b &amp; c</p>'
    """
    return Element(tag, attributes or {}, children)


def group(nodes: Iterable[Node]) -> Element:
    """Return elements as one, without a tag around them."""
    return Element("", {}, tuple(nodes))


def script(source: str) -> Verbatim:
    """Return an inline script.

    Raises ValueError where the source would end its own element.
    """
    return Verbatim(f"<script>{_unbroken(source, 'script')}</script>\n")


def style(source: str, **attributes: str) -> Verbatim:
    """Return an inline style sheet.

    Raises ValueError where the source would end its own element.
    """
    written = "".join(f' {name}="{attribute(value)}"' for name, value in attributes.items())
    return Verbatim(f"<style{written}>{_unbroken(source, 'style')}</style>\n")


def data_island(name: str, json_text: str) -> Verbatim:
    """Return JSON for the page's script to read. What could end the element is written as escapes."""
    inert = json_text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Verbatim(f'<script type="application/json" id="{attribute(name)}">{inert}</script>\n')


def fingerprint(source: str) -> str:
    """Return the hash by which a content security policy allows an inline script or style."""
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode('ascii')}'"


def render(node: Node) -> str:
    """Return the HTML of a node."""
    return "".join(_written(node))


def _written(node: Node) -> Iterator[str]:
    if node is None:
        return
    if isinstance(node, str):
        yield escaped(node)
    elif isinstance(node, Verbatim):
        yield node.text
    elif not node.tag:
        for child in node.children:
            yield from _written(child)
    else:
        yield f"<{node.tag}{''.join(map(_attribute, node.attributes.items()))}>"
        if node.tag not in _VOID:
            for child in node.children:
                yield from _written(child)
            yield f"</{node.tag}>"


def _attribute(pair: tuple[str, Value]) -> str:
    name, value = pair
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{attribute(str(value))}"'


def _unbroken(source: str, tag: str) -> str:
    if f"</{tag}" in source.lower() or "<!--" in source:
        raise ValueError(f"a {tag} may not contain its own end")
    return source
