"""Bytes to raw values: which language, which kind of file, and why it cannot be read (spec 1 and 2)."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from topology.diagnostics import Diagnostic
from topology.encoding import readable_part, text_of
from topology.kubernetes import kubernetes_kind
from topology.limits import MAX_JSON_BYTES, MAX_YAML_BYTES
from topology.parsed import Parsed
from topology.quoting import found
from topology.slurm import slurm_conf, slurm_yaml
from topology.source import Dialect, Source
from topology.unreadable import Unreadable

Kind = Literal["topology", "estate"]

_ESTATE_KEYS: Final = frozenset({"schemaVersion", "cluster", "workloads"})
_ESTATE_TEXT: Final = re.compile(r'"(schemaVersion|cluster|workloads)"\s*:')
LOOKED_AT: Final = 65_536
"""So much of a file [B] shows what it is."""

_YAML_NAMES: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Reading:
    """A file that could be read: its kind, its text and its values, a mapping at the top."""

    kind: Kind
    source: Source
    parsed: Parsed


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first bytes of a file of `size` [B] that nobody read to its end: that is more than `limit` [B]."""

    head: str | bytes
    size: int
    limit: int


Content = str | bytes | Beginning
"""What was read of a file."""


class Refused(Exception):
    """A file that cannot be read at all, as data."""

    def __init__(self, kind: Kind, source: Source, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.kind: Kind = kind
        self.source = source
        self.diagnostic = diagnostic


def beginning(path: str, head: bytes, size: int, max_bytes: int | None = None) -> Beginning | None:
    """Return a file of `size` [B] that starts with `head` as one that is too large; None: it is to be read.

    The limit is that of the language it is probably written in: no reader of files takes more.
    """
    braces = readable_part(head[:LOOKED_AT]).lstrip().startswith(("{", "["))
    as_json = braces or path.endswith(".json")
    limit = max_bytes or (MAX_JSON_BYTES if as_json else MAX_YAML_BYTES)
    return Beginning(head[:LOOKED_AT], size, limit) if size > limit else None


def read(data: Content, path: str, expected: Kind | None, max_bytes: int | None) -> Reading:
    """Return the raw values of a file of the `expected` kind (None: whichever it is). Raises `Refused`.

    An estate is JSON. A topology is YAML, or JSON where it is written with braces and not called .yaml.
    """
    yaml_named = path.endswith(_YAML_NAMES)
    head = data.head if isinstance(data, Beginning) else data[:LOOKED_AT]
    braces = readable_part(head).lstrip().startswith("{")
    as_json = expected == "estate" or path.endswith(".json") or (braces and not (expected and yaml_named))
    text = _text(data, path, expected or "topology", "json" if as_json else "yaml", max_bytes)
    if as_json:
        reading = _read_json(text, path, expected, yaml_named=yaml_named)
        if reading is not None:
            return reading
    return _read_yaml(Source(path, text, "yaml"))


def _read_json(text: str, path: str, expected: Kind | None, *, yaml_named: bool) -> Reading | None:
    """Return the values of a JSON text; None where it may be a topology in YAML's flow style."""
    source = Source(path, text, "json")
    kind: Kind
    try:
        parsed = source.parse()
    except Unreadable as trouble:
        estate = expected == "estate" or bool(_ESTATE_TEXT.search(text, 0, LOOKED_AT))
        if estate or path.endswith(".json"):
            kind = expected or ("estate" if estate else "topology")
            raise Refused(kind, source, source.unreadable(trouble)) from None
        return None
    value = parsed.value
    is_estate = isinstance(value, dict) and not _ESTATE_KEYS.isdisjoint(value)
    kind = expected or ("estate" if is_estate else "topology")
    if kind == "topology" and yaml_named:
        return None
    return _mapping(Reading(kind, source, parsed))


def _read_yaml(source: Source) -> Reading:
    try:
        parsed = source.parse()
        _refuse_yaml_estate(source, parsed.value)
    except Unreadable as trouble:
        kind: Kind = "estate" if trouble.rule == "json-syntax" else "topology"
        raise Refused(kind, source, source.unreadable(slurm_conf(source.text) or trouble)) from None
    return _mapping(Reading("topology", source, parsed))


def _refuse_yaml_estate(source: Source, value: object) -> None:
    if isinstance(value, dict) and "schemaVersion" in value:
        offset = source.offset(("schemaVersion",), "key")
        raise Unreadable("json-syntax", offset, "this is an estate written in YAML", "Write estates as JSON.")


def _mapping(reading: Reading) -> Reading:
    """Return the reading where its value is a mapping. Raises `Refused`."""
    value, source = reading.parsed.value, reading.source
    kind = kubernetes_kind(value)
    if kind is not None:
        trouble = Unreadable("schema", source.offset(("kind",), "key"), *_of_kubernetes(kind))
        raise Refused(reading.kind, source, source.unreadable(trouble))
    if type(value) is dict:
        return reading
    rule = f"{source.dialect}-syntax"
    offset = source.offset(())
    if value is None:
        trouble = Unreadable(rule, offset, "the file says nothing", "Write a `nodes:` mapping.")
    else:
        message = f"expected a mapping at the top, found {found(value)}"
        hint = "Write `nodes:` and `domains:` at the top."
        if reading.kind == "estate":
            hint = "An estate is one JSON object, as `topo collect` writes it."
        trouble = Unreadable(rule, offset, message, hint)
    trouble = slurm_yaml(value) or slurm_conf(source.text) or trouble
    raise Refused(reading.kind, source, source.unreadable(trouble))


def _of_kubernetes(kind: str) -> tuple[str, str]:
    message = f"this is a Kubernetes {kind}, neither a facility map nor an estate"
    return message, "`topo collect -o estate.json` makes an estate of a cluster; a map says what feeds what."


def _text(data: Content, path: str, kind: Kind, dialect: Dialect, max_bytes: int | None) -> str:
    rule = f"{dialect}-syntax"
    limit = max_bytes or (MAX_JSON_BYTES if dialect == "json" else MAX_YAML_BYTES)
    if not isinstance(data, Beginning) and len(data) > limit:
        data = Beginning(data[:LOOKED_AT], len(data), limit)
    try:
        if isinstance(data, Beginning):
            message = f"the file has {data.size:,} bytes, more than the limit of {data.limit:,}"
            raise Unreadable(rule, 0, message, "Raise the limit with --max-size, or split the file.")
        return text_of(data, rule)
    except Unreadable as trouble:
        source = Source(path, readable_part(data.head if isinstance(data, Beginning) else data), dialect)
        raise Refused(kind, source, source.unreadable(trouble)) from None
