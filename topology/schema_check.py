"""The JSON Schemas with their custom keywords: a second judge of the same files (spec 1).

The schemas say shape; keywords that start with `x-` say meaning. Their implementations are the very
functions of the native check, so that jsonschema itself refuses cycles and dangling feeds. A stock validator
ignores such keywords, and would ignore a misspelt one just as silently: this one refuses it.
"""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from topology.decode_domains import DOMAIN, OVERLOAD, repeated_percents
from topology.decode_estate import Draft, decode_estate
from topology.decode_topology import TOPOLOGY, decode_topology
from topology.diagnostics import Fault, Route
from topology.fields import Field
from topology.invariants import INVARIANTS, one_namespace
from topology.judge import with_embedded
from topology.model import Topology
from topology.number_readers import written_number
from topology.parsed import Plain
from topology.readers import Wrong, has_surrogate
from topology.reading import Kind
from topology.routes import EstateRoutes, Routes, TopologyRoutes
from topology.rules import RULES
from topology.timestamps import parse_timestamp

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_FOLDER: Final = Path(__file__).resolve().parent.parent / "schemas"

_RULES_OF: Final = {
    "x-acyclic": ("cycle", "self-feed"),
    "x-declared": ("dangling-feed",),
    "x-distinct": ("repeated-feed",),
    "x-axis-kinds": ("axis-kind",),
    "x-upstream-order": ("upside-down",),
    "x-one-commodity": ("mixed-commodity",),
    "x-min-feeds": ("min-feeds",),
    "x-ratings-placed": ("misplaced-rating",),
}
"""Keyword -> the graph rules that decide it."""


@dataclass(frozen=True, slots=True)
class SchemaError:
    """What jsonschema refuses: where, in its words, by which keyword."""

    route: Route
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """Whether the schema accepts a file's values, and the reasons why not."""

    valid: bool
    errors: tuple[SchemaError, ...]


def schema_verdict(raw: object, kind: Kind, most: int | None = None) -> SchemaVerdict:
    """Return jsonschema's judgement of the raw values of a file (`Source.parse().value`).

    It takes seconds to find all the reasons in a large file; no more are looked for than `most`.
    """
    found = validator_for(kind).iter_errors(cast(Any, instance_of(raw)))
    errors = tuple(
        SchemaError(tuple(error.absolute_path), str(error.validator), str(error.message))
        for error in islice(found, most)
    )
    return SchemaVerdict(not errors, errors)


@cache
def schema_of(kind: Kind) -> dict[str, Any]:
    """Return the published schema of a kind of file."""
    schema = json.loads((_FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8"))
    check_schema(schema, kind)
    return cast(dict[str, Any], schema)


def check_schema(schema: object, kind: Kind) -> None:
    """Raise jsonschema's SchemaError for a schema that is none, or has an `x-` keyword nobody implements."""
    from jsonschema import exceptions

    _dialect(kind).check_schema(cast(Any, schema))
    known = _keywords(kind)
    for keyword in _custom_keywords(schema):
        if keyword not in known:
            raise exceptions.SchemaError(f"{keyword!r} is a custom keyword that nothing implements")


def _dialect(kind: Kind) -> "type[Validator]":
    from jsonschema import Draft7Validator, Draft202012Validator

    return cast("type[Validator]", Draft202012Validator if kind == "estate" else Draft7Validator)


def validator_for(kind: Kind) -> "Validator":
    """Return a validator of the published schema that knows the custom keywords, and asks them first.

    They decide on a whole file many times faster than the shape of each of its values is checked.
    """
    from jsonschema import validators

    base = _dialect(kind)
    keywords = _keywords(kind)
    checker = base.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
    extend: Callable[..., type[Validator]] = validators.extend
    schema = schema_of(kind)
    meaning_first = {key: schema[key] for key in sorted(schema, key=lambda key: key not in keywords)}
    return extend(base, validators=keywords, type_checker=checker)(meaning_first)


# --- values ---------------------------------------------------------------------------------------------


def _reads_numbers(field: Field) -> bool:
    try:
        return isinstance(field.read(Plain("1")), int)
    except Wrong:
        return False


_DEEPEST: Final = 10

_NUMBER_KEYS: Final = frozenset(
    key
    for shape in (TOPOLOGY, DOMAIN, OVERLOAD)
    for key, field in shape.fields.items()
    if _reads_numbers(field)
)


def instance_of(raw: object, key: str = "", depth: int = 0) -> object:
    """Return raw values as JSON Schema sees them: an unquoted YAML scalar under a number's key is a number.

    What is nested deeper than any valid file stays as it is: its outermost value is refused already.
    """
    if isinstance(raw, dict) and depth < _DEEPEST:
        return {name: instance_of(value, name, depth + 1) for name, value in raw.items()}
    if isinstance(raw, list) and depth < _DEEPEST:
        return [instance_of(value, "", depth + 1) for value in raw]
    if isinstance(raw, Plain):
        number = written_number(raw) if key in _NUMBER_KEYS else None
        return str(raw) if number is None else number
    return raw


def _is_number(_checker: object, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, int) or math.isfinite(value)


def _is_integer(_checker: object, value: object) -> bool:
    return _is_number(None, value) and (isinstance(value, int) or float(cast(float, value)).is_integer())


# --- keywords -------------------------------------------------------------------------------------------


class _Subject:
    """One instance, decoded once for all keywords."""

    def __init__(self, kind: Kind, instance: object) -> None:
        self.instance = instance
        self.routes: Routes
        if kind == "estate":
            self.draft: Draft | None
            self.draft, self.faults = decode_estate(instance)
            self.domains = self.draft.estate.domains
            self.nodes = [(node.id, node.standings) for node in self.draft.estate.nodes]
            self.routes = EstateRoutes(instance)
        else:
            topology: Topology
            topology, self.faults = decode_topology(instance)
            self.draft = None
            self.domains = topology.domains
            self.nodes = list(topology.nodes.items())
            self.routes = TopologyRoutes(instance)


Decide = Callable[[_Subject], list[Fault]]


def _keywords(kind: Kind) -> dict[str, Callable[..., Iterator[Any]]]:
    """Return every custom keyword's implementation; those of one validator share the decoded instance."""
    latest: list[_Subject] = []

    def subject(instance: object) -> _Subject:
        if not latest or latest[0].instance is not instance:
            latest[:] = [_Subject(kind, instance)]
        return latest[0]

    def keyword(decide: Decide) -> Callable[..., Iterator[Any]]:
        def check(_validator: object, wanted: object, instance: object, _schema: object) -> Iterator[Any]:
            from jsonschema import ValidationError

            if wanted is True and isinstance(instance, dict):
                for fault in decide(subject(instance)):
                    if fault.severity == "error":
                        yield ValidationError(fault.message, path=fault.route)

        return check

    decisions = {name: keyword(decide) for name, decide in _decisions().items()}
    return {**decisions, "x-text": _text, "x-timestamp": _timestamp, "x-distinct-percents": _percents}


def _decisions() -> dict[str, Decide]:
    """Return the functions of the native check by keyword."""
    decisions: dict[str, Decide] = {name: _by_rules(rules) for name, rules in _RULES_OF.items()}
    decisions |= {name: _by_invariant(invariant) for name, invariant in INVARIANTS.items()}
    decisions["x-said-lists"] = lambda subject: [
        fault for fault in subject.faults if fault.rule == "ambiguous-list"
    ]
    decisions["x-one-namespace"] = lambda subject: one_namespace(
        (node_id for node_id, _ in subject.nodes), subject.domains, subject.routes
    )
    decisions["x-embedded-topology"] = _embedded
    return decisions


def _by_rules(rules: tuple[str, ...]) -> Decide:
    return lambda subject: [
        fault for rule in rules for fault in RULES[rule](subject.domains, subject.nodes, subject.routes)
    ]


def _by_invariant(invariant: Callable[[Draft], list[Fault]]) -> Decide:
    return lambda subject: [] if subject.draft is None else invariant(subject.draft)


def _embedded(subject: _Subject) -> list[Fault]:
    draft = subject.draft
    if draft is None or draft.embedded is None:
        return []
    return with_embedded(draft, draft.embedded)[1]


def _text(_validator: object, wanted: object, instance: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if wanted is True and isinstance(instance, str) and has_surrogate(instance):
        yield ValidationError("the text has half of a surrogate pair")


def _timestamp(_validator: object, wanted: object, instance: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if wanted is True and isinstance(instance, str) and parse_timestamp(instance) is None:
        yield ValidationError("not an RFC 3339 time with an offset")


def _percents(_validator: object, wanted: object, instance: object, _schema: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if wanted is not True or not isinstance(instance, list):
        return
    points = [point.get("percent") if isinstance(point, dict) else None for point in instance]
    if all(_is_number(None, percent) for percent in points):  # else the shape of an entry is refused
        for place in repeated_percents(points):
            yield ValidationError("the percentage is there twice", path=(place, "percent"))


_NAMED_SCHEMAS: Final = frozenset({"properties", "definitions", "$defs", "patternProperties"})


def _custom_keywords(schema: object) -> Iterator[str]:
    """Yield every `x-` keyword in a schema; names of properties are no keywords."""
    if isinstance(schema, list):
        for part in schema:
            yield from _custom_keywords(part)
    elif isinstance(schema, dict):
        for key, part in schema.items():
            if key.startswith("x-"):
                yield key
            elif key in _NAMED_SCHEMAS and isinstance(part, dict):
                yield from _custom_keywords(list(part.values()))
            elif key not in ("enum", "const", "default", "examples"):
                yield from _custom_keywords(part)
