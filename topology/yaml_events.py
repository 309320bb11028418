"""YAML text to values through libyaml's events, with none of YAML 1.1's guesses (cases 10 to 12).

Ids are the text that the operator typed: a scalar without quotes stays text (`Plain`), and becomes a number
only where a field expects one. Only `null`, `~` and nothing at all are None. Keys are text, always. The
parser is pure Python where PyYAML was built without libyaml: slower, same result.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from topology.diagnostics import Route
from topology.limits import ALIAS_ALLOWANCE, MAX_ALIAS_GROWTH, MAX_DEPTH
from topology.parsed import NULLS, Parsed, Plain
from topology.yaml_refusals import (
    TEXT_TAGS,
    Event,
    check_tag,
    empty,
    explained,
    no_anchor,
    not_a_key,
    second_document,
    too_deep,
    too_many_aliases,
)

_DROPPED: Final = object()
"""Stands for the key of a value that is read and forgotten: the key was there before."""
_MERGE: Final = object()
"""Stands for the key `<<`."""


def parse(text: str) -> Parsed:
    """Return the values of the one document in `text`. Raises `Unreadable` with the first thing wrong."""
    builder = _Builder()
    handlers = builder.handlers()
    with explained(text):
        for event in events(text):
            handlers[type(event)](event)
    return Parsed(builder.root, tuple(builder.repeats))


def events(text: str) -> Iterator[Event]:
    """Return the parser's events, to be taken inside `explained`."""
    import yaml

    loader = yaml.CBaseLoader(text) if yaml.__with_libyaml__ else yaml.BaseLoader(text)
    return iter(loader.get_event, None)


class _Builder:
    """Events to values. The frame that is being filled lives in attributes, those around it on a stack."""

    def __init__(self) -> None:
        self.root: object = None
        self.repeats: list[tuple[Route, int]] = []
        self._texts: dict[str, str] = {}
        self._plains: dict[str, Plain] = {}
        self._container: Any = None
        self._key: Any = None
        self._anchor: str | None = None
        self._size_before = 0
        self._stack: list[tuple[Any, Any, str | None, int]] = []
        self._anchors: dict[str, tuple[object, int]] = {}
        self._merges: dict[int, list[dict[str, object]]] = {}
        self._written = 0
        self._aliased = 0
        self._documents = 0

    def handlers(self) -> dict[type, Callable[[Event], None]]:
        """Return what to do with each kind of event."""
        import yaml

        return {
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: self._start_mapping,
            yaml.SequenceStartEvent: self._start_list,
            yaml.MappingEndEvent: self._end,
            yaml.SequenceEndEvent: self._end,
            yaml.DocumentStartEvent: self._document,
            yaml.DocumentEndEvent: _pass,
            yaml.StreamStartEvent: _pass,
            yaml.StreamEndEvent: self._stream_end,
        }

    def _document(self, event: Event) -> None:
        self._documents += 1
        if self._documents > 1:
            raise second_document(event)

    def _stream_end(self, _event: Event) -> None:
        if self._documents == 0:
            raise empty()

    def _scalar(self, event: Event) -> None:
        text = event.value
        self._written += 1
        container = self._container
        key = self._key
        if key is None and type(container) is dict:
            if text in container or text == "<<":
                self._take_key(text, event, plain=event.implicit[0])
            else:
                self._key = self._texts.setdefault(text, text)
        else:
            value: str | None = self._plains.get(text) if event.implicit[0] else None
            if value is None:
                value = self._value(text, event)
            if type(key) is str:
                container[key] = value
                self._key = None
            else:
                self._place(value)
        if event.anchor is not None:
            self._anchors[event.anchor] = (self._value(text, event), 1)

    def _value(self, text: str, event: Event) -> str | None:
        tag = event.tag
        if tag is not None:
            check_tag(tag, event)
        if tag in TEXT_TAGS or not (event.implicit[0] or tag):
            return self._texts.setdefault(text, text)
        if text in NULLS:
            return None
        plain = self._plains.get(text)
        if plain is None:
            plain = self._plains[text] = Plain(text)
        return plain

    def _take_key(self, key: str, event: Event, *, plain: bool) -> None:
        if plain and key == "<<":
            self._key = _MERGE
        elif key in self._container:  # a key that is an alias comes here too
            self.repeats.append(((*self._route(), key), event.start_mark.index))
            self._key = _DROPPED
        else:
            self._key = key

    def _place(self, value: object) -> None:
        container = self._container
        key = self._key
        if type(container) is list:
            container.append(value)
        elif container is None:
            self.root = value
        elif type(key) is str:
            container[key] = value
            self._key = None
        elif key is _DROPPED:
            self._key = None
        else:
            self._key = None
            self._merges.setdefault(id(container), []).extend(_mappings(value))

    def _start_mapping(self, event: Event) -> None:
        self._start(event, {})

    def _start_list(self, event: Event) -> None:
        self._start(event, [])

    def _start(self, event: Event, container: object) -> None:
        if event.tag is not None:
            check_tag(event.tag, event)
        if len(self._stack) >= MAX_DEPTH:
            raise too_deep(event.start_mark.index)
        if self._key is None and type(self._container) is dict:
            raise not_a_key(event)
        self._stack.append((self._container, self._key, self._anchor, self._size_before))
        self._written += 1
        self._size_before = self._written + self._aliased
        self._anchor = event.anchor
        self._container = container
        self._key = None

    def _end(self, _event: Event) -> None:
        value = self._container
        if self._merges:
            for merged in self._merges.pop(id(value), ()):
                for key, inherited in merged.items():
                    value.setdefault(key, inherited)
        if self._anchor is not None:
            self._anchors[self._anchor] = (value, 1 + self._written + self._aliased - self._size_before)
        self._container, self._key, self._anchor, self._size_before = self._stack.pop()
        self._place(value)

    def _alias(self, event: Event) -> None:
        known = self._anchors.get(event.anchor)
        if known is None:
            raise no_anchor(event, inside=event.anchor in self._open_anchors())
        value, size = known
        self._aliased += size
        if self._aliased > MAX_ALIAS_GROWTH * self._written + ALIAS_ALLOWANCE:
            raise too_many_aliases(event, self._aliased)
        if self._key is None and type(self._container) is dict:
            if not isinstance(value, str):
                raise not_a_key(event)
            self._take_key(self._texts.setdefault(str(value), str(value)), event, plain=False)
        else:
            self._place(value)

    def _open_anchors(self) -> set[str | None]:
        return {self._anchor, *(anchor for _, _, anchor, _ in self._stack)}

    def _route(self) -> Route:
        """Return the route of the mapping that is being filled."""
        frames = [*self._stack[1:], (self._container, self._key, None, 0)]
        outer = frames[:-1]
        return tuple(len(box) if type(box) is list else _shown(key) for box, key, _, _ in outer)


def _shown(key: object) -> str:
    return key if isinstance(key, str) else "<<"


def _pass(_event: Event) -> None:
    """Do nothing: streams and the ends of documents say nothing."""


def _mappings(value: object) -> list[dict[str, object]]:
    """Return the mappings that `<<` merges; anything else is kept as a key, for the schema to refuse."""
    if isinstance(value, dict):
        return [value]
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    return [{"<<": value}]
