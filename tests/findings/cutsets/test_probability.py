"""The probability of cut sets and the importance of what is in them: published figures, and enumeration."""

from __future__ import annotations

from itertools import combinations, product
from math import isclose, prod
from random import Random

import pytest

from closure.losing_sets import minimal_sets
from findings.cutsets import expansion
from findings.cutsets.importance import TopEvent, downs_per_year, set_downs_per_year, top_event

TRAINS = {"V1": 0.5, "V2": 0.5, "P1": 0.7, "P2": 0.7}
"""SCRAM's two-train example: T1 = V1 or P1, T2 = V2 or P2, top = T1 and T2."""

TRAIN_SETS = [("V1", "V2"), ("P2", "V1"), ("P1", "V2"), ("P1", "P2")]


def near(value: float | None, expected: float, tolerance: float = 1e-9) -> bool:
    return value is not None and isclose(value, expected, rel_tol=tolerance, abs_tol=1e-15)


class TestTwoTrains:
    """SCRAM, two-train example: p(top) = 0.7225; the measures of valves and pumps as published."""

    TOP = top_event(TRAIN_SETS, TRAINS)

    def test_probability(self) -> None:
        assert near(self.TOP.probability, 0.7225)
        assert (self.TOP.method, self.TOP.known, self.TOP.unknown) == ("exact", 4, 0)

    @pytest.mark.parametrize(
        ("kind", "birnbaum", "diagnosis", "reduction_worth"),
        [("V", 0.255, 0.588235, 1.21429), ("P", 0.425, 0.823529, 1.7)],
    )
    def test_importance(self, kind: str, birnbaum: float, diagnosis: float, reduction_worth: float) -> None:
        rows = [row for row in self.TOP.importances if row.domain.startswith(kind)]
        assert len(rows) == 2
        for row in rows:
            assert near(row.birnbaum, birnbaum)
            assert near(row.diagnosis, diagnosis, 1e-6)
            assert near(row.fussell_vesely, diagnosis, 1e-6)
            assert near(row.reduction_worth, reduction_worth, 1e-5)
            assert row.orders == (0, 2)

    def test_pumps_matter_more_than_valves(self) -> None:
        assert [row.domain for row in self.TOP.importances] == ["P1", "P2", "V1", "V2"]


def random_sets(random: Random, events: int) -> list[tuple[str, ...]]:
    raw = {
        tuple(sorted(random.sample(range(events), random.choice((1, 2, 2, 2, 3, 3)))))
        for _ in range(1 + random.randrange(9))
    }
    return [tuple(f"e{event}" for event in cut) for cut in minimal_sets(raw)]


class Enumeration:
    """Every state of every event, weighted by its probability."""

    def __init__(self, cuts: list[tuple[str, ...]], down: dict[str, float]) -> None:
        self.cuts = cuts
        self.down = down
        self.names = sorted(down)

    def probability(self, cuts: list[tuple[str, ...]], **fixed: float) -> float:
        down = {**self.down, **fixed}
        total = 0.0
        for state in product((False, True), repeat=len(self.names)):
            failed = {name for name, is_down in zip(self.names, state, strict=True) if is_down}
            if any(failed.issuperset(cut) for cut in cuts):
                total += prod(down[name] if name in failed else 1 - down[name] for name in self.names)
        return total


class TestAgainstEnumeration:
    """P(top) and every measure, as their definitions say, over all states of up to eight events."""

    @pytest.mark.parametrize("seed", range(60))
    def test_every_measure(self, seed: int) -> None:
        random = Random(seed)
        cuts = random_sets(random, 8)
        down = {f"e{i}": random.choice((0.5, 0.1, 0.9, 0.01, random.random())) for i in range(8)}
        every = Enumeration(cuts, down)
        top = top_event(cuts, down)
        whole = every.probability(cuts)
        assert near(top.probability, whole)
        for row in top.importances:
            name, q = row.domain, down[row.domain]
            is_down, is_up = (every.probability(cuts, **{name: state}) for state in (1.0, 0.0))
            held = every.probability([cut for cut in cuts if name in cut])
            assert near(row.birnbaum, is_down - is_up)
            assert near(row.criticality, q * (is_down - is_up) / whole)
            assert near(row.diagnosis, q * is_down / whole)
            assert near(row.fussell_vesely, held / whole)
            assert near(row.achievement_worth, is_down / whole)
            assert near(row.reduction_worth, whole / is_up, 1e-6) if is_up else row.reduction_worth is None

    @pytest.mark.parametrize("seed", range(30))
    def test_the_upper_bound_is_one(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """min-cut upper bound: 1 − Π(1 − P(set)) ≥ P(top)."""
        random = Random(seed)
        down = {"h1": 0.3, "h2": 0.2, "h3": 0.1, **{f"e{i}": random.random() for i in range(8)}}
        cuts = [*random_sets(random, 8), ("h1", "h2"), ("h1", "h3"), ("h2", "h3")]
        exact = top_event(cuts, down)
        monkeypatch.setattr(expansion, "MAX_EFFORT", 0)
        bound = top_event(cuts, down)
        assert (exact.method, bound.method) == ("exact", "upper-bound")
        assert exact.probability is not None
        assert bound.probability is not None
        assert bound.probability >= exact.probability - 1e-12
        expected = 1 - prod(1 - prod(down[name] for name in cut) for cut in cuts)
        assert near(bound.probability, expected)

    @pytest.mark.parametrize("many", [2, 3])
    def test_as_deep_as_the_limit(self, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """2 of 4 without the first is 2 of 3, and so is 3 of 4 with it: a second choice, one level deeper."""
        cuts = list(combinations(("a", "b", "c", "d"), many))
        down = dict.fromkeys("abcd", 0.5)
        monkeypatch.setattr(expansion, "MAX_DEPTH", 2)
        exact = top_event(cuts, down)
        assert (exact.method, exact.probability) == ("exact", 11 / 16 if many == 2 else 5 / 16)
        monkeypatch.setattr(expansion, "MAX_DEPTH", 1)
        assert top_event(cuts, down).method == "upper-bound"


class TestLaws:
    """What holds for any target."""

    @pytest.mark.parametrize("seed", range(40))
    def test_criticality_is_at_most_fussell_vesely_is_at_most_diagnosis(self, seed: int) -> None:
        random = Random(seed)
        down = {f"e{i}": random.random() for i in range(12)}
        for row in top_event(random_sets(random, 12), down).importances:
            assert row.criticality is not None
            assert row.fussell_vesely is not None
            assert row.diagnosis is not None
            assert row.criticality <= row.fussell_vesely + 1e-12
            assert row.fussell_vesely <= row.diagnosis + 1e-12
            if row.reduction_worth is not None:
                assert near(row.reduction_worth, 1 / (1 - row.criticality), 1e-6)

    def test_tiny_probabilities_keep_their_digits(self) -> None:
        top = top_event([("a", "b", "c"), ("d",)], {"a": 1e-9, "b": 1e-9, "c": 1e-9, "d": 1e-28})
        assert near(top.probability, 1e-27 + 1e-28, 1e-12)

    def test_order_of_the_sets_changes_nothing(self) -> None:
        assert top_event(TRAIN_SETS[::-1], TRAINS) == top_event(TRAIN_SETS, TRAINS)

    def test_what_needs_no_failure_is_certain(self) -> None:
        assert top_event([()], {}) == TopEvent(1.0, "exact", 1, 0, ())

    def test_what_is_never_down_does_not_matter(self) -> None:
        (row,) = top_event([("a",)], {"a": 0.0}).importances
        assert (row.birnbaum, row.criticality, row.reduction_worth) == (1.0, None, None)

    def test_nothing_is_left_where_only_the_impossible_is(self) -> None:
        """riskReductionWorth: probability ÷ P(down | it is up), null where nothing would be left."""
        rows = top_event([("a", "b"), ("c", "d")], {"a": 0.1, "b": 0.3, "c": 0.0, "d": 0.3}).importances
        assert {row.domain: row.reduction_worth for row in rows} == {"a": None, "b": None, "c": 1, "d": 1}

    def test_what_little_is_left_keeps_its_digits(self) -> None:
        rows = top_event([("a",), ("b", "c")], {"a": 0.5, "b": 1e-10, "c": 1e-10}).importances
        (worth,) = [row.reduction_worth for row in rows if row.domain == "a"]
        assert near(worth, 0.5e20, 1e-9)


class TestUnknown:
    """A set that holds a domain of unknown unavailability has no probability, and is counted; never 0."""

    def test_known_sets_make_the_known_part(self) -> None:
        top = top_event([("a",), ("b", "c")], {"a": 0.25, "b": 0.5, "c": None})
        assert (top.probability, top.known, top.unknown) == (0.25, 1, 1)
        assert near(downs_per_year(top, {"a": 2.0, "b": 1.0, "c": None}), 2.0)

    def test_shares_of_an_unknown_whole_are_unknown(self) -> None:
        """docs/cutsets.md: "While any cut set has unknown rates all measures are null"."""
        down = {"a": 0.001, "b": 0.5, "c": None}
        rows = top_event([("a",), ("b",), ("c",)], {**down, "c": 0.9}).importances
        assert all(row.fussell_vesely is not None for row in rows)
        rows = top_event([("b",), ("a", "b2"), ("c",)], {**down, "b2": 0.1}).importances
        assert [(row.domain, row.orders) for row in rows] == [
            ("b", (1, 0)),
            ("c", (1, 0)),
            ("a", (0, 1)),
            ("b2", (0, 1)),
        ]
        for row in rows:
            measures = (row.birnbaum, row.criticality, row.diagnosis, row.fussell_vesely)
            assert (*measures, row.achievement_worth, row.reduction_worth) == (None,) * 6

    def test_nothing_known(self) -> None:
        top = top_event([("b", "c")], {"b": 0.5, "c": None})
        assert (top.probability, top.known, top.unknown) == (None, 0, 1)
        assert downs_per_year(top, {"b": 1.0, "c": None}) is None

    def test_no_set_at_all(self) -> None:
        assert top_event([], {}) == TopEvent(None, "exact", 0, 0, ())

    def test_structural_importance_needs_no_rates(self) -> None:
        unknown = dict.fromkeys("abcd")
        rows = top_event([("b", "c"), ("b", "d"), ("a",)], unknown).importances
        assert [(row.domain, row.orders) for row in rows] == [
            ("a", (1, 0)),
            ("b", (0, 2)),
            ("c", (0, 1)),
            ("d", (0, 1)),
        ]


DOWN = {"a": 0.5, "b": 0.25}
DOWNS = {"a": 2.0, "b": 4.0}


class TestFrequency:
    """How often the target goes down [1/year] = Σ over domains: birnbaum × f × (1 − q)."""

    def test_one_set_goes_down_when_its_last_member_does(self) -> None:
        """Σ f × (1 − q) × Π q of the others: for one set, the same as by Birnbaum."""
        top = top_event([("a", "b")], DOWN)
        assert downs_per_year(top, DOWNS) == 2.0 * 0.25 + 4.0 * 0.5
        assert set_downs_per_year(("a", "b"), DOWN, DOWNS) == 2.0 * 0.25 + 4.0 * 0.5

    def test_single_points_count_only_while_the_others_work(self) -> None:
        top = top_event([("a",), ("b",)], DOWN)
        assert downs_per_year(top, DOWNS) == 2.0 * 0.75 + 4.0 * 0.5

    @pytest.mark.parametrize("seed", range(20))
    def test_it_counts_the_transitions_into_the_down_states(self, seed: int) -> None:
        """By states: each state that is up, times the rate of each failure that brings it down."""
        random = Random(seed)
        cuts = random_sets(random, 6)
        down = {f"e{i}": random.uniform(0.05, 0.95) for i in range(6)}
        rates = {name: random.uniform(0.1, 9) for name in down}
        expected = 0.0
        names = sorted(down)
        for size in range(len(names) + 1):
            for failed in combinations(names, size):
                if any(set(failed).issuperset(cut) for cut in cuts):
                    continue
                weight = prod(down[name] if name in failed else 1 - down[name] for name in names)
                for name in set(names) - set(failed):
                    if any({*failed, name}.issuperset(cut) for cut in cuts):
                        expected += weight * rates[name]
        downs = {name: rates[name] * (1 - down[name]) for name in names}
        assert near(downs_per_year(top_event(cuts, down), downs), expected)


class TestSize:
    """Structures as large facilities have them stay exact."""

    def test_two_long_chains_side_by_side(self) -> None:
        """(a1 or … or a60) and (b1 or … or b60): 3,600 pairs."""
        cuts = [tuple(sorted((f"a{i}", f"b{j}"))) for i in range(60) for j in range(60)]
        down = {name: 0.01 for cut in cuts for name in cut}
        top = top_event(cuts, down)
        assert top.method == "exact"
        assert near(top.probability, (1 - 0.99**60) ** 2)

    def test_many_rows_on_shared_sides(self) -> None:
        """Rows i: (A or a_i) and (B or b_i), any of 40 rows."""
        cuts = [("A", "B")]
        for i in range(40):
            cuts += [("A", f"b{i}"), ("B", f"a{i}"), (f"a{i}", f"b{i}")]
        down = {name: 0.02 for cut in cuts for name in cut}
        top = top_event(cuts, down)
        one_side = 1 - 0.98**40
        neither = 1 - (1 - 0.02**2) ** 40
        expected = 0.02**2 + 2 * 0.02 * 0.98 * one_side + 0.98**2 * neither
        assert top.method == "exact"
        assert near(top.probability, expected)

    def test_any_two_of_many(self) -> None:
        cuts = [(f"u{i:02}", f"u{j:02}") for i, j in combinations(range(30), 2)]
        down = {name: 0.1 for cut in cuts for name in cut}
        assert near(top_event(cuts, down).probability, 1 - 0.9**30 - 30 * 0.1 * 0.9**29)

    def test_a_tangle_is_bounded_and_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(expansion, "MAX_EFFORT", 5_000)
        random = Random(7)
        cuts = minimal_sets({tuple(sorted(random.sample(range(300), 3))) for _ in range(2000)})
        named = [tuple(f"x{event}" for event in cut) for cut in cuts]
        assert top_event(named, {f"x{i}": 0.01 for i in range(300)}).method == "upper-bound"
