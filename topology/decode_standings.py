"""Where a node stands: the forms that an axis may take, read once per distinct text (spec 1)."""

from collections.abc import Sequence
from typing import Any, Final

from topology.fields import unknown
from topology.kinds import ANY_ALL_AXES, AXES, LIST_AXES
from topology.list_readers import list_of
from topology.model import Mode, Standing
from topology.quoting import found, quoted
from topology.readers import Problem, Wrong, ident, refuse
from topology.slips import cut_by_commas

_AXIS_ORDER: Final = {axis: place for place, axis in enumerate(AXES)}
_IDS: Final = list_of(ident, least=1)


class StandingReader:
    """Reads what nodes say on their axes. Equal texts give the same objects: a rack shares one tuple."""

    def __init__(self) -> None:
        self._single: dict[tuple[str, str], Standing] = {}
        self._whole: dict[object, tuple[Standing, ...]] = {}
        self.distinct: list[Standing] = []
        """Every standing that was read, each at its first appearance."""

    def read(self, raw: Any) -> tuple[Standing, ...]:
        """Return a node's standings, in the order of the axes. Raises `Wrong`, with those that are right."""
        if type(raw) is not dict:
            refuse("a mapping of axes", raw, "Write {rack: rack-1, pdu: pdu-a}.")
        key: object = tuple(raw.items())
        try:
            known = self._whole.get(key)
        except TypeError:  # a list is in it
            key = _key_of(raw)
            known = None if key is None else self._whole.get(key)
        if known is not None:
            return known
        standings = self._standings(raw)
        if key is not None:
            self._whole[key] = standings
        return standings

    def read_all(self, nodes: Sequence[object]) -> list[tuple[Standing, ...] | None]:
        """Return the standings of raw nodes in file order; None where they are wrong, or it is no node."""
        found: list[tuple[Standing, ...] | None] = []
        for node in nodes:
            raw = node.get("domains") if type(node) is dict else None
            try:
                found.append(() if raw is None else self.read(raw))
            except Wrong:
                found.append(None)
        return found

    def _standings(self, raw: dict[str, Any]) -> tuple[Standing, ...]:
        standings: list[Standing] = []
        problems: list[Problem] = []
        hints: dict[str, str] = {}
        for axis, value in raw.items():
            if axis not in AXES:
                hints = hints or cut_by_commas(raw, AXES, LIST_AXES)
                problems.append(unknown(axis, AXES, "axis", hints.get(axis), value))
            elif value is not None:
                try:
                    standings.append(self._standing(axis, value))
                except Wrong as wrong:
                    problems += (problem.below(axis, axis) for problem in wrong.problems)
                    if isinstance(wrong.partial, Standing):
                        standings.append(wrong.partial)
        result = tuple(sorted(standings, key=lambda standing: _AXIS_ORDER[standing.axis]))
        if problems:
            raise Wrong(tuple(problems), result)
        return result

    def _standing(self, axis: str, value: Any) -> Standing:
        if isinstance(value, str):
            known = self._single.get((axis, value))
            if known is None:
                known = Standing(axis, "one", (ident(value),))
                self._single[axis, known.ids[0]] = known
                self.distinct.append(known)
            return known
        try:
            mode, ids = _several(axis, value)
        except Wrong as wrong:
            mode, ids = wrong.partial if isinstance(wrong.partial, tuple) else ("any", ())
            partial = Standing(axis, mode, ids) if ids else None
            if partial is not None:
                self.distinct.append(partial)
            raise Wrong(wrong.problems, partial) from None
        standing = Standing(axis, mode, ids)
        self.distinct.append(standing)
        return standing


def _key_of(raw: dict[str, Any]) -> object:
    """Return what equal standings with lists have in common; None where there is more ({any: [..]})."""
    key = tuple([(axis, tuple(value) if type(value) is list else value) for axis, value in raw.items()])
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _several(axis: str, value: Any) -> tuple[Mode, tuple[str, ...]]:
    """Return mode and ids of a list, `{any: [..]}` or `{all: [..]}`."""
    if isinstance(value, list):
        if axis not in LIST_AXES:
            raise Wrong((_ambiguous(axis),))
        return _ids("any", value)
    if not isinstance(value, dict):
        ident(value)  # refuses it
    if axis not in ANY_ALL_AXES:
        axes = ", ".join(axis for axis in AXES if axis in ANY_ALL_AXES)
        refuse("one id", value, f"Name one {axis}; {{any: [..]}} and {{all: [..]}} are for {axes}.")
    strange = [key for key in value if key not in ("any", "all")]
    if strange:
        raise Wrong(tuple(unknown(key, {"any": 1, "all": 1}, "key") for key in strange))
    said = [key for key, ids in value.items() if ids is not None]
    if len(said) != 1:
        message = f"expected either any or all, found {'both' if said else found(value)}"
        raise Wrong((Problem(message, "Write {any: [..]} or {all: [..]}."),))
    mode: Mode = "any" if said == ["any"] else "all"
    try:
        return _ids(mode, value[mode])
    except Wrong as wrong:
        raise Wrong(tuple(problem.below(mode) for problem in wrong.problems), wrong.partial) from None


def _ids(mode: Mode, value: Any) -> tuple[Mode, tuple[str, ...]]:
    try:
        return mode, _IDS(value)
    except Wrong as wrong:
        raise Wrong(wrong.problems, (mode, wrong.partial or ())) from None


def _ambiguous(axis: str) -> Problem:
    if axis in ANY_ALL_AXES:
        hint = "Write {any: [..]} where one of them is enough, {all: [..]} where every one is needed."
    else:
        axes = ", ".join(sorted(ANY_ALL_AXES))
        hint = f"A node stands on one {axis}: name one id. ({{any: [..]}} and {{all: [..]}} are for {axes}.)"
    message = f"a bare list on the axis {quoted(axis)} does not say whether any or all are needed"
    return Problem(message, hint, rule="ambiguous-list")


def write_standings(standings: tuple[Standing, ...]) -> dict[str, Any] | None:
    """Return the mapping of axes that `StandingReader.read` would read into `standings`; None for none."""
    raw: dict[str, Any] = {}
    for standing in standings:
        if standing.mode == "one":
            raw[standing.axis] = standing.ids[0]
        elif standing.mode == "any" and standing.axis in LIST_AXES:
            raw[standing.axis] = list(standing.ids)
        else:
            raw[standing.axis] = {standing.mode: list(standing.ids)}
    return raw or None
