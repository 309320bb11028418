"""Methodology: Multi-cluster merge. The first figure applies, the oldest clock is kept."""

from __future__ import annotations

from typing import Any

from tests.topology.merge.files import estate, node
from topology.merge import merge_estates
from topology.model import (
    Estate,
    Provenance,
    Signal,
)


class TestTerms:
    """Where files disagree on prices or the power assumption, the first file's figure applies and the merge
    says so in a note."""

    def merged(self, *prices: float | None, **values: Any) -> Estate:
        files = [
            (f"{name}.json", estate(name, (node(f"{name}1", **values),), price_per_unit_hour=price))
            for name, price in zip("abc", prices, strict=False)
        ]
        return merge_estates(files)

    def test_the_first_file_s_figure_applies(self) -> None:
        merged = self.merged(2.5, 2.2)
        assert merged.price_per_unit_hour == 2.5
        assert any("a.json 2.5, b.json 2.2" in note for note in merged.notes)

    def test_agreement_is_not_worth_a_note(self) -> None:
        assert self.merged(2.5, 2.5).price_per_unit_hour == 2.5
        assert not any("pricePerUnitHour" in note for note in self.merged(2.5, 2.5).notes)

    def test_a_node_s_own_price_survives(self) -> None:
        merged = self.merged(2.5, 2.2, price_per_unit_hour=9)
        assert [each.price_per_unit_hour for each in merged.nodes] == [9, 9]

    def test_a_cluster_without_a_price_stays_without(self) -> None:
        merged = self.merged(None, 2.2)
        assert merged.price_per_unit_hour is None
        assert [each.price_per_unit_hour for each in merged.nodes] == [None, 2.2]
        assert any("a.json says none" in note for note in merged.notes)

    def test_the_power_assumption_goes_the_same_way(self) -> None:
        a = estate("a", (node("n"),), watts_per_unit_kw=1, idle_kw_per_unit=0.1)
        b = estate("b", (node("m"),), watts_per_unit_kw=2)
        merged = merge_estates([("a.json", a), ("b.json", b)])
        assert merged.watts_per_unit_kw == 1
        assert [each.idle_kw_per_unit for each in merged.nodes] == [0.1, None]

    def test_a_default_restart_applies_to_the_file_that_states_none(self) -> None:
        """docs/merge.md: no node can keep it."""
        a, b = estate("a", (node("n"),)), estate("b", (node("m"),), default_restart_minutes=45)
        merged = merge_estates([("a.json", a), ("b.json", b)])
        assert merged.default_restart_minutes == 45
        assert any("a.json says none; 45 of b.json applies there too" in note for note in merged.notes)


class TestFreshness:
    """The merged report is stamped as only as fresh as its stalest input."""

    def test_instants_are_compared_not_texts(self) -> None:
        a = estate("a", (node("n"),), snapshot_at="2026-11-30T12:00:00+02:00")
        b = estate("b", (node("m"),), snapshot_at="2026-11-30T11:00:00Z")
        assert merge_estates([("a", a), ("b", b)]).snapshot_at == "2026-11-30T12:00:00+02:00"

    def test_the_oldest_clock_is_kept(self) -> None:
        old = Provenance(collected_at="2026-11-29T12:00:00Z")
        a = estate("a", (node("n"),), provenance=old, snapshot_at="2026-11-30T12:00:00Z")
        b = estate("b", (node("m"),), snapshot_at="2026-11-28T12:00:00Z")
        assert merge_estates([("a", a), ("b", b)]).provenance.collected_at == "2026-11-28T12:00:00Z"

    def test_what_the_collectors_could_not_see_is_attributed(self) -> None:
        blind = Provenance(signals={"dcgm": Signal(reachable=False, detail="none")}, caveats=("both", "one"))
        seeing = Provenance(signals={"dcgm": Signal(reachable=True)}, caveats=("both",))
        a, b = estate("a", (node("n"),), provenance=blind), estate("b", (node("m"),), provenance=seeing)
        provenance = merge_estates([("a", a), ("b", b)]).provenance
        assert provenance.caveats == ("both", "a: one")
        assert provenance.signals["dcgm"] == Signal(reachable=False, detail="a: none")
