"""Records: mappings with known keys, read into attributes of the model and written back (spec 1 and 2)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from topology.closest import normal_form
from topology.key_hints import key_hint
from topology.quoting import closest, closest_of_few, quoted, surely
from topology.readers import Problem, Reader, Wrong, refuse
from topology.slips import cut_by_commas, glued


def _same(value: Any) -> Any:
    return value


def as_list(values: tuple[Any, ...]) -> list[Any] | None:
    """Return a tuple as files write it: a list, or no key where it is empty."""
    return list(values) or None


def anything(_value: Any) -> None:
    """Read a key that is allowed and says nothing to us."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a file: the attribute of the model it fills, how it is read, and how it is written back."""

    attribute: str
    read: Reader
    write: Callable[[Any], Any] = _same
    required: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys that a mapping may have."""

    fields: Mapping[str, Field]
    required: tuple[str, ...] = field(init=False)
    _readers: dict[str, tuple[str, Reader]] = field(init=False)

    def __post_init__(self) -> None:
        required = tuple(key for key, known in self.fields.items() if known.required)
        object.__setattr__(self, "required", required)
        readers = {key: (known.attribute, known.read) for key, known in self.fields.items()}
        object.__setattr__(self, "_readers", readers)

    def read(self, raw: object) -> dict[str, Any]:
        """Return the attributes that a mapping says, null being absent.

        Raises `Wrong` with everything wrong in it, and the attributes that can be used all the same.
        """
        if type(raw) is not dict:
            refuse("a mapping", raw, "Write {key: value}.")
        readers = self._readers
        values: dict[str, Any] = {}
        try:
            for key, value in raw.items():
                attribute, read = readers[key]
                if value is not None:
                    values[attribute] = read(value)
            for key in self.required:
                if raw[key] is None:
                    self._read_faulty(raw)
        except (KeyError, Wrong):
            self._read_faulty(raw)
        return values

    def _read_faulty(self, raw: dict[str, Any]) -> NoReturn:
        """Raise `Wrong` with everything wrong in a mapping of which something is known to be."""
        fields = self.fields
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        lists = [key for key, known in fields.items() if known.write is as_list]
        hints = cut_by_commas(raw, fields, lists)
        for key, value in raw.items():
            known = fields.get(key)
            if known is None:
                problems.append(unknown(key, fields, "key", hints.get(key), value))
            elif value is not None:
                try:
                    values[known.attribute] = known.read(value)
                except Wrong as wrong:
                    found = (problem.below(key, key) for problem in wrong.problems)
                    problems += (replace(each, hint=hints.get(key, each.hint)) for each in found)
                    if wrong.partial is not None:
                        values[known.attribute] = wrong.partial
        swallowed = {pair[0] for pair in (glued(key, fields) for key in raw) if pair}
        for key in self.required:
            if raw.get(key) is None and key not in swallowed:
                problems.append(_missing(key, raw))
        raise Wrong(tuple(problems), values)

    def write(self, thing: object) -> dict[str, Any]:
        """Return the mapping that `read` reads into the attributes of `thing`; the unknown is left out."""
        raw = {key: known.write(getattr(thing, known.attribute)) for key, known in self.fields.items()}
        return {key: value for key, value in raw.items() if value is not None}


def record_of(shape: Shape, build: Callable[..., Any]) -> Reader:
    """Return a reader of a mapping into what `build` makes of its attributes."""

    def read(value: Any) -> Any:
        try:
            return build(**shape.read(value))
        except Wrong as wrong:
            raise Wrong(wrong.problems) from None

    return read


def unknown(
    key: str, known: Mapping[str, object], what: str, hint: str | None = None, value: object = None
) -> Problem:
    """Return the problem of a key that nothing reads: the `hint` of what happened, or the closest key."""
    swallowed = glued(key, known)
    if swallowed is not None:
        hint = f"A space is missing after the colon: write {swallowed[0]}: {quoted(swallowed[1])[1:-1]}."
    if hint is not None:
        return Problem(f"unknown {what} {quoted(key)}", hint, (key,), at="key")
    meant = closest(key, known) or closest_of_few(key, known)
    message = f"unknown {what} {quoted(key)}"
    hint = f"Known: {', '.join(known)}."
    if meant is None or normal_form(meant) != normal_form(key):
        fix = key_hint(key, value, known)
        if fix:
            return Problem(message, fix, (key,), at="key")
    if meant is not None:
        message = f"{message}, closest is {quoted(meant)}"
        hint = f"Write {meant}. {hint}" if surely(key, meant) else hint
    return Problem(message, hint, (key,), at="key")


def _missing(key: str, raw: Mapping[str, object]) -> Problem:
    if key in raw:
        return Problem(
            f"{quoted(key)} is required and has no value", f"Give {key} a value.", (key,), at="key"
        )
    return Problem(f"{quoted(key)} is required and missing", f"Add {key}.", at="key")
