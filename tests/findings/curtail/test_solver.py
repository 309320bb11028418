"""The exact optimum, against trying everything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from findings.curtail import solver
from findings.curtail.solver import Level, Need, choose, covered
from topology.model import Number

_GIVES = st.sampled_from([0.0, 0.1, 0.3, 1.0, 1.275, 2.0, 3.5])
_COSTS: st.SearchStrategy[Number] = st.sampled_from([0, 1, 2, 5])
_DOLLARS = st.sampled_from([0.0, 0.1, 0.3, 12.5])


def places(needs: Sequence[Need], levels: Sequence[Level], count: int) -> list[int]:
    """An item's place is that of the first item alike."""
    keys = [
        (*(need.gives[item] for need in needs), *(level.costs[item] for level in levels))
        for item in range(count)
    ]
    return [keys.index(key) + 1 for key in keys]


def by_trying_everything(
    count: int, needs: Sequence[Need], levels: Sequence[Level]
) -> tuple[float, ...] | None:
    """The least value of every level in their order, then of the sum of places."""
    place = places(needs, levels, count)
    best: tuple[float, ...] | None = None
    for bits in product((False, True), repeat=count):
        items = [item for item, taken in enumerate(bits) if taken]
        if all(covered(need, items) for need in needs):
            value = tuple(round(math.fsum(level.costs[item] for item in items), 9) for level in levels)
            value = (*value, sum(place[item] for item in items))
            best = value if best is None or value < best else best
    return best


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, list[Need], list[Level]]:
    count = draw(st.integers(1, 8))

    def column(values: st.SearchStrategy[Number]) -> list[Number]:
        return draw(st.lists(values, min_size=count, max_size=count))

    needs = []
    for _ in range(draw(st.integers(1, 2))):
        gives = [float(value) for value in column(_GIVES)]
        part = draw(st.sampled_from([0.1, 0.4, 0.8, 1.0, 1.1]))
        if amount := math.fsum(gives) * part:
            needs.append(Need(gives, amount / (1 + 1e-9)))
    levels = [Level("units", column(_COSTS)), Level("usd", column(_DOLLARS)), Level("count", [1] * count)]
    return count, needs, levels


@settings(max_examples=60)
@given(problems())
def test_nothing_is_better(problem: tuple[int, list[Need], list[Level]]) -> None:
    count, needs, levels = problem
    choice = choose(count, needs, levels)
    best = by_trying_everything(count, needs, levels)
    if choice is None:
        assert best is None
        return
    assert best is not None
    place = places(needs, levels, count)
    values = [round(math.fsum(level.costs[item] for item in choice.items), 9) for level in levels]
    assert (*values, sum(place[item] for item in choice.items)) == best
    assert all(proof.gap == 0 and proof.value == pytest.approx(proof.bound) for proof in choice.levels)


def test_of_alike_items_the_first_are_taken() -> None:
    choice = choose(4, [Need([1.0] * 4, 2.0)], [Level("count", [1] * 4)])
    assert choice is not None
    assert choice.items == (0, 1)


def test_no_need_takes_nothing() -> None:
    choice = choose(3, [], [Level("count", [1, 1, 1])])
    assert choice is not None
    assert choice.items == ()


def test_the_solver_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    choose(3, [Need([1.0, 2.0, 3.0], 4.0)], [Level("count", [1, 1, 1])])
    assert capfd.readouterr() == ("", "")


def test_the_solver_takes_every_option() -> None:
    """One thread and one seed make a plan repeatable; a misspelt option is passed over in silence."""
    highspy = pytest.importorskip("highspy")
    quiet = solver._quiet_solver(highspy)
    for option, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 0),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", solver._SOLVER_TOLERANCE),
        ("mip_feasibility_tolerance", solver._SOLVER_TOLERANCE),
        ("primal_feasibility_tolerance", solver._SOLVER_TOLERANCE),
        ("mip_max_nodes", solver.NODE_LIMIT),
    ):
        assert quiet.getOptionValue(option) == (highspy.HighsStatus.kOk, value)


@pytest.mark.parametrize(
    ("costs", "bound", "proven", "gap"),
    [
        ([2.0, 2.0], 3.0, 3.0, 0.25),
        ([2, 2], 2.2, 3, 0.25),
        ([2, 2], 3.2, 4, 0.0),
        ([2.0, 2.0], 5.0, 4.0, 0.0),
    ],
)
def test_a_plan_that_is_not_proven_best_says_how_far_it_may_be_off(
    costs: list[Number], bound: float, proven: float, gap: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gap = (value − bound) / value; where costs are whole, so is what can be reached."""
    monkeypatch.setattr(solver, "_minimise", lambda *program: (list(program[-1]), bound))
    choice = choose(2, [Need([1.0, 1.0], 2.0)], [Level("usd", costs)])
    assert choice is not None
    assert (choice.levels[0].value, choice.levels[0].bound, choice.levels[0].gap) == (4, proven, gap)
