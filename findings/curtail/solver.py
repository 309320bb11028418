"""The least harm that covers every need, exactly: several objectives, one after the other, by HiGHS.

Items that are alike in every respect are one whole-numbered variable, so that ten thousand workloads are
seldom more than a few hundred variables. HiGHS is imported when first needed.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from findings.amounts import total
from findings.constants import RELATIVE_TOLERANCE
from topology.model import Number

NODE_LIMIT: Final = 20_000
"""Branches that one objective may cost. A count, not a time: the same input gives the same plan anywhere."""

_SCALE: Final = 1e4
"""What a need or a bound is scaled to in the model: the solver's tolerances are then far below ours."""

_SOLVER_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Level:
    """An objective: what each item costs (>= 0). Earlier levels are never traded for later ones."""

    name: str
    costs: Sequence[Number]


@dataclass(frozen=True, slots=True)
class Need:
    """Something to be covered: what each item gives (>= 0), and how much is needed (> 0)."""

    gives: Sequence[float]
    amount: float


@dataclass(frozen=True, slots=True)
class Proven:
    """One level's value and the proof: no plan can be below `bound`; `gap` is (value − bound) / value [-]."""

    name: str
    value: Number
    bound: Number
    gap: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen items (ascending) and how each level was proven, ties included."""

    items: tuple[int, ...]
    levels: tuple[Proven, ...]


def choose(count: int, needs: Sequence[Need], levels: Sequence[Level]) -> Choice | None:
    """Return the items that cover every need at the least cost; None where all of them together do not.

    Ties: of alike items the first ones are taken; between different mixes the one with the smallest sum of
    places decides, an item's place being that of the first item alike.
    """
    if not all(covered(need, range(count)) for need in needs):
        return None
    if not needs:
        return Choice((), tuple(Proven(level.name, 0, 0, 0.0) for level in levels))
    classes = _classes(count, needs, levels)
    model = _Model(classes, needs)
    proven = [model.settle(level.name, [level.costs[members[0]] for members in classes]) for level in levels]
    proven.append(model.settle("ties", [members[0] + 1 for members in classes]))
    items = sorted(
        item for members, taken in zip(classes, model.taken, strict=True) for item in members[:taken]
    )
    return Choice(tuple(items), tuple(proven))


def covered(need: Need, items: Sequence[int]) -> bool:
    """Return whether these items cover a need."""
    return math.fsum(need.gives[item] for item in items) >= need.amount


def _classes(count: int, needs: Sequence[Need], levels: Sequence[Level]) -> list[list[int]]:
    found: dict[tuple[Number, ...], list[int]] = {}
    for item in range(count):
        alike = (*(need.gives[item] for need in needs), *(level.costs[item] for level in levels))
        found.setdefault(alike, []).append(item)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Row:
    coefficients: list[float]
    lower: float
    upper: float


class _Model:
    """The whole-numbered program, narrowed level by level. It starts from taking everything."""

    def __init__(self, classes: Sequence[Sequence[int]], needs: Sequence[Need]) -> None:
        self.needs = [(_gives(classes, need), need.amount) for need in needs]
        self.limits = [len(members) for members in classes]
        self.taken = list(self.limits)
        self.rows = [_need_row(gives, amount) for gives, amount in self.needs]

    def settle(self, name: str, costs: Sequence[Number]) -> Proven:
        """Minimise one objective, and hold all later levels to what it came to."""
        if not any(costs):
            return Proven(name, 0, 0, 0.0)
        found, bound = _minimise(costs, self.rows, self.limits, self.taken)
        if self._covers(found) and _value(costs, found) <= _value(costs, self.taken):
            self.taken = found
        value = _value(costs, self.taken)
        bound = min(max(0.0, bound), value)
        whole = all(isinstance(cost, int) for cost in costs)
        if whole:
            bound = min(value, math.ceil(bound - max(1e-6, bound * RELATIVE_TOLERANCE)))
        gap = (value - bound) / value if value else 0.0
        if gap <= RELATIVE_TOLERANCE:
            gap = 0.0
        if value == 0:
            self.limits = [0 if cost else limit for cost, limit in zip(costs, self.limits, strict=True)]
        else:
            scale = _SCALE / value
            upper = (value + 0.5) * scale if whole else _SCALE * (1 + RELATIVE_TOLERANCE)
            self.rows.append(_Row([cost * scale for cost in costs], -math.inf, upper))
        return Proven(name, value, bound, gap)

    def _covers(self, taken: Sequence[int]) -> bool:
        return all(math.fsum(_times(gives, taken)) >= amount for gives, amount in self.needs)


def _gives(classes: Sequence[Sequence[int]], need: Need) -> list[float]:
    return [need.gives[members[0]] for members in classes]


def _need_row(gives: Sequence[float], amount: float) -> _Row:
    """Scale a need; an item that gives more than all of it gives as much as all of it."""
    return _Row([min(given, amount) / amount * _SCALE for given in gives], _SCALE, math.inf)


def _value(costs: Sequence[Number], taken: Sequence[int]) -> Number:
    return total(_times(costs, taken))


def _times(values: Sequence[Number], taken: Sequence[int]) -> Iterator[Number]:
    return (value * number for value, number in zip(values, taken, strict=True) if number)


def _minimise(
    costs: Sequence[Number], rows: Sequence[_Row], limits: Sequence[int], start: Sequence[int]
) -> tuple[list[int], float]:
    """Return the best whole numbers that HiGHS finds from `start`, and the bound that it proves."""
    import highspy

    solver = _quiet_solver(highspy)
    largest = max(costs)
    solver.passModel(_program(highspy, [cost / largest for cost in costs], rows, limits))
    solution = highspy.HighsSolution()
    solution.col_value = [float(number) for number in start]
    solver.setSolution(solution)
    solver.run()
    values = solver.getSolution().col_value
    found = [round(value) for value in values] if len(values) == len(start) else list(start)
    return found, float(solver.getInfo().mip_dual_bound) * largest


def _quiet_solver(highspy: Any) -> Any:
    # The public class prints a banner before it can be told not to; its base is the solver itself.
    solver = highspy.Highs.__base__()
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", _SOLVER_TOLERANCE),
        ("mip_feasibility_tolerance", _SOLVER_TOLERANCE),
        ("primal_feasibility_tolerance", _SOLVER_TOLERANCE),
        ("mip_max_nodes", NODE_LIMIT),
    ):
        solver.setOptionValue(option, value)
    return solver


def _program(highspy: Any, costs: Sequence[float], rows: Sequence[_Row], limits: Sequence[int]) -> Any:
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(costs), len(rows)
    program.col_cost_ = list(costs)
    program.col_lower_ = [0.0] * len(costs)
    program.col_upper_ = [float(limit) for limit in limits]
    program.row_lower_ = [row.lower for row in rows]
    program.row_upper_ = [row.upper for row in rows]
    program.integrality_ = [highspy.HighsVarType.kInteger] * len(costs)
    places, values, starts = [], [], [0]
    for row in rows:
        kept = [place for place, coefficient in enumerate(row.coefficients) if coefficient]
        places += kept
        values += [row.coefficients[place] for place in kept]
        starts.append(len(places))
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = starts, places, values
    return program
