"""Prices and assumptions of several files: the first file's figure applies where they disagree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from topology.merge.inputs import Input, listed
from topology.model import Number


@dataclass(frozen=True, slots=True)
class Figure:
    """An estate-wide figure, and the key of a node that overrides it (None: nothing does)."""

    name: str
    attribute: str
    on_node: str | None


_FIGURES: Final = (
    Figure("pricePerUnitHour", "price_per_unit_hour", "price_per_unit_hour"),
    Figure("wattsPerUnitKw", "watts_per_unit_kw", "kw_per_unit"),
    Figure("idleKwPerUnit", "idle_kw_per_unit", "idle_kw_per_unit"),
    Figure("defaultRestartMinutes", "default_restart_minutes", None),
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The merged figures; `pins[place]` are written onto the nodes of a file that have none of their own."""

    estate: Mapping[str, Any]
    bases: Mapping[str, str]
    pins: Mapping[int, Mapping[str, Number]]
    notes: tuple[str, ...]


def merged_terms(inputs: Sequence[Input]) -> Terms:
    """Return the figures of the merged estate.

    Methodology: where files disagree on prices or the power assumption, the first file's figure applies and
    the merge says so. A node's own figure survives it. Where a file states none, its nodes stay unknown: the
    figure is then kept on the nodes of the files that do state one, and not by the estate.
    """
    estate: dict[str, Any] = {}
    bases: dict[str, str] = {}
    pins: dict[int, dict[str, Number]] = {each.place: {} for each in inputs}
    notes: list[str] = []
    for figure in _FIGURES:
        stated = [
            (each, value) for each in inputs if (value := getattr(each.estate, figure.attribute)) is not None
        ]
        if not stated:
            continue
        first, value = stated[0]
        silent = sorted(each.file for each in inputs if getattr(each.estate, figure.attribute) is None)
        notes += _notes(figure, stated, silent)
        if silent and figure.on_node is not None:
            for each, _ in stated:
                pins[each.place][figure.on_node] = value
            continue
        estate[figure.attribute] = value
        if figure.attribute in first.estate.bases:
            bases[figure.attribute] = first.estate.bases[figure.attribute]
    return Terms(estate, bases, pins, tuple(notes))


def _notes(figure: Figure, stated: Sequence[tuple[Input, Number]], silent: Sequence[str]) -> list[str]:
    first, value = stated[0]
    notes = []
    if len({figure_value for _, figure_value in stated}) > 1:
        shown = ", ".join(f"{each.file} {figure_value}" for each, figure_value in stated)
        notes.append(
            f"{figure.name}: the files disagree ({shown}); the first file's figure applies: {value} of "
            f"{first.file}."
        )
    if silent:
        say = "says" if len(silent) == 1 else "say"
        rest = (
            f"{value} of {first.file} applies there too."
            if figure.on_node is None
            else f"it stays unknown there, and {value} stands on the nodes of the others."
        )
        notes.append(f"{figure.name}: {listed(silent)} {say} none; {rest}")
    return notes
