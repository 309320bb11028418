"""The other rules: what each says, and where it is silent."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import hostile_ids, topologies
from topology.closest import Closest, normal_form
from topology.kinds import ANY_ALL_AXES, AXES
from topology.load import load_topology_text
from topology.model import Domain, Mode, Standing, Topology
from topology.registry import REGISTRY
from topology.routes import TopologyRoutes
from topology.rules import RULES, check

Said = list[tuple[int, int, tuple[str, ...]]]
Nodes = dict[str, tuple[Standing, ...]]
Broken = tuple[dict[str, Domain], Nodes]

_IDS = [f"d{i}" for i in range(7)]
_NAMED = st.sampled_from([*_IDS, "gone-1", "gone-2", "D_01"])
_KINDS = ("power", "power", "ups", "transformer", "rack", "cooling", "network", "zone", "")


@st.composite
def broken_maps(draw: st.DrawFn) -> Broken:
    """Maps as faulty files give them: cycles, missing and repeated ids, wrong kinds, misplaced ratings."""
    domains = {
        name: Domain(
            name,
            draw(st.sampled_from(_KINDS)),
            parent=draw(st.none() | _NAMED),
            feeds=tuple(draw(st.lists(_NAMED, max_size=3))),
            min_feeds=draw(st.none() | st.integers(1, 3)),
            rated_kw=draw(st.none() | st.just(8)),
            ride_through_minutes=draw(st.none() | st.just(20)),
        )
        for name in draw(st.lists(st.sampled_from(_IDS), unique=True))
    }
    nodes = {f"n{i}": tuple(_standing(draw, axis) for axis in AXES if draw(st.booleans())) for i in range(3)}
    return domains, nodes


def _standing(draw: st.DrawFn, axis: str) -> Standing:
    mode: Mode = draw(st.sampled_from(("any", "all"))) if axis in ANY_ALL_AXES else "one"
    ids = draw(st.lists(_NAMED, min_size=1, max_size=1 if mode == "one" else 3))
    return Standing(axis, mode, tuple(ids))


def rules_of(domains: dict[str, Domain], nodes: Nodes) -> Counter[str]:
    return Counter(fault.rule for fault in check(domains, nodes.items(), TopologyRoutes()))


def said(rule: str, text: str) -> Said:
    """Line, column and ids of what a rule says about a topology file."""
    diagnostics = load_topology_text(text, "topology.yaml").diagnostics
    assert all(each.severity in {REGISTRY[each.rule].severity, "info"} for each in diagnostics)
    return [(each.line, each.column, each.ids) for each in diagnostics if each.rule == rule]


class TestDanglingFeed:
    """A parent or feed that `domains:` does not declare (closest declared id named)."""

    @pytest.mark.parametrize("wrong", ["ups_a", "UPS-A", "ups-aa", "upsa", "usp-a"])
    def test_names_the_closest(self, wrong: str) -> None:
        text = f"domains:\n  ups-a: {{kind: ups}}\n  pdu-a: {{kind: power, parent: {wrong}}}\n"
        (diagnostic,) = load_topology_text(text, "t.yaml").diagnostics
        assert diagnostic.ids == ("pdu-a", wrong)
        assert "Did you mean 'ups-a'?" in diagnostic.hint

    def test_the_same_missing_id_twice_is_said_once_per_domain(self) -> None:
        text = "domains:\n  a: {kind: power, parent: z, feeds: [z, y]}\n  b: {kind: power, parent: z}\n"
        assert [ids for _, _, ids in said("dangling-feed", text)] == [("a", "z"), ("a", "y"), ("b", "z")]

    def test_a_node_that_names_it_declares_nothing(self) -> None:
        text = "nodes:\n  n: {ups: ups-z}\ndomains:\n  a: {kind: power, parent: ups-z}\n  b: {kind: ups}\n"
        assert len(said("dangling-feed", text)) == 1
        assert said("undeclared-domain", text) == []


class TestUpsideDown:
    """A rack, or a kind that carries nothing, upstream of a power or cooling domain."""

    @pytest.mark.parametrize(
        "kind", ["rack", "network", "nvlink", "row", "room", "building", "zone", "region"]
    )
    @pytest.mark.parametrize(
        "below", ["power", "ups", "transformer", "ats", "generator", "utility", "cooling"]
    )
    def test_refused(self, kind: str, below: str) -> None:
        text = f"domains:\n  up: {{kind: {kind}}}\n  down: {{kind: {below}, parent: up}}\n"
        assert [ids for _, _, ids in said("upside-down", text)] == [("down", "up")]

    def test_a_rack_stands_in_a_row_and_a_switch_hangs_from_a_pdu(self) -> None:
        text = (
            "domains:\n  row: {kind: row}\n  pdu: {kind: power}\n"
            "  rack: {kind: rack, parent: row}\n  leaf: {kind: network, parent: pdu}\n"
        )
        assert said("upside-down", text) == []


class TestAxisKind:
    """A node names on an axis a domain of another kind."""

    def test_every_node_is_named(self) -> None:
        text = "nodes:\n  b: {pdu: u}\n  a: {pdu: [u, p]}\ndomains:\n  u: {kind: ups}\n  p: {kind: power}\n"
        assert said("axis-kind", text) == [(2, 12, ("b", "u")), (3, 13, ("a", "u"))]

    def test_an_undeclared_id_on_two_axes_is_said_on_the_rarer(self) -> None:
        text = "nodes:\n  a: {rack: x}\n  b: {pdu: x}\n  c: {pdu: x}\n"
        assert said("axis-kind", text) == [(2, 13, ("a", "x"))]
        assert said("axis-kind", text.replace("c: {pdu", "c: {row")) != []


class TestStandingConflict:
    """A node names one PDU while its rack has several feeds."""

    DOMAINS = (
        "domains:\n  p: {kind: power}\n  q: {kind: power}\n  r: {kind: rack, feeds: [p, q]}\n"
        "  s: {kind: rack, feeds: [p]}\n"
    )

    @pytest.mark.parametrize(
        ("pdu", "conflicts"), [("p", 1), ("[p]", 1), ("[p, q]", 0), ("{all: [p, q]}", 0)]
    )
    def test_one_pdu(self, pdu: str, conflicts: int) -> None:
        text = f"nodes:\n  n: {{rack: r, pdu: {pdu}}}\n" + self.DOMAINS
        assert len(said("standing-conflict", text)) == conflicts

    def test_silent_for_a_rack_with_one_feed_or_no_pdu(self) -> None:
        text = "nodes:\n  n: {rack: s, pdu: p}\n  m: {rack: r}\n" + self.DOMAINS
        assert said("standing-conflict", text) == []


class TestLikelyTypo:
    """Equal after case folding and dropping `- _ .` and leading zeros; or one transposition, used once."""

    @staticmethod
    def typos(declared: str, *named: str, axis: str = "pdu") -> Said:
        nodes = "".join(f"  n{i}: {{{axis}: '{name}'}}\n" for i, name in enumerate(named))
        return said("likely-typo", f"nodes:\n{nodes}domains:\n  '{declared}': {{kind: power}}\n")

    @pytest.mark.parametrize("name", ["PDU-A-1", "pdu_a_1", "pdu.a.1", "pdua1", "pdu-a-01", "PDU_A.001"])
    def test_equal_in_form_however_often(self, name: str) -> None:
        assert [ids for _, _, ids in self.typos("pdu-a-1", name, name)] == [(name, "pdu-a-1")]

    @pytest.mark.parametrize(
        ("declared", "name"),
        [
            ("cdu-1", "cdu-l"),
            ("cdu-1", "cdu-I"),
            ("h2-loop", "h2-Ioop"),
            ("pdu-10", "pdu-1O"),
            ("P-I", "P-01"),
        ],
    )
    def test_look_alikes_however_often(self, declared: str, name: str) -> None:
        assert [ids for _, _, ids in self.typos(declared, name, name)] == [(name, declared)]

    @pytest.mark.parametrize(
        ("declared", "name"), [("pdu-1", "pdu-L"), ("pdu-l", "pdu-i"), ("pdu-0", "pdu-o"), ("pdu-1", "pdu-0")]
    )
    def test_what_looks_otherwise_is_another(self, declared: str, name: str) -> None:
        assert self.typos(declared, name, name) == []

    def test_the_fix_says_that_they_look_alike(self) -> None:
        text = "nodes:\n  n: {pdu: pdu-l}\ndomains:\n  pdu-1: {kind: power}\n"
        (found,) = (d for d in load_topology_text(text, "t.yaml").diagnostics if d.rule == "likely-typo")
        assert found.hint.startswith("They look alike (l, 1, I; O, 0). If 'pdu-1' is meant")

    def test_declared_ids_between_commas_are_a_list_without_brackets(self) -> None:
        text = "nodes:\n  n:\n    pdu: a, b\ndomains:\n  a: {kind: power}\n  b: {kind: power}\n"
        (found,) = (d for d in load_topology_text(text, "t.yaml").diagnostics if d.rule == "likely-typo")
        assert (found.ids, found.hint) == (("a, b", "a", "b"), "A list needs brackets: write [a, b].")
        assert said("likely-typo", text.replace("a, b", "a, c")) == []

    def test_one_transposition_used_once(self) -> None:
        assert [ids for _, _, ids in self.typos("pdu-ab", "pud-ab")] == [("pud-ab", "pdu-ab")]
        assert self.typos("pdu-ab", "pud-ab", "pud-ab") == []

    @pytest.mark.parametrize("name", ["pdu-b", "pdu-aa", "pdu-10", "p-dua1x"])
    def test_other_differences_are_none(self, name: str) -> None:
        assert self.typos("pdu-a", name) == []

    def test_zero_is_a_number(self) -> None:
        assert normal_form("rack-0") == normal_form("RACK_00") != normal_form("rack")

    def test_of_that_kind_only(self) -> None:
        assert self.typos("cdu-1", "CDU_1", axis="cooling") == []


class TestUndeclaredDomain:
    """Only nodes name it, while other domains of that kind are declared."""

    def test_said_once_per_domain(self) -> None:
        text = "nodes:\n  b: {pdu: x}\n  a: {pdu: x}\n  c: {rack: r}\ndomains:\n  p: {kind: power}\n"
        assert said("undeclared-domain", text) == [(3, 12, ("x",))]


class TestSplitRack:
    """One rack id in two zones."""

    def test_zones_that_are_not_said_do_not_count(self) -> None:
        text = "nodes:\n  a: {rack: r, zone: z}\n  b: {rack: r}\n  c: {rack: r, zone: z}\n"
        assert said("split-rack", text) == []


class TestUnusualOrder:
    """A transformer below a UPS, a UPS below a PDU, with anything in between."""

    def test_through_switchgear_and_feeds(self) -> None:
        text = (
            "domains:\n  u: {kind: ups}\n  s: {kind: switchgear, feeds: [g, u]}\n  g: {kind: generator}\n"
            "  t: {kind: transformer, parent: s}\n"
        )
        assert said("unusual-order", text) == [(5, 34, ("t", "u"))]


class TestMinFeeds:
    """`minFeeds` larger than the number of feeds, or without feeds."""

    def test_as_many_as_there_are_is_allowed(self) -> None:
        text = "domains:\n  a: {kind: power}\n  b: {kind: power, feeds: [a], minFeeds: 1}\n"
        assert said("min-feeds", text) == []


class TestClosest:
    """The closest declared id, within a bounded effort."""

    def test_nothing_close(self) -> None:
        assert Closest(["ups-a", "ups-b"]).to("chiller") is None

    def test_gives_up_after_its_effort_and_still_knows_forms(self) -> None:
        finder = Closest(f"pdu-{i}" for i in range(1_000))
        asked = [finder.to(f"pud-{i}") for i in range(200)]
        assert asked[0] == "pdu-0"
        assert asked[-1] is None
        assert finder.to("PDU_0042") == "pdu-42"


class TestLaws:
    """What holds for every file."""

    @given(topologies())
    def test_a_valid_topology_has_no_error(self, topology: Topology) -> None:
        faults = check(topology.domains, topology.nodes.items(), TopologyRoutes())
        assert [fault for fault in faults if fault.severity == "error"] == []

    @given(broken_maps())
    def test_the_order_of_keys_changes_nothing(self, broken: Broken) -> None:
        domains, nodes = broken
        forwards = check(domains, nodes.items(), TopologyRoutes())
        backwards = check(dict(reversed(domains.items())), reversed(nodes.items()), TopologyRoutes())
        assert forwards == backwards

    @given(broken_maps())
    def test_other_names_give_the_same_rules(self, broken: Broken) -> None:
        domains, nodes = broken
        other = {
            f"{d.id}@x": replace(
                d, id=f"{d.id}@x", parent=d.parent and f"{d.parent}@x", feeds=tuple(f"{f}@x" for f in d.feeds)
            )
            for d in domains.values()
        }
        moved = {
            node: tuple(replace(s, ids=tuple(f"{name}@x" for name in s.ids)) for s in standings)
            for node, standings in nodes.items()
        }
        assert rules_of(other, moved) == rules_of(domains, nodes)

    @given(broken_maps())
    def test_each_rule_alone_says_what_it_says_among_all(self, broken: Broken) -> None:
        domains, nodes = broken
        alone = [fault for rule in RULES.values() for fault in rule(domains, nodes.items(), TopologyRoutes())]
        assert alone == check(domains, nodes.items(), TopologyRoutes())

    @given(st.lists(hostile_ids().filter(bool), min_size=2, max_size=4, unique=True))
    def test_any_text_is_an_id(self, ids: list[str]) -> None:
        domains = {name: Domain(name, "power", feeds=tuple(ids)) for name in ids}
        assert {fault.rule for fault in check(domains, (), TopologyRoutes())} >= {"cycle", "self-feed"}
