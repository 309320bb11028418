"""Anchors, aliases and merge keys of topology.yaml."""

from __future__ import annotations

from tests.topology.loading.files import faults, only, topology


class TestAliases:
    """Anchors, aliases and merge keys are read; what they expand to is bounded (case 12)."""

    def test_alias_and_merge(self) -> None:
        loaded = topology(
            "nodes:\n  a: &base {rack: r, pdu: p}\n  b: *base\n  c: {<<: *base, pdu: q}\n"
            "  d: {pdu: q, <<: [{rack: s}, *base]}\n"
        )
        assert loaded.nodes["b"] == loaded.nodes["a"]
        assert [standing.ids for standing in loaded.nodes["c"]] == [("r",), ("q",)]
        assert [standing.ids for standing in loaded.nodes["d"]] == [("s",), ("q",)]

    def test_an_alias_to_text_may_be_a_key_or_a_value(self) -> None:
        loaded = topology("nodes:\n  &n a: {rack: &r r1}\n  b: {rack: *r}\n")
        assert loaded.nodes["b"] == loaded.nodes["a"]
        assert only(faults("nodes:\n  &n a: {rack: r}\n  *n : {rack: r}\n")).rule == "duplicate-key"

    def test_a_hundred_thousand_nodes_may_share_one_place(self) -> None:
        lines = "".join(f"  n{i}: *x\n" for i in range(20_000))
        assert len(topology(f"nodes:\n  a: &x {{rack: r, pdu: [p, q], cooling: c}}\n{lines}").nodes) == 20_001

    def test_a_bomb_is_refused(self) -> None:
        levels = "".join(f"l{i + 1}: &l{i + 1} [{', '.join([f'*l{i}'] * 10)}]\n" for i in range(9))
        found = only(faults("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n" + levels))
        assert found.rule == "yaml-syntax"
        assert "aliases" in found.message

    def test_a_merge_of_something_else_is_an_unknown_axis(self) -> None:
        assert "axis '<<'" in only(faults("nodes:\n  n: {<<: 5, rack: r}\n")).message

    def test_a_fault_behind_an_alias_is_placed_where_it_is_written(self) -> None:
        found = faults("nodes:\n  a: &x {hall: 1}\n  b: *x\n")
        assert [(each.line, each.column) for each in found] == [(2, 10), (2, 10)]
