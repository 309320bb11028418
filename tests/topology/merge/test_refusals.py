"""Methodology: Multi-cluster merge. It refuses rather than fudges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.topology.merge.files import estate, node, refused
from topology.merge import merge_estates
from topology.model import (
    Domain,
    Estate,
    Overload,
)


class TestRefusals:
    """The merge refuses rather than fudges: each reason names both files and both values, all in one run."""

    @pytest.mark.parametrize(
        ("rule", "first", "second", "values"),
        [
            ("kind-conflict", Domain("x", "power"), Domain("x", "ups"), ("power", "ups")),
            (
                "upstream-conflict",
                Domain("x", "power", parent="u"),
                Domain("x", "power", parent="v"),
                ("u", "v"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v")),
                Domain("x", "power", feeds=("u",)),
                ("[u, v]", "[u]"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", parent="u"),
                Domain("x", "power", feeds=("u", "v")),
                ("'u'", "[u, v]"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v"), min_feeds=1),
                Domain("x", "power", feeds=("u", "v"), min_feeds=2),
                ("1", "2"),
            ),
            (
                "upstream-conflict",
                Domain("x", "power", feeds=("u", "v"), transfer="preferred"),
                Domain("x", "power", feeds=("v", "u")),
                ("[u, v]", "[v, u]"),
            ),
            (
                "rating-conflict",
                Domain("x", "power", rated_kw=8),
                Domain("x", "power", rated_kw=9),
                ("8", "9"),
            ),
            (
                "rating-conflict",
                Domain("x", "power", overload=(Overload(125, 60),)),
                Domain("x", "power", overload=(Overload(125, 30),)),
                ("125 % for 60 s", "125 % for 30 s"),
            ),
            (
                "ride-through-conflict",
                Domain("x", "cooling", ride_through_minutes=2),
                Domain("x", "cooling", ride_through_minutes=3),
                ("2", "3"),
            ),
            (
                "load-conflict",
                Domain("x", "power", own_load_kw=2),
                Domain("x", "power", own_load_kw=3),
                ("2", "3"),
            ),
        ],
    )
    def test_conflicting_domains(
        self, rule: str, first: Domain, second: Domain, values: tuple[str, str]
    ) -> None:
        upstream = Domain("u", "ups"), Domain("v", "ups")
        files = ("a.json", estate("a", (), first, *upstream)), ("b.json", estate("b", (), second, *upstream))
        message = refused(*files)[rule]
        for word in ("a.json", "b.json", "'x'", *values):
            assert word in message

    def test_all_reasons_in_one_run(self) -> None:
        first = estate("a", (), Domain("x", "ups", rated_kw=1), Domain("y", "ups"))
        second = estate("a", (), Domain("x", "ups", rated_kw=2), Domain("y", "power"), unit="cpu")
        assert set(refused(("a.json", first), ("b.json", second))) == {
            "unit-mix",
            "cluster-twice",
            "rating-conflict",
            "kind-conflict",
        }

    def test_a_cycle_that_only_both_files_together_have(self) -> None:
        first = estate("a", (), Domain("x", "power", parent="y"), Domain("y", "power"))
        second = estate("b", (), Domain("y", "power", parent="x"), Domain("x", "power"))
        message = refused(("a.json", first), ("b.json", second))["invalid-together"]
        assert "a.json, b.json" in message
        assert "'x'" in message

    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (Domain("x", "power", rated_kw=8), Domain("x", "power")),
            (Domain("x", "power", feeds=("u", "v"), min_feeds=2), Domain("x", "power", feeds=("v", "u"))),
            (Domain("x", "power", parent="u"), Domain("x", "power", declared=False)),
        ],
    )
    def test_absent_is_not_a_conflict(self, first: Domain, second: Domain) -> None:
        upstream = Domain("u", "ups"), Domain("v", "ups")
        a, b = estate("a", (), first, *upstream), estate("b", (), second, *upstream)
        for files in ([("a", a), ("b", b)], [("b", b), ("a", a)]):
            assert merge_estates(files).domains["x"] == first

    def test_out_of_service_in_one_file_is_out(self) -> None:
        a, b = estate("a", (), Domain("x", "ups", out=True)), estate("b", (), Domain("x", "ups"))
        merged = merge_estates([("a.json", a), ("b.json", b)])
        assert merged.domains["x"].out
        assert any("out of service in a.json" in note for note in merged.notes)


class TestSameClusterDefense:
    """Two estates sharing >= 80 % of their node ids are rejected as the same cluster uploaded twice, and
    overlap of >= 20 % draws a written note instead of silence."""

    def files(self, common: int, own: int, **values: Any) -> list[tuple[str, Estate]]:
        shared = [
            node(f"n{i}", **{key: f"{value}{i}" for key, value in values.items()}) for i in range(common)
        ]
        return [
            (f"{name}.json", estate(name, (*shared, *(node(f"{name}-{i}") for i in range(own)))))
            for name in ("a", "b")
        ]

    def test_eighty_percent_is_refused(self) -> None:
        message = refused(*self.files(8, 2))["same-cluster"]
        assert "a.json" in message
        assert "b.json" in message
        assert "80%" in message

    def test_the_share_is_of_the_smaller(self) -> None:
        big = estate("a", tuple(node(f"n{i}") for i in range(100)))
        small = estate("b", tuple(node(f"n{i}") for i in range(5)))
        assert "same-cluster" in refused(("a.json", big), ("b.json", small))

    @pytest.mark.parametrize(("common", "own", "noted"), [(79, 21, True), (2, 8, True), (19, 81, False)])
    def test_below_it_is_noted_from_twenty_percent(self, common: int, own: int, noted: bool) -> None:
        notes = merge_estates(self.files(common, own)).notes
        assert any("double counting" in note for note in notes) is noted

    def test_machine_identity_decides_before_names(self) -> None:
        """Two sites that both count from n0 are two clusters when their machines say so."""
        a = estate("a", tuple(node(f"n{i}", system_uuid=f"A{i}") for i in range(5)))
        b = estate("b", tuple(node(f"n{i}", system_uuid=f"B{i}") for i in range(5)))
        assert len(merge_estates([("a.json", a), ("b.json", b)]).nodes) == 10

    @pytest.mark.parametrize("key", ["system_uuid", "provider_id"])
    def test_renamed_machines_are_still_the_same_cluster(self, key: str) -> None:
        a = estate("a", tuple(node(f"n{i}", **{key: f"id{i}"}) for i in range(5)))
        b = estate("b", tuple(node(f"m{i}", **{key: f"id{i}"}) for i in range(5)))
        assert "5 by machine identity" in refused(("a.json", a), ("b.json", b))["same-cluster"]
