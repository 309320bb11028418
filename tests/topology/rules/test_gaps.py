"""What a map leaves out, or says beside itself: legal, and said."""

from __future__ import annotations

import json

import pytest

from tests.topology.loading.files import ESTATE
from topology.diagnostics import Diagnostic
from topology.load import load_estate_text, load_topology_text


def said(text: str, path: str = "t.yaml") -> list[Diagnostic]:
    result = load_topology_text(text, path)
    assert result.value is not None
    return list(result.diagnostics)


class TestEmptyMap:
    @pytest.mark.parametrize(
        ("text", "path"),
        [
            ("{}", "t.json"),
            ("{}", "t.yaml"),
            ('{"nodes": {}}', "t.json"),
            ("nodes:\n", "t.yaml"),
            ("version: 2\nnodes: {}\ndomains: {}\n", "t.yaml"),
        ],
    )
    def test_is_warned_of(self, text: str, path: str) -> None:
        (found,) = said(text, path)
        assert (found.rule, found.severity, found.line) == ("empty-map", "warning", 1)
        assert found.hint.startswith("Did its export fail?")

    @pytest.mark.parametrize("text", ["nodes: {a: {rack: r}}\n", "domains: {a: {kind: ups}}\n"])
    def test_either_is_enough(self, text: str) -> None:
        assert said(text) == []

    def test_what_cannot_be_read_is_not_missing(self) -> None:
        result = load_topology_text("node: {a: {rack: r}}\n", "t.yaml")
        assert [each.rule for each in result.diagnostics] == ["schema"]


class TestUnplacedNode:
    def test_one_line_for_all(self) -> None:
        (found,) = said("nodes:\n  a: {rack: r}\n  c: {}\n  b:\n")
        assert (found.rule, found.severity, found.line, found.ids) == (
            "unplaced-node",
            "warning",
            4,
            ("b", "c"),
        )

    def test_a_node_of_a_snapshot_without_labels_lacks_what_others_name(self) -> None:
        assert "domains" not in ESTATE["nodes"][1]
        (found,) = load_estate_text(json.dumps(ESTATE), "estate.json").diagnostics
        assert (found.rule, found.ids) == ("missing-supply", ("n2",))


class TestMissingSupply:
    """A node that names no power, or no cooling, while others do, is immune by the map."""

    def test_one_line_for_each_of_the_two(self) -> None:
        found = said("nodes:\n  a: {pdu: p, cooling: c}\n  b: {rack: r}\n  d: {cooling: c}\n")
        assert [(each.rule, each.severity, each.line, each.ids) for each in found] == [
            ("missing-supply", "info", 3, ("b",)),
            ("missing-supply", "info", 4, ("d",)),
        ]
        assert found[0].message == (
            "2 of 3 nodes name a cooling domain, 'b' does not: no cooling failure reaches it"
        )

    @pytest.mark.parametrize(
        "nodes", ["{a: {rack: r}, b: {pdu: p}}", "{a: {cooling: c}, b: {cooling: d}}", "{a: {zone: z}}"]
    )
    def test_where_nobody_or_everybody_names_it(self, nodes: str) -> None:
        assert said(f"nodes: {nodes}\n") == []

    @pytest.mark.parametrize(
        ("units", "warned"), [({"allocated": 1}, True), ({"installed": 8}, True), ({}, False)]
    )
    def test_of_a_snapshot_only_nodes_with_units(self, units: dict[str, int], warned: bool) -> None:
        nodes = [
            {"id": "a", "allocated": 1, "domains": {"pdu": "p", "cooling": "c"}},
            {"id": "b", "allocated": 0, "domains": {"pdu": "p"}, **units},
        ]
        result = load_estate_text(json.dumps({**ESTATE, "nodes": nodes, "workloads": []}), "estate.json")
        assert [each.rule for each in result.diagnostics] == ["missing-supply"] * warned


TWO = "domains:\n  p: {kind: power}\n  q: {kind: power}\n"


class TestLoneFeed:
    @pytest.mark.parametrize(
        ("racks", "lone"),
        [
            (("[p, q]", "[p]"), []),
            (("[p, q]", "[p, q]", "[p]"), ["r2"]),
            (("[p, q]", "[p, q]", "[p]", "[p]"), []),
            (("[p]", "[p]"), []),
        ],
    )
    def test_where_most_sisters_have_more(self, racks: tuple[str, ...], lone: list[str]) -> None:
        text = TWO + "".join(f"  r{i}: {{kind: rack, feeds: {feeds}}}\n" for i, feeds in enumerate(racks))
        found = [each for each in said(text) if each.rule == "lone-feed"]
        assert [each.ids[0] for each in found] == lone
        assert {each.severity for each in found} <= {"info"}

    def test_a_parent_is_no_list(self) -> None:
        assert said(TWO + "  a: {kind: rack, feeds: [p, q]}\n  b: {kind: rack, parent: p}\n") == []


class TestParentAmongFeeds:
    @pytest.mark.parametrize(
        ("keys", "warned"),
        [
            ("parent: p, feeds: [p, q]", True),
            ("parent: p, feeds: [q]", False),
            ("parent: p, feeds: [p]", False),
            ("parent: p, feeds: [p, q], minFeeds: 2", False),
        ],
    )
    def test_where_redundancy_is_claimed(self, keys: str, warned: bool) -> None:
        found = said(f"{TWO}  a: {{kind: rack, {keys}}}\n")
        assert [each.rule for each in found] == (["parent-among-feeds"] if warned else [])


class TestPowerFromCooling:
    @pytest.mark.parametrize(
        ("domain", "warned"),
        [
            ("{kind: power, parent: c}", True),
            ("{kind: ups, feeds: [c, d]}", True),
            ("{kind: ups, parent: c, feeds: [p]}", False),
            ("{kind: ups, parent: p}", False),
            ("{kind: ups}", False),
            ("{kind: rack, parent: c}", False),
            ("{kind: cooling, parent: c}", False),
            ("{kind: power, parent: hall}", False),
        ],
    )
    def test_power_needs_power(self, domain: str, warned: bool) -> None:
        declared = "  c: {kind: cooling}\n  d: {kind: cooling}\n  hall: {kind: room}\n"
        result = load_topology_text(f"{TWO}{declared}  a: {domain}\n", "t.yaml")
        assert [each.rule == "power-from-cooling" for each in result.diagnostics].count(True) == warned


class TestMisspeltRole:
    """Roles are free text and only etcd votes: a near miss is said, once per role."""

    @staticmethod
    def said(*roles: str) -> list[Diagnostic]:
        nodes = [{"id": f"n{place}", "allocated": 0, "roles": [role]} for place, role in enumerate(roles)]
        return list(
            load_estate_text(json.dumps({**ESTATE, "nodes": nodes, "workloads": []}), "e.json").diagnostics
        )

    @pytest.mark.parametrize(
        ("role", "meant"),
        [
            *(("ectd", "etcd"), ("Etcd", "etcd"), ("etc", "etcd"), ("etcdd", "etcd"), ("atcd", "etcd")),
            *(("control_plane", "control-plane"), ("ControlPlane", "control-plane"), ("storgae", "storage")),
        ],
    )
    def test_near_misses(self, role: str, meant: str) -> None:
        (found,) = self.said("gateway", role, role)
        assert (found.rule, found.severity, found.ids) == ("misspelt-role", "warning", (role, meant))
        assert found.message.startswith(f"role '{role}' of 2 nodes is not '{meant}'")

    @pytest.mark.parametrize("role", ["etcd", "control-plane", "storage", "etcd-events", "gateway", "x" * 99])
    def test_other_roles_are_free_text(self, role: str) -> None:
        assert self.said(role) == []
