"""The choice of a picture: the finest grouping, and the least folding, that keep within the limits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from topo.diagram.classes import LEVELS, Level, Signature
from topo.diagram.model import Options
from topo.diagram.rows import RowKey, row_keys, row_sizes
from topo.diagram.select import FOLDS, Hood, focus_vertices, neighbourhood, relevant
from topo.diagram.survey import Survey

_DIGITS: Final = re.compile("([0-9]+)")


@dataclass(frozen=True, slots=True)
class Plan:
    """Boxes as lists of vertices (by index), with the box links and rows that follow from them.

    `hidden` are vertices whose kind is not drawn, `outside` those beyond the focus, `folded` the unaffected.
    """

    level: str
    boxes: tuple[tuple[int, ...], ...]
    ups: tuple[tuple[int, ...], ...]
    keys: tuple[RowKey, ...]
    hidden: tuple[int, ...]
    outside: tuple[int, ...]
    folded: tuple[int, ...]


def plan(survey: Survey, options: Options) -> Plan:
    """Choose what is drawn. The limits of the options hold, unless `full`."""
    hood = Hood(survey.vertices)
    focus = focus_vertices(survey, options.focus)
    kinds = relevant(survey, options, focus)
    near = neighbourhood(survey, hood, options, focus)
    drawn = kinds & near
    everything = set(range(len(survey.vertices)))
    folds = _folds(survey, hood, options, drawn, focus)
    chosen = _choice(survey, options, folds, focus)
    shown = {v for box in chosen.boxes for v in box}
    return Plan(
        level=chosen.level,
        boxes=chosen.boxes,
        ups=chosen.ups,
        keys=chosen.keys,
        hidden=tuple(sorted(near - kinds)),
        outside=tuple(sorted(everything - near)),
        folded=tuple(sorted(drawn - shown)),
    )


def _choice(survey: Survey, options: Options, folds: list[set[int]], focus: frozenset[int]) -> Plan:
    """Return the first grouping that keeps within the limits, finest first; the coarsest if none does."""
    for level, kept in product(LEVELS, folds):
        signatures = level.group(survey.vertices, sorted(kept), focus)
        if not options.full and len(set(signatures.values())) > options.max_boxes:
            continue
        candidate = _quotient(survey, level, signatures)
        # What is not affected must not crowd out what is: unfolded, it gets half of the boxes at most.
        crowded = len(folds) > 1 and kept is folds[0] and 2 * len(candidate.boxes) > options.max_boxes
        if options.full or (_fits(candidate, options) and not crowded):
            return candidate
    coarsest = LEVELS[-1]
    return _quotient(survey, coarsest, coarsest.group(survey.vertices, sorted(folds[-1]), focus))


def _folds(
    survey: Survey, hood: Hood, options: Options, drawn: set[int], focus: frozenset[int]
) -> list[set[int]]:
    """Return what may be kept, most first: all that is drawn, then what is left of it after each fold."""
    if options.full or not any(survey.vertices[v].affected for v in drawn):
        return [drawn]
    kept = [fold(survey.vertices, hood, drawn) | (focus & drawn) for fold in FOLDS]
    return [fold for i, fold in enumerate(kept) if fold not in kept[:i]]


def _fits(candidate: Plan, options: Options) -> bool:
    sizes = row_sizes(candidate.keys)
    return len(candidate.boxes) <= options.max_boxes and max(sizes.values(), default=0) <= options.max_row


def _quotient(survey: Survey, level: Level, signatures: Mapping[int, Signature]) -> Plan:
    """Put what is of one signature into one box; boxes come in the order of their first member's id."""
    vertices = survey.vertices
    members: dict[object, list[int]] = {}
    for v, signature in signatures.items():
        members.setdefault(signature, []).append(v)
    boxes = sorted(
        (tuple(sorted(box, key=lambda v: natural(vertices[v].id))) for box in members.values()),
        key=lambda box: natural(vertices[box[0]].id),
    )
    box_of = {v: b for b, box in enumerate(boxes) for v in box}
    ups = [
        tuple(sorted({box_of[u] for v in box for u in vertices[v].ups if u in box_of} - {b}))
        for b, box in enumerate(boxes)
    ]
    keys = row_keys([vertices[box[0]].kind for box in boxes], ups)
    return Plan(level.name, tuple(boxes), tuple(ups), tuple(keys), (), (), ())


@lru_cache(maxsize=1 << 18)
def natural(text: str) -> tuple[tuple[int, str], ...]:
    """Return a key that sorts `rack-2` before `rack-10`; equal only for equal texts."""
    parts = _DIGITS.split(text)
    numbers = (part.lstrip("0") for part in parts[1::2])
    key = [(0, part) for part in parts]
    key[1::2] = [(len(number), number) for number in numbers]
    return (*key, (0, text))
