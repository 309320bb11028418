"""implausible-rating: W or MW where kW are read, and nothing that is built."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.topology.loading.files import estate_file
from topo.validation import check_file
from topology.diagnostics import Diagnostic
from topology.load import load_estate_text, load_text, load_topology_text

RULE = "implausible-rating"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def said(domains: str) -> list[Diagnostic]:
    result = load_topology_text(f"domains:\n{domains}", "t.yaml")
    assert result.value is not None
    return [each for each in result.diagnostics if each.rule == RULE]


def ups(*rated: str, under: str = "parent: x") -> str:
    return "  x: {kind: utility}\n  y: {kind: utility}\n" + "".join(
        f"  u{i}: {{kind: ups, {under}, ratedKw: {kw}}}\n" for i, kw in enumerate(rated, 1)
    )


class TestBands:
    """Generous bounds per kind; a utility has none above."""

    @pytest.mark.parametrize(
        ("kind", "largest"),
        [
            ("rack", 2_000),
            *((kind, 20_000) for kind in ("power", "ats", "ups")),
            *((kind, 500_000) for kind in ("switchgear", "transformer", "generator", "cooling")),
        ],
    )
    def test_above_the_bound_of_the_kind(self, kind: str, largest: int) -> None:
        assert said(f"  a: {{kind: {kind}, ratedKw: {largest}}}\n") == []
        (found,) = said(f"  a: {{kind: {kind}, ratedKw: {largest}.5}}\n")
        assert found.severity == "warning"
        assert found.message == (
            f"'a' is rated {largest:,}.5 kW: nothing of kind {kind} has more than {largest:,} kW"
        )
        assert found.hint.startswith("kW, not W or MW?")

    def test_a_utility_has_no_bound(self) -> None:
        assert said("  a: {kind: utility, ratedKw: 5000000}\n") == []

    @pytest.mark.parametrize(
        ("kind", "smallest"),
        [
            ("rack", "0.5"),
            *((kind, "1") for kind in ("power", "ats", "ups", "cooling", "utility")),
            *((kind, "5") for kind in ("switchgear", "transformer", "generator")),
        ],
    )
    def test_below_the_bound_of_the_kind(self, kind: str, smallest: str) -> None:
        assert said(f"  a: {{kind: {kind}, ratedKw: {smallest}}}\n") == []
        (found,) = said(f"  a: {{kind: {kind}, ratedKw: 0.4}}\n")
        assert found.message == f"'a' is rated 0.4 kW: nothing of kind {kind} has less than {smallest} kW"
        assert found.hint == "kW, not MW? 0.4 MW are 400 kW. Leave out what is unknown."

    def test_a_misplaced_rating_is_no_implausible_one(self) -> None:
        result = load_topology_text("domains:\n  a: {kind: room, ratedKw: 5000000000}\n", "t.yaml")
        assert [each.rule for each in result.diagnostics] == ["misplaced-rating"]


class TestSiblings:
    """At least 500 times the rating of another of the kind under the same parent or feeds."""

    @pytest.mark.parametrize("under", ["parent: x", "feeds: [x]", "feeds: [x, y]"])
    @pytest.mark.parametrize(
        ("rated", "ids"),
        [
            (("1", "499"), []),
            (("1", "500"), [("u2", "u1")]),
            (("500", "1"), [("u1", "u2")]),
            (("1.2", "1200", "1200"), [("u1", "u2")]),
            (("20", "20", "20000"), [("u3", "u2")]),
            (("2", "2000", "30", "40"), []),
            (("1", "1", "1000", "1000"), [("u3", "u2"), ("u4", "u2")]),
        ],
    )
    def test_names_the_odd_one_and_a_sibling(
        self, rated: tuple[str, ...], ids: list[tuple[str, ...]], under: str
    ) -> None:
        assert [found.ids for found in said(ups(*rated, under=under))] == ids

    def test_points_at_both(self) -> None:
        (found,) = said(ups("1.2", "1200", "1300"))
        assert found.message == "'u1' is rated 1.2 kW: its sibling 'u2' has 1,200 kW, a ratio of 1,000"
        assert (found.line, [place[0] for place in found.related]) == (4, [5])

    def test_the_order_of_feeds_is_no_difference(self) -> None:
        domains = (
            "  x: {kind: ups}\n  y: {kind: ups}\n  a: {kind: power, feeds: [x, y], ratedKw: 2}\n"
            "  b: {kind: power, feeds: [y, x], ratedKw: 2000}\n"
        )
        assert [found.ids for found in said(domains)] == [("b", "a")]

    @pytest.mark.parametrize(
        "domains",
        [
            "  a: {kind: ups, ratedKw: 1}\n  b: {kind: ups, ratedKw: 1000}\n",
            (
                "  x: {kind: utility}\n  y: {kind: utility}\n  a: {kind: ups, parent: x, ratedKw: 1}\n"
                "  b: {kind: ups, parent: y, ratedKw: 1000}\n"
            ),
            (
                "  x: {kind: utility}\n  a: {kind: ups, parent: x, ratedKw: 1}\n"
                "  b: {kind: power, parent: x, ratedKw: 1000}\n"
            ),
            "  x: {kind: utility}\n  a: {kind: ups, parent: x, ratedKw: 1}\n  b: {kind: ups, parent: x}\n",
        ],
        ids=["roots", "other parents", "other kinds", "unrated"],
    )
    def test_others_are_no_siblings(self, domains: str) -> None:
        assert said(domains) == []


class TestDraw:
    """More than 100 kW per unit, or more while it is paused than while it works."""

    @staticmethod
    def draws(**changes: Any) -> list[Diagnostic]:
        result = load_estate_text(json.dumps(estate_file(**changes)), "e.json")
        assert result.value is not None
        return [each for each in result.diagnostics if each.rule == RULE]

    @pytest.mark.parametrize("key", ["wattsPerUnitKw", "idleKwPerUnit"])
    def test_of_the_estate(self, key: str) -> None:
        assert self.draws(**{key: 100}) == []
        (found,) = self.draws(**{key: 700})
        assert found.message == f"{key} is 700 kW: no unit draws more than 100 kW"
        assert found.hint == "kW per unit, not W? 700 W are 0.7."

    @pytest.mark.parametrize("key", ["kwPerUnit", "idleKwPerUnit"])
    def test_of_nodes_is_said_once(self, key: str) -> None:
        nodes = [{"id": f"n{i}", "allocated": 8, key: kw} for i, kw in ((1, 0.7), (3, 800), (2, 700))]
        (found,) = self.draws(nodes=nodes, workloads=[])
        assert found.message == f"{key} of node 'n2' (and 1 more) is 700 kW: no unit draws more than 100 kW"

    @pytest.mark.parametrize(
        ("changes", "said_of"),
        [
            ({"wattsPerUnitKw": 1, "idleKwPerUnit": 2}, "the estate"),
            ({"wattsPerUnitKw": 1, "idleKwPerUnit": 1}, ""),
            ({"wattsPerUnitKw": None, "idleKwPerUnit": 2}, ""),
            ({"wattsPerUnitKw": 1, "nodes": [{"id": "a", "allocated": 1, "idleKwPerUnit": 2}]}, "node 'a'"),
            ({"idleKwPerUnit": 2, "nodes": [{"id": "a", "allocated": 1, "kwPerUnit": 1}]}, "node 'a'"),
            (
                {"nodes": [{"id": n, "allocated": 1, "kwPerUnit": 1, "idleKwPerUnit": 2} for n in "cab"]},
                "node 'a' (and 2 more)",
            ),
            ({"idleKwPerUnit": 2, "nodes": [{"id": "a", "allocated": 1, "kwPerUnit": 3}]}, ""),
        ],
    )
    def test_a_pause_that_saves_nothing(self, changes: dict[str, Any], said_of: str) -> None:
        terms = {"wattsPerUnitKw": None, "workloads": [], **changes}
        messages = [each.message for each in self.draws(**terms)]
        assert messages == (
            [f"a paused unit of {said_of} draws 2 kW, and a working one 1 kW"] if said_of else []
        )

    def test_under_a_map_too(self) -> None:
        estate = load_estate_text(json.dumps(estate_file(wattsPerUnitKw=700)), "e.json")
        over = load_topology_text("nodes:\n  n1: {rack: r1}\n  n2: {rack: r1}\n", "t.yaml")
        found = [each for each in check_file(estate, over).diagnostics if each.rule == RULE]
        assert [(each.file, each.ids) for each in found] == [("e.json", ())]


FEEDS = "  p: {kind: power, ratedKw: 2}\n  q: {kind: power, ratedKw: 3}\n  c: {kind: cooling, ratedKw: 2}\n"


class TestBesideItsFeeds:
    """A rating or an own draw of at least 10 times the rating of all that carries it."""

    @pytest.mark.parametrize(
        ("domain", "message"),
        [
            (
                "{kind: cooling, parent: p, loadKw: 20}",
                "'a' draws 20 kW, and 'p', which feeds it, is rated 2 kW",
            ),
            ("{kind: cooling, parent: p, loadKw: 19.9}", None),
            (
                "{kind: rack, feeds: [p, q], ratedKw: 50}",
                "'a' is rated 50 kW, and all that feeds it, 'p', 'q', is rated 5 kW together",
            ),
            ("{kind: rack, feeds: [p, q], ratedKw: 49}", None),
            (
                "{kind: room, parent: p, loadKw: 20}",
                "'a' draws 20 kW, and 'p', which feeds it, is rated 2 kW",
            ),
            ("{kind: cooling, parent: p, ratedKw: 800}", None),
            ("{kind: cooling, parent: c, loadKw: 800}", None),
            (
                "{kind: cooling, parent: c, ratedKw: 20}",
                "'a' is rated 20 kW, and 'c', which feeds it, is rated 2 kW",
            ),
        ],
    )
    def test_of_the_same_commodity(self, domain: str, message: str | None) -> None:
        found = said(f"{FEEDS}  a: {domain}\n")
        assert [(each.message, each.severity) for each in found] == (
            [(message, "warning")] if message else []
        )

    def test_an_unrated_feed_says_nothing(self) -> None:
        assert said(f"{FEEDS}  u: {{kind: power}}\n  a: {{kind: rack, feeds: [p, u], ratedKw: 900}}\n") == []

    def test_what_is_doubted_already_is_said_once(self) -> None:
        (found,) = said("  p: {kind: power, ratedKw: 0.1}\n  a: {kind: cooling, parent: p, loadKw: 25}\n")
        assert found.ids == ("p",)

    def test_the_lab_of_the_methodology_is_plausible(self) -> None:
        """Methodology: "feeds rated 8 kW and 4 kW under a 6 kW load"."""
        assert said("  a: {kind: ups, ratedKw: 8}\n  b: {kind: ups, ratedKw: 4}\n") == []


class TestOverloads:
    """`percent` is of the rating: below 100 nothing is overloaded."""

    @pytest.mark.parametrize(
        ("percent", "hint"),
        [
            ("1.25", "Percent of the rating: 125?"),
            ("10", "Percent of the rating: 125 is a quarter more than it."),
            ("25", "Percent of the rating: 125 is a quarter more than it."),
            ("99.9", "Percent of the rating: 125 is a quarter more than it."),
            ("100", None),
            ("125", None),
        ],
    )
    def test_below_the_rating(self, percent: str, hint: str | None) -> None:
        found = said(f"  a: {{kind: ups, overload: [{{percent: {percent}, seconds: 600}}]}}\n")
        assert [(each.hint, each.severity) for each in found] == ([(hint, "warning")] if hint else [])

    @pytest.mark.parametrize("times", [(600, 3600, 60), (60, 3600, 60), (3600, 60, 600)])
    def test_more_is_not_carried_longer(self, times: tuple[int, ...]) -> None:
        points = [f"{{percent: {p}, seconds: {s}}}" for p, s in zip((110, 150, 200), times, strict=True)]
        for order in (points, points[::-1]):
            (found,) = said(f"  a: {{kind: ups, overload: [{', '.join(order)}]}}\n")
            assert (
                "% for 3,600 s, but" in found.message
                or "200 % for 600 s, but 150 % for 60 s" in found.message
            )
            assert found.severity == "warning"

    def test_as_long_is_no_contradiction(self) -> None:
        points = "[{percent: 110, seconds: 60}, {percent: 150, seconds: 60}, {percent: 200, seconds: 10}]"
        assert said(f"  a: {{kind: ups, overload: {points}}}\n") == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.*")), ids=lambda path: path.parent.name)
def test_no_shipped_example_is_doubted(path: Path) -> None:
    if path.suffix in {".yaml", ".json"}:
        found = load_text(path.read_bytes(), path.name).diagnostics
        assert [each for each in found if each.rule == RULE] == []
